import type { InstanceAccount } from '../../src/accounts/account.ts';
import type { OAuthSignIn } from '../../src/accounts/oauthSignIn.ts';

/** An account as a sign-in makes it. */
export function sampleAccount(
  username: string,
  instanceUrl: string,
  rest: Partial<InstanceAccount> = {},
): InstanceAccount {
  return {
    kind: 'instance',
    id: `${username}@${new URL(instanceUrl).host}`,
    instanceUrl,
    username,
    scopes: ['api'],
    tokenStoredAt: 1,
    ...rest,
  };
}

/** A sign-in where no instance knows Beacon as an application. */
export const withoutApplications = { applicationOf: () => undefined } as unknown as OAuthSignIn;

/** Of a window none of whose accounts has tokens that change. */
export const withoutChangingTokens = (): Promise<never> => Promise.reject(new Error('No token changes here'));
