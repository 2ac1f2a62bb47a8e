import { sha256 } from '#platform/bytes.ts';
import { withLock } from '#platform/locks.ts';
import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { logLine } from '../api/client.ts';
import { GrantRefusedError } from '../api/errors.ts';
import { OAuthProvider, type TokenPair } from '../api/oauth.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import type { Network } from '#platform/network.ts';
import { type Grant, type InstanceAccount, SignedOutError, type TokenSource } from './account.ts';
import type { AccountStore, ChangingTokens, Entry } from './accountStore.ts';
import { externalToken, tokenGone } from './externalTokens.ts';
import { ProblemError } from './problem.ts';

/** Milliseconds before its expiry from which an access token is refreshed. */
const margin = 60_000;
/** Longer than a request for tokens takes, in milliseconds. */
const longestRefresh = 120_000;

/** Opens the OAuth provider of an instance; the caller closes it. */
export type OpenProvider = (instanceUrl: string, applicationId: string) => Promise<OAuthProvider>;

/** Opens OAuth providers by the routes that all requests take. */
export function openProviderBy(network: () => Promise<Network>, log: vscode.LogOutputChannel): OpenProvider {
  return async (instanceUrl, applicationId) => {
    const carrier = await (await network()).createTransport(instanceUrl);
    return new OAuthProvider({
      ...{ instanceUrl, applicationId, dispatcher: carrier.dispatcher, fetch: carrier.fetch },
      onClose: () => carrier.close(),
      log: (entry) => log.debug(logLine(entry)),
    });
  };
}

/** What is kept of tokens that were just given. */
export function grantOf(applicationId: string, { refreshToken, expiresIn }: TokenPair, now: number): Grant {
  return { applicationId, refreshToken, expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1000 };
}

/** What refreshing tokens depends on. */
export interface RefreshedTokensDeps {
  readonly store: Pick<AccountStore, 'entry' | 'save'>;
  readonly openProvider: OpenProvider;
  /** Shared by all windows, for the locks between them. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly clock: Pick<Clock, 'date'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * The access tokens of accounts that were authorized by OAuth. A refresh token is valid once: it is spent under a lock
 * across windows, and the new one is stored before the lock is released.
 */
export class RefreshedTokens implements ChangingTokens {
  readonly #deps: RefreshedTokensDeps;
  /** Those under way in this window, by account and the token that is replaced. */
  readonly #refreshing = new Map<string, Promise<string>>();
  /** What could not be kept, by the refresh token that was spent for it. */
  readonly #unkept = new Map<string, TokenPair>();

  constructor(deps: RefreshedTokensDeps) {
    this.#deps = deps;
  }

  /** @throws SignedOutError if there is no such account any more. */
  async token(account: InstanceAccount, source: TokenSource, rejected?: string): Promise<string> {
    if (source.kind !== 'oauth') {
      return await externalToken(account, source);
    }
    const { id } = account;
    const { token, grant } = await this.#entry(id);
    const left = (grant.expiresAt ?? Number.POSITIVE_INFINITY) - this.#deps.clock.date().getTime();
    if (rejected === undefined ? left > margin : token !== rejected) {
      return token;
    }
    if (grant.refreshToken === undefined) {
      throw authorizationEnded(id);
    }
    const key = `${id} ${token}`;
    const refresh = this.#refreshing.get(key) ?? this.#refresh(id, token).finally(() => this.#refreshing.delete(key));
    this.#refreshing.set(key, refresh);
    try {
      return await refresh;
    } catch (error) {
      // As long as it is valid, a failure to refresh it does not matter.
      const isPassing = !(error instanceof ProblemError || error instanceof SignedOutError);
      if (rejected === undefined && left > 0 && isPassing) {
        this.#deps.log.warn(inspect(error));
        return token;
      }
      throw error;
    }
  }

  /** Revokes the tokens of an account that is signed out of. What keeps it from that is for the log. */
  async discard({ account, token, grant: kept }: Entry): Promise<void> {
    const grant = readGrant(kept);
    if (!grant) {
      return;
    }
    try {
      const provider = await this.#deps.openProvider(account.instanceUrl, grant.applicationId);
      try {
        await provider.revoke(grant.refreshToken ?? token);
      } finally {
        await provider.close();
      }
    } catch (error) {
      this.#deps.log.warn(inspect(error));
    }
  }

  async #entry(id: string): Promise<Entry & { readonly grant: Grant }> {
    const entry = await this.#deps.store.entry(id);
    const grant = readGrant(entry?.grant);
    if (!entry || !grant) {
      throw new SignedOutError();
    }
    return { ...entry, grant };
  }

  /** @param outdated the token that is to be replaced. */
  async #refresh(id: string, outdated: string): Promise<string> {
    const name = sha256(id, 'hex').slice(0, 32);
    return await withLock(join(this.#deps.folder, `token-${name}`), longestRefresh, async () => {
      const entry = await this.#entry(id);
      const { account, token, grant } = entry;
      if (token !== outdated) {
        return token; // Another window has refreshed it meanwhile.
      }
      if (grant.refreshToken === undefined) {
        throw authorizationEnded(id);
      }
      const { store } = this.#deps;
      const pair = this.#unkept.get(grant.refreshToken) ?? (await this.#spend(entry, grant.refreshToken));
      if (typeof pair === 'string') {
        return pair;
      }
      const fresh = grantOf(grant.applicationId, pair, this.#deps.clock.date().getTime());
      const current = await store.entry(id);
      if (current?.token !== outdated) {
        // Signed out of meanwhile, or signed in to again.
        await this.discard({ account, token: pair.accessToken, grant: fresh });
        return (await this.#entry(id)).token;
      }
      this.#unkept.set(grant.refreshToken, pair);
      await store.save(account, pair.accessToken, fresh);
      this.#unkept.delete(grant.refreshToken);
      return pair.accessToken;
    });
  }

  /** @returns what the instance gives for a refresh token, or the access token that another window has got. */
  async #spend({ account, token, grant }: Entry & { readonly grant: Grant }, refreshToken: string) {
    const provider = await this.#deps.openProvider(account.instanceUrl, grant.applicationId);
    try {
      // One that gives no other refresh token leaves this one valid.
      return { refreshToken, ...(await provider.refresh(refreshToken)) };
    } catch (error) {
      const isFinal =
        error instanceof GrantRefusedError &&
        ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(error.code);
      if (!isFinal) {
        throw error;
      }
      this.#deps.log.error(inspect(error));
      // Where the folder of the locks cannot be written, another window may have been faster.
      const current = await this.#entry(account.id);
      if (current.token !== token) {
        return current.token;
      }
      // Spent, perhaps by a window that crashed before it could keep the next one: it is not tried again.
      await this.#deps.store.save(account, token, { ...grant, refreshToken: undefined });
      throw authorizationEnded(account.id);
    } finally {
      await provider.close();
    }
  }
}

/**
 * Builds what gives the tokens of a window's accounts.
 *
 * @param storageUri of a folder that is shared by all windows.
 */
export function refreshedTokens(
  store: AccountStore,
  network: () => Promise<Network>,
  storageUri: vscode.Uri,
  log: vscode.LogOutputChannel,
): RefreshedTokens {
  return new RefreshedTokens({
    store,
    openProvider: openProviderBy(network, log),
    folder: join(pathOf(storageUri), 'locks'),
    clock: systemClock,
    log,
  });
}

/** Reads a grant as it was kept: one without a text for a refresh token is one that is used up. */
function readGrant(value: unknown): Grant | undefined {
  const { applicationId, refreshToken, expiresAt } = (value ?? {}) as Partial<Record<keyof Grant, unknown>>;
  return typeof applicationId === 'string'
    ? {
        applicationId,
        refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
        expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
      }
    : undefined;
}

function authorizationEnded(accountId: string): ProblemError {
  return tokenGone(
    accountId,
    vscode.l10n.t('{0}: the authorization has ended or was revoked. Sign in again.', accountId),
  );
}
