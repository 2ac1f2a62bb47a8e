import assert from 'node:assert/strict';
import { codeOf, placesOf, reportOf, type ReportWords } from '../../../src/deprecations/readinessReport.ts';
import { recognize } from '../../../src/deprecations/recognition/recognize.ts';

const words: ReportWords = {
  title: 'Title',
  summary: 'Summary',
  table: ['Change', 'Places', 'Files'],
  describe: (id) => [`About ${id}`],
  heading: codeOf,
  certain: 'certain',
  likely: 'likely',
  fixable: 'fix',
};

function placesIn(path: string, source: string) {
  return placesOf(path, `file:///${encodeURI(path)}`, source, recognize(source, 'shellscript'));
}

describe('the readiness report', () => {
  it('orders by change, file and line, and counts', () => {
    const report = reportOf(
      [
        ...placesIn('b.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n\ncurl "$CI_API_V4_URL/geo_nodes/1"'),
        ...placesIn('a.sh', 'curl -F active=x$A "$CI_API_V4_URL/runners/1"\ncurl "$CI_API_V4_URL/geo_nodes"'),
      ],
      words,
    );
    assert.equal(
      report,
      [
        '# Title',
        'Summary',
        '| Change | Places | Files |\n| --- | --- | --- |\n| `/geo_nodes` | 3 | 2 |\n| `active` | 1 | 1 |',
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
        '',
      ].join('\n\n'),
    );
  });

  it('shows hostile names and lines as text', () => {
    const [place] = placesIn('a](x) <b>|`.sh', 'curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) `');
    assert.ok(place);
    const report = reportOf([place], words);
    assert.ok(report.includes('[a\\]\\(x\\) \\<b\\>\\|\\`.sh:1]'));
    assert.ok(report.includes('```` curl "$CI_API_V4_URL/geo_nodes" # ``` [x](command:y) ` ````'));
  });

  it('cuts long lines', () => {
    const report = reportOf(placesIn('a.sh', `curl "$CI_API_V4_URL/geo_nodes" ${'x'.repeat(500)}`), words);
    assert.match(report, /x{20}…`/);
    assert.doesNotMatch(report, /x{200}/);
  });
});
