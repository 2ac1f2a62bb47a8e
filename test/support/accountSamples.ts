import type { InstanceAccount } from '../../src/accounts/keptAccount.ts';

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
    userId: Number.parseInt(username.slice(0, 9), 36),
    username,
    scopes: ['api'],
    tokenStoredAt: 1,
    ...rest,
  };
}

/** Of a window none of whose accounts has tokens that change. */
export const withoutChangingTokens = (): never => {
  throw new Error('No token changes here');
};
