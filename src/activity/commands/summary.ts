import * as vscode from 'vscode';
import { Dialogs } from '../../accounts/dialogs.ts';
import type { EventRecord } from '../../api/events.ts';
import type { Commands } from '../../common/commands.ts';
import { addDays, calendarDate, noonOf, type Period } from '../../common/dates.ts';
import { escapeMarkdown } from '../../common/inertText.ts';
import { showInputBox } from '../../common/inertWindow.ts';
import { chooseOne } from '../../common/question.ts';
import type { ActivityContext } from '../context.ts';
import {
  authorFullName,
  authorName,
  eventCount,
  eventKind,
  eventLabel,
  kindLabel,
  listLabel,
  momentOf,
  numberLabel,
} from '../events/eventLabel.ts';
import { eventLink, usernameOf } from '../events/targets.ts';
import { feedLabel, type FeedRef, lacksMergeRequests, pagesOf, readChoice } from '../feed/feedRef.ts';
import { daysOf, limitsOf, passes, requestFilter, spanLabel } from '../feed/filter.ts';
import type { Projects } from '../feed/projects.ts';
import { isMuted } from '../feed/readState.ts';
import { askFeed } from './feedCommands.ts';

const { t } = vscode.l10n;

/** What a summary is asked for with; what is missing is asked of the user. */
interface SummaryChoice {
  readonly feed?: FeedRef;
  /** A relative day or a date, or two of them with `to` between them. */
  readonly period?: string;
  readonly format?: 'markdown' | 'csv';
}

export function summaryCommands(view: ActivityContext) {
  const { app } = view;
  const dialogs = new Dialogs(app, 'beacon.activity');
  return {
    'beacon.activity.summarize': async (given: SummaryChoice = {}) => {
      // A title of a view hands over the row that has the focus, which has a feed of another kind.
      const choice =
        readChoice(given.feed, app.accountInUse.account?.id) ?? (await askFeed(view, t('Summarize Activity')));
      const feed = choice && view.feeds.refOf(choice);
      if (!feed) {
        return;
      }
      const title = t('Summarize Activity: {0}', feedLabel(feed));
      const now = app.clock.date();
      const days = readRange(given.period ?? '', now)
        ? given.period
        : await askPeriod(title, t('Choose the days; filters do not apply'), now);
      const period = days === undefined ? undefined : readRange(days, now);
      const format = period && (given.format ?? (await askFormat(dialogs, title)));
      const summary = period && format && (await collect(view, dialogs, feed, period));
      if (summary) {
        const [language, content] =
          format === 'csv' ? ['plaintext', summaryAsCsv(summary)] : ['markdown', summaryAsMarkdown(summary)];
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
      }
    },
  } satisfies Commands;
}

/**
 * Asks for days as `limitsOf` reads them.
 *
 * @param mayBeOpen whether the first or the last of them may be missing.
 * @returns undefined if the user gave up.
 */
export async function askPeriod(
  title: string,
  placeholder: string,
  now: Date,
  mayBeOpen = false,
): Promise<string | undefined> {
  const today = calendarDate(now);
  const workingDay = addDays(today, [-2, -3, -1, -1, -1, -1, -1][noonOf(today).getUTCDay()] ?? -1);
  const lines = Object.entries({
    [t('Today')]: 'today',
    [t('Since the Last Working Day')]: `${workingDay} to today`,
    [t('This Week')]: 'this week',
    [t('Last Week')]: 'last week',
    [t('Last 7 Days')]: 'last 7 days',
    [t('This Month')]: 'this month',
    [t('Last Month')]: 'last month',
  }).map(([label, days]) => {
    const period = readRange(days, now);
    return { label, days, description: period ? spanLabel(period, 'long') : '' };
  });
  const other = { label: t('Other Days…'), days: undefined };
  const chosen = await chooseOne([...lines, other], { title, placeholder });
  return chosen && (chosen.days ?? (await askRange(title, now, mayBeOpen)));
}

async function askRange(title: string, now: Date, mayBeOpen: boolean): Promise<string | undefined> {
  return await showInputBox({
    title,
    prompt: mayBeOpen
      ? t('Such as last 3 weeks, until 2026-11-13, or 2026-11-02 to 2026-11-13')
      : t('Such as yesterday, last 3 weeks, a date, or 2026-11-02 to 2026-11-13'),
    validateInput: (text) => {
      const { from, to } = daysOf(limitsOf(text), now);
      const isOpen = mayBeOpen && (from === undefined) !== (to === undefined);
      return isOpen || readRange(text, now)
        ? { message: spanLabel({ from, to }, 'long'), severity: vscode.InputBoxValidationSeverity.Info }
        : t('This is not a period. Try yesterday, last 3 weeks, or 2026-11-02 to 2026-11-13.');
    },
  });
}

function readRange(days: string, now: Date): Period | undefined {
  const { from, to } = daysOf(limitsOf(days), now);
  return from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;
}

async function askFormat(dialogs: Dialogs, title: string): Promise<SummaryChoice['format']> {
  return await dialogs.choose(title, t('Choose a format'), [
    { label: 'Markdown', description: t('for chat or e-mail'), value: 'markdown' as const },
    { label: 'CSV', description: t('for spreadsheets'), value: 'csv' as const },
  ]);
}

export interface Summary extends Period {
  readonly title: string;
  readonly entries: readonly SummaryEntry[];
  readonly muted: number;
  readonly notes: readonly string[];
}

export type SummaryEntry = ReturnType<typeof entryOf>;

/** The largest pages, several at once, because a month of a busy project has many; as many as the platform lets one page through. */
const paging = { perPage: 100, prefetch: 6, maxPages: 500 } as const;

/** Reads all events of a feed in a period; undefined if the user cancelled. */
async function collect(
  { app, readState, projects }: ActivityContext,
  dialogs: Dialogs,
  feed: FeedRef,
  period: Period,
): Promise<Summary | undefined> {
  const { accountId } = feed;
  const { client, instanceUrl } = await app.connections.of(accountId);
  const now = app.clock.date();
  const filter = { since: period.from, until: period.to };
  const isInPeriod = passes(filter, now);
  let [read, unreadable, isCut] = [0, 0, false];
  const title = t('Reading the activity of {0}', spanLabel(period, 'long'));
  const events = await dialogs.progress(title, async (signal, report) => {
    const found = new Map<number, EventRecord>();
    for await (const { items, misfits, next, total } of pagesOf(client, feed, requestFilter(filter, now), {
      ...paging,
      signal,
    })) {
      unreadable += misfits.length;
      items.forEach((item) => (isInPeriod(item) ? found.set(item.id, item) : undefined));
      read += items.length + misfits.length;
      isCut = next !== undefined;
      report(total ? Math.min(1, read / total) : 0, t('Events read: {0}', numberLabel(read)));
    }
    return [...found.values()];
  });
  if (!events) {
    return undefined;
  }
  const heard = events.filter((event) => !isMuted(readState.mutes.of(accountId), event));
  const muted = events.length - heard.length;
  await projects.learn(
    accountId,
    heard.flatMap(({ project_id: id }) => id ?? []),
  );
  const notes = [
    lacksMergeRequests(feed) && t('Merge requests and epics are only in the feeds of single projects.'),
    muted > 0 && t('Left out because you muted them: {0}', eventCount(muted)),
    isCut && t('There are more events: only the first {0} were read.', numberLabel(read)),
    unreadable > 0 && t('Left out because their format is not known: {0}', eventCount(unreadable)),
  ];
  return {
    ...period,
    title: t('Activity: {0}', feedLabel(feed)),
    muted,
    entries: heard
      .map((event) => entryOf(event, feed, projects, instanceUrl))
      .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
    notes: notes.filter((note) => note !== false),
  };
}

/** What is known of an event of a feed. */
export function entryOf(event: EventRecord, feed: FeedRef, projects: Projects, instanceUrl: string) {
  const created = momentOf(event);
  const project = projects.get(feed.accountId, event.project_id);
  const by = feed.kind === 'mine' || feed.kind === 'user' ? undefined : authorName(event);
  const projectName = typeof event.project_id === 'number' ? t('Project {0}', event.project_id) : '';
  return {
    /** ISO 8601, in UTC; empty, like date and time, if the instance does not say. */
    at: created?.toISOString() ?? '',
    date: created ? calendarDate(created) : '',
    time: created ? new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' }).format(created) : '',
    /** The full path; empty outside of projects. */
    project: project?.path ?? projectName,
    projectUrl: project?.webUrl,
    author: authorFullName(event),
    username: usernameOf(event),
    kind: eventKind(event),
    action: event.action_name,
    targetType: event.target_type ?? undefined,
    targetTitle: event.target_title ?? undefined,
    commits: event.push_data?.commit_count ?? 0,
    text: eventLabel(event, by),
    link: eventLink(event, { instanceUrl, projectUrl: project?.webUrl }),
  };
}

/** A summary as a Markdown document, grouped by project and day. Text of the instance is escaped, in links too. */
export function summaryAsMarkdown({ title, from, to, entries, muted, notes }: Summary): string {
  const projects = [...Map.groupBy(entries, ({ project }) => project)].sort(
    ([one, { length }], [other, { length: otherLength }]) => otherLength - length || (one < other ? -1 : 1),
  );
  const sections = projects.flatMap(([project, ofProject]) => {
    const url = ofProject[0]?.projectUrl;
    const name = project === '' ? t('Outside of projects') : escapeMarkdown(project);
    const heading = `## ${url === undefined ? name : `[${name}](${destination(url)})`} (${numberLabel(ofProject.length)})`;
    const days = [...Map.groupBy(ofProject, ({ date }) => date)];
    return [heading, ...days.flatMap(([date, ofDay]) => [`### ${dayHeading(date)}`, ofDay.map(line).join('\n')])];
  });
  return `${[
    `# ${escapeMarkdown(title)}, ${spanLabel({ from, to }, 'long')}`,
    entries.length > 0 ? countsLabel(entries) : muted > 0 ? t('Nothing but what you muted.') : t('Nothing happened.'),
    ...notes.map((note) => `*${escapeMarkdown(note)}*`),
    ...sections,
  ].join('\n\n')}\n`;
}

function countsLabel(entries: readonly SummaryEntry[]): string {
  const commits = entries.reduce((sum, entry) => sum + entry.commits, 0);
  const kinds = [...Map.groupBy(entries, ({ kind }) => kind)]
    .sort(([one, { length }], [other, { length: otherLength }]) => otherLength - length || (one < other ? -1 : 1))
    .map(([kind, { length }]) => `${escapeMarkdown(kindLabel(kind))}: ${numberLabel(length)}`);
  const commitCount = commits === 1 ? t('1 commit') : t('{0} commits', numberLabel(commits));
  const total = listLabel([eventCount(entries.length), ...(commits > 0 ? [commitCount] : [])]);
  return `**${total}**: ${listLabel(kinds)}`;
}

function dayHeading(date: string): string {
  const parts = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return date === '' ? t('Without a date') : new Intl.DateTimeFormat(vscode.env.language, parts).format(noonOf(date));
}

function line({ time, text, link }: SummaryEntry): string {
  return `- ${time === '' ? '' : `${escapeMarkdown(time)} `}[${escapeMarkdown(text)}](${destination(link)})`;
}

/** An address in the place of a link's. */
function destination(url: string): string {
  return url.replaceAll(/[\s()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

const columns = 'at project author username action targetType targetTitle commits text link'.split(
  ' ',
) as (keyof SummaryEntry)[];

/** A summary as comma-separated values (RFC 4180) with a row of headings. */
export function summaryAsCsv({ entries }: Pick<Summary, 'entries'>): string {
  const rows = entries.map((entry) => columns.map((column) => csvCell(entry[column])));
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** What a spreadsheet may leave out before it looks for a formula: blanks, quotation marks, and what is not seen. */
const formulaStart = /(^|[,;|])([\s"'\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫])/gu;

/** A value as a field of comma-separated values, which no spreadsheet takes for a formula. */
function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') {
    return String(value ?? '');
  }
  // A spreadsheet reads cells that begin like this as formulas, and titles are written by others. One that splits fields at
  // other characters than commas, or ignores quotation marks, sees such beginnings in the middle of a field, too.
  const harmless = value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(formulaStart, "$1$2'");
  return /[",;|]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
