import assert from 'node:assert/strict';
import {
  type ReportedPlace,
  placesOf,
  type Readiness,
  readinessReport,
} from '../../../src/apiChanges/readinessReport.ts';
import { entryOf, tierLabels, type Translate } from '../../../src/apiChanges/catalogue.ts';
import { recognize } from '../../../src/apiChanges/recognize.ts';

/** The texts as they stand in the sources. */
const t: Translate = (template, ...values) =>
  template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));

function placesIn(path: string, text: string): ReportedPlace[] {
  const findings = recognize({ text, languageId: 'shellscript', path });
  return placesOf(path, `file:///${encodeURI(path)}`, text, findings);
}

function readinessOf(places: readonly ReportedPlace[], more: Partial<Readiness> = {}): Readiness {
  return { places, files: 2, skipped: [], ...more };
}

describe('the readiness report', () => {
  it('orders by change, file and line, and counts', () => {
    const report = readinessReport(
      readinessOf([
        ...placesIn('b.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n\ncurl "$CI_API_V4_URL/geo_nodes/1"'),
        ...placesIn('a.sh', 'curl -F active=x$A "$CI_API_V4_URL/runners/1"\ncurl "$CI_API_V4_URL/geo_nodes"'),
      ]),
      t,
      'en',
    );
    assert.equal(
      report,
      [
        '# API v5 Hints',
        'Places that rely on what is [announced to change](https://docs.gitlab.com/api/rest/deprecations/) in API v5: 4 certain, 0 likely, 0 possible. Files with such places: 2 of 2. No date is set for v5, and nothing changes within v4.',
        '| Announced change | certain | likely | possible | Files |\n| --- | --- | --- | --- | --- |\n| `/geo_nodes` | 3 | 0 | 0 | 2 |\n| `active` | 1 | 0 | 0 | 1 |',
        '## `/geo_nodes`',
        ...entryOf('geoNodes', t),
        [
          '- [a.sh:2](<file:///a.sh#L2,22>) — certain, quick fix: `curl "$CI_API_V4_URL/geo_nodes"`',
          '- [b.sh:1](<file:///b.sh#L1,22>) — certain, quick fix: `curl "$CI_API_V4_URL/geo_nodes"`',
          '- [b.sh:3](<file:///b.sh#L3,22>) — certain, quick fix: `curl "$CI_API_V4_URL/geo_nodes/1"`',
        ].join('\n'),
        '## `active`',
        ...entryOf('runnerActive', t),
        '- [a.sh:1](<file:///a.sh#L1,9>) — certain: `curl -F active=x$A "$CI_API_V4_URL/runners/1"`',
        '---',
        ...Object.values(tierLabels(t)).map((note) => `_${note}_`),
        '_Not seen: values that come from another file, names that are put together at run time, data such as JSON, generated files, and what Git ignores._',
        '',
      ].join('\n\n'),
    );
  });

  it('shows hostile names and lines as text', () => {
    const [place] = placesIn('a](x) <b>|`.sh', 'curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) `');
    assert.ok(place);
    const report = readinessReport(readinessOf([place]), t, 'en');
    assert.ok(report.includes('[a\\]\\(x\\) \\<b\\>\\|\\`.sh:1]'));
    assert.ok(report.includes('```` curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) ` ````'));
  });

  it('cuts long lines', () => {
    const report = readinessReport(
      readinessOf(placesIn('a.sh', `curl "$CI_API_V4_URL/geo_nodes" ${'x'.repeat(500)}`)),
      t,
      'en',
    );
    assert.match(report, /x{20}…`/);
    assert.doesNotMatch(report, /x{200}/);
  });

  it('lists skipped files with their reasons', () => {
    const report = readinessReport(readinessOf([], { skipped: [{ path: 'a[b].js', reason: 'generated' }] }), t, 'en');
    assert.match(
      report,
      /## Files that were not checked\n\n- `a\[b\]\.js`: generated: it has a line of more than 20,000 characters\n/,
    );
  });
});
