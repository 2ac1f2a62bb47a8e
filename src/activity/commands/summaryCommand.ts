import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { Commands } from '../../common/commands.ts';
import { addDays, calendarDate, noonOf, type Period, readPeriod } from '../../common/dates.ts';
import { showInputBox, showQuickPick, withCancellableProgress } from '../../common/inertWindow.ts';
import type { ActivityContext } from '../context.ts';
import { numberLabel } from '../events/eventLabel.ts';
import { feedLabel, type FeedRef } from '../feed/feedRef.ts';
import { askFeed } from './feedCommands.ts';
import { collectSummary, periodLabel, type Summary, summaryAsCsv, summaryAsMarkdown } from './summary.ts';

const { t } = vscode.l10n;

/** What a summary is asked for with; what is missing is asked of the user. */
export interface SummaryChoice {
  readonly feed?: FeedRef;
  /** A relative day or a date, or two of them with `to` between them. */
  readonly period?: string;
  readonly format?: 'markdown' | 'csv';
}

/** Writes down what happened, such as for a stand-up. */
export function summaryCommands(view: ActivityContext) {
  const { app, choices } = view;

  /** Asks for what, when and how, and opens the document, to be changed, copied or saved. */
  async function summarize(given: SummaryChoice = {}): Promise<void> {
    const choice = given.feed ?? (await askFeed(view, t('Summarize Activity')));
    const feed = choice && choices.refOf(choice);
    if (!feed) {
      return;
    }
    const title = t('Summarize Activity: {0}', feedLabel(feed));
    const now = app.clock.date();
    const days = given.period ?? (await askPeriod(title, now));
    const period = days === undefined ? undefined : readRange(days, now);
    const format = period && (given.format ?? (await askFormat(title)));
    const summary = period && format && (await collect(feed, period));
    if (summary) {
      const [language, content] =
        format === 'csv' ? ['plaintext', summaryAsCsv(summary)] : ['markdown', summaryAsMarkdown(summary)];
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
    }
  }

  /** Undefined if the user has cancelled it. */
  async function collect(feed: FeedRef, period: Period): Promise<Summary | undefined> {
    const connection = await app.connections.of(feed.accountId);
    const title = t('Reading the activity of {0}', periodLabel(period));
    return await withCancellableProgress(title, async (signal, progress) => {
      let shown = 0;
      const onProgress = (read: number, total: number | undefined): void => {
        const percent = total ? Math.min(100, (read / total) * 100) : shown;
        progress.report({ message: t('Events read: {0}', numberLabel(read)), increment: percent - shown });
        shown = percent;
      };
      try {
        return await collectSummary(connection, view.projects, {
          feed,
          title: t('Activity: {0}', feedLabel(feed)),
          period,
          muted: view.mutes.of(feed.accountId),
          now: app.clock.date(),
          signal,
          onProgress,
        });
      } catch (error) {
        if (isApiError(error, 'aborted') && signal.aborted) {
          return undefined;
        }
        throw error;
      }
    });
  }

  return { 'beacon.activity.summarize': summarize } satisfies Commands;
}

async function askPeriod(title: string, now: Date): Promise<string | undefined> {
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
    return { ...line, description: period ? periodLabel(period) : '' };
  });
  const other = { label: t('Other Days…'), days: undefined };
  const placeHolder = t('Choose the days; filters do not apply');
  const chosen = await showQuickPick([...lines, other], { title, placeHolder });
  return chosen && (chosen.days ?? (await askRange(title, now)));
}

async function askRange(title: string, now: Date): Promise<string | undefined> {
  return await showInputBox({
    title,
    prompt: t('Such as yesterday, last 3 weeks, a date, or 2026-11-02 to 2026-11-13'),
    validateInput: (text) => {
      const period = readRange(text, now);
      return period
        ? { message: periodLabel(period), severity: vscode.InputBoxValidationSeverity.Info }
        : t('This is not a period. Try yesterday, last 3 weeks, or 2026-11-02 to 2026-11-13.');
    },
  });
}

/** Parses one or two relative days or dates as a period. Languages put different dashes between them. */
function readRange(days: string, now: Date): Period | undefined {
  const { language } = vscode.env;
  const [first = '', last] = days.split(/ to |\.\.+|[–—～〜]/, 2);
  const [from, to] = [readPeriod(first, now, language), readPeriod(last ?? first, now, language)];
  return from && to && from.from <= to.to ? { from: from.from, to: to.to } : undefined;
}

async function askFormat(title: string): Promise<SummaryChoice['format']> {
  const lines = [
    { label: 'Markdown', description: t('for chat or e-mail'), format: 'markdown' as const },
    { label: 'CSV', description: t('for spreadsheets'), format: 'csv' as const },
  ];
  return (await showQuickPick(lines, { title, placeHolder: t('Choose a format') }))?.format;
}
