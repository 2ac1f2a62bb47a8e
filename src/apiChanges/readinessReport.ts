import { escapeMarkdown } from '../common/inertText.ts';
import {
  announcedChanges,
  announcement,
  type ChangeId,
  entryOf,
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
  /** The line's text. */
  readonly text: string;
  readonly change: ChangeId;
  readonly tier: Confidence;
  readonly canBeFixed: boolean;
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
}

const maxExcerpt = 120;
const maxListed = 5000;
const maxSkipped = 200;

/** The places of a file's findings, in one pass over its lines. */
export function placesOf(path: string, uri: string, text: string, findings: readonly Finding[]): ReportedPlace[] {
  const places: ReportedPlace[] = [];
  let line = 1;
  let lineStart = 0;
  for (const { start, change, tier, fix } of findings) {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < start; next = text.indexOf('\n', lineStart)) {
      lineStart = next + 1;
      line += 1;
    }
    const lineEnd = text.indexOf('\n', start);
    const content = text.slice(lineStart, Math.min(lineEnd === -1 ? text.length : lineEnd, lineStart + 2000)).trim();
    places.push({
      path,
      uri,
      line,
      column: start - lineStart + 1,
      text: content,
      change,
      tier,
      canBeFixed: fix !== undefined,
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
export function readinessReport({ places, files, skipped }: Readiness, t: Translate, language: string): string {
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
  const lineOf = ({ path, line, column, uri, tier, canBeFixed, text }: ReportedPlace): string => {
    const notes = [tiers[tier], ...(canBeFixed ? [t('quick fix')] : [])];
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

/** The name of a change, as code. */
function codeList(item: string): string {
  return item.replaceAll(/[^, ]+/g, '`$&`');
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
