import * as vscode from 'vscode';
import type { Connection } from '../../accounts/connections.ts';
import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Period } from '../../time/dateWords.ts';
import { calendarDate } from '../../time/days.ts';
import { eventKind } from '../events/eventKind.ts';
import { eventLink } from '../events/eventLink.ts';
import { authorName, eventText, momentOf } from '../events/eventText.ts';
import { type Feed, lacksMergeRequests, pagesOf } from '../feeds/feed.ts';
import { passes, requestFilter, usernameOf } from '../filters/filter.ts';
import type { Projects } from '../loading/projects.ts';
import type { Summary, SummaryEntry } from './summary.ts';

/** Pages that are requested at once, because a month of a busy project has many. */
const pagesInFlight = 6;
/** As many as the platform lets one page through. */
const mostPages = 500;

/** What a summary is to be about. */
export interface SummaryRequest {
  readonly feed: Feed;
  readonly title: string;
  readonly period: Period;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Told of how many events have been read, and of how many there are if that is known. */
  readonly onProgress: (read: number, total: number | undefined) => void;
}

/**
 * Reads all events of a feed in a period.
 *
 * @throws ApiError if a page cannot be read, an AbortedError if the signal ends it.
 */
export async function collectSummary(
  { client, instanceUrl }: Connection,
  projects: Projects,
  { feed, title, period, now, signal, onProgress }: SummaryRequest,
): Promise<Summary> {
  const { language } = vscode.env;
  const filter = { since: period.from, until: period.to };
  const isInPeriod = passes(filter, { now, language });
  const events = new Map<number, EventRecord>();
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
        events.set(item.id, item);
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
    ...(lacksMergeRequests(feed)
      ? [vscode.l10n.t('The instance leaves merge requests and epics out of the feeds of users.')]
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
    entries: entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
    notes,
  };
}

function entryOf(event: EventRecord, feed: Feed, projects: Projects, instanceUrl: string): SummaryEntry {
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
    author: authorName(event),
    username: usernameOf(event),
    kind: eventKind(event),
    action: event.action_name,
    targetType: event.target_type ?? undefined,
    targetTitle: event.target_title ?? undefined,
    commits: event.push_data?.commit_count ?? 0,
    text: eventText(event, { by }),
    link: eventLink(event, { instanceUrl, projectUrl: project?.webUrl }),
  };
}
