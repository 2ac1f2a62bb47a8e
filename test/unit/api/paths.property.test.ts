import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Client } from '../../../src/api/client.ts';
import type { IdOrPath } from '../../../src/api/url.ts';
import { isApiError, UnusablePathError } from '../../../src/api/errors.ts';
import { allPages, clientOf } from '../../support/clientSamples.ts';
import { runs } from '../../support/properties.ts';

/** Every call that takes a project, a group or a user. */
const calls: Readonly<Record<string, (client: Client, id: IdOrPath) => Promise<unknown>>> = {
  'events.ofUser': async ({ events }, id) => allPages(events.ofUser(id)),
  'events.ofProject': async ({ events }, id) => allPages(events.ofProject(id)),
  'notificationSettings.get (group)': async ({ notificationSettings }, id) => notificationSettings.get({ group: id }),
  'notificationSettings.get (project)': async ({ notificationSettings }, id) =>
    notificationSettings.get({ project: id }),
  'notificationSettings.update (group)': async ({ notificationSettings }, id) =>
    notificationSettings.update({ group: id }, { level: 'watch' }),
  'notificationSettings.update (project)': async ({ notificationSettings }, id) =>
    notificationSettings.update({ project: id }, { level: 'watch' }),
  'errorTracking.settings': async ({ errorTracking }, id) => errorTracking.settings(id),
  'errorTracking.create': async ({ errorTracking }, id) => errorTracking.create(id, { active: true, integrated: true }),
  'errorTracking.change': async ({ errorTracking }, id) => errorTracking.change(id, { active: true }),
  'errorTracking.clientKeys': async ({ errorTracking }, id) => allPages(errorTracking.clientKeys(id)),
  'errorTracking.createClientKey': async ({ errorTracking }, id) => errorTracking.createClientKey(id),
  'errorTracking.deleteClientKey': async ({ errorTracking }, id) => errorTracking.deleteClientKey(id, 7),
  'directory.user': async ({ directory }, id) => directory.user(id),
  'directory.project': async ({ directory }, id) => directory.project(id),
  'directory.group': async ({ directory }, id) => directory.group(id),
};

/** The others take nothing that becomes a part of a path. */
const withoutId = [
  'directory.currentUser',
  'directory.groups',
  'directory.projects',
  'directory.token',
  'directory.users',
  'directory.version',
  'events.mine',
];

const base = '/gitlab/api/v4/';

/** The addresses that a call requests, and the error that it fails with. */
async function outcomeOf(call: (client: Client, id: IdOrPath) => Promise<unknown>, id: IdOrPath) {
  const requested: string[] = [];
  const client = clientOf('https://gitlab.example/gitlab', {
    retries: 0,
    fetch: async (url) => {
      requested.push(url);
      return new Response('[]', { headers: { 'content-type': 'application/json' } });
    },
  });
  const error = await call(client, id).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error === undefined || isApiError(error) || error instanceof UnusablePathError, String(error));
  return { requested, error };
}

/** Decodes what can be decoded, as a lenient server does. */
function decode(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/** The paths that servers find in an address: they decode it up to twice, drop parameters of segments, and resolve `..`. */
function readingsOf(address: string): string[] {
  const sent = address.replace('https://gitlab.example', '').split('?')[0] ?? '';
  return [sent, decode(sent), decode(decode(sent))]
    .flatMap((path) => [path, path.replaceAll(/;[^/\\]*/g, '')])
    .map((path) => new URL(path, 'https://gitlab.example').pathname);
}

/** A text in which each character may be percent-encoded, once or twice. */
const encoded = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...Array.from(text, (character) => {
        const once = `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
        return fc.constantFrom(character, once, once.toUpperCase(), once.replace('%', '%25'));
      }),
    )
    .map((characters) => characters.join(''));
const name = fc.constantFrom('group', 'my.app', '.github', 'a..b', '..x', 'x..', '...', '', '%', '%zz', '100%', 'Ä');
const separator = fc.constantFrom('/', '\\').chain(encoded);
const dots = fc.constantFrom('.', '..').chain(encoded);
const suffix = fc.oneof(fc.constant(''), fc.constantFrom(';', ';x', ';a=b', '?x', '#', '\t', '\0', ' ').chain(encoded));
const hostile = fc
  .tuple(
    fc.array(fc.tuple(name, separator), { maxLength: 3 }),
    dots,
    suffix,
    fc.array(fc.tuple(separator, name), { maxLength: 3 }),
  )
  .map((parts) => parts.flat(2).join(''));
const any = fc
  .array(fc.oneof(name, separator, dots, suffix, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('paths: the token stays below the API of its instance', () => {
  it('every method of the client is looked at here', () => {
    const client = clientOf('https://gitlab.example');
    const methods = (['events', 'notificationSettings', 'errorTracking', 'directory'] as const).flatMap((part) =>
      Object.keys(client[part]).map((method) => `${part}.${method}`),
    );
    const known = Object.keys(calls).map((call) => call.replace(/ .*/, ''));
    assert.deepEqual([...new Set([...known, ...withoutId])].sort(), methods.sort());
  });

  it('requests what every server finds below the API, and nothing for a path with a dot segment, however it is written', async () => {
    const anyCall = fc.constantFrom(...Object.values(calls));
    await fc.assert(
      fc.asyncProperty(anyCall, any, hostile, async (call, path, withDots) => {
        const refused = await outcomeOf(call, withDots);
        assert.ok(refused.error instanceof UnusablePathError && refused.requested.length === 0, withDots);
        const { requested, error } = await outcomeOf(call, path);
        assert.equal(requested.length === 0, error instanceof UnusablePathError);
        for (const reading of requested.flatMap(readingsOf)) {
          assert.ok(reading.startsWith(base), reading);
        }
      }),
      runs(1000),
    );
  });

  it('takes the names that there are', async () => {
    const names = 'team/my.app a..b group/.github ..x x.. ... 100% %zz %2 größe/日本 a;b'.split(' ');
    for (const call of Object.values(calls)) {
      for (const id of [...names, 42]) {
        const { requested, error } = await outcomeOf(call, id);
        assert.ok(!(error instanceof UnusablePathError), String(id));
        assert.equal(requested.length, 1, String(id));
      }
    }
  });
});
