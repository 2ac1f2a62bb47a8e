import assert from 'node:assert/strict';
import { parseEnv } from 'node:util';
import {
  isEnvExample,
  isEnvFile,
  isShellScript,
  setVariable,
  variableOf,
} from '../../../src/errorTracking/insertion/envFile.ts';

const dsn = 'https://glet_1@host/errortracking/api/v1/projects/42';

function after(text: string): string {
  const { offset, length, newText } = setVariable(text, 'SENTRY_DSN', dsn);
  return text.slice(0, offset) + newText + text.slice(offset + length);
}

describe('an env file', () => {
  const cases: readonly [name: string, before: string, after: string][] = [
    ['that is empty', '', `SENTRY_DSN=${dsn}\n`],
    ['with other variables', 'PORT=1\n', `PORT=1\nSENTRY_DSN=${dsn}\n`],
    ['without an end of line', 'PORT=1', `PORT=1\nSENTRY_DSN=${dsn}\n`],
    ['with Windows line ends', 'PORT=1\r\nA=2\r\n', `PORT=1\r\nA=2\r\nSENTRY_DSN=${dsn}\r\n`],
    ['with another value', 'SENTRY_DSN=old # why\nPORT=1\n', `SENTRY_DSN=${dsn} # why\nPORT=1\n`],
    ['with no value', 'SENTRY_DSN=\nPORT=1\n', `SENTRY_DSN=${dsn}\nPORT=1\n`],
    ['with double quotes', 'SENTRY_DSN="old value"\n', `SENTRY_DSN="${dsn}"\n`],
    ['with single quotes and export', "export SENTRY_DSN = 'old'\r\nA=1", `export SENTRY_DSN = '${dsn}'\r\nA=1`],
    ['with the variable twice', 'SENTRY_DSN=1\nSENTRY_DSN=2\n', `SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
    ['with a longer name', 'VITE_SENTRY_DSN=1\n', `VITE_SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
    ['with export alone', 'export SENTRY_DSN=', `export SENTRY_DSN=${dsn}`],
    ['all of whose lines export', 'export A=1\nexport B=2', `export A=1\nexport B=2\nexport SENTRY_DSN=${dsn}\n`],
    ['with export now and then', 'export A=1\nB=2\n', `export A=1\nB=2\nSENTRY_DSN=${dsn}\n`],
    ['with a comment in the place of a value', 'SENTRY_DSN= # why\n', `SENTRY_DSN=${dsn} # why\n`],
    ['with a comment right behind', 'SENTRY_DSN=#why\n', `SENTRY_DSN=${dsn} #why\n`],
    ['with a value of several words', 'SENTRY_DSN=<your DSN> # why\r\nA=1', `SENTRY_DSN=${dsn} # why\r\nA=1`],
    ['with backticks', 'SENTRY_DSN=`old value`\n', `SENTRY_DSN=${dsn}\n`],
    ['with a quote in quotes', 'SENTRY_DSN="an \\"old\\" value"\n', `SENTRY_DSN="${dsn}"\n`],
    ['with the variable in a comment', '# SENTRY_DSN=1\n', `# SENTRY_DSN=1\nSENTRY_DSN=${dsn}\n`],
  ];
  for (const [name, before, expected] of cases) {
    it(`${name} gets the variable`, () => {
      assert.equal(after(before), expected);
      assert.equal(parseEnv(after(before))['SENTRY_DSN'], dsn);
      assert.equal(after(after(before)), expected, 'once');
    });
  }

  it('exports the variable where a shell reads it', () => {
    assert.equal(setVariable('', 'SENTRY_DSN', dsn, true).newText, `export SENTRY_DSN=${dsn}\n`);
    assert.deepEqual(['/a/.envrc', '/a/.env'].map(isShellScript), [true, false]);
    for (const more of ['; make', ' && make', ' RELEASE=1']) {
      assert.equal(after(`export SENTRY_DSN=old${more}\n`), `export SENTRY_DSN=${dsn}${more}\n`);
    }
  });

  it('returns the last value of a variable, without quotes', () => {
    assert.equal(variableOf('SENTRY_DSN=1\r\nexport SENTRY_DSN="2" # why\r\n', 'SENTRY_DSN'), '2');
    assert.equal(variableOf("SENTRY_DSN='3'", 'SENTRY_DSN'), '3');
    assert.equal(variableOf('# SENTRY_DSN=1\n', 'SENTRY_DSN'), undefined);
  });

  it('is known by its name', () => {
    assert.deepEqual(['/a/.env', '.env.local', 'production.env', '.envrc'].map(isEnvFile), [true, true, true, true]);
    assert.deepEqual(['/a/env.ts', 'environment', '.environment'].map(isEnvFile), [false, false, false]);
    assert.deepEqual(['.env.example', '.env.local'].map(isEnvExample), [true, false]);
  });
});
