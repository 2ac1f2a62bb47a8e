import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { isApiError } from '../../api/errors.ts';
import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import { addDays, calendarDate, noonOf, type Period, readPeriod } from '../../common/dates.ts';
import { escapeMarkdown, plainText } from '../../common/inertText.ts';
import { setStatusBarMessage, showInputBox, showQuickPick, withCancellableProgress } from '../../common/inertWindow.ts';
import { ReportDocuments } from '../../common/reportDocuments.ts';
import { eventKind } from '../events/eventKind.ts';
import { authorFullName, authorName, eventLabel, momentOf } from '../events/eventLabel.ts';
import { eventLink } from '../events/eventLink.ts';
import { kindCountLabel } from '../events/kindLabels.ts';
import { pagesOf } from '../feed/feed.ts';
import { type FeedRef, lacksMergeRequests } from '../feed/feedRef.ts';
import { isMuted } from '../feed/feedState.ts';
import { passes, requestFilter, usernameOf } from '../feed/filter.ts';
import { feedLabel } from '../feed/openFeeds.ts';
import type { Projects } from '../feed/projects.ts';
import type { Mutes } from '../feed/readState.ts';
import { byProjectAndDay, countKinds, type Summary, summaryAsCsv, type SummaryEntry } from './summary.ts';

/** A summary as a Markdown document, grouped by project and day. Text of the instance is escaped, in links too. */
export function summaryAsMarkdown({ title, from, to, entries, muted = 0, notes }: Summary): string {
  const { t } = vscode.l10n;
  const sections = byProjectAndDay(entries).flatMap(({ project, days, entries: { length } }) => {
    const url = days[0]?.[0]?.projectUrl;
    const name = project === '' ? t('Outside of projects') : escapeMarkdown(project);
    const heading = `## ${url === undefined ? name : `[${name}](${destination(url)})`} (${length})`;
    return [heading, ...days.flatMap((day) => [`### ${dayHeading(day[0]?.date ?? '')}`, day.map(line).join('\n')])];
  });
  return `${[
    `# ${escapeMarkdown(title)}, ${periodLabel(from, to)}`,
    entries.length > 0 ? countsLabel(entries) : muted > 0 ? t('Nothing but what you muted.') : t('Nothing happened.'),
    ...notes.map((note) => `*${escapeMarkdown(note)}*`),
    ...sections,
  ].join('\n\n')}\n`;
}

/** The days of a period, such as `November 16 – 20, 2026`. */
function periodLabel(from: string, to: string): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.formatRange(noonOf(from), noonOf(to));
}

function countsLabel(entries: readonly SummaryEntry[]): string {
  const { t } = vscode.l10n;
  const commits = entries.reduce((sum, entry) => sum + entry.commits, 0);
  const kinds = countKinds(entries).map(({ kind, count }) => escapeMarkdown(kindCountLabel(kind, count)));
  const commitCount = commits === 0 ? [] : [commits === 1 ? t('1 commit') : t('{0} commits', commits)];
  return `**${[eventCountLabel(entries.length), ...commitCount].join(', ')}**: ${kinds.join(', ')}`;
}

function eventCountLabel(count: number): string {
  return count === 1 ? vscode.l10n.t('1 event') : vscode.l10n.t('{0} events', count);
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

/** Pages that are requested at once, because a month of a busy project has many. */
const pagesInFlight = 6;
/** As many as the platform lets one page through. */
const mostPages = 500;

/** What a summary is to be about. */
export interface SummaryRequest {
  readonly feed: FeedRef;
  readonly title: string;
  readonly period: Period;
  /** What the user has muted, as `Reading` has it. */
  readonly muted: ReadonlySet<string>;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called with the number of events that have been read, and the total if it is known. */
  readonly onProgress: (read: number, total: number | undefined) => void;
}

/**
 * Reads all events of a feed in a period.
 *
 * @throws ApiError if a page cannot be read, or the signal ends it.
 */
export async function collectSummary(
  { client, instanceUrl }: Connection,
  projects: Projects,
  { feed, title, period, muted, now, signal, onProgress }: SummaryRequest,
): Promise<Summary> {
  const { language } = vscode.env;
  const filter = { since: period.from, until: period.to };
  const isInPeriod = passes(filter, { now, language });
  const events = new Map<number, EventRecord>();
  const mutedIds = new Set<number>();
  let [read, unreadable] = [0, 0];
  let isCut = false;
  const asked = { ...requestFilter(filter, { now, language }) };
  for await (const page of pagesOf(client, feed, asked, {
    perPage: 100,
    prefetch: pagesInFlight,
    maxPages: mostPages,
    signal,
  })) {
    for (const item of page.items) {
      if (isUnrecognized(item)) {
        unreadable += 1;
      } else if (isInPeriod(item)) {
        if (isMuted({ muted }, item)) {
          mutedIds.add(item.id);
        } else {
          events.set(item.id, item);
        }
      }
    }
    read += page.items.length;
    isCut = page.next !== undefined;
    onProgress(read, page.total);
  }
  const ids = [...events.values()].flatMap(({ project_id: id }) => id ?? []);
  await projects.learn(feed.accountId, ids);
  const base = instanceUrl.replace(/(?<!\/)\/+$/, '');
  const entries = [...events.values()].map((event) => entryOf(event, feed, projects, base));
  const notes = [
    ...(lacksMergeRequests(feed) ? [vscode.l10n.t('Merge requests and epics are only in the feeds of projects.')] : []),
    ...(mutedIds.size > 0
      ? [vscode.l10n.t('Left out because you muted them: {0}', eventCountLabel(mutedIds.size))]
      : []),
    ...(isCut ? [vscode.l10n.t('There are more events: only the first {0} were read.', read)] : []),
    ...(unreadable === 0
      ? []
      : [
          unreadable === 1
            ? vscode.l10n.t('1 event is left out because its format is not known.')
            : vscode.l10n.t('{0} events are left out because their format is not known.', unreadable),
        ]),
  ];
  return {
    title,
    ...period,
    muted: mutedIds.size,
    entries: entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
    notes,
  };
}

function entryOf(event: EventRecord, feed: FeedRef, projects: Projects, instanceUrl: string): SummaryEntry {
  const created = momentOf(event);
  const project = projects.get(feed.accountId, event.project_id);
  const by = feed.kind === 'mine' || feed.kind === 'user' ? undefined : authorName(event);
  const projectName = typeof event.project_id === 'number' ? vscode.l10n.t('Project {0}', event.project_id) : '';
  return {
    at: created?.toISOString() ?? '',
    date: created ? calendarDate(created) : '',
    time: created ? new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' }).format(created) : '',
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

/** The forms in which a summary can be written. */
export type SummaryFormat = 'markdown' | 'csv';

/** What a summary is asked for with; what is missing is asked of the user. */
export interface SummaryChoice {
  readonly feed?: FeedRef;
  /** A relative day or a date, or two of them with `to` between them. */
  readonly period?: string;
  readonly format?: SummaryFormat;
}

export interface SummaryCommandDeps {
  readonly connections: Pick<Connections, 'of'>;
  readonly projects: Projects;
  readonly mutes: Pick<Mutes, 'of'>;
  readonly clock: Pick<Clock, 'date'>;
  /** Lets the user choose whose or which activity. */
  readonly chooseFeed: (title: string) => Promise<FeedRef | undefined>;
}

/** Writes down what happened, such as for a stand-up. */
export class SummaryCommand {
  readonly #deps: SummaryCommandDeps;
  #documents: ReportDocuments | undefined;
  readonly commands = {
    'beacon.activity.summarize': (choice?: SummaryChoice) => this.run(choice),
    'beacon.activity.copySummary': (uri?: vscode.Uri) => this.copy(uri),
  } satisfies Commands;

  constructor(deps: SummaryCommandDeps) {
    this.#deps = deps;
  }

  /** Asks for what, when and how, and opens the document. */
  async run(choice: SummaryChoice = {}): Promise<void> {
    const feed = choice.feed ?? (await this.#deps.chooseFeed(vscode.l10n.t('Summarize Activity')));
    if (!feed) {
      return;
    }
    const title = vscode.l10n.t('Summarize Activity: {0}', feedLabel(feed));
    const days = choice.period ?? (await this.#askPeriod(title));
    const format = days === undefined ? undefined : (choice.format ?? (await askFormat(title)));
    const period = days === undefined ? undefined : readRange(days, this.#deps.clock.date());
    const summary = period && format && (await this.#collect(feed, period));
    if (!summary || !format) {
      return;
    }
    if (format === 'markdown') {
      this.#documents ??= new ReportDocuments(summaryScheme);
      await showRendered(this.#documents, pageName(summary), summaryAsMarkdown(summary));
    } else {
      const content = summaryAsCsv(summary);
      const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
      await vscode.window.showTextDocument(document);
    }
  }

  /**
   * Copies a summary as Markdown.
   *
   * @param uri of its page; without, it is the page that is seen.
   */
  async copy(uri?: vscode.Uri): Promise<void> {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isPage = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
    const shown = uri ?? (isPage ? input.uri : undefined);
    if (shown?.scheme === summaryScheme) {
      const document = await vscode.workspace.openTextDocument(shown);
      await vscode.env.clipboard.writeText(document.getText());
      setStatusBarMessage(vscode.l10n.t('Summary copied'), 5000);
    }
  }

  /** Undefined if the user has cancelled it. */
  async #collect(feed: FeedRef, period: Period): Promise<Summary | undefined> {
    const { connections, projects, mutes, clock } = this.#deps;
    const connection = await connections.of(feed.accountId);
    const title = vscode.l10n.t('Reading the activity of {0}', periodLabel(period.from, period.to));
    return await withCancellableProgress(title, async (signal, progress) => {
      let shown = 0;
      try {
        return await collectSummary(connection, projects, {
          feed,
          title: vscode.l10n.t('Activity: {0}', `${feedLabel(feed)} (${accountLabel(feed.accountId)})`),
          period,
          muted: mutes.of(feed.accountId),
          now: clock.date(),
          signal,
          onProgress: (read, total) => {
            const percent = total ? Math.min(100, (read / total) * 100) : shown;
            progress.report({ message: vscode.l10n.t('Events read: {0}', read), increment: percent - shown });
            shown = percent;
          },
        });
      } catch (error) {
        if (isApiError(error, 'aborted') && signal.aborted) {
          return undefined;
        }
        throw error;
      }
    });
  }

  async #askPeriod(title: string): Promise<string | undefined> {
    const { t } = vscode.l10n;
    const now = this.#deps.clock.date();
    const today = calendarDate(now);
    const workingDay = addDays(today, [-2, -3, -1, -1, -1, -1, -1][noonOf(today).getUTCDay()] ?? -1);
    const lines = [
      { label: t('Today'), days: today },
      { label: t('Since the Last Working Day'), days: `${workingDay} to ${today}` },
      { label: t('This Week'), days: 'this week' },
      { label: t('Last Week'), days: 'last week' },
      { label: t('Last 7 Days'), days: 'last 7 days' },
      { label: t('This Month'), days: 'this month' },
      { label: t('Last Month'), days: 'last month' },
    ].map((line) => {
      const period = readRange(line.days, now);
      return { ...line, description: period ? periodLabel(period.from, period.to) : '' };
    });
    const other = { label: t('Other Days…'), days: undefined };
    const chosen = await showQuickPick([...lines, other], {
      title,
      placeHolder: t('Choose the days; filters do not apply'),
    });
    return chosen && (chosen.days ?? (await this.#askRange(title)));
  }

  async #askRange(title: string): Promise<string | undefined> {
    return await showInputBox({
      title,
      prompt: vscode.l10n.t('Such as yesterday, last 3 weeks, a date, or 2026-11-02 to 2026-11-13'),
      validateInput: (text) => {
        const period = readRange(text, this.#deps.clock.date());
        return period
          ? { message: periodLabel(period.from, period.to), severity: vscode.InputBoxValidationSeverity.Info }
          : vscode.l10n.t('This is not a period. Try yesterday, last 3 weeks, or 2026-11-02 to 2026-11-13.');
      },
    });
  }
}

/** Parses one or two relative days or dates as a period. Languages put different dashes between them. */
function readRange(days: string, now: Date): Period | undefined {
  const { language } = vscode.env;
  const [first = '', last] = days.split(/ to |\.\.+|[–—～〜]/, 2);
  const [from, to] = [readPeriod(first, now, language), readPeriod(last ?? first, now, language)];
  return from && to && from.from <= to.to ? { from: from.from, to: to.to } : undefined;
}

async function askFormat(title: string): Promise<SummaryFormat | undefined> {
  const lines: readonly (vscode.QuickPickItem & { readonly format: SummaryFormat })[] = [
    { label: 'Markdown', description: vscode.l10n.t('for chat or e-mail'), format: 'markdown' },
    { label: 'CSV', description: vscode.l10n.t('for spreadsheets'), format: 'csv' },
  ];
  const chosen = await showQuickPick(lines, { title, placeHolder: vscode.l10n.t('Choose a format') });
  return chosen?.format;
}

/** Of the addresses of pages with summaries. */
const summaryScheme = 'beacon-summary';

/** The editor's own preview of Markdown. */
const preview = { extension: 'vscode.markdown-language-features', viewType: 'vscode.markdown.preview.editor' };

/** Shows a document as the editor renders it; as its text where the editor's preview is disabled. */
async function showRendered(documents: ReportDocuments, name: string, markdown: string): Promise<void> {
  const extension = vscode.extensions.getExtension(preview.extension);
  if (extension) {
    // While it is not active, the editor may show the text instead.
    await extension.activate();
    const uri = documents.keep(name, markdown);
    await vscode.commands.executeCommand('vscode.openWith', uri, preview.viewType, { preview: false });
  } else {
    await documents.show(name, markdown);
  }
}

/** The name of the tab: without what would end a path's segment. */
function pageName({ title, from, to }: Summary): string {
  const name = `${title.replaceAll(/[/\\?#%:]+/g, ' ').replaceAll(/\s+/g, ' ')}, ${periodLabel(from, to)}`;
  return plainText(name, 100);
}
