import * as vscode from 'vscode';
import { escapeMarkdown } from '../../common/markdown.ts';
import { noonOf } from '../../time/days.ts';
import { kindName } from '../events/kindName.ts';
import { byProjectAndDay, countKinds, type Summary, type SummaryEntry } from './summary.ts';

/** A summary as a Markdown document, grouped by project and day. Text of the instance is escaped, in links too. */
export function summaryAsMarkdown({ title, from, to, entries, notes }: Summary): string {
  const { t } = vscode.l10n;
  const sections = byProjectAndDay(entries).flatMap(({ project, days, entries: { length } }) => {
    const url = days[0]?.[0]?.projectUrl;
    const name = project === '' ? t('Outside of projects') : escapeMarkdown(project);
    const heading = `## ${url === undefined ? name : `[${name}](${destination(url)})`} (${length})`;
    return [heading, ...days.flatMap((day) => [`### ${dayHeading(day[0]?.date ?? '')}`, day.map(line).join('\n')])];
  });
  return `${[
    `# ${escapeMarkdown(title)}, ${periodText(from, to)}`,
    entries.length === 0 ? t('Nothing happened.') : countsText(entries),
    ...notes.map((note) => `*${escapeMarkdown(note)}*`),
    ...sections,
  ].join('\n\n')}\n`;
}

/** The days of a period, such as `November 16 – 20, 2026`. */
export function periodText(from: string, to: string): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.formatRange(noonOf(from), noonOf(to));
}

function countsText(entries: readonly SummaryEntry[]): string {
  const { t } = vscode.l10n;
  const commits = entries.reduce((sum, entry) => sum + entry.commits, 0);
  const kinds = countKinds(entries).map(({ kind, count }) => `${count} × ${escapeMarkdown(kindName(kind))}`);
  const total = entries.length === 1 ? t('1 event') : t('{0} events', entries.length);
  const commitCount = commits === 0 ? [] : [commits === 1 ? t('1 commit') : t('{0} commits', commits)];
  return `**${[total, ...commitCount].join(', ')}**: ${kinds.join(', ')}`;
}

function dayHeading(date: string): string {
  if (date === '') {
    return vscode.l10n.t('Without a date');
  }
  const parts = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(vscode.env.language, parts).format(noonOf(date));
}

function line({ time, text, link }: SummaryEntry): string {
  return `- ${time === '' ? '' : `${escapeMarkdown(time)} `}[${escapeMarkdown(text)}](${destination(link)})`;
}

/** An address in the place of a link's. */
function destination(url: string): string {
  return url.replaceAll(/[\s()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
