import * as vscode from 'vscode';
import { showInputBox, showQuickPick, withProgress } from '../../common/inertWindow.ts';
import type { Connections } from '../../accounts/connections.ts';
import { AbortedError } from '../../api/errors.ts';
import type { Commands } from '../../commands.ts';
import { type Period, readPeriod } from '../../time/dateWords.ts';
import { addDays, calendarDate, noonOf } from '../../time/days.ts';
import type { Feed } from '../feeds/feed.ts';
import { feedName } from '../feeds/feedNames.ts';
import type { Projects } from '../loading/projects.ts';
import { collectSummary } from './collectSummary.ts';
import { periodText, summaryAsMarkdown } from './markdown.ts';
import type { Summary } from './summary.ts';
import { summaryAsCsv, summaryAsJson } from './tables.ts';

/** The forms in which a summary can be written. */
export type SummaryFormat = 'markdown' | 'json' | 'csv';

/** What a summary is asked for with; what is missing is asked of the person. */
export interface SummaryChoice {
  readonly feed?: Feed;
  /** Words or a date, or two of them with `to` between them. */
  readonly period?: string;
  readonly format?: SummaryFormat;
}

export interface SummaryCommandOptions {
  readonly connections: Connections;
  readonly projects: Projects;
  readonly now: () => Date;
  /** Lets the person choose whose or which activity. */
  readonly chooseFeed: (title: string) => Promise<Feed | undefined>;
}

/** Writes down what happened, such as for a stand-up. */
export class SummaryCommand {
  readonly #options: SummaryCommandOptions;
  readonly commands = {
    'beacon.activity.summarize': (choice?: SummaryChoice) => this.run(choice),
  } satisfies Commands;

  constructor(options: SummaryCommandOptions) {
    this.#options = options;
  }

  /** Asks for what, when and how, and opens the document. */
  async run(choice: SummaryChoice = {}): Promise<void> {
    const title = vscode.l10n.t('Summarize Activity');
    const feed = choice.feed ?? (await this.#options.chooseFeed(title));
    const words = feed && (choice.period ?? (await this.#askPeriod(title)));
    const format = words === undefined ? undefined : (choice.format ?? (await askFormat(title)));
    const period = words === undefined ? undefined : readRange(words, this.#options.now());
    const summary = feed && period && format && (await this.#collect(feed, period));
    if (summary && format) {
      const document = await vscode.workspace.openTextDocument(writeDown(summary, format));
      await vscode.window.showTextDocument(document);
    }
  }

  /** Undefined if the person has cancelled it. */
  async #collect(feed: Feed, period: Period): Promise<Summary | undefined> {
    const { connections, projects, now } = this.#options;
    const connection = await connections.of(feed.accountId);
    const abort = new AbortController();
    const location = vscode.ProgressLocation.Notification;
    const title = vscode.l10n.t('Reading the activity of {0}', periodText(period.from, period.to));
    try {
      return await withProgress({ location, title, cancellable: true }, async (progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        let shown = 0;
        return await collectSummary(connection, projects, {
          feed,
          title: vscode.l10n.t('Activity: {0}', feedName(feed)),
          period,
          now: now(),
          signal: abort.signal,
          onProgress: (read, total) => {
            const percent = total ? Math.min(100, (read / total) * 100) : shown;
            progress.report({ message: vscode.l10n.t('Events read: {0}', read), increment: percent - shown });
            shown = percent;
          },
        });
      });
    } catch (error) {
      if (error instanceof AbortedError && abort.signal.aborted) {
        return undefined;
      }
      throw error;
    }
  }

  async #askPeriod(title: string): Promise<string | undefined> {
    const { t } = vscode.l10n;
    const now = this.#options.now();
    const today = calendarDate(now);
    const workingDay = addDays(today, [-2, -3, -1, -1, -1, -1, -1][noonOf(today).getUTCDay()] ?? -1);
    const lines = [
      { label: t('Today'), words: today },
      { label: t('Since the Last Working Day'), words: `${workingDay} to ${today}` },
      { label: t('This Week'), words: 'this week' },
      { label: t('Last Week'), words: 'last week' },
      { label: t('Last 7 Days'), words: 'last 7 days' },
      { label: t('This Month'), words: 'this month' },
      { label: t('Last Month'), words: 'last month' },
    ].map((line) => {
      const period = readRange(line.words, now);
      return { ...line, description: period ? periodText(period.from, period.to) : '' };
    });
    const other = { label: t('Other Days…'), words: undefined };
    const chosen = await showQuickPick([...lines, other], { title, placeHolder: t('Choose the days') });
    return chosen && (chosen.words ?? (await this.#askRange(title)));
  }

  async #askRange(title: string): Promise<string | undefined> {
    return await showInputBox({
      title,
      prompt: vscode.l10n.t(
        'Enter words such as yesterday or last 3 weeks, a date, or two dates: 2026-11-02 to 2026-11-13',
      ),
      validateInput: (text) => {
        const period = readRange(text, this.#options.now());
        return period
          ? { message: periodText(period.from, period.to), severity: vscode.InputBoxValidationSeverity.Info }
          : vscode.l10n.t('This is not a period. Try yesterday, last 3 weeks, or 2026-11-02 to 2026-11-13.');
      },
    });
  }
}

/** Reads one or two words or dates as the days from the first to the last of them. Languages put other dashes between them. */
function readRange(words: string, now: Date): Period | undefined {
  const { language } = vscode.env;
  const [first = '', last] = words.split(/ to |\.\.+|[–—～〜]/, 2);
  const [from, to] = [readPeriod(first, now, language), readPeriod(last ?? first, now, language)];
  return from && to && from.from <= to.to ? { from: from.from, to: to.to } : undefined;
}

async function askFormat(title: string): Promise<SummaryFormat | undefined> {
  const lines: readonly (vscode.QuickPickItem & { readonly format: SummaryFormat })[] = [
    { label: 'Markdown', description: vscode.l10n.t('to paste where people read it'), format: 'markdown' },
    { label: 'JSON', description: vscode.l10n.t('for programs'), format: 'json' },
    { label: 'CSV', description: vscode.l10n.t('for spreadsheets'), format: 'csv' },
  ];
  const chosen = await showQuickPick(lines, { title, placeHolder: vscode.l10n.t('Choose a format') });
  return chosen?.format;
}

function writeDown(summary: Summary, format: SummaryFormat): { language: string; content: string } {
  switch (format) {
    case 'markdown':
      return { language: 'markdown', content: summaryAsMarkdown(summary) };
    case 'json':
      return { language: 'json', content: summaryAsJson(summary) };
    case 'csv':
      return { language: 'plaintext', content: summaryAsCsv(summary) };
  }
}
