import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Client } from '../../../src/api/client.ts';
import type { Page } from '../../../src/api/pagination.ts';
import { allPages, clientOf, sampleEvent, sampleUser, withValue } from '../../support/clientSamples.ts';
import { runs } from '../../support/properties.ts';

const push = { commit_count: 1, action: 'pushed', ref_type: 'branch', commit_from: 'a', commit_to: 'b', ref: 'main' };

/** The lists of the API, each with a record that it holds. */
const lists: [string, object, (client: Client) => AsyncIterable<Page<unknown>>][] = [
  ['events', { ...sampleEvent(1), push_data: push, wiki_page: { slug: 'home' } }, ({ events }) => events.mine()],
  [
    'client keys',
    { id: 1, active: true, public_key: 'glet_1', tracker_dsn: 'https://x', sentry_dsn: 'https://y' },
    ({ errorTracking }) => errorTracking.clientKeys(1),
  ],
  ['users', sampleUser, ({ directory }) => directory.users()],
  [
    'projects',
    { id: 1, name: 'Door', path_with_namespace: 'a/b', archived: false },
    ({ directory }) => directory.projects(),
  ],
  ['groups', { id: 1, name: 'House', full_path: 'a', parent_id: null }, ({ directory }) => directory.groups()],
];

/** The paths of all fields of a record, also of those inside its objects. */
function pathsOf(record: object): string[][] {
  return Object.entries(record).flatMap(([name, value]) => [
    [name],
    ...(typeof value === 'object' && value !== null ? pathsOf(value as object).map((path) => [name, ...path]) : []),
  ]);
}

function answering(body: string, headers: Readonly<Record<string, string>> = {}): Client {
  return clientOf('https://gitlab.example', {
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json', ...headers } }),
  });
}

describe('records', () => {
  for (const [name, record, list] of lists) {
    it(`any JSON value in any field never throws out of a list and never loses a record: ${name}`, async () => {
      const changed = fc
        .tuple(fc.constantFrom(...pathsOf(record)), fc.jsonValue())
        .map(([path, value]) => withValue(record, path, value));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(changed, changed, fc.jsonValue())), async (elements) => {
          const body = JSON.stringify([record, ...elements]);
          const [page] = await allPages(list(answering(body)));
          assert.ok(page);
          const sent = JSON.parse(body) as unknown[];
          const isMisfit = (element: unknown) => page.misfits.some(({ raw }) => isDeepStrictEqual(raw, element));
          assert.ok(page.misfits.every(({ problems }) => problems.length > 0));
          assert.ok(!isMisfit(sent[0]));
          const fitting = sent.filter((element) => !isMisfit(element));
          assert.equal(page.items.length, fitting.length);
          assert.equal(page.misfits.length, sent.length - fitting.length);
          page.items.forEach((item, index) => {
            const { id } = item as { id: unknown };
            assert.ok(Number.isSafeInteger(id));
            const own = (fitting[index] as { id?: unknown }).id;
            // An event has an id from Beacon where the instance sends none, or one that no instance counts up to.
            const isNone = own === null || own === undefined || Number(own) >= 2 ** 48;
            assert.ok(id === own || (name === 'events' && isNone));
          });
        }),
        runs(100),
      );
    });
  }

  /** The records that come alone, with what they are not without. */
  const single: [string, object, string[], (client: Client) => Promise<object>][] = [
    [
      'error tracking settings',
      {
        active: true,
        integrated: false,
        project_name: 'Door',
        tracker_external_url: 'https://x.example',
        api_url: 'https://x.example/api',
      },
      ['active'],
      ({ errorTracking }) => errorTracking.settings(1),
    ],
    [
      'notification settings',
      { level: 'custom', notification_email: 'rosa@example.com', events: { new_note: true, new_issue: null } },
      ['level'],
      ({ notificationSettings }) => notificationSettings.get('global'),
    ],
  ];
  it('the scopes of a token are words, of a bounded number, and unknown where there is no list of them', async () => {
    const listed = ['api', 7, 'x'.repeat(101), '[x](command:y)', 'read user', ...Array<string>(200).fill('read_user')];
    const scopesOf = async (scopes: unknown) =>
      (await answering(JSON.stringify({ id: 1, scopes })).directory.token()).scopes;
    assert.deepEqual(await scopesOf(listed), ['api', ...Array<string>(99).fill('read_user')]);
    assert.deepEqual([await scopesOf(null), await scopesOf(undefined)], [undefined, undefined]);
  });

  it('an etag that cannot be sent back is none', async () => {
    for (const etag of ['"a\tb"', 'x'.repeat(10_000), 'W/"1"']) {
      const client = answering('[]', { etag });
      const [page] = await allPages(client.events.mine({}, { perPage: 1 }));
      assert.equal(page?.etag, etag === 'W/"1"' ? etag : undefined);
      await allPages(client.events.mine({}, { etag: page?.etag }));
    }
  });

  for (const [name, record, needed, get] of single) {
    it(`any JSON value in a field leaves the rest of a record, and no long or many-lined text: ${name}`, async () => {
      const values = fc.oneof(fc.jsonValue(), fc.constantFrom('a\nb', 'x'.repeat(100_000), '\u2028', 'javascript:x'));
      const paths = pathsOf(record).filter(([field = '']) => !needed.includes(field));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), values, async (path, value) => {
          const client = answering(JSON.stringify(withValue(record, path, value)));
          const read = (await get(client)) as Record<string, unknown>;
          for (const [field, before] of Object.entries(record)) {
            if (path[0] !== field) {
              assert.deepEqual(read[field], before);
            }
          }
          for (const text of Object.values(read).filter((inner) => typeof inner === 'string')) {
            assert.ok(text.length <= 2048, String(text.length));
          }
          assert.doesNotMatch(String(read['notification_email']), /[\n\u2028]/);
        }),
        runs(100),
      );
    });
  }
});
