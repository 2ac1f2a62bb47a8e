import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { sandboxAccount, sandboxUsername } from '../../accounts/account.ts';
import { type EventRecord, isEventId } from '../../api/events.ts';
import type { App } from '../../app.ts';
import { MementoList } from '../../common/stored.ts';
import { eventKind } from '../events/eventLabel.ts';
import { usernameOf } from '../events/targets.ts';
import type { FeedRef } from './feedRef.ts';

const cursorsKey = 'activity.read';
const marksKey = 'activity.marks';
const quietKey = 'activity.quietFeeds';
const onlyNewKey = 'activity.onlyNew';
/** At most this many single events of an account are remembered, the last ones: older ones are soon below the cursors. */
export const mostMarks = 10_000;

/** What the user has read of a feed, and does not want to see of it. */
export interface Reading {
  /** The id of the last event that has been read; undefined before the feed is loaded for the first time. */
  readonly readUpTo: number | undefined;
  /** Whether what is new counts in the badge and is notified. */
  readonly counts: boolean;
  readonly onlyNew: boolean;
  /** The username whose events are not new, as the user knows of them; undefined if they are. */
  readonly own?: string | undefined;
  /** Single events, by their ids, and whether they were read or made new again, wherever they are. */
  readonly marks: ReadonlyMap<number, boolean>;
  readonly open?: number | undefined;
  /** What is left out: `author/username`, `project/id` or `kind/kind`, and how that is called. */
  readonly muted: ReadonlySet<string>;
  readonly mutedNames: readonly string[];
}

/** Whether an event came after what has been read, or was made new again. What the user did is not new. */
export function isNew({ readUpTo, own, marks }: Reading, event: EventRecord): boolean {
  const isAfter = readUpTo !== undefined && event.id > readUpTo && (own === undefined || usernameOf(event) !== own);
  return marks.has(event.id) ? marks.get(event.id) === false : isAfter;
}

/** @param muted as `Reading` has it. */
export function isMuted(muted: Reading['muted'], event: EventRecord): boolean {
  return (
    muted.size > 0 &&
    [`author/${usernameOf(event)}`, `project/${event.project_id}`, `kind/${eventKind(event)}`].some((subject) =>
      muted.has(subject),
    )
  );
}

export interface ReadableFeed {
  readonly id: string;
  readonly ref: FeedRef;
  readonly state: { readonly items: readonly EventRecord[] };
}

type Mark = readonly [eventId: number, isRead: boolean];

interface ReadStep {
  readonly feed: ReadableFeed;
  /** How far the feed was read before that, and after it. */
  readonly before: number;
  readonly after: number;
  /** Events that had been made new by themselves. */
  readonly unread: readonly Mark[];
}

/** How far each feed has been read, and what follows for what is shown of it. Events are read in the order of their ids. */
export class ReadState implements vscode.Disposable {
  readonly mutes: Mutes;
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #open: { readonly accountId: string; readonly eventId: number } | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(app: App) {
    this.#app = app;
    this.mutes = new Mutes(app.globalState);
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      this.mutes.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) =>
        change.affectsConfiguration('beacon.activity.ownEventsAreNew') ? this.#changed.fire() : undefined,
      ),
    );
  }

  /** What the user has read of a feed, and wants to see of it. */
  of({ id, ref: { accountId } }: Omit<ReadableFeed, 'state'>): Reading {
    const { accounts, globalState } = this.#app;
    const areOwnNew = vscode.workspace.getConfiguration('beacon.activity').get('ownEventsAreNew', false);
    const own = accountId === sandboxAccount.id ? sandboxUsername : accounts.find(accountId)?.username;
    return {
      readUpTo: this.#cursorsOf(accountId)[id],
      counts: !globalState.get<readonly string[]>(quietKey, []).includes(id),
      onlyNew: this.onlyNew,
      own: areOwnNew ? undefined : own,
      marks: new Map(this.#marksOf(accountId)),
      open: this.#open?.accountId === accountId ? this.#open.eventId : undefined,
      muted: this.mutes.of(accountId),
      mutedNames: this.mutes.all.flatMap((mute) => (mute.accountId === accountId ? mute.name : [])),
    };
  }

  get onlyNew(): boolean {
    return this.#app.workspaceState.get(onlyNewKey, false);
  }

  async setOnlyNew(onlyNew: boolean): Promise<void> {
    this.#open = undefined;
    await this.#app.workspaceState.update(onlyNewKey, onlyNew);
    this.#changed.fire();
  }

  /** Notes that an event is looked at: it alone is read. */
  async markOpened(accountId: string, eventId: number): Promise<void> {
    this.#open = { accountId, eventId };
    await this.setRead(accountId, [eventId], true);
  }

  /** Marks single events as read, in whichever feed of the account, or makes them new again. */
  async setRead(accountId: string, eventIds: readonly number[], isRead: boolean): Promise<void> {
    const marks = new Map(this.#marksOf(accountId));
    eventIds.forEach((id) => marks.delete(id));
    await this.#setMarks(accountId, [...marks, ...eventIds.map((id) => [id, isRead] as const)]);
    this.#changed.fire();
  }

  /**
   * Begins to read a feed that is seen for the first time: up to where another feed of the account has been read, so that what is new
   * in one is new in the other, or else to its end. Fires no event.
   */
  async begin({ id, ref: { accountId }, state: { items } }: ReadableFeed): Promise<void> {
    const cursors = this.#cursorsOf(accountId);
    if (cursors[id] === undefined && items.length > 0) {
      const others = Object.values(cursors);
      const cursor = Math.min(newestId(items), others.length > 0 ? Math.max(...others) : Infinity);
      await this.#setCursor(accountId, id, cursor);
    }
  }

  /**
   * Marks all events of feeds that are loaded as read.
   *
   * @returns the feeds in which something was marked, and what takes that back, which gives the feeds that are as they were; undefined
   *   if nothing was new.
   */
  async markAllRead<F extends ReadableFeed>(
    feeds: readonly F[],
  ): Promise<{ marked: readonly F[]; takeBack: () => Promise<readonly ReadableFeed[]> } | undefined> {
    const steps: (ReadStep & { readonly feed: F })[] = [];
    for (const feed of feeds) {
      const { id, ref, state } = feed;
      const { accountId } = ref;
      const before = this.#cursorsOf(accountId)[id];
      const loaded = new Set(state.items.map((item) => item.id));
      const marks = this.#marksOf(accountId);
      const unread = marks.filter(([event, isRead]) => !isRead && loaded.has(event));
      const after = Math.max(newestId(state.items), before ?? -Infinity);
      if (before !== undefined && (after > before || unread.length > 0)) {
        await this.#setMarks(
          accountId,
          marks.filter((mark) => !unread.includes(mark)),
        );
        await this.#setCursor(accountId, id, after);
        steps.push({ feed, before, after, unread });
      }
    }
    this.#changed.fire();
    return steps.length === 0
      ? undefined
      : { marked: steps.map(({ feed }) => feed), takeBack: () => this.#takeBack(steps) };
  }

  async setCounts(feedId: string, counts: boolean): Promise<void> {
    const { globalState } = this.#app;
    const others = globalState.get<readonly string[]>(quietKey, []).filter((id) => id !== feedId);
    await globalState.update(quietKey, counts ? others : [...others, feedId]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /**
   * Makes new again what was marked as read, but for events that were opened. A feed of which more was marked as read since then stays as
   * it is, because what of it the user has read is not known: the price is that nothing of it is restored.
   */
  async #takeBack(steps: readonly ReadStep[]): Promise<readonly ReadableFeed[]> {
    const restored = steps.filter(({ feed, after }) => this.#cursorsOf(feed.ref.accountId)[feed.id] === after);
    for (const { feed, before, unread } of restored) {
      const { accountId } = feed.ref;
      await this.#setCursor(accountId, feed.id, before);
      await this.#setMarks(accountId, [...new Map([...unread, ...this.#marksOf(accountId)])]);
    }
    this.#changed.fire();
    return restored.map(({ feed }) => feed);
  }

  /** How far the feeds of an account have been read, by their ids. */
  #cursorsOf(accountId: string): Readonly<Record<string, number>> {
    const cursors = this.#app.globalState.get<Record<string, unknown>>(cursorsKey, {})[accountId] ?? {};
    return Object.fromEntries(Object.entries(cursors).filter(([, cursor]) => isEventId(cursor)));
  }

  async #setCursor(accountId: string, feedId: string, cursor: number): Promise<void> {
    const all = this.#app.globalState.get<Record<string, unknown>>(cursorsKey, {});
    const cursors = { ...this.#cursorsOf(accountId), [feedId]: cursor };
    await this.#app.globalState.update(cursorsKey, { ...all, [accountId]: cursors });
  }

  #marksOf(accountId: string): readonly Mark[] {
    const marks = this.#app.globalState.get<Record<string, unknown>>(marksKey, {})[accountId];
    return Array.isArray(marks) ? marks.filter(isMark) : [];
  }

  async #setMarks(accountId: string, marks: readonly Mark[]): Promise<void> {
    const all = this.#app.globalState.get<Record<string, unknown>>(marksKey, {});
    await this.#app.globalState.update(marksKey, { ...all, [accountId]: marks.slice(-mostMarks) });
  }
}

/** By hand: there may be thousands. */
function isMark(mark: unknown): mark is Mark {
  return Array.isArray(mark) && mark.length === 2 && typeof mark[0] === 'number' && typeof mark[1] === 'boolean';
}

function newestId(items: readonly EventRecord[]): number {
  return items.reduce((newest, { id }) => Math.max(newest, id), -Infinity);
}

const muteSchema = z.object({
  accountId: z.string(),
  what: z.enum(['author', 'project', 'kind']),
  /** A username, the id of a project, or a kind of event. */
  value: z.string(),
  /** How it was called when it was muted. */
  name: z.string(),
});
export type Mute = Readonly<z.infer<typeof muteSchema>>;

/** The authors, projects and kinds of events that are left out of all feeds and never count as new. */
class Mutes extends MementoList<Mute> {
  constructor(memento: vscode.Memento) {
    super(memento, 'activity.mutes', (value) => muteSchema.safeParse(value).data);
  }

  /** What is left out of the feeds of an account, as `Reading` has it. */
  of(accountId: string): ReadonlySet<string> {
    return new Set(this.all.flatMap((mute) => (mute.accountId === accountId ? `${mute.what}/${mute.value}` : [])));
  }

  async add(mute: Mute): Promise<void> {
    await this.update((all) => [...all.filter((other) => !isSame(other, mute)), mute]);
  }

  async remove(mutes: readonly Mute[]): Promise<void> {
    await this.update((all) => all.filter((other) => !mutes.some((mute) => isSame(other, mute))));
  }
}

function isSame(mute: Mute, { accountId, what, value }: Mute): boolean {
  return mute.accountId === accountId && mute.what === what && mute.value === value;
}
