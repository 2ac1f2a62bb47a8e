import { createHash } from 'node:crypto';
import { announcedChanges, changeOf, type ChangeId } from './catalogue.ts';
import type { Finding } from './recognize.ts';
import type { Tier } from './structure.ts';

/** A place in a file of the workspace. */
export interface Place {
  /** The file relative to its workspace folder, with slashes, such as `scripts/release.sh`. */
  readonly path: string;
  readonly uri: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts UTF-16 code units from 1. */
  readonly column: number;
  readonly length: number;
  /** The line's text. */
  readonly text: string;
  readonly change: ChangeId;
  readonly tier: Tier;
  readonly canBeFixed: boolean;
  /** Stays the same while the line does, wherever in its file it moves. */
  readonly fingerprint: string;
}

/** Why a file was not read. */
export type SkipReason = 'large' | 'unreadable' | 'generated' | 'budget' | 'failed';

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

/** What a check of the workspace found. */
export interface Readiness {
  readonly places: readonly Place[];
  readonly files: number;
  readonly skipped: readonly SkippedFile[];
  /** Compared with the last check of the same files; undefined at the first. */
  readonly compared: { readonly added: ReadonlySet<string>; readonly gone: number } | undefined;
}

/** The labels of a report, in the language of the editor. */
export interface ReportLabels {
  readonly title: string;
  /** What was looked at and found, in paragraphs. */
  readonly summary: readonly string[];
  readonly table: readonly [change: string, certain: string, likely: string, possible: string, files: string];
  /** What a section says of its change, in Markdown. */
  readonly describe: (id: ChangeId) => readonly string[];
  readonly tier: Readonly<Record<Tier, string>>;
  readonly fixable: string;
  readonly added: string;
  readonly skipped: string;
  readonly reason: Readonly<Record<SkipReason, string>>;
  /** What the tiers mean, and what cannot be seen. */
  readonly notes: readonly string[];
}

const maxExcerpt = 120;
const maxListed = 5000;
const maxSkipped = 200;

/** The places of a file's findings, in one pass over its lines. */
export function placesOf(path: string, uri: string, text: string, findings: readonly Finding[]): Place[] {
  const places: Place[] = [];
  const seen = new Map<string, number>();
  let line = 1;
  let lineStart = 0;
  for (const { start, end, change, tier, fix } of findings) {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < start; next = text.indexOf('\n', lineStart)) {
      lineStart = next + 1;
      line += 1;
    }
    const lineEnd = text.indexOf('\n', start);
    const content = text.slice(lineStart, Math.min(lineEnd === -1 ? text.length : lineEnd, lineStart + 2000)).trim();
    const key = `${path}\0${change}\0${content}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    places.push({
      path,
      uri,
      line,
      column: start - lineStart + 1,
      length: end - start,
      text: content,
      change,
      tier,
      canBeFixed: fix !== undefined,
      fingerprint: createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 32),
    });
  }
  return places;
}

/** How many places each tier has. */
export function countsOf(places: readonly Place[]): Readonly<Record<Tier, number>> {
  const counts = { certain: 0, likely: 0, possible: 0 };
  for (const { tier } of places) {
    counts[tier] += 1;
  }
  return counts;
}

/** The report on a workspace as a Markdown document: by change, then by file and line. */
export function reportOf({ places, skipped, compared }: Readiness, labels: ReportLabels): string {
  const groups = Map.groupBy(places, ({ change }) => change);
  const changes = announcedChanges.map(({ id }) => id).filter((id) => groups.has(id));
  const rows = changes.map((id) => {
    const own = groups.get(id) ?? [];
    const { certain, likely, possible } = countsOf(own);
    return `| ${codeOf(id)} | ${certain} | ${likely} | ${possible} | ${new Set(own.map(({ uri }) => uri)).size} |`;
  });
  const table = [`| ${labels.table.join(' | ')} |`, '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `# ${labels.title}`,
    ...labels.summary,
    ...(rows.length > 0 ? [table.join('\n')] : []),
    ...changes.map((id) => sectionOf(id, groups.get(id) ?? [], labels, compared?.added)),
    ...(skipped.length > 0
      ? [
          `## ${labels.skipped}`,
          skipped
            .slice(0, maxSkipped)
            .map(({ path, reason }) => `- ${codeSpan(path)}: ${labels.reason[reason]}`)
            .join('\n'),
        ]
      : []),
    '---',
    ...labels.notes.map((note) => `_${note}_`),
    '',
  ].join('\n\n');
}

function sectionOf(
  id: ChangeId,
  places: readonly Place[],
  labels: ReportLabels,
  added: ReadonlySet<string> | undefined,
): string {
  const ordered = places.toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line);
  const lines = ordered.slice(0, maxListed).map((place) => {
    const link = `[${escaped(place.path)}:${place.line}](<${place.uri}#L${place.line},${place.column}>)`;
    const notes = [
      labels.tier[place.tier],
      ...(place.canBeFixed ? [labels.fixable] : []),
      ...(added?.has(place.fingerprint) === true ? [labels.added] : []),
    ];
    return `- ${link} — ${notes.join(', ')}: ${codeSpan(place.text)}`;
  });
  return [`## ${codeOf(id)}`, ...labels.describe(id), lines.join('\n')].join('\n\n');
}

/** The name of a change's section. */
function codeOf(id: ChangeId): string {
  return changeOf(id)
    .item.split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** What an export says of a change, as plain text. */
export interface ExportTexts {
  readonly title: string;
  readonly today: string;
}

const severities = { certain: 'major', likely: 'minor', possible: 'info' } as const;

/**
 * The places as GitLab's Code Quality report, which a job of a pipeline gives as its artifact:
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function codeQualityOf({ places }: Readiness, textsOf: (id: ChangeId) => ExportTexts): string {
  const issues = places.map(({ change, tier, path, line, fingerprint }) => ({
    description: `API v5: ${textsOf(change).title} ${textsOf(change).today}`,
    check_name: `api-v5/${change}`,
    fingerprint,
    severity: severities[tier],
    location: { path, lines: { begin: line } },
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

const levels = { certain: 'warning', likely: 'warning', possible: 'note' } as const;

/** The places as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function sarifOf(
  { places, skipped, compared }: Readiness,
  version: string,
  textsOf: (id: ChangeId) => ExportTexts,
): string {
  const rules = announcedChanges.map(({ id, item, page }) => ({
    id,
    name: item,
    shortDescription: { text: textsOf(id).title },
    help: { text: textsOf(id).today },
    helpUri: page,
  }));
  const run = {
    tool: { driver: { name: 'Beacon for GitLab', version, rules } },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: skipped.map(({ path, reason }) => ({
          level: 'note',
          message: { text: `Skipped: ${reason}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: encodedPath(path), uriBaseId: '%SRCROOT%' } } }],
        })),
      },
    ],
    results: places.map(({ change, tier, path, line, column, length, fingerprint }) => ({
      ruleId: change,
      ruleIndex: announcedChanges.findIndex(({ id }) => id === change),
      level: levels[tier],
      message: { text: `${textsOf(change).title} ${textsOf(change).today}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodedPath(path), uriBaseId: '%SRCROOT%' },
            region: { startLine: line, startColumn: column, endColumn: column + length },
          },
        },
      ],
      partialFingerprints: { 'place/v1': fingerprint },
      ...(compared ? { baselineState: compared.added.has(fingerprint) ? 'new' : 'unchanged' } : {}),
      properties: { tier },
    })),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function encodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~&$]/g, '\\$&').replaceAll(/\s/g, ' ');
}

/** A text as code, whatever backquotes it holds. */
function codeSpan(text: string): string {
  const line = text.slice(0, 4 * maxExcerpt).replaceAll(/\s/g, ' ');
  const short = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${short}${padding}${fence}`;
}
