import { announcedChanges, changeOf, type ChangeId } from './catalogue.ts';
import type { Finding } from './recognition/findings.ts';

/** A place in a file of the workspace. */
export interface Place {
  /** The file as a person reads it, such as `scripts/release.sh`. */
  readonly path: string;
  /** The file's address. */
  readonly uri: string;
  /** Counts from 1. */
  readonly line: number;
  readonly column: number;
  /** The line's text. */
  readonly text: string;
  readonly change: ChangeId;
  readonly confidence: Finding['confidence'];
  readonly canBeFixed: boolean;
}

/** The words of a report, in the language of the editor. `{0}`, `{1}` … are already filled in. */
export interface ReportWords {
  readonly title: string;
  /** What was looked at and found. */
  readonly summary: string;
  readonly table: readonly [change: string, places: string, files: string];
  /** What a section says of its change, in Markdown. */
  readonly describe: (id: ChangeId) => readonly string[];
  readonly heading: (id: ChangeId) => string;
  readonly certain: string;
  readonly likely: string;
  readonly fixable: string;
}

const maxExcerpt = 120;

/** The places of a file's findings. */
export function placesOf(path: string, uri: string, text: string, findings: readonly Finding[]): Place[] {
  return findings.map(({ start, change, confidence, fix }) => {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = text.indexOf('\n', start);
    return {
      path,
      uri,
      line: text.slice(0, lineStart).split('\n').length,
      column: start - lineStart + 1,
      text: text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).trim(),
      change,
      confidence,
      canBeFixed: fix !== undefined,
    };
  });
}

/** The report on a workspace as a Markdown document, by change, then by file and line. */
export function reportOf(places: readonly Place[], words: ReportWords): string {
  const groups = Map.groupBy(places, ({ change }) => change);
  const changes = announcedChanges.map(({ id }) => id).filter((id) => groups.has(id));
  const rows = changes.map((id) => {
    const own = groups.get(id) ?? [];
    return `| ${words.heading(id)} | ${own.length} | ${new Set(own.map(({ uri }) => uri)).size} |`;
  });
  const table = [`| ${words.table.join(' | ')} |`, '| --- | --- | --- |', ...rows];
  const sections = changes.map((id) => sectionOf(id, groups.get(id) ?? [], words));
  return [`# ${words.title}`, words.summary, ...(rows.length > 0 ? [table.join('\n')] : []), ...sections, ''].join(
    '\n\n',
  );
}

function sectionOf(id: ChangeId, places: readonly Place[], words: ReportWords): string {
  const ordered = places.toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line);
  const lines = ordered.map((place) => {
    const link = `[${escaped(place.path)}:${place.line}](<${place.uri}#L${place.line},${place.column}>)`;
    const notes = [
      place.confidence === 'certain' ? words.certain : words.likely,
      ...(place.canBeFixed ? [words.fixable] : []),
    ];
    return `- ${link} — ${notes.join(', ')}: ${codeSpan(place.text)}`;
  });
  return [`## ${words.heading(id)}`, ...words.describe(id), lines.join('\n')].join('\n\n');
}

/** The name of a change's section. */
export function codeOf(id: ChangeId): string {
  return changeOf(id)
    .item.split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~&$]/g, '\\$&').replaceAll(/\s/g, ' ');
}

/** A text as code, whatever backquotes it holds. */
function codeSpan(text: string): string {
  const line = text.replaceAll(/\s/g, ' ');
  const short = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${short}${padding}${fence}`;
}
