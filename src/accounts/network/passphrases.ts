import { canonicalEntry } from './tlsSettings.ts';
import type * as vscode from 'vscode';

const prefix = 'passphrase:';

/** The passphrases of client certificates, by the entry of `beacon.tls` that they are for, in the editor's secret store. */
export class Passphrases {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async of(entry: string): Promise<string | undefined> {
    return this.#secrets.get(keyOf(entry));
  }

  async keep(entry: string, passphrase: string): Promise<void> {
    await this.#secrets.store(keyOf(entry), passphrase);
  }

  /** Forgets them all; answers with how many there were. */
  async forget(): Promise<number> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(prefix));
    await Promise.all(keys.map((key) => this.#secrets.delete(key)));
    return keys.length;
  }

  /** Whether a change of the secret store is one of a passphrase. */
  isMeant({ key }: vscode.SecretStorageChangeEvent): boolean {
    return key.startsWith(prefix);
  }
}

function keyOf(entry: string): string {
  return prefix + canonicalEntry(entry);
}
