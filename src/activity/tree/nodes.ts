import * as vscode from 'vscode';
import { isReadOnly, lacksReadScope, type ProjectRef, SignedOutError } from '../../accounts/account.ts';
import { accountLabel, shortAccountLabel } from '../../accounts/accountInUse.ts';
import { problemOf } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { calendarDate, dayLabel, fullTimeLabel, groupByDay, timeAgo, timeOnDay } from '../../common/dates.ts';
import { escapeMarkdown, plainText } from '../../common/inertText.ts';
import { messageItem } from '../../common/messageRow.ts';
import {
  authorDetails,
  authorName,
  eventCount,
  eventIcon,
  eventKind,
  eventLabel,
  kindLabel,
  listLabel,
  momentOf,
  numberLabel,
  rowTexts,
} from '../events/eventLabel.ts';
import { authorPicture, usernameOf } from '../events/targets.ts';
import type { Feed } from '../feed/feed.ts';
import { feedIcons, feedLabel, feedNote } from '../feed/feedRef.ts';
import { filterLabel } from '../feed/filter.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import type { ProjectFacts } from '../feed/projects.ts';
import { isNew, type Mute } from '../feed/readState.ts';

const { t } = vscode.l10n;
const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What the tree consists of. Each draws itself; its id stays the same, by which the editor keeps the user's place. */
export type ActivityNode = FeedNode | DayNode | MoreDaysNode | EventNode | MessageNode;

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;
/** The same for days that were loaded later, such as by "Load More": they are expanded, because the user asked for them. */
const eventsShownLater = 60;
/** Of several feeds, this many days are rows each; the others are below one more row, so that the next feed is in sight. */
const daysOfSeveral = 3;

/** A feed: a root where there are several, else what the roots are below. */
export class FeedNode {
  readonly kind = 'feed';
  shown: ShownFeed;
  /** How often the editor waits for the rows below: what changes meanwhile is in the answer. */
  fetching = 0;
  drawn: readonly unknown[] = [];
  /** Whether feeds of several accounts are shown, so that each says whose it is. */
  isOneOfSeveralAccounts = false;
  readonly #isOneOfSeveral: boolean;
  readonly #moreDays = new MoreDaysNode(this);
  readonly #events = new WeakMap<EventRecord, EventNode>();
  readonly #days = new Map<string, DayNode>();
  #list: readonly DayNode[] = [];
  #grouped: readonly unknown[] = [];

  constructor(shown: ShownFeed, isOneOfSeveral: boolean) {
    this.shown = shown;
    this.#isOneOfSeveral = isOneOfSeveral;
  }

  get feed(): Feed | undefined {
    return this.shown.feed;
  }

  /** The project whose feed it is; undefined if it is that of a user or of all projects. */
  get project(): ProjectRef | undefined {
    const ref = this.feed?.ref;
    return ref?.kind === 'project' ? { accountId: ref.accountId, idOrPath: ref.id ?? ref.path } : undefined;
  }

  get days(): readonly DayNode[] {
    const { feed } = this;
    const now = feed?.app.clock.date();
    const grouped = [feed?.state.shown, now?.toDateString()];
    if (feed && now && grouped.some((one, index) => one !== this.#grouped[index])) {
      this.#grouped = grouped;
      this.#list = this.#group(feed, now);
    }
    return this.#list;
  }

  /** The rows of its days, and what stands below them. */
  get rows(): ActivityNode[] {
    const [first, others] = [this.days.slice(0, daysOfSeveral), this.#moreDays];
    return this.#isOneOfSeveral && others.days.length > 1
      ? [...first, others]
      : [...this.days, ...rowsBelow(this.feed)];
  }

  /** The row below which a day is, if it is not below the feed itself. */
  parentOf(day: DayNode): MoreDaysNode | undefined {
    return this.rows.includes(day) ? undefined : this.#moreDays;
  }

  treeItem(): vscode.TreeItem {
    const { choice, isPinned, isChosen, feed } = this.shown;
    const ref = feed?.ref ?? choice;
    const name = feedLabel(ref);
    const count = feed?.state.newItems.length ?? 0;
    const counted = count === 0 ? [] : [t('{0} new', numberLabel(count))];
    const facts = feed ? factsOf(feed) : [t('No project here')];
    const [short, full] =
      feed && this.isOneOfSeveralAccounts
        ? [[shortAccountLabel(feed.ref.accountId, feed.app.accounts.all)], [accountLabel(feed.ref.accountId)]]
        : [[], []];
    const said = [...full, ...counted, ...(feed ? facts : [noProjectHere()])];
    const row = new vscode.TreeItem(name, isChosen ? Expanded : Collapsed);
    row.id = feed?.id ?? choice.kind;
    // The editor shows buttons of rows under the pointer alone.
    row.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : feedIcons[choice.kind]);
    // A narrow view cuts the end: whose feed it is comes first, what is new is counted on the view, too.
    row.description = [...short, ...counted, ...facts].join(' · ');
    row.tooltip = [name, ...said].join('\n');
    row.contextValue = [
      'feed',
      isPinned ? 'pinned' : 'unpinned',
      feed?.state.reading.counts === false ? 'uncounted' : 'counted',
      feed?.isFiltered === true ? 'filtered' : 'unfiltered',
      ...(feed?.ref.kind === 'project' ? ['projectFeed'] : []),
      ...(feed ? accessContext(feed) : []),
    ].join(' ');
    row.accessibilityInformation = {
      label: [t('Feed {0}', name), ...(isPinned ? [t('pinned')] : []), ...said].join(', '),
    };
    return row;
  }

  #group(feed: Feed, now: Date): readonly DayNode[] {
    const isFirst = this.#days.size === 0;
    let mayShow = isFirst ? eventsShownAtFirst : eventsShownLater;
    return groupByDay(feed.state.shown, now).map(({ date, events }, index) => {
      let day = this.#days.get(date);
      if (!day) {
        const isBelow = isFirst && this.#isOneOfSeveral && index > 0;
        day = new DayNode(feed, date, mayShow > 0 && !isBelow);
        mayShow -= events.length;
        this.#days.set(date, day);
      }
      day.events = events.map((event) => {
        const node = this.#events.get(event) ?? new EventNode(feed, event);
        this.#events.set(event, node);
        return node;
      });
      return day;
    });
  }
}

/** What is said of a feed beside its name, the first things first: a narrow view cuts the end. */
export function factsOf({ ref, filter, state, app }: Feed): string[] {
  const counts = state.reading.counts ? '' : t('not in badge');
  const { shown, projects } = state;
  const areNamed = shown.length > 0 && shown.every(({ project_id: id }) => typeof id !== 'number' || projects[id]);
  return [filterLabel(filter, app.clock.date()), counts, feedNote(ref, app.accounts, areNamed)].filter(Boolean);
}

/** A day shows this many events until it is asked for more, because an editor that shows thousands at once stalls. */
export const eventsPerShowMore = 100;

export class DayNode {
  readonly kind = 'day';
  readonly feed: Feed;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly isExpanded: boolean;
  events: readonly EventNode[] = [];
  limit = eventsPerShowMore;

  constructor(feed: Feed, date: string, isExpanded: boolean) {
    this.feed = feed;
    this.date = date;
    this.isExpanded = isExpanded;
  }

  get rows(): ActivityNode[] {
    const left = this.events.length - this.limit;
    if (left <= 0) {
      return [...this.events];
    }
    const more = messageNode(this.feed, `day/${this.date}/more`, 'fold-down', {
      command: 'beacon.activity.showMoreOfDay',
      title: left === 1 ? t('Show 1 More Event') : t('Show {0} More Events', numberLabel(left)),
      arguments: [this],
    });
    return [...this.events.slice(0, this.limit), more];
  }

  treeItem(): vscode.TreeItem {
    const name = dayLabel(this.date, this.feed.app.clock.date(), vscode.env.language);
    const { length } = this.events;
    const row = new vscode.TreeItem(name, this.isExpanded ? Expanded : Collapsed);
    row.id = `${this.feed.id}/day/${this.date}`;
    row.description = numberLabel(length);
    row.contextValue = this.events.some(({ isNew }) => isNew) ? 'day unread' : 'day';
    row.accessibilityInformation = {
      label: `${name}, ${eventCount(length)}`,
    };
    return row;
  }
}

/** The days of a feed that are not rows of their own. */
export class MoreDaysNode {
  readonly kind = 'moreDays';
  readonly #root: FeedNode;

  constructor(root: FeedNode) {
    this.#root = root;
  }

  get feed(): Feed | undefined {
    return this.#root.feed;
  }

  get days(): readonly DayNode[] {
    return this.#root.days.slice(daysOfSeveral);
  }

  get rows(): ActivityNode[] {
    return [...this.days, ...rowsBelow(this.feed)];
  }

  treeItem(): vscode.TreeItem {
    const count = this.days.reduce((sum, { events }) => sum + events.length, 0);
    const row = new vscode.TreeItem(t('More Days'), Collapsed);
    row.id = `${this.feed?.id}/moreDays`;
    row.description = numberLabel(count);
    row.accessibilityInformation = { label: `${t('More Days')}, ${eventCount(count)}` };
    return row;
  }
}

const scheme = 'beacon-new-event';

/** Marks new events as the editor marks changed files: by a dot at the end of the row and by colour. */
export function markNewEvents(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === scheme
        ? {
            badge: '●',
            tooltip: t('New'),
            color: new vscode.ThemeColor('notificationsInfoIcon.foreground'),
          }
        : undefined,
  });
}

/** By which the menus leave out what the token of an account cannot do. They come last in a context value. */
function accessContext({ ref, app }: Feed): string[] {
  const account = app.accounts.find(ref.accountId);
  return [...(isReadOnly(account) ? ['readOnly'] : []), ...(lacksReadScope(account) ? ['feedOnly'] : [])];
}

export class EventNode {
  readonly kind = 'event';
  readonly feed: Feed;
  readonly item: EventRecord;

  constructor(feed: Feed, item: EventRecord) {
    this.feed = feed;
    this.item = item;
  }

  /** Where it happened; undefined if the instance does not say. */
  get project(): ProjectRef | undefined {
    const { project_id: id } = this.item;
    return typeof id === 'number' ? { accountId: this.feed.ref.accountId, idOrPath: id } : undefined;
  }

  get id(): string {
    return `${this.feed.id}/event/${this.item.id}`;
  }

  get isNew(): boolean {
    return isNew(this.feed.state.reading, this.item);
  }

  get facts(): ProjectFacts | undefined {
    const { project_id: id } = this.item;
    return typeof id === 'number' ? this.feed.state.projects[id] : undefined;
  }

  /** What it can be filtered or muted by, and how that is called; undefined if the instance does not say. */
  subject(what: Mute['what']): Pick<Mute, 'value' | 'name'> | undefined {
    const { item, facts } = this;
    if (what === 'project') {
      const value = item.project_id?.toString();
      // A token that may not read projects still tells which one it is.
      return value === undefined ? undefined : { value, name: facts?.path ?? t('project {0}', value) };
    }
    const value = what === 'author' ? usernameOf(item) : eventKind(item);
    return value === undefined ? undefined : { value, name: what === 'author' ? authorName(item) : kindLabel(value) };
  }

  /** When it happened, as it stands in its row; it changes as time goes by. */
  get time(): string {
    const created = momentOf(this.item);
    return created ? timeOnDay(created, this.feed.app.clock.date(), vscode.env.language) : '';
  }

  /** @param hasPicture whether it shows the author's picture, where the instance has one, in the place of its icon. */
  treeItem(hasPicture: boolean): vscode.TreeItem {
    const { item: event, feed, facts } = this;
    const { ref, state } = feed;
    const icon = eventIcon(event);
    const picture = hasPicture ? authorPicture(event, state.instanceUrl ?? '') : undefined;
    // A picture does not say what was done, as the icon does.
    const { label, detail } = picture ? { label: eventLabel(event) } : rowTexts(event, facts?.defaultBranch);
    // In the feed of one user, who did it goes without saying, and in that of a project, where. A narrow view cuts the end.
    const isOfOne = ref.kind === 'mine' || ref.kind === 'user';
    const row = new vscode.TreeItem(isOfOne ? label : t('{0}: {1}', authorName(event), label), None);
    row.description = [ref.kind === 'project' ? undefined : facts?.path.split('/').at(-1), this.time, detail]
      .filter(Boolean)
      .join(' · ');
    row.id = this.id;
    row.iconPath =
      (picture && vscode.Uri.parse(picture)) ??
      new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
    row.contextValue = [this.contextValue, ...accessContext(feed)].join(' ');
    const { sentence } = this;
    row.accessibilityInformation = { label: this.isNew ? t('New: {0}', sentence) : sentence };
    row.command = { command: 'beacon.activity.showEvent', title: t('Show Event'), arguments: [this] };
    if (this.isNew) {
      row.resourceUri = vscode.Uri.from({ scheme, path: `/${encodeURIComponent(this.id)}` });
    }
    return row;
  }

  /** What the menus match of it, as words, whatever the token may do. */
  get contextValue(): string {
    const { item: event, facts } = this;
    return [
      'event',
      this.isNew ? 'unread' : 'read',
      event.push_data?.commit_to ? 'push' : '',
      event.note?.body ? 'comment' : '',
      // Without its name there is nothing to choose it by, and the token cannot read it.
      facts === undefined ? '' : 'project',
      typeof event.project_id === 'number' ? 'projectId' : '',
      usernameOf(event) === undefined ? '' : 'author',
    ]
      .filter(Boolean)
      .join(' ');
  }

  get sentence(): string {
    const { item: event, facts, feed } = this;
    const now = feed.app.clock.date();
    const created = momentOf(event);
    const { language } = vscode.env;
    const isToday = created !== undefined && calendarDate(created) === calendarDate(now);
    const time = created && (isToday ? timeAgo(created, now, language) : fullTimeLabel(created, language));
    return listLabel([eventLabel(event, authorName(event)), facts?.path, time].filter((part) => part !== undefined));
  }

  /** Text of the instance is shown as text: neither HTML nor a link nor a command, and nothing is loaded. */
  async tooltip(): Promise<vscode.MarkdownString> {
    const { item: event } = this;
    const { ref, app } = this.feed;
    const account = app.accountInUse.labelOf(ref.accountId);
    const created = momentOf(event);
    const lines = [
      [authorDetails(event), created && fullTimeLabel(created, vscode.env.language), importLabel(event)]
        .filter(Boolean)
        .join(' · '),
      account === '' ? '' : t('Account: {0}', account),
    ];
    const body = event.note?.body;
    const comment = body ? (await import('../document/markdown.ts')).inertMarkdown(body) : '';
    const text = event.push_data ? pushText(event.push_data) : comment;
    return new vscode.MarkdownString(
      [
        `**${escapeMarkdown(this.sentence)}**`,
        ...lines.filter(Boolean).map(escapeMarkdown),
        ...(text === '' ? [] : ['---', text]),
      ].join('\n\n'),
    );
  }
}

export function importLabel({ imported, imported_from: from }: EventRecord): string | undefined {
  if (imported !== true) {
    return undefined;
  }
  return from ? t('imported from {0}', plainText(from)) : t('imported');
}

function pushText(push: EventPush): string {
  const lines = commitLines(push, []).map((line) => `- ${escapeMarkdown(line)}`);
  const range = commitRange(push);
  const place = [push.ref === range ? '' : push.ref, range].filter(Boolean).join(' ');
  return [lines.join('\n'), escapeMarkdown(plainText(place))].filter(Boolean).join('\n\n');
}

/** At most this many commits of a push are named. */
const mostCommits = 20;

/** The first lines of the commits of a push, and how many more there are. */
export function commitLines(push: EventPush, commits: readonly string[]): string[] {
  const { commit_title: title, commit_count: count, ref_count: refs } = push;
  const all = commits.length > 0 ? commits.slice(0, mostCommits) : [title ?? ''];
  const lines = all.map((line) => plainText(line).trim()).filter(Boolean);
  const left = lines.length === 0 || refs ? 0 : (count ?? 0) - lines.length;
  const more = left === 1 ? t('and 1 more commit') : t('and {0} more commits', numberLabel(left));
  return [...lines, ...(left > 0 ? [more] : [])];
}

/** The commits of a push as people write them: `1a2b3c4d…5e6f7a8b`. */
export function commitRange({ commit_from: from, commit_to: to }: EventPush): string {
  return [from, to].flatMap((commit) => commit?.slice(0, 8) ?? []).join('…');
}

/** Something to do, in the place where it is wanted. */
export interface MessageNode {
  readonly kind: 'message';
  readonly feed: Feed | undefined;
  readonly treeItem: () => vscode.TreeItem;
}

/** @param name unique among the rows of the feed that show at once. */
function messageNode(
  feed: Feed | undefined,
  name: string,
  icon: string,
  command: vscode.Command,
  description?: string,
): MessageNode {
  const { title: label, tooltip: sentence = description } = command;
  const row = { id: `${feed?.id ?? ''}/${name}`, icon, command, description, label, sentence };
  return { kind: 'message', feed, treeItem: () => messageItem(row) };
}

/**
 * The message rows above the events of a feed.
 *
 * @param isProblemShown whether the sentence of a failure is shown elsewhere, so that only its actions are needed.
 */
export function rowsAbove(feed: Feed, isProblemShown: boolean): MessageNode[] {
  const { error, mutedCount, reading, unreadable } = feed.state;
  const rows = error === undefined ? [] : problemRows(feed, error, isProblemShown);
  if (feed.isFiltered) {
    rows.push(
      row(feed, 'clearFilter', 'filter-filled', t('Clear Filter'), filterLabel(feed.filter, feed.app.clock.date())),
    );
  }
  if (reading.onlyNew) {
    rows.push(row(feed, 'showRead', 'eye', t('Show Read Activity'), t('unread only')));
  }
  if (mutedCount > 0) {
    const title = t('Muted events: {0}', numberLabel(mutedCount));
    const names = new Intl.ListFormat(vscode.env.language).format(reading.mutedNames);
    rows.push(row(feed, 'manageMutes', 'mute', title, names));
  }
  if (unreadable.size > 0) {
    const title = t('Unreadable: {0}. Show Log', numberLabel(unreadable.size));
    rows.push(messageNode(feed, 'unreadable', 'question', { command: 'beacon.showLog', title }));
  }
  return rows;
}

function rowsBelow(feed: Feed | undefined): MessageNode[] {
  if (!feed) {
    return [];
  }
  const { next, loaded, error, shown, items, mutedCount, filteredCount, reading } = feed.state;
  const rows: MessageNode[] = [];
  const isNarrowed = reading.onlyNew || feed.isFiltered;
  // What is muted has happened, and its row says so.
  if (loaded && error === undefined && shown.length === 0 && (isNarrowed || mutedCount === 0)) {
    const matching = mutedCount > 0 ? t('Nothing matches that is not muted') : t('No event matches the filter');
    const none = feed.isFiltered ? matching : t('Nothing has happened here');
    rows.push(row(feed, 'selectFeed', 'info', reading.onlyNew ? t('Nothing is unread') : none, selectAnother()));
  }
  if (next !== undefined) {
    const last = Date.parse(items.at(-1)?.created_at ?? '');
    // What the instance does not filter is read in vain.
    const date =
      filteredCount > 0 && !Number.isNaN(last)
        ? new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(last)
        : undefined;
    const title = feed.isAscending ? t('Load Newer Events') : t('Load More');
    const searched = feed.isAscending ? t('searched up to {0}', date ?? '') : t('searched back to {0}', date ?? '');
    rows.push(row(feed, 'loadMore', 'fold-down', title, date && searched));
  }
  return rows;
}

/** What to do about a choice that stands for no feed: a workspace without a project of an account. */
export function rowsWithoutFeed(): MessageNode[] {
  const command = { command: 'beacon.activity.selectFeed', title: t('No project here'), tooltip: noProjectHere() };
  return [messageNode(undefined, 'selectFeed', 'info', command, selectAnother())];
}

function noProjectHere(): string {
  return t('No repository of a project on your instances is open in this window');
}

/** The command that fixes a failure, and "Try Again". The sentence is the view's message, if possible. */
function problemRows(feed: Feed, error: unknown, isShownElsewhere: boolean): MessageNode[] {
  const { sentence, remedy } = problemOf(error, feed.ref.accountId);
  const ofView = (name: string, title: string): vscode.Command => {
    return { command: `beacon.activity.${name}`, title, tooltip: sentence, arguments: [{ feed }] };
  };
  // A problem of the account affects all its feeds; after any other one, another feed may work.
  const isOfFeed = isApiError(error, 'notFound') || (error instanceof SignedOutError && feed.ref.kind === 'project');
  const commands: (readonly [icon: string, command: vscode.Command])[] = [
    ...(remedy ? [['arrow-right', { ...remedy, tooltip: sentence }] as const] : []),
    ...(isOfFeed ? [['rss', ofView('selectFeed', selectAnother())] as const] : []),
    ['refresh', ofView('refreshFeed', t('Try Again'))],
  ];
  return commands.map(([icon, command], index) =>
    messageNode(feed, command.command, icon, command, index > 0 || isShownElsewhere ? undefined : sentence),
  );
}

function selectAnother(): string {
  return t('Select Another Feed…');
}

/** A row that runs a command of this view for a feed. */
function row(feed: Feed | undefined, command: string, icon: string, title: string, description?: string): MessageNode {
  const run = { command: `beacon.activity.${command}`, title, arguments: [{ feed }] };
  return messageNode(feed, command, icon, run, description);
}
