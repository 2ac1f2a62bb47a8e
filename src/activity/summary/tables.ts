import { countKinds, type Summary } from './summary.ts';

/** A summary as JSON, indented, with a line break at its end. */
export function summaryAsJson({ title, from, to, entries, notes }: Summary): string {
  const events = entries.map((entry) => ({ ...entry, time: undefined }));
  const counts = Object.fromEntries(countKinds(entries).map(({ kind, count }) => [kind, count]));
  return `${JSON.stringify({ title, from, to, counts, notes, events }, null, 2)}\n`;
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
  const rows = entries.map((entry) => columns.map((column) => cell(entry[column])));
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') {
    return String(value ?? '');
  }
  // A spreadsheet takes what begins like this for a formula, and titles are written by others. One that parts fields by
  // other characters than commas, or does not heed the quotation marks, sees beginnings where there are none.
  const harmless = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(^|[,;|])([ "']*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  return /[",;|]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
