import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Client } from '../../../src/api/client.ts';
import type { Pages } from '../../../src/api/pagination.ts';
import type { IdOrPath } from '../../../src/api/url.ts';
import { UnusablePathError } from '../../../src/api/errors.ts';
import { allPages, clientOf } from '../../support/clientSamples.ts';
import { runs } from '../../support/properties.ts';

type Call = (client: Client, id: IdOrPath) => Promise<unknown>;

/** How a method may be told of a project, a group or a user. */
const shapes: readonly ((id: IdOrPath) => readonly unknown[])[] = [
  (id) => [id, 7],
  (id) => [id, { active: true, integrated: true }],
  (id) => [{ group: id }, { level: 'watch' }],
  (id) => [{ project: id }, { level: 'watch' }],
];

/** Each method of each resource in each shape; that of targets takes paths that are made already. */
function everyCall(): Call[] {
  const resources = Object.entries(clientOf('https://gitlab.example')).filter(
    ([name, resource]) => typeof resource === 'object' && name !== 'targets',
  );
  return resources.flatMap(([name, resource]) =>
    Object.keys(resource).flatMap((method) =>
      shapes.map((shape): Call => async (client, id) => {
        const methods = client[name as keyof Client] as unknown as Record<string, (...args: unknown[]) => unknown>;
        const result = methods[method]?.(...shape(id));
        return Symbol.asyncIterator in Object(result) ? allPages(result as Pages<unknown>) : result;
      }),
    ),
  );
}

const base = '/gitlab/api/v4/';

/** The addresses that a call requests, and the error that it fails with. */
async function outcomeOf(call: Call, id: IdOrPath) {
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
  /** The calls that put a name into a path. */
  const calls: Call[] = [];
  before(async () => {
    for (const call of everyCall()) {
      const { requested } = await outcomeOf(call, 'usual/name');
      calls.push(...(requested.some((url) => url.split('?')[0]?.includes('usual%2Fname')) ? [call] : []));
    }
    assert.ok(calls.length >= 15, String(calls.length));
  });

  it('requests what every server finds below the API, and nothing for a path with a dot segment, however it is written', async () => {
    const anyCall = fc.constantFrom(...calls);
    await fc.assert(
      fc.asyncProperty(anyCall, any, hostile, async (call, path, withDots) => {
        const refused = await outcomeOf(call, withDots);
        assert.ok(refused.error instanceof UnusablePathError && refused.requested.length === 0, withDots);
        const { requested, error } = await outcomeOf(call, path);
        assert.equal(requested.length === 0, error instanceof UnusablePathError, String(error));
        for (const reading of requested.flatMap(readingsOf)) {
          assert.ok(reading.startsWith(base), reading);
        }
      }),
      runs(1000),
    );
  });

  it('takes the names that there are', async () => {
    const names = 'team/my.app a..b group/.github ..x x.. ... 100% %zz %2 größe/日本 a;b'.split(' ');
    for (const call of calls) {
      for (const id of [...names, 42]) {
        const { requested, error } = await outcomeOf(call, id);
        assert.ok(!(error instanceof UnusablePathError), String(id));
        assert.equal(requested.length, 1, String(id));
      }
    }
  });
});
