import assert from 'node:assert/strict';
import { type AccountRefusal, isApiError } from '../../../src/api/errors.ts';
import { accountRefusals, refusing } from '../../support/sandbox/refusals.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { allRecords, clientOf, errorOf, serveClient } from '../../support/clientSamples.ts';
import type { TokenChoice } from '../../support/sandbox/control.ts';

const project = 'harbor/tide-table';

describe('client: refusals of an account or its token', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(async () => {
    sandbox.control.transform();
    sandbox.control.requireFineGrainedTokens('harbor', false);
  });

  const tokenOf = (choice: TokenChoice) => sandbox.control.makeToken('marta', choice);
  const clientWith = (permissions: readonly string[]) => clientOf(sandbox.url, { token: tokenOf({ permissions }) });

  for (const as of accountRefusals) {
    it(`recognize an account that is refused: ${as}`, async () => {
      sandbox.control.transform({ answer: refusing(as) });
      const rejected: unknown[] = [];
      const client = clientOf(sandbox.url, {
        token: sandbox.tokens.owner,
        onRejected: (error) => rejected.push(error),
      });
      const error = await errorOf(client.directory.currentUser(), 'accountRefused');
      assert.equal(error.refusal, as);
      assert.match(error.sentence, /\w{3,}.* \w{3,}/);
      assert.equal(error.instanceUrl, sandbox.url);
      assert.deepEqual(rejected, [], 'another token would not help');
    });
  }

  it('name the permissions that a fine-grained token lacks, and let pass what it has', async () => {
    const client = clientWith(['User: Read', 'Error Tracking Setting: Read']);
    assert.equal((await client.directory.currentUser()).username, 'marta');
    assert.equal((await client.errorTracking.settings(project)).active, true);
    const cases: readonly (readonly [Promise<unknown>, string])[] = [
      [allRecords(client.events.mine()), 'Event: Read'],
      [allRecords(client.events.ofUser('femi')), 'Event: Read'],
      [allRecords(client.events.ofProject(project)), 'Event: Read'],
      [client.directory.token(), 'Personal Access Token: Read'],
      [client.directory.version(), 'Metadata: Read'],
      [client.directory.project(project), 'Project: Read'],
      [client.directory.group('harbor'), 'Group: Read'],
      [client.notificationSettings.get('global'), 'Notification Setting: Read'],
      [client.notificationSettings.update('global', { level: 'watch' }), 'Notification Setting: Update'],
      [client.errorTracking.change(project, { active: true }), 'Error Tracking Setting: Update'],
      [allRecords(client.errorTracking.clientKeys(project)), 'Error Tracking Client Key: Read'],
      [client.errorTracking.createClientKey(project), 'Error Tracking Client Key: Create'],
      [client.errorTracking.deleteClientKey(project, 1), 'Error Tracking Client Key: Delete'],
    ];
    for (const [request, permission] of cases) {
      const error = await errorOf(request, 'missingPermission');
      assert.deepEqual(error.permissions, [permission]);
      assert.match(
        error.sentence ?? '',
        /^Access denied: This operation requires a fine-grained personal access token/,
      );
    }
    const everything = clientWith(cases.map(([, permission]) => permission));
    assert.ok((await allRecords(everything.events.ofProject(project))).length > 0);
    assert.deepEqual((await everything.directory.token()).scopes, ['granular']);
    const elsewhere = await errorOf(client.directory.project('no/such'));
    assert.equal(elsewhere.reason, 'notFound');
  });
});

describe('client: refusals in words that no code comes with', () => {
  const cases: readonly (readonly [status: number, body: object, AccountRefusal | undefined])[] = [
    [
      403,
      { message: '403 Forbidden - Your primary email address is not confirmed. Please check your inbox.' },
      'unconfirmed',
    ],
    // What says no more, or speaks of something else, is what it was.
    [403, { message: '403 Forbidden' }, undefined],
    [403, { message: '403 Forbidden - The pipeline is blocked' }, undefined],
    [403, { message: 'Terms of Service' }, undefined],
    [401, { error: 'invalid_token', error_description: 'Token is expired. You can re-authorize.' }, undefined],
    [404, { message: '404 Forbidden - Your account has been blocked.' }, undefined],
  ];
  for (const [status, body, refusal] of cases) {
    it(`reads ${JSON.stringify(body)} as ${refusal ?? 'no refusal of the account'}`, async () => {
      await using server = await serveClient({ json: body, status });
      const error = await errorOf(server.client.directory.currentUser());
      assert.equal(isApiError(error, 'accountRefused') ? error.refusal : undefined, refusal);
    });
  }

  it('keeps the reason that is stated, so that nobody blames the role', async () => {
    const reasons: (string | undefined)[] = [];
    for (const message of ['403 Forbidden', '403 Forbidden - The repository is archived']) {
      await using server = await serveClient({ json: { message }, status: 403 });
      reasons.push((await errorOf(server.client.directory.currentUser(), 'missingRole')).statedReason);
    }
    assert.deepEqual(reasons, [undefined, 'The repository is archived']);
  });

  for (const [description, permissions] of [
    ['… with the following project permissions: [Error Tracking Setting: Read].', ['Error Tracking Setting: Read']],
    [
      '… the following project permissions: [Project: Read, Event: Read] and user permissions: [User: Read].',
      ['Project: Read', 'Event: Read', 'User: Read'],
    ],
    ['Access denied: This operation does not support fine-grained personal access tokens.', []],
    ['[] [[ [ , ]', []],
  ] as const) {
    it(`finds the permissions in "${description}"`, async () => {
      const body = { error: 'insufficient_granular_scope', error_description: description };
      await using server = await serveClient({ json: body, status: 403 });
      const error = await errorOf(server.client.directory.currentUser(), 'missingPermission');
      assert.deepEqual(error.permissions, permissions);
      assert.equal(error.sentence, description);
    });
  }
});
