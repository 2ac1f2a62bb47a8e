import { filesBelow } from '#platform/disk.ts';
import { rm } from '#platform/storage.ts';
import type * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import { type AccountStore, SecretStoreError } from '../accounts/accountStore.ts';

export interface ResetDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'remove'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'forgetChoice'>;
  readonly secrets: vscode.SecretStorage;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** The path of the folder that all windows share. */
  readonly storageFolder: string;
  /** Closes what shows and keeps state of its own, such as forms. */
  readonly closeForms: () => Promise<void>;
}

/** Removes everything that Beacon keeps: in the secret store, in the editor's state and on disk. */
export class Reset {
  readonly #deps: ResetDeps;

  constructor(deps: ResetDeps) {
    this.#deps = deps;
  }

  /**
   * Removes all of it. Other windows hear that their accounts are gone.
   *
   * @throws SecretStoreError if the secret store cannot be written: accounts that it has left are still there.
   */
  async run(): Promise<void> {
    const { accounts, secrets } = this.#deps;
    await this.#deps.closeForms();
    for (const { id } of accounts.all) {
      await accounts.remove(id);
    }
    await writing(async () => {
      for (const key of await this.#secretKeys()) {
        await secrets.delete(key);
      }
    });
    await this.#clear();
    for (const file of await this.#files()) {
      await rm(file, { force: true });
    }
  }

  async #clear(): Promise<void> {
    const { globalState, workspaceState, accountInUse } = this.#deps;
    for (const memento of [workspaceState, globalState]) {
      for (const key of memento.keys()) {
        await memento.update(key, undefined);
      }
    }
    // Notifies the views.
    await accountInUse.forgetChoice();
  }

  async #secretKeys(): Promise<readonly string[]> {
    try {
      return await this.#deps.secrets.keys();
    } catch (error) {
      throw new SecretStoreError('read', error);
    }
  }

  /** The files below the folder. Windows watch the folders in it, which stay. */
  async #files(): Promise<readonly string[]> {
    return await filesBelow(this.#deps.storageFolder);
  }
}

async function writing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof SecretStoreError ? error : new SecretStoreError('write', error);
  }
}
