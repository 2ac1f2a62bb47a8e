import assert from 'node:assert/strict';
import {
  codeQualityOf,
  type Place,
  placesOf,
  type Readiness,
  reportOf,
  type ReportLabels,
  sarifOf,
} from '../../../src/apiChanges/readinessReport.ts';
import { recognize } from '../../../src/apiChanges/recognize.ts';

const labels: ReportLabels = {
  title: 'Title',
  summary: ['Summary'],
  table: ['Change', 'certain', 'likely', 'possible', 'Files'],
  describe: (id) => [`About ${id}`],
  tier: { certain: 'certain', likely: 'likely', possible: 'possible' },
  fixable: 'fix',
  added: 'new',
  skipped: 'Skipped',
  reason: { large: 'large', unreadable: 'unreadable', generated: 'generated', budget: 'budget', failed: 'failed' },
  notes: ['Note'],
};
const textsOf = (id: string) => ({ title: `Title of ${id}.`, today: 'Today.' });

function placesIn(path: string, text: string): Place[] {
  const findings = recognize({ text, languageId: 'shellscript', path });
  return placesOf(path, `file:///${encodeURI(path)}`, text, findings);
}

function readinessOf(places: readonly Place[], more: Partial<Readiness> = {}): Readiness {
  return { places, files: 1, skipped: [], compared: undefined, ...more };
}

describe('the readiness report', () => {
  it('orders by change, file and line, and counts', () => {
    const report = reportOf(
      readinessOf([
        ...placesIn('b.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n\ncurl "$CI_API_V4_URL/geo_nodes/1"'),
        ...placesIn('a.sh', 'curl -F active=x$A "$CI_API_V4_URL/runners/1"\ncurl "$CI_API_V4_URL/geo_nodes"'),
      ]),
      labels,
    );
    assert.equal(
      report,
      [
        '# Title',
        'Summary',
        '| Change | certain | likely | possible | Files |\n| --- | --- | --- | --- | --- |\n| `/geo_nodes` | 3 | 0 | 0 | 2 |\n| `active` | 1 | 0 | 0 | 1 |',
        '## `/geo_nodes`',
        'About geoNodes',
        [
          '- [a.sh:2](<file:///a.sh#L2,22>) — certain, fix: `curl "$CI_API_V4_URL/geo_nodes"`',
          '- [b.sh:1](<file:///b.sh#L1,22>) — certain, fix: `curl "$CI_API_V4_URL/geo_nodes"`',
          '- [b.sh:3](<file:///b.sh#L3,22>) — certain, fix: `curl "$CI_API_V4_URL/geo_nodes/1"`',
        ].join('\n'),
        '## `active`',
        'About runnerActive',
        '- [a.sh:1](<file:///a.sh#L1,9>) — certain: `curl -F active=x$A "$CI_API_V4_URL/runners/1"`',
        '---',
        '_Note_',
        '',
      ].join('\n\n'),
    );
  });

  it('shows hostile names and lines as text', () => {
    const [place] = placesIn('a](x) <b>|`.sh', 'curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) `');
    assert.ok(place);
    const report = reportOf(readinessOf([place]), labels);
    assert.ok(report.includes('[a\\]\\(x\\) \\<b\\>\\|\\`.sh:1]'));
    assert.ok(report.includes('```` curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) ` ````'));
  });

  it('cuts long lines', () => {
    const report = reportOf(
      readinessOf(placesIn('a.sh', `curl "$CI_API_V4_URL/geo_nodes" ${'x'.repeat(500)}`)),
      labels,
    );
    assert.match(report, /x{20}…`/);
    assert.doesNotMatch(report, /x{200}/);
  });

  it('tells what is new since the last check, though its line has moved', () => {
    const [before] = placesIn('a.sh', 'curl "$CI_API_V4_URL/geo_nodes"');
    const [moved, added] = placesIn('a.sh', '\n\ncurl "$CI_API_V4_URL/geo_nodes"\ncurl "$CI_API_V4_URL/geo_nodes/1"');
    assert.ok(before && moved && added);
    assert.equal(moved.fingerprint, before.fingerprint);
    assert.equal(moved.line, 3);
    const compared = { added: new Set([added.fingerprint]), gone: 0 };
    const report = reportOf(readinessOf([moved, added], { compared }), labels);
    assert.match(report, /a\.sh:4.*certain, fix, new/);
    assert.doesNotMatch(report, /a\.sh:3.*new/);
  });

  it('gives equal lines of a file fingerprints of their own', () => {
    const places = placesIn('a.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n'.repeat(3));
    assert.equal(new Set(places.map(({ fingerprint }) => fingerprint)).size, 3);
  });

  it('lists skipped files with their reasons', () => {
    const report = reportOf(readinessOf([], { skipped: [{ path: 'a[b].js', reason: 'generated' }] }), labels);
    assert.match(report, /## Skipped\n\n- `a\[b\]\.js`: generated\n/);
  });

  it("is exported as GitLab's Code Quality report", () => {
    const places = placesIn('sub/a.sh', '\ncurl "$CI_API_V4_URL/geo_nodes"');
    const issues = JSON.parse(codeQualityOf(readinessOf(places), textsOf)) as unknown;
    assert.deepEqual(issues, [
      {
        description: 'API v5: Title of geoNodes. Today.',
        check_name: 'api-v5/geoNodes',
        fingerprint: places[0]?.fingerprint,
        severity: 'major',
        location: { path: 'sub/a.sh', lines: { begin: 2 } },
      },
    ]);
  });

  it('is exported as SARIF, with rules, regions, tiers and what is new', () => {
    const places = placesIn('sub/a b.sh', '\ncurl "$CI_API_V4_URL/geo_nodes"');
    const [place] = places;
    assert.ok(place);
    const compared = { added: new Set([place.fingerprint]), gone: 0 };
    const skipped = [{ path: 'x.js', reason: 'large' as const }];
    const log = JSON.parse(sarifOf(readinessOf(places, { compared, skipped }), '1.0.0', textsOf)) as {
      readonly version: string;
      readonly runs: readonly {
        readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
        readonly results: readonly Record<string, unknown>[];
        readonly invocations: readonly { readonly toolExecutionNotifications: readonly unknown[] }[];
      }[];
    };
    assert.equal(log.version, '2.1.0');
    const [run] = log.runs;
    assert.equal(run?.invocations[0]?.toolExecutionNotifications.length, 1);
    const [result] = run?.results ?? [];
    assert.equal(run?.tool.driver.rules[result?.['ruleIndex'] as number]?.id, 'geoNodes');
    assert.deepEqual(result?.['locations'], [
      {
        physicalLocation: {
          artifactLocation: { uri: 'sub/a%20b.sh', uriBaseId: '%SRCROOT%' },
          region: { startLine: 2, startColumn: 22, endColumn: 31 },
        },
      },
    ]);
    assert.equal(result?.['baselineState'], 'new');
    assert.deepEqual(result?.['properties'], { tier: 'certain' });
  });
});
