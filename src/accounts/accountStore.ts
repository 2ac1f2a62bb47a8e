import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { instanceName } from '../common/instanceUrl.ts';
import { accessSecrets, itemsIn } from '../common/stored.ts';
import { indexKey, SignedOutError } from './account.ts';
import { accountSchema, type Entry, entrySchema, type Grant, type InstanceAccount } from './keptAccount.ts';

const secretPrefix = 'account:';

export interface ChangingTokens {
  /**
   * @param rejected one that the instance does not accept: another one is wanted.
   * @throws ProblemError if there is none any more, ApiError if the instance cannot be asked for one.
   */
  token(entry: Entry, rejected?: string): Promise<string>;
  /** @param isSignedOut whether nothing may be kept of the account, or it has another token by now. */
  discard(entry: Entry, isSignedOut: boolean): Promise<void>;
}

/** What has become of an account, in any window: it was added, changed, given another token or removed. */
export interface AccountChange {
  readonly id: string;
  readonly before: InstanceAccount | undefined;
  readonly now: InstanceAccount | undefined;
}

/**
 * All accounts that this editor is signed in as. Each has one entry in the secret store, which every window sees; who they are
 * is also kept outside of it, so that an editor that starts knows them without reading a secret.
 */
export class AccountStore implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #secrets: vscode.SecretStorage;
  readonly #tokens: () => ChangingTokens;
  readonly #changed = new vscode.EventEmitter<AccountChange>();
  readonly #subscription: vscode.Disposable;
  #accounts: readonly InstanceAccount[];
  #completed: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;

  /**
   * @param memento shared by all windows.
   * @param tokens gives the tokens of accounts that have a token source.
   */
  constructor(memento: vscode.Memento, secrets: vscode.SecretStorage, tokens: () => ChangingTokens) {
    this.#tokens = tokens;
    this.#memento = memento;
    this.#secrets = secrets;
    this.#accounts = itemsIn(memento, indexKey, (value) => accountSchema.safeParse(value).data);
    this.#subscription = secrets.onDidChange(({ key }) => void this.follow(key));
  }

  get all(): readonly InstanceAccount[] {
    return this.#accounts;
  }

  find(id: string): InstanceAccount | undefined {
    return this.#accounts.find((account) => account.id === id);
  }

  /** The id for a user of an instance: that of the account that is there, or else a new one, which names both. */
  idFor({ userId, username, instanceUrl }: Omit<InstanceAccount, 'id'>): string {
    const known = this.#accounts.find((one) => one.userId === userId && one.instanceUrl === instanceUrl);
    const short = `${username}@${instanceName(instanceUrl)}`;
    // That by `http` on this computer may have the short one already, or a user who had this name before.
    return known?.id ?? (this.find(short) ? `${username}@${instanceUrl}` : short);
  }

  /**
   * The token of an account, with the account as it is kept with the token. What is kept of it outside of the secret store, where
   * others may write, does not count, and is put right.
   *
   * @param rejected a token that the instance does not accept: another one is wanted, if there may be one.
   * @throws SignedOutError if the secret store holds none, SecretStoreError if it cannot be read, and what `ChangingTokens.token` throws.
   */
  async credentials(id: string, rejected?: string): Promise<Entry> {
    await (this.#completed ??= this.#complete());
    const entry = await this.entry(id);
    if (!entry) {
      throw this.withoutToken(id);
    }
    const { account, token } = entry;
    // One that was removed meanwhile stays away.
    if (this.find(id)) {
      await this.#set(id, account);
    }
    return { account, token: account.tokenSource ? await this.#tokens().token(entry, rejected) : token };
  }

  /** That the token of an account is gone, with or without the account. */
  withoutToken(id: string): SignedOutError {
    return new SignedOutError(id, this.find(id) !== undefined);
  }

  /**
   * What the secret store holds of an account now, whatever has become of its token.
   *
   * @throws SecretStoreError if the entry cannot be read.
   */
  async entry(id: string): Promise<Entry | undefined> {
    const text = await accessSecrets('read', () => this.#secrets.get(secretPrefix + id));
    const entry = text === undefined ? undefined : parseEntry(text);
    return entry?.account.id === id ? entry : undefined;
  }

  /** Does the same as `save`, and lets the instance end the authorization of Beacon that the account had before. */
  async replace(account: InstanceAccount, token: string, grant?: Grant): Promise<InstanceAccount> {
    // What cannot be read cannot be revoked, and is replaced all the same.
    const before = await this.entry(account.id).catch(() => undefined);
    const kept = await this.save(account, token, grant);
    this.#discard(before, false);
    return kept;
  }

  /**
   * Adds an account, or gives one that is there its new token.
   *
   * @param token is not kept of an account that is lent it.
   * @param grant of an account that was authorized by OAuth.
   * @returns the account as it is read again, by which other windows compare it.
   * @throws SecretStoreError if the store cannot be written; then nothing has changed.
   */
  async save(account: InstanceAccount, token: string, grant?: Grant): Promise<InstanceAccount> {
    const text = JSON.stringify({ account, token: account.tokenSource && !grant ? '' : token, grant });
    const { account: kept } = entrySchema.parse(JSON.parse(text));
    await accessSecrets('write', () => this.#secrets.store(secretPrefix + kept.id, text));
    await this.#set(kept.id, kept);
    return kept;
  }

  /** Forgets an account and its token. @throws SecretStoreError if the store cannot be written; then nothing has changed. */
  async remove(id: string): Promise<void> {
    // What cannot be read cannot be revoked, and is removed all the same.
    const entry = await this.entry(id).catch(() => undefined);
    await accessSecrets('write', () => this.#secrets.delete(secretPrefix + id));
    await this.#set(id, undefined);
    this.#discard(entry, true);
  }

  /** Follows what this or another window did to an entry of the secret store, if it is that of an account. */
  async follow(key: string): Promise<void> {
    if (key.startsWith(secretPrefix)) {
      const id = key.slice(secretPrefix.length);
      // One that cannot be read is reported when its token is asked for; the others go on.
      await this.entry(id).then(
        (entry) => this.#set(id, entry?.account),
        () => undefined,
      );
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #discard(entry: Entry | undefined, isSignedOut: boolean): void {
    if (entry?.grant) {
      // Not awaited: the instance may be unreachable.
      void this.#tokens().discard(entry, isSignedOut);
    }
  }

  /** Adds the accounts of the secret store that are missing here, because windows overwrite each other's list of them. */
  async #complete(): Promise<void> {
    try {
      for (const key of await this.#secrets.keys()) {
        if (!this.find(key.slice(secretPrefix.length))) {
          await this.follow(key);
        }
      }
    } catch {
      // A caller who asks for a token that cannot be read gets the error; the list is read again at its next use.
      this.#completed = undefined;
    }
  }

  async #set(id: string, account: InstanceAccount | undefined): Promise<void> {
    const known = this.find(id);
    // Otherwise this window did it, and now hears of it from the secret store.
    if (!isDeepStrictEqual(known, account)) {
      const now = account ? [account] : [];
      this.#accounts = known
        ? this.#accounts.flatMap((one) => (one === known ? now : [one]))
        : [...this.#accounts, ...now];
      await this.#memento.update(indexKey, this.#accounts.length > 0 ? this.#accounts : undefined);
      this.#changed.fire({ id, before: known, now: account });
    }
  }
}

/** An entry that cannot be read counts as none: a new sign-in replaces it. */
function parseEntry(text: string): Entry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
