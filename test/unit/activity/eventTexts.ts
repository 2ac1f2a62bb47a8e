import {
  type Summary,
  summaryAsCsv,
  summaryAsMarkdown,
  type SummaryEntry,
} from '../../../src/activity/commands/summary.ts';
import { eventHtml, type EventSurroundings } from '../../../src/activity/document/eventHtml.ts';
import { inertMarkdown, renderMarkdown } from '../../../src/activity/document/markdown.ts';
import { decodeHTMLStrict } from '../../../src/activity/document/markdownParts.ts';
import {
  authorDetails,
  authorFullName,
  authorName,
  eventIcon,
  eventKind,
  eventLabel,
  kindLabel,
  rowTexts,
} from '../../../src/activity/events/eventLabel.ts';
import { authorPicture, eventLink, type Places } from '../../../src/activity/events/targets.ts';
import {
  type FeedFilter,
  filterId,
  filterLabel,
  isEmptyFilter,
  passes,
  readFilter,
  requestFilter,
} from '../../../src/activity/feed/filter.ts';
import { choose, count, countedOf, type Selection } from '../../../src/activity/insights/charts.ts';
import type { EventRecord } from '../../../src/api/events.ts';

export type { FeedFilter, SummaryEntry };

/** Where the events of most tests happened. */
export const places = {
  instanceUrl: 'https://gitlab.example.com',
  projectUrl: 'https://gitlab.example.com/group/project',
};

/** What the interface says of an event, wherever it is shown. */
export function said(event: EventRecord, where: Places & { readonly defaultBranch?: string } = places) {
  const { label, detail } = rowTexts(event, where.defaultBranch);
  const { id, color } = eventIcon(event);
  const [by, kind] = [authorName(event), eventKind(event)];
  return {
    /** In its row, whose icon is the name of one and of a color. */
    ...{ label, detail, icon: [id, color].filter(Boolean).join(' ') },
    /** In a sentence, without and with who did it. */
    ...{ sentence: eventLabel(event), sentenceBy: eventLabel(event, by) },
    author: [by, authorFullName(event), authorDetails(event)],
    ...{ kind, kindName: kindLabel(kind) },
    ...{ link: eventLink(event, where), picture: authorPicture(event, where.instanceUrl) },
  };
}

/** The page of an event. */
export function pageOf(
  item: EventRecord,
  { project, ...around }: Partial<EventSurroundings> & { readonly project?: string } = {},
): string {
  const facts = project === undefined ? undefined : { path: project, webUrl: places.projectUrl };
  const node = { item, feed: { state: { instanceUrl: places.instanceUrl } }, facts };
  const nothing = { commits: [], files: [], hasGit: false, isProjectHidden: false, render: () => '' };
  return eventHtml(node as never, { ...nothing, ...around } as EventSurroundings);
}

/** A comment as the page of an event shows it. */
export function commentHtml(text: string, where: Places = places): string {
  return renderMarkdown(text, where);
}

/** A comment as the tooltip of an event shows it. */
export const commentTooltip = (text: string): string => inertMarkdown(text);

/** The character of a name as in `&amp;`, where the table of all names is not shipped. */
export const shippedCharacter = (name: string): string => decodeHTMLStrict(`&${name};`);

/** What a filter is called, asks the instance for, and lets pass of what that answers, or of all events. */
export function filtering(filter: FeedFilter, now = new Date(2026, 10, 21)) {
  return {
    ...{ label: filterLabel(filter, now), id: filterId(filter), isEmpty: isEmptyFilter(filter) },
    asked: requestFilter(filter, now),
    ...{ passes: passes(filter, now), passesOfAll: passes(filter, now, true) },
  };
}

/** A filter as it comes back after a restart. */
export function remembered(filter: unknown): FeedFilter {
  return readFilter(filter === undefined ? undefined : JSON.parse(JSON.stringify(filter)));
}

/** The filter after a kind of event was chosen in the charts. */
export function withKind(kind: string, filter: FeedFilter = {}): FeedFilter {
  return choose(filter, 'kinds', kind, () => undefined);
}

/** Reads events for the charts of insights; gives what draws these by a filter. */
export function chartsOf(events: readonly EventRecord[], selection: Omit<Selection, 'filter'>) {
  const all = events.map(countedOf);
  return (filter: FeedFilter) => count(all, { ...selection, filter }).charts;
}

/** An event as a summary has it. */
export function summaryEntry(fields: Partial<SummaryEntry> = {}): SummaryEntry {
  return {
    ...{ at: '2026-11-16T09:30:00.000Z', date: '2026-11-16', time: '9:30 AM' },
    ...{ project: 'group/one', projectUrl: 'https://host/group/one', author: 'Ada Byron', username: 'ada' },
    ...{ kind: 'opened Issue', action: 'opened', targetType: 'Issue', targetTitle: 'Crash', commits: 0 },
    ...{ text: 'Opened issue #3 "Crash"', link: 'https://host/group/one/-/issues/3' },
    ...fields,
  };
}

/** A summary of some days, in both forms. */
export function summaryOf(entries: readonly SummaryEntry[], rest: Partial<Summary> = {}) {
  const days = { from: '2026-11-16', to: '2026-11-20' };
  const summary = { title: 'Activity: Ada Byron', ...days, muted: 0, notes: ['Something is left out.'], ...rest };
  return { markdown: summaryAsMarkdown({ ...summary, entries }), csv: summaryAsCsv({ entries }) };
}
