import assert from 'node:assert/strict';
import { isReadOnly } from '../../src/accounts/account.ts';
import { cliTokenIn } from '../../src/accounts/borrowedTokens.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { type Client, createClient } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import { noticeRows } from '../../src/errorTracking/labels.ts';
import type { TrackedProject } from '../../src/errorTracking/projects.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/sandbox.ts';
import { sampleAccount } from '../support/accountSamples.ts';
import { SleeplessClock } from '../support/fakeClock.ts';
import { allRecords } from '../support/clientSamples.ts';
import { AccountsApp } from '../support/accountsApp.ts';
import type { TokenChoice } from '../support/sandbox/control.ts';

const project = 'harbor/tide-table';

/** What the features ask of the instance. */
const features = {
  signIn: (client: Client) => client.directory.currentUser(),
  activity: (client: Client) => allRecords(client.events.mine()),
  projectActivity: (client: Client) => allRecords(client.events.ofProject(project)),
  names: (client: Client) => client.directory.project(project),
  groups: (client: Client) => allRecords(client.directory.groups()),
  settings: (client: Client) => client.notificationSettings.get('global'),
  saveSettings: (client: Client) => client.notificationSettings.update('global', { level: 'watch' }),
  tracking: (client: Client) => client.errorTracking.settings(project),
  changeTracking: (client: Client) => client.errorTracking.change(project, { active: true }),
  keys: (client: Client) => allRecords(client.errorTracking.clientKeys(project)),
  createKey: (client: Client) => client.errorTracking.createClientKey(project),
  deleteKey: (client: Client) => client.errorTracking.deleteClientKey(project, 999_999),
} as const;
type Feature = keyof typeof features;

/** The permission that each feature needs of a fine-grained token, and what it is said to be for. */
const needs: Readonly<Record<Feature, readonly [permission: string, purpose: string]>> = {
  signIn: ['User: Read', 'sign-in'],
  activity: ['Event: Read', 'activity'],
  projectActivity: ['Event: Read', 'activity'],
  names: ['Project: Read', 'names and links'],
  groups: ['Group: Read', 'names and links'],
  settings: ['Notification Setting: Read', 'notification settings'],
  saveSettings: ['Notification Setting: Update', 'notification settings'],
  tracking: ['Error Tracking Setting: Read', 'error tracking'],
  changeTracking: ['Error Tracking Setting: Update', 'error tracking'],
  keys: ['Error Tracking Client Key: Read', 'error tracking'],
  createKey: ['Error Tracking Client Key: Create', 'error tracking'],
  deleteKey: ['Error Tracking Client Key: Delete', 'error tracking'],
};
const permissions = [...new Set(Object.values(needs).map(([permission]) => permission))];
const everything = Object.keys(features) as Feature[];
const changes: readonly Feature[] = ['saveSettings', 'changeTracking', 'createKey', 'deleteKey'];

describe('each kind of token', () => {
  let sandbox: Sandbox;
  const clock = new SleeplessClock(Date.now());
  before(async () => {
    sandbox = await startSandbox({ dialect: 'live', now: () => clock.date() });
  });
  after(() => sandbox.close());
  afterEach(() => sandbox.control.requireFineGrainedTokens('harbor', false));

  const tokenOf = async (choice: TokenChoice): Promise<string> => sandbox.control.makeToken('marta', choice);

  /** The outcome of a feature: `works`, or the sentence and the command that are shown. */
  async function outcomeOf(feature: Feature, token: string, bearer: boolean): Promise<string> {
    const client = createClient({ instanceUrl: sandbox.url, token, retries: 0, bearer });
    try {
      return await outcomeWith(feature, client);
    } finally {
      await client.close();
    }
  }

  async function outcomeWith(feature: Feature, client: Client): Promise<string> {
    try {
      await features[feature](client);
      return 'works';
    } catch (error) {
      // A key that is not there is not found by those who may delete it.
      if (isApiError(error, 'notFound')) {
        return 'works';
      }
      const { sentence, remedy } = problemOf(error);
      assert.doesNotMatch(sentence, /undefined|\{\d\}|glpat-/);
      return `${sentence} → ${remedy?.title ?? 'nothing'}`;
    }
  }

  const host = () => new URL(sandbox.url).host;
  const rejected = () => `${host()} does not accept the token: it is wrong, expired or revoked. → Replace Token…`;
  const permission = (name: string, purpose: string) => {
    const boundary = /^(?:User|Event|Notification)/.test(name)
      ? 'user'
      : name.startsWith('Group')
        ? 'group'
        : 'project';
    return (isOfProject: boolean) =>
      `${host()} requires a fine-grained token with the permission ${name} (${purpose}); where a group requires such tokens, no classic token helps. The instance says: “Access denied: This operation requires a fine-grained personal access token with the following ${isOfProject ? 'project' : boundary} permissions: [${name}].” → Open Token Page`;
  };

  /** Makes a token; answers with what is shown of each feature that does not work. */
  type Row = readonly [
    kind: string,
    token: () => Promise<string>,
    refused: Partial<Record<Feature, () => string>>,
    bearer?: boolean,
  ];
  const all = (shown: () => string, of: readonly Feature[] = everything): Partial<Record<Feature, () => string>> =>
    Object.fromEntries(of.map((feature) => [feature, shown]));
  const missing = (feature: Feature) => () => permission(...needs[feature])(feature === 'projectActivity');

  const rows: readonly Row[] = [
    ['classic with api', () => tokenOf({}), {}],
    [
      'classic with read_api',
      () => tokenOf({ scopes: ['read_api'] }),
      all(
        () => `The token for ${host()} may not change this: that needs the token scope api. → Replace Token…`,
        changes,
      ),
    ],
    [
      'classic with read_user',
      () => tokenOf({ scopes: ['read_user'] }),
      {
        ...all(
          () =>
            `The token for ${host()} may not read this: that needs the token scope read_api or api. → Replace Token…`,
          ['projectActivity', 'names', 'groups'],
        ),
        ...all(
          () =>
            `The token for ${host()} may not read this: that needs the token scope read_api or api. → Replace Token…`,
          ['settings', 'tracking', 'keys'],
        ),
        ...all(
          () => `The token for ${host()} may not change this: that needs the token scope api. → Replace Token…`,
          changes,
        ),
      },
    ],
    ['expired', () => tokenOf({ expired: true }), all(rejected)],
    [
      'revoked',
      async () => {
        const token = await tokenOf({});
        sandbox.control.revokeToken(token);
        return token;
      },
      all(rejected),
    ],
    [
      'classic where a group requires fine-grained ones',
      async () => {
        sandbox.control.requireFineGrainedTokens('harbor', true);
        return await tokenOf({});
      },
      Object.fromEntries(
        (['projectActivity', 'names', 'tracking', 'changeTracking', 'keys', 'createKey', 'deleteKey'] as const).map(
          (feature) => [feature, missing(feature)],
        ),
      ),
    ],
    [
      'of the GitLab CLI',
      async () =>
        cliTokenIn(`hosts:\n  ${host()}:\n    token: ${await tokenOf({})}\n`, sandbox.url)?.token ?? 'not found',
      {},
    ],
    ['of an application', () => tokenOf({ oauth: true }), {}, true],
    ['of an application, sent as a personal one', () => tokenOf({ oauth: true }), all(rejected)],
    ['fine-grained with all permissions', () => tokenOf({ permissions }), {}],
    ...permissions.map((left): Row => [
      `fine-grained without ${left}`,
      () => tokenOf({ permissions: permissions.filter((one) => one !== left) }),
      Object.fromEntries(
        everything.filter((feature) => needs[feature][0] === left).map((feature) => [feature, missing(feature)]),
      ),
    ]),
  ];
  for (const [kind, make, refused, bearer = false] of rows) {
    it(`does what it can, and says what it cannot: ${kind}`, async () => {
      const token = await make();
      for (const feature of everything) {
        assert.equal(await outcomeOf(feature, token, bearer), refused[feature]?.() ?? 'works', feature);
      }
    });
  }

  /** Signs in with a token. */
  async function signIn(token: string) {
    const window = new AccountsApp();
    try {
      return await window.signIn.with({ instanceUrl: sandbox.url, token });
    } finally {
      window.dispose();
    }
  }

  it('signs in without scopes that are known where it is a fine-grained one', async () => {
    assert.deepEqual((await signIn(await tokenOf({}))).scopes, ['api']);
    const withExpiry = await tokenOf({ permissions: ['User: Read', 'Personal Access Token: Read'] });
    assert.equal((await signIn(withExpiry)).scopes, undefined);
    assert.equal((await signIn(await tokenOf({ permissions: ['User: Read'] }))).scopes, undefined);
  });

  it('says in the view and in the form what one that only reads cannot do', () => {
    const account = sampleAccount('ada', 'https://gitlab.example', { scopes: ['read_api', 'read_user'] });
    assert.equal(isReadOnly(account), true);
    assert.equal(isReadOnly({ ...account, scopes: ['read_api', 'api'] }), false);
    assert.equal(isReadOnly({ ...account, scopes: undefined }), false);
    const pinned = { accountId: account.id, idOrPath: 501, path: project, origin: 'pinned' } as TrackedProject;
    const tracking = { settings: { kind: 'notSetUp' }, keys: [], unreadableKeys: 0 } as const;
    const [row] = noticeRows(pinned, { tracking }, true, false);
    assert.match(
      row?.sentence ?? '',
      /^A token with the token scope read_api may read but change nothing; changes need api\. The account here is ada@gitlab\.example\.$/,
    );
    assert.deepEqual([row?.command?.command, row?.command?.arguments], ['beacon.replaceToken', [account.id]]);
  });
});
