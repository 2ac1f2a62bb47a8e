import type * as vscode from 'vscode';

const prefix = 'passphrase:';

/** The passphrases of client certificates, by host and port of the instance, in the editor's secret store. */
export class Passphrases {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async of(instanceUrl: string): Promise<string | undefined> {
    return this.#secrets.get(keyOf(instanceUrl));
  }

  async keep(instanceUrl: string, passphrase: string): Promise<void> {
    await this.#secrets.store(keyOf(instanceUrl), passphrase);
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

function keyOf(instanceUrl: string): string {
  return prefix + new URL(instanceUrl).host;
}
