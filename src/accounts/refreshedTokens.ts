import { sha256 } from '../common/bytes.ts';
import { withLock } from '#platform/locks.ts';
import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { OAuth, TokenPair } from '../api/oauth.ts';
import type { App } from '../app.ts';
import { type GivenToken, SignedOutError } from './account.ts';
import type { ChangingTokens } from './accountStore.ts';
import type { Entry, Grant, InstanceAccount } from './keptAccount.ts';
import { borrowedToken } from './borrowedTokens.ts';
import { ProblemError, tokenGone } from './problem.ts';

const margin = 60_000;
/** Longer than a request for tokens takes, in milliseconds. */
const longestRefresh = 120_000;
/** Milliseconds after which the store is read again for the tokens of a window that was faster, but shares no lock. */
const rereads = [0, 1000, 2000];

type GrantedEntry = Entry & { readonly grant: Grant };

/** Takes steps of OAuth at an instance. */
async function withOAuth<T>(
  { connections }: App,
  instanceUrl: string,
  applicationId: string,
  run: (oauth: OAuth) => Promise<T>,
): Promise<T> {
  const client = await connections.client(instanceUrl);
  try {
    return await run(client.oauth(applicationId));
  } finally {
    await client.close();
  }
}

/** Asks an instance for an access token. @throws ApiError, `grantRefused` if the instance says no. */
export async function askGrant(
  app: App,
  instanceUrl: string,
  applicationId: string,
  ask: (oauth: OAuth) => Promise<TokenPair>,
): Promise<GivenToken> {
  const { accessToken: token, refreshToken, expiresIn, scopes } = await withOAuth(app, instanceUrl, applicationId, ask);
  const expiresAt = expiresIn === undefined ? undefined : app.clock.date().getTime() + expiresIn * 1000;
  const grant = { applicationId, refreshToken, expiresAt };
  return { token, grant, scopes, bearer: true, tokenSource: { kind: 'oauth' } };
}

/**
 * The access tokens of accounts that were authorized by OAuth. A refresh token is valid once: it is spent under a lock
 * across windows, and the new one is stored before the lock is released.
 */
export class RefreshedTokens implements ChangingTokens {
  readonly #app: App;
  /** Those under way in this window, by account and the token that is replaced. */
  readonly #refreshing = new Map<string, Promise<string>>();
  /** What could not be kept, by the refresh token that was spent for it. */
  readonly #unkept = new Map<string, GivenToken>();

  constructor(app: App) {
    this.#app = app;
  }

  async token({ account, token, grant }: Entry, rejected?: string): Promise<string> {
    const { accounts, accountInUse, clock, log } = this.#app;
    if (account.tokenSource?.kind !== 'oauth') {
      return await borrowedToken(account, accountInUse.nameOf(account));
    }
    if (!grant) {
      throw accounts.withoutToken(account.id);
    }
    const left = (grant.expiresAt ?? Number.POSITIVE_INFINITY) - clock.date().getTime();
    if (rejected === undefined ? left > margin : token !== rejected) {
      return token;
    }
    const key = `${account.id} ${token}`;
    const refresh =
      this.#refreshing.get(key) ?? this.#refresh(account.id, token).finally(() => this.#refreshing.delete(key));
    this.#refreshing.set(key, refresh);
    try {
      return await refresh;
    } catch (error) {
      // As long as it is valid, a failure to refresh it does not matter.
      const isFinal = error instanceof ProblemError || error instanceof SignedOutError;
      if (rejected !== undefined || left <= 0 || isFinal) {
        throw error;
      }
      log.warn(inspect(error));
      return token;
    }
  }

  /** Revokes the tokens that an account had; of one that is signed out of, also those of a refresh meanwhile. */
  async discard(entry: Entry, isSignedOut: boolean): Promise<void> {
    const { accounts } = this.#app;
    const { id, tokenStoredAt } = entry.account;
    await this.#revoke(entry);
    if (!isSignedOut) {
      return;
    }
    await this.#alone(id, async () => {
      const kept = await accounts.entry(id);
      // That of another sign-in was stored at another time.
      await (kept?.account.tokenStoredAt === tokenStoredAt && accounts.remove(id));
    }).catch((error: unknown) => this.#app.log.warn(inspect(error)));
  }

  /** What keeps it from that is for the log. */
  async #revoke({ account, token, grant }: Entry): Promise<void> {
    if (grant) {
      await withOAuth(this.#app, account.instanceUrl, grant.applicationId, (oauth) =>
        oauth.revoke(grant.refreshToken ?? token),
      ).catch((error: unknown) => this.#app.log.warn(inspect(error)));
    }
  }

  /** Runs what no other window does to the tokens of an account meanwhile. */
  async #alone<T>(id: string, run: () => Promise<T>): Promise<T> {
    const name = `token-${sha256(id, 'hex').slice(0, 32)}`;
    return await withLock(join(pathOf(this.#app.context.globalStorageUri), 'locks', name), longestRefresh, run);
  }

  async #entry(id: string): Promise<GrantedEntry> {
    const { accounts } = this.#app;
    const entry = await accounts.entry(id);
    if (!entry?.grant) {
      throw accounts.withoutToken(id);
    }
    return { ...entry, grant: entry.grant };
  }

  /** @param outdated the token that is to be replaced. */
  async #refresh(id: string, outdated: string): Promise<string> {
    const { accounts } = this.#app;
    return await this.#alone(id, async () => {
      const entry = await this.#entry(id);
      const { account, token, grant } = entry;
      if (token !== outdated) {
        return token; // Another window has refreshed it meanwhile.
      }
      const { refreshToken } = grant;
      if (refreshToken === undefined) {
        throw this.#ended(account);
      }
      const fresh = this.#unkept.get(refreshToken) ?? (await this.#spend(entry, refreshToken));
      if (typeof fresh === 'string') {
        return fresh;
      }
      const current = await accounts.entry(id);
      if (current?.token !== outdated || !accounts.find(id)) {
        // Signed out of meanwhile, or signed in to again.
        await this.#revoke({ account, ...fresh });
        return (await this.#entry(id)).token;
      }
      this.#unkept.set(refreshToken, fresh);
      await accounts.save(account, fresh.token, fresh.grant);
      this.#unkept.delete(refreshToken);
      return fresh.token;
    });
  }

  /** @returns what the instance gives for a refresh token, or the access token that another window has got. */
  async #spend({ account, token, grant }: GrantedEntry, refreshToken: string): Promise<GivenToken | string> {
    const { accounts, clock, log } = this.#app;
    try {
      return await askGrant(this.#app, account.instanceUrl, grant.applicationId, async (oauth) => {
        // An instance that gives no other refresh token leaves this one valid.
        return { refreshToken, ...(await oauth.refresh(refreshToken)) };
      });
    } catch (error) {
      const finalCodes = ['invalid_grant', 'invalid_client', 'unauthorized_client'];
      if (!isApiError(error, 'grantRefused') || !finalCodes.includes(error.code)) {
        throw error;
      }
      log.error(inspect(error));
      // One window is on this computer and another on a remote one: they share the store, but not the folder of the locks.
      for (const milliseconds of rereads) {
        await clock.sleep(milliseconds);
        const current = await this.#entry(account.id);
        if (current.token !== token) {
          return current.token;
        }
      }
      // Spent, perhaps by a window that crashed before it could keep the next one: it is not tried again.
      await accounts.save(account, token, { ...grant, refreshToken: undefined });
      throw this.#ended(account);
    }
  }

  #ended(account: InstanceAccount): ProblemError {
    const name = this.#app.accountInUse.nameOf(account);
    const sentence = vscode.l10n.t('{0}: the authorization has ended or was revoked. Sign in again.', name);
    return new ProblemError(tokenGone(account.id, sentence));
  }
}
