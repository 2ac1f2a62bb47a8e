import { filesBelow } from '#platform/disk.ts';
import { rm } from '#platform/storage.ts';
import * as vscode from 'vscode';
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
  /** An entry of the secret store with this prefix notifies other windows of a reset; it is deleted at once. */
  readonly resetSignal: string;
  /** Closes what shows and keeps state of its own, such as forms. */
  readonly closeForms: () => Promise<void>;
}

/** Removes everything that Beacon keeps: in the secret store, in the editor's state and on disk. */
export class Reset {
  readonly #deps: ResetDeps;
  /** Signals that are this window's own, or that it has followed. */
  readonly #seen = new Set<string>();

  constructor(deps: ResetDeps) {
    this.#deps = deps;
  }

  /**
   * What is kept, in lines for a user.
   *
   * @returns nothing if nothing is kept.
   * @throws SecretStoreError if the secret store cannot be read.
   */
  async list(): Promise<readonly string[]> {
    const { accounts, globalState, workspaceState } = this.#deps;
    const keys = await this.#secretKeys();
    const passphrases = keys.filter((key) => key.startsWith('passphrase:')).length;
    const counts = new Map<string, number>();
    for (const memento of [globalState, workspaceState]) {
      for (const key of memento.keys()) {
        const value = memento.get<unknown>(key);
        // The accounts are listed by their names.
        if (value !== undefined && key !== 'accounts') {
          const label = labelOf(key);
          counts.set(label, (counts.get(label) ?? 0) + countOf(key, value));
        }
      }
    }
    const files = (await this.#files()).length;
    const other = labelOf('');
    const line = (label: string, value: string | number): string => vscode.l10n.t('{0}: {1}', label, value);
    return [
      ...(accounts.all.length > 0
        ? [line(vscode.l10n.t('Accounts with their tokens'), accounts.all.map(({ id }) => id).join(', '))]
        : []),
      ...(passphrases > 0 ? [line(vscode.l10n.t('Certificate passphrases'), passphrases)] : []),
      ...(files > 0 ? [line(vscode.l10n.t('Feeds kept on disk, and other files'), files)] : []),
      ...[...counts]
        .filter(([, count]) => count > 0)
        .toSorted(([one], [another]) => Number(one === other) - Number(another === other))
        .map(([label, count]) => line(label, count)),
    ];
  }

  /** Whether there is something that ends halfway: settings that a profile would restore, or rotations. */
  get hasUnfinished(): { readonly restores: boolean; readonly rotations: boolean } {
    const { globalState, workspaceState } = this.#deps;
    return {
      restores: countOf('', globalState.get(restoresKey) ?? []) > 0,
      rotations: countOf('', workspaceState.get(rotationsKey) ?? []) > 0,
    };
  }

  /**
   * Removes all of it, here and in the other windows.
   *
   * @throws SecretStoreError if the secret store cannot be written: accounts that it has left are still there.
   */
  async run(): Promise<void> {
    const { accounts, secrets, resetSignal } = this.#deps;
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
    // Last: other windows have written what they knew when they heard that their accounts are gone.
    const signal = `${resetSignal}${crypto.randomUUID()}`;
    this.#seen.add(signal);
    await writing(async () => {
      await secrets.store(signal, '');
      await secrets.delete(signal);
    });
  }

  /** Follows the reset that another window has done. */
  async follow(signal: string): Promise<void> {
    if (!this.#seen.has(signal)) {
      this.#seen.add(signal);
      await this.#deps.closeForms();
      await this.#clear();
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

const restoresKey = 'notificationRestores';
const rotationsKey = 'errorTracking.rotations';

/** What the keys of the editor's state hold, for users. */
function labelOf(key: string): string {
  switch (key.replace(/\/.*/, '')) {
    case 'activity.pinnedFeeds':
      return vscode.l10n.t('Pinned feeds');
    case 'activity.filters':
      return vscode.l10n.t('Feed filters');
    case 'activity.read':
    case 'activity.opened':
      return vscode.l10n.t('Read marks of feeds');
    case 'activity.mutes':
      return vscode.l10n.t('Muted authors, projects and kinds');
    case 'pins':
      return vscode.l10n.t('Pinned projects and groups');
    case 'notificationProfiles':
      return vscode.l10n.t('Notification profiles');
    case restoresKey:
      return vscode.l10n.t('Notification profiles that end later');
    case 'notificationSettings':
      return vscode.l10n.t('Drafts and last saves of notification settings');
    case rotationsKey:
      return vscode.l10n.t('Unfinished key rotations');
    case 'errorTracking.tests':
      return vscode.l10n.t('Answers to test errors');
    default:
      return vscode.l10n.t('Other choices');
  }
}

function countOf(key: string, value: unknown): number {
  if (Array.isArray(value)) {
    return value.length;
  }
  return typeof value === 'object' && value !== null && !key.includes('/') ? Object.keys(value).length : 1;
}

async function writing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof SecretStoreError ? error : new SecretStoreError('write', error);
  }
}
