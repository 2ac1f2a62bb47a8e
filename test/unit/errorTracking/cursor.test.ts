import assert from 'node:assert/strict';
import { type CursorPlace, dsnAtCursor, isInString } from '../../../src/errorTracking/insert/cursor.ts';

const dsn = 'https://glet_1@gitlab.example.com/errortracking/api/v1/projects/7';

/** A place at the end of a line. */
const at = (languageId: string, before: string, rest: Partial<CursorPlace> = {}): CursorPlace => ({
  languageId,
  path: `/program/main.${languageId}`,
  before,
  ...rest,
});

describe('a DSN at the cursor', () => {
  const quoted: readonly [languageId: string, before: string, written: string][] = [
    ['typescript', 'Sentry.init({ dsn: ', `'${dsn}'`],
    ['typescript', "const name = 'a', dsn = ", `'${dsn}'`],
    ['python', 'dsn = ', `"${dsn}"`],
    ['java', "char quote = '\"'; String dsn = ", `"${dsn}"`],
    ['rust', "fn start<'a>(name: &'a str) { init(", `"${dsn}"`],
    ['shellscript', 'export SENTRY_DSN=', `'${dsn}'`],
    ['json', '{ "dsn": ', `"${dsn}"`],
    ['toml', 'dsn = ', `"${dsn}"`],
    ['javascript', "/* don't */ init(", `'${dsn}'`],
  ];
  for (const [languageId, before, written] of quoted) {
    it(`is a string in ${languageId} after ${before}`, () => {
      assert.equal(dsnAtCursor(at(languageId, before), dsn), written);
    });
  }

  const alone: readonly [languageId: string, before: string][] = [
    ['typescript', "Sentry.init({ dsn: '"],
    ['typescript', 'send(`to ${name} at '],
    ['python', "print(f'to {name} "],
    ['python', "rb'"],
    ['go', 'dsn := `'],
    ['yaml', '  - SENTRY_DSN='],
    ['yaml', 'dsn: "'],
    ['plaintext', 'It is '],
    ['markdown', "don't use "],
    ['dockerfile', 'ENV SENTRY_DSN='],
  ];
  for (const [languageId, before] of alone) {
    it(`stands alone in ${languageId} after ${before}`, () => {
      assert.equal(dsnAtCursor(at(languageId, before), dsn), dsn);
    });
  }

  it('is the value of a variable in an env file', () => {
    const inFile = (path: string, before: string) => dsnAtCursor(at('plaintext', before, { path }), dsn);
    assert.equal(inFile('/program/.env', ''), `SENTRY_DSN=${dsn}`);
    assert.equal(inFile('/program/.env', 'export '), `SENTRY_DSN=${dsn}`);
    assert.equal(inFile('/program/.envrc', '  '), `export SENTRY_DSN=${dsn}`);
    assert.equal(inFile('/program/.env', 'DSN='), dsn);
    assert.equal(dsnAtCursor(at('dotenv', '', { path: 'Untitled-1' }), dsn), `SENTRY_DSN=${dsn}`);
  });

  it('has the language of the path where the editor knows none', () => {
    assert.equal(dsnAtCursor(at('plaintext', 'dsn := ', { path: '/program/main.go' }), dsn), `"${dsn}"`);
    assert.ok(isInString(at('typescript', String.raw`'it\'s `)));
  });

  it('is put into a line of a megabyte without a wait', () => {
    assert.equal(dsnAtCursor(at('typescript', "don't ".repeat(200_000)), dsn), `'${dsn}'`);
  });
});
