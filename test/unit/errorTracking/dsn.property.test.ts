import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { clientKeyReader } from '../../../src/api/errorTracking.ts';
import { findDsns, parseDsn, shortKey } from '../../../src/errorTracking/dsn.ts';
import { setVariable } from '../../../src/errorTracking/insert/envFile.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';

/** A DSN, and what is read in it. */
const dsnAndParts = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'HTTPS'),
    key: fc.stringMatching(/^[\w-]{1,40}$/),
    secret: fc.constantFrom('', ':', ':s3cret'),
    host: fc.constantFrom('gitlab.example', 'observe.gitlab.com:8443', '127.0.0.1:3000', '[::1]:3000', 'UPPER.example'),
    root: fc.constantFrom('', '/gitlab', '/a/b-c/d.e'),
    path: fc.constantFrom('errortracking/api/v1/projects', 'api/v4/error_tracking/collector'),
    id: fc.integer({ min: 0, max: 999_999_999_999_999 }),
  })
  .map(({ scheme, key, secret, host, root, path, id }) => {
    const text = `${scheme}://${key}${secret}@${host}${root}/${path}/${id}`;
    const { origin } = new URL(`${scheme}://${host}`);
    const envelopeUrl = `${origin}${root}/${path}/api/${id}/envelope/`;
    return { text, publicKey: key, origin, projectId: id, envelopeUrl };
  });
const dsn = dsnAndParts.map(({ text }) => text);
const piece = fc.constantFrom(
  ...'https:// http:// glet_1 @ : / // .. %2e %zz [ ] host 65536 é ? # " \n \u202e'.split(' '),
  ...'/errortracking/api/v1/projects /api/v4/error_tracking/collector /1 /999999999999999'.split(' '),
);

describe('DSNs in any text', () => {
  it('are found where they are, and read', () => {
    const between = fc
      .oneof(fc.constantFrom('', ' ', '\n', '"', "'", '=', ')', '\u202e', '# '), hostileText)
      .map((text) => `${text} `);
    fc.assert(
      fc.property(fc.array(fc.tuple(between, dsn), { maxLength: 4 }), between, (parts, end) => {
        const text = `${parts.map(([before, one]) => `${before}"${one}"`).join('')}${end}`;
        const found = findDsns(text);
        for (const { dsn: one, offset } of found) {
          assert.equal(text.slice(offset, offset + one.text.length), one.text);
        }
        const texts = found.map(({ dsn: one }) => one.text);
        assert.ok(parts.every(([, one]) => texts.includes(one)));
      }),
      runs(300),
    );
  });

  it('lead to the host that they name, whatever is around and in them', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText,
          dsn,
          fc.array(piece, { maxLength: 14 }).map((all) => all.join('')),
        ),
        (text) => {
          for (const one of [...findDsns(text).map(({ dsn: found }) => found), parseDsn(text)]) {
            if (one) {
              assert.equal(new URL(one.envelopeUrl).origin, new URL(one.text).origin);
              assert.ok(Number.isSafeInteger(one.projectId));
              assert.match(one.publicKey, /^[\w-]+$/);
              assert.ok(shortKey(one.publicKey).length <= 14);
            }
          }
        },
      ),
      runs(1000),
    );
  });

  it('are no others than those that a text is', () => {
    fc.assert(
      fc.property(dsnAndParts, ({ text, ...parts }) => {
        assert.deepEqual(parseDsn(` ${text}\n`), { text, ...parts });
        assert.equal(parseDsn(`${text} x`), undefined);
        assert.equal(parseDsn(`${text}\nPATH=.`), undefined);
      }),
      runs(100),
    );
    const host = 'glet_1@gitlab.example';
    for (const text of [
      'https://gitlab.example/errortracking/api/v1/projects/42',
      `https://${host}/api/v4/projects/42`,
      `https://${host}/errortracking/api/v1/projects/`,
      `https://${host}/errortracking/api/v1/projects/42abc`,
      `ftp://${host}/errortracking/api/v1/projects/42`,
      'https://abc@o1.ingest.sentry.io/42',
      '',
      `${hugeText}errortracking/`,
    ]) {
      assert.deepEqual([findDsns(text), parseDsn(text)], [[], undefined], text.slice(-100));
    }
  });

  it('of an instance are client keys only if no shell, env file or YAML reads more than a DSN in them', () => {
    const key = { id: 1, active: true, public_key: 'glet_1' };
    const isClientKey = (given: object) => clientKeyReader.read([given]).items.length === 1;
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText,
          fc.tuple(dsn, hostileText).map((parts) => parts.join('')),
        ),
        (text) => {
          const isKey = isClientKey({ ...key, tracker_dsn: text });
          assert.ok(!isKey || /^[\w.~:@%/[\]-]+$/.test(text), text);
        },
      ),
      runs(500),
    );
    for (const text of [
      ...["https://k@host/1'; rm -rf ~ #", 'https://k@host/$(id)', 'https://k@host/`id`', 'https://k@host/1\nPATH=.'],
      ...['https://k@host/1 x', 'javascript:alert(1)', '', 'https://k@host/"'],
    ]) {
      assert.ok(!isClientKey({ ...key, tracker_dsn: text }), text);
    }
    assert.ok(!isClientKey({ ...key, tracker_dsn: 'https://k@host/1', public_key: '$(id)' }));
  });
});

describe('an env file of any text', () => {
  const line = fc.oneof(
    hostileText,
    fc.constantFrom(
      'SENTRY_DSN=',
      'export SENTRY_DSN="x"',
      " SENTRY_DSN = 'y' # z",
      '#SENTRY_DSN=1',
      'SENTRY_DSN="open',
      'A=b',
    ),
  );
  const value = 'https://glet_1@host/errortracking/api/v1/projects/1';

  it('has the variable once more at most, and all else as it was', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end);
        const change = setVariable(text, 'SENTRY_DSN', value);
        if (!change) {
          return;
        }
        const { offset, length, newText } = change;
        const changed = text.slice(0, offset) + newText + text.slice(offset + length);
        assert.ok(offset >= 0 && offset + length <= text.length);
        assert.ok(changed.startsWith(text.slice(0, offset)) && changed.endsWith(text.slice(offset + length)));
        assert.equal(changed.split(value).length, text.split(value).length + 1);
        // What is set is what would be set.
        const again = setVariable(changed, 'SENTRY_DSN', value);
        assert.ok(again);
        assert.equal(
          changed.slice(0, again.offset) + again.newText + changed.slice(again.offset + again.length),
          changed,
        );
      }),
      runs(500),
    );
  });
});
