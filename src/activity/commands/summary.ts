/** What happened in a period, ready to be written down. All times are by the reader's calendar. */
export interface Summary {
  /** Whose or which activity, as a short label. */
  readonly title: string;
  /** The first and the last day, both included, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** In the order of time, the oldest first. */
  readonly entries: readonly SummaryEntry[];
  /** How many events are left out because the user has muted them. */
  readonly muted?: number;
  /** What has to be known to read it right, in sentences. */
  readonly notes: readonly string[];
}

/** One event of a summary. Text of the instance is as it came. */
export interface SummaryEntry {
  /** ISO 8601, in UTC; empty, like date and time, if the instance does not say. */
  readonly at: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The time of day, as the reader writes it. */
  readonly time: string;
  /** The full path; empty outside of projects. */
  readonly project: string;
  readonly projectUrl: string | undefined;
  readonly author: string;
  readonly username: string | undefined;
  /** See `eventKind`. */
  readonly kind: string;
  readonly action: string;
  readonly targetType: string | undefined;
  readonly targetTitle: string | undefined;
  /** How many commits a push brought. */
  readonly commits: number;
  readonly text: string;
  readonly link: string;
}

/** The entries of each project, the one with most of them first, and in each of its days, the oldest first. */
export function byProjectAndDay(entries: readonly SummaryEntry[]): {
  readonly project: string;
  readonly entries: readonly SummaryEntry[];
  readonly days: readonly (readonly SummaryEntry[])[];
}[] {
  return [...Map.groupBy(entries, ({ project }) => project)]
    .map(([project, ofProject]) => ({
      project,
      entries: ofProject,
      days: [...Map.groupBy(ofProject, ({ date }) => date).values()],
    }))
    .sort((one, other) => other.entries.length - one.entries.length || (one.project < other.project ? -1 : 1));
}

/** How often each kind of event happened, the most frequent first. */
export function countKinds(entries: readonly SummaryEntry[]): { readonly kind: string; readonly count: number }[] {
  return [...Map.groupBy(entries, ({ kind }) => kind)]
    .map(([kind, { length: count }]) => ({ kind, count }))
    .sort((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1));
}

const columns = [
  'at',
  'project',
  'author',
  'username',
  'action',
  'targetType',
  'targetTitle',
  'commits',
  'text',
  'link',
] as const;

/** A summary as comma-separated values (RFC 4180) with a row of headings. */
export function summaryAsCsv({ entries }: Summary): string {
  const rows = entries.map((entry) => columns.map((column) => csvCell(entry[column])));
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** A value as a field of comma-separated values, which no spreadsheet takes for a formula. */
function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') {
    return String(value ?? '');
  }
  // A spreadsheet reads cells that begin like this as formulas, and titles are written by others. One that splits fields at
  // other characters than commas, or ignores quotation marks, sees such beginnings in the middle of a field, too.
  const harmless = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(^|[,;|])([ "']*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  return /[",;|]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
