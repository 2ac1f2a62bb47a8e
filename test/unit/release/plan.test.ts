import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf, planRelease, type ReleaseFacts } from '../../../scripts/release/plan.ts';

const changelog = `# Changelog

## Unreleased

- Not out yet.

## [0.2.0] (2026-12-01)

- Something new.

### Fixed

- Something old.

## 0.1.0

- The first.
`;
const facts: ReleaseFacts = {
  ...{ version: '0.2.0', changelog, commits: 1234 },
  environment: { VSCE_PAT: 'vsce-token', OVSX_PAT: 'ovsx-token' },
};
const byTag = { tag: 'v0.2.0', preRelease: false, dryRun: false };

describe('release notes', () => {
  it('are the section of the version, with its subsections and nothing of the next', () => {
    assert.equal(notesOf(changelog, '0.2.0'), '- Something new.\n\n### Fixed\n\n- Something old.');
    assert.equal(notesOf(changelog, '0.1.0'), '- The first.');
    assert.equal(notesOf(changelog.replaceAll('\n', '\r\n'), 'Unreleased'), '- Not out yet.');
  });

  it('are of no version whose number only begins the same, and not of an empty section', () => {
    assert.equal(notesOf(changelog, '0.2'), undefined);
    assert.equal(notesOf('## 0.1.00\n\n- x', '0.1.0'), undefined);
    assert.equal(notesOf('## 0.1.0\n\n## 0.0.1\n\n- x', '0.1.0'), undefined);
    assert.equal(notesOf('## 0.1.0', '0.1.0'), undefined);
  });

  it('are there for the version of this project', () => {
    const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', '..', '..', file), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.ok(notesOf(read('CHANGELOG.md'), version));
  });
});

describe('a release', () => {
  it('of a tag is published to both marketplaces with their tokens', () => {
    const { version, publish } = planRelease(byTag, facts);
    assert.equal(version, '0.2.0');
    assert.deepEqual(publish, ['Visual Studio Marketplace', 'Open VSX']);
  });

  it('goes to no marketplace whose token is missing or empty', () => {
    const publishedWith = (environment: ReleaseFacts['environment']): readonly string[] =>
      planRelease(byTag, { ...facts, environment }).publish;
    assert.deepEqual(publishedWith({ OVSX_PAT: 'ovsx-token' }), ['Open VSX']);
    assert.deepEqual(publishedWith({ VSCE_PAT: 'vsce-token', OVSX_PAT: '' }), ['Visual Studio Marketplace']);
    assert.deepEqual(publishedWith({}), []);
  });

  it('is never published in a dry run, whatever the tokens', () => {
    for (const request of [byTag, { preRelease: true }, { preRelease: false }]) {
      assert.equal(planRelease({ ...request, dryRun: true }, facts).publish.length, 0);
    }
  });

  it('is refused for a tag of another version, without a tag, and where the changelog does not have it', () => {
    const refused = (request: object, found: object, message: RegExp): void =>
      assert.throws(() => planRelease({ ...byTag, ...request }, { ...facts, ...found }), message);
    refused({ tag: 'v0.3.0' }, {}, /v0\.3\.0 is not that of the version in package\.json, v0\.2\.0/);
    refused({ tag: undefined }, {}, /--tag TAG or --pre-release/);
    refused({ preRelease: true }, {}, /no pre-release/);
    refused({}, { changelog: '## Unreleased\n\n- x' }, /says nothing of 0\.2\.0/);
  });

  it('that is a pre-release has the next odd minor number, the count of its commits and what is not released', () => {
    const preRelease = (version: string) => planRelease({ preRelease: true, dryRun: false }, { ...facts, version });
    assert.equal(preRelease('0.2.0').version, '0.3.1234');
    assert.equal(preRelease('0.1.0').version, '0.1.1234');
    assert.equal(preRelease('1.10.3').version, '1.11.1234');
    assert.equal(preRelease('0.2.0').notes, '- Not out yet.');
    assert.match(
      planRelease({ preRelease: true, dryRun: false }, { ...facts, changelog: '## 0.2.0\n\n- x' }).notes,
      /since 0\.2\.0/,
    );
  });
});
