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
const units = [
  ...[`${dsn}\n`, `${dsn} `, ' ', '\n', '\r\n', '\u2028', 'export ', 'Host ', 'Host a\n', 'Include *\nInclude *\n'],
  ...'https://a https://a@ https://a@b: https://a@b/c/ ssh://a@ :// a a@ a: a. / /a [ %2f 1 # = "'.split(' '),
  ...'/errortracking/api/v1/projects/1 SENTRY_DSN SENTRY_DSN= SENTRY_DSN=" HostName\u2029'.split(' '),
];

describe('the work that foreign text makes', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'beacon-ssh-'))));

  for (const unit of units) {
    const text = () => filled(unit);

    it(`can be interrupted wherever a DSN might be, for ${JSON.stringify(unit)}`, () => {
      const searched = `error_tracking/ ${text()}`;
      const stops = [...searchDsns(searched)];
      // What is read from one of them ends before the next, as no part of a DSN has a scheme within.
      assert.ok(stops.length <= searched.split('://').length);
      const positionOf = risingPositions(searched);
      for (const { offset, written } of stops.filter((found) => found !== undefined)) {
        assert.ok(!written.slice(8).includes('://'));
        positionOf(offset);
      }
    });

    it(`ends for env files, remotes and SSH configurations of ${JSON.stringify(unit)}`, async () => {
      assert.ok((setVariable(text(), 'SENTRY_DSN', dsn)?.offset ?? 0) <= most);
      readVariable(text(), 'SENTRY_DSN');
      assert.equal(parseRemoteUrl(text()), undefined);
      assert.equal(parseRemoteUrl(`https://gitlab.example/${text()}`), undefined);
      assert.equal(normalizeInstanceUrl(`https://gitlab.example/${text()}`), undefined);
      withInsteadOf(text(), [{ key: `url.${text()}.insteadof`, value: text() }]);
      writeFileSync(join(folder, 'config'), `Host known\n HostName real\n${text()}`);
      assert.match((await readSshConfig(folder))('known'), /^(?:real|known)$/);
    });
  }

  it('leads nowhere for remotes that no host can have', () => {
    assert.equal(parseRemoteUrl(`git@${'a'.repeat(300)}:group/project.git`), undefined);
    const remote = parseRemoteUrl(`https://gitlab.example/${'a/'.repeat(2000)}b`);
    assert.ok(remote && projectPathOf(remote, 'https://gitlab.example'));
  });

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
});
