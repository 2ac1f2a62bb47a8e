import { csvCell } from '../commands/summary.ts';

/** What a chart shows, in numbers: an item, a series or nothing, and how many events. */
export interface ChartNumbers {
  readonly chart: string;
  readonly rows: readonly (readonly [item: string, series: string, events: number])[];
}

/** Charts as comma-separated values (RFC 4180) with a row of headings. */
export function numbersAsCsv(headings: readonly string[], charts: readonly ChartNumbers[]): string {
  const rows = charts.flatMap(({ chart, rows: ofChart }) => ofChart.map((row) => [chart, ...row]));
  return [headings, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
