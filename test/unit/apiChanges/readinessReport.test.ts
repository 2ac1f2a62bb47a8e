import assert from 'node:assert/strict';
import {
  codeQualityOf,
  type ReportedPlace,
  placesOf,
  type Readiness,
  readinessReport,
  sarifOf,
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
  return { places, files: 2, skipped: [], compared: undefined, ...more };
}

/** A schema: a test of a value, a list of what has a schema, or an object with those of its properties; `?` marks optional ones. */
type Schema = ((value: unknown) => boolean) | readonly [Schema] | { readonly [property: string]: Schema };

const text: Schema = (value) => typeof value === 'string' && value !== '';
const oneOf =
  (...values: readonly unknown[]): Schema =>
  (value) =>
    values.includes(value);
const position: Schema = (value) => Number.isInteger(value) && (value as number) >= 1;
const reference: Schema = (value) => typeof value === 'string' && !/[\s<>"{}|\\^`]|%(?![0-9A-F]{2})/i.test(value);
const address: Schema = (value) => typeof value === 'string' && URL.canParse(value);
const sarifPlace: Schema = {
  physicalLocation: {
    artifactLocation: { uri: reference, 'uriBaseId?': text },
    'region?': { startLine: position, startColumn: position, endColumn: position },
  },
};

/**
 * What is required, and what of it that is used may be, by the schema that OASIS publishes:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
 */
const sarif: Schema = {
  $schema: address,
  version: oneOf('2.1.0'),
  runs: [
    {
      tool: {
        driver: {
          name: text,
          version: text,
          rules: [{ id: text, name: text, shortDescription: { text }, help: { text }, helpUri: address }],
        },
      },
      columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
      invocations: [
        {
          executionSuccessful: oneOf(true, false),
          toolExecutionNotifications: [
            { level: oneOf('none', 'note', 'warning', 'error'), message: { text }, locations: [sarifPlace] },
          ],
        },
      ],
      results: [
        {
          ruleId: text,
          ruleIndex: (value) => Number.isInteger(value) && (value as number) >= 0,
          level: oneOf('none', 'note', 'warning', 'error'),
          message: { text },
          locations: [sarifPlace],
          partialFingerprints: { 'place/v1': text },
          'baselineState?': oneOf('new', 'unchanged', 'updated', 'absent'),
          properties: { tier: text },
        },
      ],
    },
  ],
};

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
const codeQuality: Schema = [
  {
    description: text,
    check_name: text,
    fingerprint: text,
    severity: oneOf('info', 'minor', 'major', 'critical', 'blocker'),
    location: {
      path: (value) => typeof value === 'string' && /^(?!\.?\/)./.test(value),
      lines: { begin: position },
    },
  },
];

function assertSchema(value: unknown, schema: Schema, at = '$'): void {
  if (typeof schema === 'function') {
    assert.ok(schema(value), `${at}: ${JSON.stringify(value)}`);
  } else if (Array.isArray(schema)) {
    assert.ok(Array.isArray(value), at);
    value.forEach((element, index) => assertSchema(element, schema[0] as Schema, `${at}[${index}]`));
  } else {
    assert.ok(typeof value === 'object' && value !== null, at);
    const known = Object.keys(schema).map((property) => property.replace('?', ''));
    assert.deepEqual(
      Object.keys(value).filter((property) => !known.includes(property)),
      [],
      at,
    );
    for (const [property, own] of Object.entries(schema)) {
      const name = property.replace('?', '');
      if (!property.endsWith('?') || name in value) {
        assertSchema((value as Record<string, unknown>)[name], own, `${at}.${name}`);
      }
    }
  }
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

  it('shows what is new since the last check, though its line has moved', () => {
    const [before] = placesIn('a.sh', 'curl "$CI_API_V4_URL/geo_nodes"');
    const [moved, added] = placesIn('a.sh', '\n\ncurl "$CI_API_V4_URL/geo_nodes"\ncurl "$CI_API_V4_URL/geo_nodes/1"');
    assert.ok(before && moved && added);
    assert.equal(moved.fingerprint, before.fingerprint);
    assert.equal(moved.line, 3);
    const compared = { added: new Set([added.fingerprint]), gone: 0 };
    const report = readinessReport(readinessOf([moved, added], { compared }), t, 'en');
    assert.match(report, /a\.sh:4.*certain, quick fix, new/);
    assert.doesNotMatch(report, /a\.sh:3.*new/);
  });

  it('gives equal lines of a file fingerprints of their own', () => {
    const places = placesIn('a.sh', 'curl "$CI_API_V4_URL/geo_nodes"\n'.repeat(3));
    assert.equal(new Set(places.map(({ fingerprint }) => fingerprint)).size, 3);
  });

  it('lists skipped files with their reasons', () => {
    const report = readinessReport(readinessOf([], { skipped: [{ path: 'a[b].js', reason: 'generated' }] }), t, 'en');
    assert.match(
      report,
      /## Files that were not checked\n\n- `a\[b\]\.js`: generated: it has a line of more than 20,000 characters\n/,
    );
  });

  it("has in its exports what the formats' schemas require", () => {
    const places = [
      ...placesIn('sub/a b#%.sh', '\ncurl "$CI_API_V4_URL/geo_nodes"'),
      ...placesIn('b.sh', 'curl "$CI_API_V4_URL/merge_requests" | jq ".[].merge_status"'),
    ];
    assert.ok(places.length >= 2);
    const compared = { added: new Set(places.slice(0, 1).map(({ fingerprint }) => fingerprint)), gone: 0 };
    const skipped = [{ path: 'x y.js', reason: 'large' as const }];
    for (const readiness of [
      readinessOf(places),
      readinessOf(places, { compared, skipped }),
      readinessOf([], { skipped }),
    ]) {
      assertSchema(JSON.parse(sarifOf(readiness, t, '1.0.0')), sarif);
      assertSchema(JSON.parse(codeQualityOf(readiness, t)), codeQuality);
    }
    const issues = JSON.parse(codeQualityOf(readinessOf(places), t)) as { readonly fingerprint: string }[];
    assert.equal(new Set(issues.map(({ fingerprint }) => fingerprint)).size, places.length);
  });

  it("is exported as GitLab's Code Quality report", () => {
    const places = placesIn('sub/a.sh', '\ncurl "$CI_API_V4_URL/geo_nodes"');
    const issues = JSON.parse(codeQualityOf(readinessOf(places), t)) as unknown;
    assert.deepEqual(issues, [
      {
        description: `API v5: The “geo_nodes” endpoints are replaced by “geo_sites”. Use “geo_sites”: the functionality is the same.`,
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
    const log = JSON.parse(sarifOf(readinessOf(places, { compared, skipped }), t, '1.0.0')) as {
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
