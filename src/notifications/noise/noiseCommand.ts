import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { type NotificationEvent, notificationEvents } from '../../api/notificationVocabulary.ts';
import type { Clock } from '../../common/clock.ts';
import { escapeMarkdown } from '../../common/inertText.ts';
import { countLabel, dateLabel, type PlanDialogs, unlessCancelled } from '../settings/bulkChanges.ts';
import { notificationEventLabel, groupBySubject, levelLabel } from '../settings/labels.ts';
import type { ScopeFinder } from '../settings/scopePicker.ts';
import {
  estimatedDays,
  type EstimatedLevel,
  estimateNoise,
  type MailCount,
  type ProjectNoise,
  readFeeds,
  sumOfNoise,
  unestimatedEvents,
} from './estimator.ts';

/** What a report is about. */
export interface NoiseReportData {
  readonly noise: readonly ProjectNoise[];
  readonly paths: ReadonlyMap<number, string>;
  /** Projects whose own feed was read, which contains merge requests as well. */
  readonly readAlone: ReadonlySet<number>;
  /** The full paths of groups to sum up. */
  readonly groups: readonly string[];
  readonly username: string;
  readonly events: number;
  /** Whether there are more than were read. */
  readonly isCut?: boolean;
  readonly now: Date;
}

const levels: readonly EstimatedLevel[] = ['watch', 'participating', 'mention'];

/** The estimate as a Markdown document, with what it assumes. Text of the instance is escaped. */
export function noiseReport(parts: NoiseReportData): string {
  const { noise, paths, readAlone, groups, username, events, now } = parts;
  const nameOf = ({ projectId }: ProjectNoise): string =>
    paths.get(projectId) ?? vscode.l10n.t('Project {0}', String(projectId));
  const ranked = noise.toSorted(
    (one, other) => other.levels.watch - one.levels.watch || nameOf(one).localeCompare(nameOf(other)),
  );
  const sections = [
    ...groups.map((group) => {
      const members = ranked.filter((project) => nameOf(project).startsWith(`${group}/`));
      const whole = members.every(({ projectId }) => readAlone.has(projectId));
      return { name: vscode.l10n.t('Group {0}', group), sum: sumOfNoise(members), whole };
    }),
    ...ranked.map((project) => ({ name: nameOf(project), sum: project, whole: readAlone.has(project.projectId) })),
  ];
  const summary = vscode.l10n.t(
    'An **estimate** of the e-mails that each notification level would have sent {0} from {1} to {2}, made on this computer. Activity events read: {3}.',
    escapeMarkdown(username),
    escapeMarkdown(dateLabel(now.getTime() - estimatedDays * 86_400_000)),
    escapeMarkdown(dateLabel(now.getTime())),
    countLabel(events),
  );
  const summaryAndBound =
    parts.isCut === true
      ? `${summary} ${vscode.l10n.t('There are more events: only the first {0} were read.', countLabel(events))}`
      : summary;
  if (noise.length === 0) {
    return [heading(), summaryAndBound, '', vscode.l10n.t('Nothing happened in your projects on these days.'), ''].join(
      '\n',
    );
  }
  return [
    heading(),
    summaryAndBound,
    '',
    row([vscode.l10n.t('Scope'), ...levels.map((level) => levelLabel(level, vscode.l10n).name), disabledName()]),
    row(['---', '--:', '--:', '--:', '--:']),
    ...sections.map(({ name, sum, whole }) =>
      row([
        `${escapeMarkdown(name)}${whole ? '' : ' ¹'}`,
        ...levels.map((level) => countLabel(sum.levels[level])),
        countLabel(0),
      ]),
    ),
    '',
    ...(sections.every(({ whole }) => whole)
      ? []
      : [
          vscode.l10n.t(
            '¹ Without what the feed of all projects leaves out, such as merge requests. Pin a project to have its own feed read.',
          ),
          '',
        ]),
    ...sections.flatMap(({ name, sum, whole }) => eventSection(name, sum.events, whole)),
    ...assumptions(),
  ].join('\n');
}

function heading(): string {
  return `# ${vscode.l10n.t('Estimate of Notification Noise')}\n`;
}

function disabledName(): string {
  return levelLabel('disabled', vscode.l10n).name;
}

function eventSection(
  name: string,
  events: ReadonlyMap<NotificationEvent, MailCount>,
  whole: boolean,
): readonly string[] {
  const counted = groupBySubject(notificationEvents).flatMap((group) =>
    group.events.filter((event) => isCounted(event)),
  );
  return [
    `## ${escapeMarkdown(name)}`,
    '',
    row([vscode.l10n.t('Event (with the level Custom)'), vscode.l10n.t('E-mails')]),
    row(['---', '--:']),
    ...counted.map((event) =>
      row([
        notificationEventLabel(event, vscode.l10n).name,
        countOf(event, events.get(event as NotificationEvent), whole),
      ]),
    ),
    '',
  ];
}

function countOf(event: string, count: MailCount | undefined, whole: boolean): string {
  if (count === undefined) {
    const isOfMergeRequests = event === 'approver' || /^(?!push_).*merge_request$/.test(event);
    return isOfMergeRequests && !whole ? vscode.l10n.t('not in the feed ¹') : countLabel(0);
  }
  return count.isAtMost ? vscode.l10n.t('at most {0}', countLabel(count.mails)) : countLabel(count.mails);
}

function isCounted(event: string): boolean {
  return !unestimatedEvents.some((notCounted) => notCounted === event);
}

function assumptions(): readonly string[] {
  const names = unestimatedEvents.map((event) => notificationEventLabel(event, vscode.l10n).name);
  const notCounted = new Intl.ListFormat(vscode.env.language).format(names);
  return [
    `## ${vscode.l10n.t('Assumptions')}`,
    '',
    ...[
      vscode.l10n.t('You get no e-mails about what you did yourself.'),
      vscode.l10n.t(
        'You take part in a thread from the moment that you opened it, wrote in it or were mentioned in it. What was before these {0} days is not known, so that Participate may have sent more.',
        countLabel(estimatedDays),
      ),
      vscode.l10n.t(
        'Mentions are found in comments; those in descriptions, and of groups that you belong to, are not in the feed.',
      ),
      vscode.l10n.t(
        'The feed does not tell which pushes belong to a merge request and which merge requests you may approve: their counts are upper bounds and are left out of the levels.',
      ),
      vscode.l10n.t('Not in any feed, so not counted at all: {0}.', notCounted),
      vscode.l10n.t('A project with the level Global sends what its inherited level sends.'),
    ].map((sentence) => `- ${sentence}`),
    '',
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** What the command needs. */
export interface NoiseDeps {
  readonly connections: Pick<Connections, 'current'>;
  readonly finder: ScopeFinder;
  readonly dialogs: PlanDialogs;
  readonly clock: Pick<Clock, 'date'>;
}

/**
 * Estimates the e-mails of each notification level, with cancellable progress, and shows them as a document.
 *
 * @throws ApiError if the feed cannot be read.
 */
export async function estimateNoiseHere({ connections, finder, dialogs, clock }: NoiseDeps): Promise<void> {
  const title = vscode.l10n.t('Estimating notification noise');
  const report = await unlessCancelled(
    dialogs.progress(title, async (signal, report) => {
      const connection = await connections.current();
      const user = await connection.client.directory.currentUser({ signal });
      const { found } = await finder.find({ signal });
      const here = found.flatMap(({ scope }) => (scope.accountId === connection.account.id ? scope : []));
      const projects = new Map(here.flatMap((scope) => (scope.kind === 'project' ? [[scope.id, scope.path]] : [])));
      const groups = here.flatMap((scope) => (scope.kind === 'group' ? scope.path : []));
      const date = clock.date();
      const { events, ...reading } = await readFeeds(connection, projects, date, signal, (progress) =>
        report(0, vscode.l10n.t('Events read: {0}', countLabel(progress.events))),
      );
      const noise = estimateNoise(events, user);
      const count = new Set(events.map(({ id }) => id)).size;
      return noiseReport({ ...reading, noise, groups, username: user.username, events: count, now: date });
    }),
  );
  if (report !== undefined) {
    await dialogs.show(vscode.l10n.t('Notification Noise'), report);
  }
}
