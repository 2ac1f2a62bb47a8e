import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalizeInstanceUrl } from '../../../src/common/instanceUrl.ts';
import { risingPositions, searchDsns } from '../../../src/errorTracking/dsn.ts';
import { readVariable, setVariable } from '../../../src/errorTracking/insert/envFile.ts';
import { parseRemoteUrl, projectPathOf, withInsteadOf } from '../../../src/workspace/remoteUrl.ts';
import { readSshConfig } from '../../../src/platform/node/disk.ts';

/** The length of the longest text that is read. */
const most = 1024 * 1024;

function filled(unit: string): string {
  return unit.repeat(Math.ceil(most / unit.length)).slice(0, most);
}

/** Texts designed to make a parser read the same place repeatedly, each grown by repeating a unit. */
const dsn = 'https://glet_1@gitlab.example/errortracking/api/v1/projects/1';
const units: Readonly<Record<string, string>> = {
  'DSNs, line by line': `${dsn}\n`,
  'DSNs on one line': `${dsn} `,
  'keys without an end': 'https://a',
  'keys with a host': 'https://a@',
  hosts: 'https://a@b:',
  paths: 'https://a@b/c/',
  'a path without an end': '/a',
  'ends of DSNs': '/errortracking/api/v1/projects/1',
  digits: '1',
  'line ends': '\r\n',
  schemes: '://',
};

describe('the work that foreign text makes', () => {
  for (const [name, unit] of Object.entries(units)) {
    it(`can be interrupted wherever a DSN might be, for DSNs in ${name}`, () => {
      const text = `error_tracking/ ${filled(unit)}`;
      const stops = [...searchDsns(text)];
      // What is read from one of them ends before the next, as no part of a DSN has a scheme within.
      assert.ok(stops.length <= text.split('://').length);
      const positionOf = risingPositions(text);
      for (const { offset, written } of stops.filter((found) => found !== undefined)) {
        assert.ok(!written.slice(8).includes('://'));
        positionOf(offset);
      }
    });
  }

  it('finds the same lines in whatever parts of a text are asked for', () => {
    const text = 'a\r\nb\rc\n\nd';
    const positionOf = risingPositions(text);
    assert.deepEqual(
      Array.from(text, (_, offset) => {
        const { line, character } = positionOf(offset);
        return `${line}:${character}`;
      }),
      ['0:0', '0:1', '0:2', '1:0', '1:1', '2:0', '2:1', '3:0', '4:0'],
    );
  });

  it('ends for env files', () => {
    for (const unit of [
      '\u2028',
      ' ',
      'export ',
      'SENTRY_DSN',
      'SENTRY_DSN=',
      '=',
      '"',
      `SENTRY_DSN="`,
      'a',
      '#',
      '\n',
    ]) {
      const text = filled(unit);
      assert.ok((setVariable(text, 'SENTRY_DSN', dsn)?.offset ?? 0) <= text.length);
      readVariable(text, 'SENTRY_DSN');
    }
  });

  it('ends for remotes, and those that no host can have lead nowhere', () => {
    for (const unit of ['a', 'a@', 'a:', '/', 'https://a/', 'ssh://a@', '[', 'a.', '%2f', ' ']) {
      const text = filled(unit);
      assert.equal(parseRemoteUrl(text), undefined);
      assert.equal(parseRemoteUrl(`https://gitlab.example/${text}`), undefined);
      assert.equal(normalizeInstanceUrl(`https://gitlab.example/${text}`), undefined);
      withInsteadOf(text, [{ key: `url.${text}.insteadof`, value: text }]);
    }
    assert.equal(parseRemoteUrl(`git@${'a'.repeat(300)}:group/project.git`), undefined);
    const remote = parseRemoteUrl(`https://gitlab.example/${'a/'.repeat(2000)}b`);
    assert.ok(remote && projectPathOf(remote, 'https://gitlab.example'));
  });

  it('ends for SSH configurations, also those that include each other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beacon-ssh-'));
    for (const unit of [
      '\u2028',
      'Host ',
      'Host a\n',
      'Include *\nInclude *\n',
      '"',
      '=',
      ' ',
      'HostName\u2029',
      'a',
    ]) {
      writeFileSync(join(folder, 'config'), `Host known\n HostName real\n${filled(unit)}`);
      assert.match((await readSshConfig(folder))('known'), /^(?:real|known)$/);
    }
  });
});
