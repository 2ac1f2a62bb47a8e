import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  envLine,
  isEnvExample,
  isEnvFile,
  isShellScript,
  readVariable,
  setVariable,
} from '../../../src/errorTracking/insert/envFile.ts';

const dsn = 'https://glet_1@host/errortracking/api/v1/projects/42';

function after(text: string, value = dsn): string | undefined {
  const change = setVariable(text, 'SENTRY_DSN', value);
  return change && text.slice(0, change.offset) + change.newText + text.slice(change.offset + change.length);
}

/** What bash has in the variable after it has run the file. */
function inBash(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'beacon-env-')), '.env');
  writeFileSync(file, text);
  return execFileSync('bash', ['--norc', '-c', 'set -a; . "$1" 2>/dev/null; printf %s "$SENTRY_DSN"', 'bash', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
}

/** The expression by which dotenv 16 finds lines: it takes U+2028 for the end of one. */
const dotenvLine =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/gm;

function inDotenv(text: string): string | undefined {
  const last = [...text.matchAll(dotenvLine)].findLast(([, name]) => name === 'SENTRY_DSN');
  return last && (last[2] ?? '').trim().replace(/^(['"`])([^]*)\1$/, '$2');
}

describe('an env file', () => {
  const cases: readonly [name: string, before: string, after: string][] = [
    ['that is empty', '', `SENTRY_DSN=${dsn}\n`],
    ['with other variables', 'PORT=1\n', `PORT=1\nSENTRY_DSN=${dsn}\n`],
    ['without an end of line', 'PORT=1', `PORT=1\nSENTRY_DSN=${dsn}\n`],
    ['with Windows line ends', 'PORT=1\r\nA=2\r\n', `PORT=1\r\nA=2\r\nSENTRY_DSN=${dsn}\r\n`],
    ['with another value', 'SENTRY_DSN=old # why\nPORT=1\n', `SENTRY_DSN=${dsn} # why\nPORT=1\n`],
    ['with no value', 'SENTRY_DSN=\nPORT=1\n', `SENTRY_DSN=${dsn}\nPORT=1\n`],
    ['with blanks for a value', 'SENTRY_DSN= \nPORT=1\n', `SENTRY_DSN=${dsn} \nPORT=1\n`],
    ['with blanks for another value', 'SENTRY_DSN=1\nPORT= \n# end\n', `SENTRY_DSN=${dsn}\nPORT= \n# end\n`],
    ['with double quotes', 'SENTRY_DSN="old value"\n', `SENTRY_DSN="${dsn}"\n`],
    ['with the variable twice', 'SENTRY_DSN=1\nSENTRY_DSN=2\n', `SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
    ['with a longer name', 'VITE_SENTRY_DSN=1\n', `VITE_SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
    ['with export alone', 'export SENTRY_DSN=', `export SENTRY_DSN=${dsn}`],
    ['all of whose lines export', 'export A=1\nexport B=2', `export A=1\nexport B=2\nexport SENTRY_DSN=${dsn}\n`],
    ['with a placeholder of several words', 'SENTRY_DSN=<your DSN> # why\r\nA=1', `SENTRY_DSN=${dsn} # why\r\nA=1`],
    ['with backticks', 'SENTRY_DSN=`old value`\n', `SENTRY_DSN=${dsn}\n`],
    ['with the variable in a comment', '# SENTRY_DSN=1\n', `# SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
    [
      'with the variable within a value of several lines',
      `CERT="-----BEGIN\nSENTRY_DSN=not me\n-----END"\nSENTRY_DSN='old'\n`,
      `CERT="-----BEGIN\nSENTRY_DSN=not me\n-----END"\nSENTRY_DSN='${dsn}'\n`,
    ],
    ['with a value of several lines of its own', 'SENTRY_DSN="a\nb"\nA=1\n', `SENTRY_DSN="${dsn}"\nA=1\n`],
    ['with escapes in another value', 'KEY="a\\nb"\n', `KEY="a\\nb"\nSENTRY_DSN=${dsn}\n`],
    ['with U+2028 in another value', 'A="x\u2028y"\n', `A="x\u2028y"\nSENTRY_DSN=${dsn}\n`],
  ];
  for (const [name, before, expected] of cases) {
    it(`${name} gets the variable, as Node.js, dotenv and bash read it`, () => {
      assert.equal(after(before), expected);
      assert.equal(after(expected), expected, 'once');
      assert.equal(parseEnv(expected)['SENTRY_DSN'], dsn);
      assert.equal(inDotenv(expected), dsn);
      assert.equal(inBash(expected.replaceAll('\r', '')), dsn);
    });
  }

  // By reader, what the variable is: where they do not agree, no change of it is what was shown.
  const unclear: readonly string[] = [
    '# see\u2028SENTRY_DSN=old\n',
    'A="b"\u2029SENTRY_DSN=old\n',
    'SENTRY_DSN="open\nA=1\n',
    'CERT="open\nSENTRY_DSN=old\n',
    "A='it\\'s\nSENTRY_DSN=old\n",
    'A=b"c\nSENTRY_DSN=old\n',
    'A=b \\\nSENTRY_DSN=old\n',
    'SENTRY_DSN="a \\"quoted\\" value"\n',
    'SENTRY_DSN=old; make\n',
    'SENTRY_DSN=old#why\n',
    'SENTRY_DSN: old\n',
    'PORT= \n',
    'PORT= \n\nSENTRY_DSN=old\n',
    'PORT:\nSENTRY_DSN=old\n',
    'A: "\nSENTRY_DSN=old\n"\n',
    'A=1\ndeclare -x B="\nSENTRY_DSN=old\n"\n',
    'export\tSENTRY_DSN=old\n',
    'SENTRY_DSN=old\nSENTRY_DSN+=/1\n',
    'if [ "$CI" ]; then\n  export SENTRY_DSN=old\nelse\n  export SENTRY_DSN=other\nfi\n',
    'cat > other.env <<EOF\nSENTRY_DSN=old\nEOF\n',
    'cat > other.env <<EOF\nA=1\n',
    'use_tracking() {\n  export SENTRY_DSN=old\n}\n',
  ];
  for (const text of unclear) {
    it(`is left alone where readers do not agree: ${JSON.stringify(text)}`, () => {
      assert.equal(readVariable(text, 'SENTRY_DSN'), 'unclear');
      assert.equal(after(text), undefined);
    });
  }

  it('exports the variable where a shell reads it', () => {
    assert.equal(setVariable('', 'SENTRY_DSN', dsn, true)?.newText, `export SENTRY_DSN=${dsn}\n`);
    assert.equal(setVariable('SENTRY_DSN=old make\n', 'SENTRY_DSN', dsn, true), undefined);
    assert.equal(
      setVariable('if [ 1 ]; then\n  A=1\nfi\n', 'SENTRY_DSN', dsn, true)?.newText,
      `export SENTRY_DSN=${dsn}\n`,
    );
    assert.deepEqual(['/a/.envrc', '/a/.env'].map(isShellScript), [true, false]);
  });

  it('has in quotes what a shell would expand, and nothing that ends the quotes', () => {
    assert.equal(envLine('A', 'https://k@[::1]/~me/1'), "A='https://k@[::1]/~me/1'");
    for (const value of ["a'b", 'a"b', 'a`b`', 'a$(b)', 'a\nb', 'a\u2028b', 'a b', '']) {
      assert.throws(() => envLine('A', value), JSON.stringify(value));
      assert.throws(() => setVariable('A="x"', 'A', value), JSON.stringify(value));
    }
    const tilde = 'https://k@host:~/1';
    assert.equal(inBash(after('', tilde) ?? ''), tilde);
  });

  it('is known by its name', () => {
    assert.deepEqual(['/a/.env', '.env.local', 'production.env', '.envrc'].map(isEnvFile), [true, true, true, true]);
    assert.deepEqual(['/a/env.ts', 'environment', '.environment'].map(isEnvFile), [false, false, false]);
    assert.deepEqual(['.env.example', '.env.local'].map(isEnvExample), [true, false]);
  });
});
