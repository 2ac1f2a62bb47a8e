import { sha256 } from '#platform/bytes.ts';
import { escapeMarkdown } from '../common/inertText.ts';
import {
  announcedChanges,
  announcement,
  type ChangeId,
  entryOf,
  plainEntryOf,
  type Confidence,
  tierLabels,
  type Translate,
} from './catalogue.ts';
import type { Finding } from './recognize.ts';

/** A place in a file of the workspace. */
export interface ReportedPlace {
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
  readonly tier: Confidence;
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
  readonly places: readonly ReportedPlace[];
  readonly files: number;
  readonly skipped: readonly SkippedFile[];
  /** Compared with the last check of the same files; undefined at the first. */
  readonly compared: { readonly added: ReadonlySet<string>; readonly gone: number } | undefined;
}

const maxExcerpt = 120;
const maxListed = 5000;
const maxSkipped = 200;

/** The places of a file's findings, in one pass over its lines. */
export function placesOf(path: string, uri: string, text: string, findings: readonly Finding[]): ReportedPlace[] {
  const places: ReportedPlace[] = [];
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
      fingerprint: sha256(`${key}\0${count}`, 'hex').slice(0, 32),
    });
  }
  return places;
}

/** How many of the places each tier has. */
function countsOf(places: readonly ReportedPlace[]): Readonly<Record<Confidence, number>> {
  const countOf = (wanted: Confidence): number => places.filter(({ tier }) => tier === wanted).length;
  return { certain: countOf('certain'), likely: countOf('likely'), possible: countOf('possible') };
}

/**
 * The report on a workspace as a Markdown document: by change, then by file and line.
 *
 * @param language in which numbers are written, as a tag such as `de`.
 */
export function readinessReport(
  { places, files, skipped, compared }: Readiness,
  t: Translate,
  language: string,
): string {
  const format = (count: number): string => new Intl.NumberFormat(language).format(count);
  const filesOf = (own: readonly ReportedPlace[]): number => new Set(own.map(({ uri }) => uri)).size;
  const tiers = { certain: t('certain'), likely: t('likely'), possible: t('possible') };
  const reasons: Readonly<Record<SkipReason, string>> = {
    large: t('larger than 1 MiB'),
    unreadable: t('cannot be read'),
    generated: t('generated: it has a line of more than 20,000 characters'),
    budget: t('takes too much work'),
    failed: t('could not be understood; the log has details'),
  };
  const { certain, likely, possible } = countsOf(places);
  const groups = Map.groupBy(places, ({ change }) => change);
  const changes = announcedChanges.map(({ id, item }) => ({ id, name: codeList(item), own: groups.get(id) ?? [] }));
  const found = changes.filter(({ own }) => own.length > 0);
  const lineOf = ({ path, line, column, uri, tier, canBeFixed, fingerprint, text }: ReportedPlace): string => {
    const isNew = compared?.added.has(fingerprint) === true;
    const notes = [tiers[tier], ...(canBeFixed ? [t('quick fix')] : []), ...(isNew ? [t('new')] : [])];
    // Where files are no links, as in the preview, tildes would strike out what is between them.
    const address = uri.replaceAll('~', '%7E');
    return `- [${escapeMarkdown(path)}:${line}](<${address}#L${line},${column}>) — ${notes.join(', ')}: ${codeSpan(text)}`;
  };
  const summary = [
    places.length === 0
      ? t('No place was found that relies on what is [announced to change]({0}) in API v5.', announcement)
      : t(
          'Places that rely on what is [announced to change]({0}) in API v5: {1} certain, {2} likely, {3} possible.',
          announcement,
          format(certain),
          format(likely),
          format(possible),
        ),
    t(
      'Files with such places: {0} of {1}. No date is set for v5, and nothing changes within v4.',
      format(filesOf(places)),
      format(files),
    ),
    ...(compared
      ? [t('Since the last check: {0} new, {1} gone.', format(compared.added.size), format(compared.gone))]
      : []),
  ];
  const table = [
    [t('Announced change'), tiers.certain, tiers.likely, tiers.possible, t('Files')],
    ['---', '---', '---', '---', '---'],
    ...found.map(({ name, own }) => [name, ...Object.values(countsOf(own)), filesOf(own)]),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const skippedLines = skipped
    .slice(0, maxSkipped)
    .map(({ path, reason }) => `- ${codeSpan(path)}: ${reasons[reason]}`);
  const limits = t(
    'Not seen: values that come from another file, names that are put together at run time, data such as JSON, generated files, and what Git ignores.',
  );
  return [
    `# ${t('API v5 Hints')}`,
    summary.join(' '),
    found.length > 0 ? table.join('\n') : t('Looked for: {0}.', changes.map(({ name }) => name).join(', ')),
    ...found.flatMap(({ id, name, own }) => [
      `## ${name}`,
      ...entryOf(id, t),
      own
        .toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line)
        .slice(0, maxListed)
        .map(lineOf)
        .join('\n'),
    ]),
    ...(skipped.length > 0 ? [`## ${t('Files that were not checked')}`, skippedLines.join('\n')] : []),
    '---',
    ...[...Object.values(tierLabels(t)), limits].map((note) => `_${note}_`),
    '',
  ].join('\n\n');
}

const severities = { certain: 'major', likely: 'minor', possible: 'info' } as const;

/**
 * The places as GitLab's Code Quality report, which a job of a pipeline gives as its artifact:
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function codeQualityOf({ places }: Readiness, t: Translate): string {
  const issues = places.map(({ change, tier, path, line, fingerprint }) => ({
    description: `API v5: ${sentencesOf(change, t)}`,
    check_name: `api-v5/${change}`,
    fingerprint,
    severity: severities[tier],
    location: { path, lines: { begin: line } },
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

const levels = { certain: 'warning', likely: 'warning', possible: 'note' } as const;

const sarifSchema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The places as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function sarifOf({ places, skipped, compared }: Readiness, t: Translate, version: string): string {
  const rules = announcedChanges.map(({ id, item, page }) => ({
    id,
    name: item,
    shortDescription: { text: plainEntryOf(id, t).title },
    help: { text: plainEntryOf(id, t).today },
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
      message: { text: sentencesOf(change, t) },
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
  const log = { version: '2.1.0', $schema: sarifSchema, runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function sentencesOf(id: ChangeId, t: Translate): string {
  const { title, today } = plainEntryOf(id, t);
  return `${title} ${today}`;
}

/** The name of a change, as code. */
function codeList(item: string): string {
  return item.replaceAll(/[^, ]+/g, '`$&`');
}

function encodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
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
