import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { EventRecord } from '../../api/events.ts';
import { MementoList } from '../../common/checkedMemento.ts';
import { type FeedRef, isFeedOf } from './feedRef.ts';
import type { Reading } from './merge.ts';

const cursorsKey = 'activity.read';
const readKey = 'activity.opened';
const unreadKey = 'activity.unread';
const quietKey = 'activity.quietFeeds';
const onlyNewKey = 'activity.onlyNew';
/** At most this many single events of an account are remembered: older ones are soon below the cursors. */
const mostEvents = 2000;

export interface ReadableFeed {
  readonly id: string;
  readonly ref: FeedRef;
  readonly state: { readonly items: readonly EventRecord[] };
}

export interface ReadStep {
  readonly feedId: string;
  readonly accountId: string;
  /** How far the feed was read before that, and after it. */
  readonly before: number;
  readonly after: number;
  /** Events that had been made new by themselves. */
  readonly unread: readonly number[];
}

/** How far each feed has been read, and what follows for what is shown of it. Events are read in the order of their ids. */
export class ReadState implements vscode.Disposable {
  readonly #globalState: vscode.Memento;
  readonly #workspaceState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #open: { readonly accountId: string; readonly eventId: number } | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(globalState: vscode.Memento, workspaceState: vscode.Memento) {
    this.#globalState = globalState;
    this.#workspaceState = workspaceState;
  }

  /** What the user has read of a feed, and wants to see of it. */
  of({ id, ref: { accountId } }: Omit<ReadableFeed, 'state'>): Omit<Reading, 'muted' | 'own'> {
    return {
      readUpTo: this.#cursorOf(id),
      counts: !this.#quiet.includes(id),
      onlyNew: this.onlyNew,
      read: new Set(this.#idsOf(readKey, accountId)),
      unread: new Set(this.#idsOf(unreadKey, accountId)),
      open: this.#open?.accountId === accountId ? this.#open.eventId : undefined,
    };
  }

  get onlyNew(): boolean {
    return this.#workspaceState.get(onlyNewKey, false);
  }

  async setOnlyNew(onlyNew: boolean): Promise<void> {
    this.#open = undefined;
    await this.#workspaceState.update(onlyNewKey, onlyNew);
    this.#changed.fire();
  }

  /** Notes that an event is looked at: it alone is read. */
  async markOpened(accountId: string, eventId: number): Promise<void> {
    this.#open = { accountId, eventId };
    await this.setRead(accountId, [eventId], true);
  }

  /** Marks single events as read, in whichever feed of the account, or makes them new again. */
  async setRead(accountId: string, eventIds: readonly number[], isRead: boolean): Promise<void> {
    const [added, removed] = isRead ? [readKey, unreadKey] : [unreadKey, readKey];
    const others = (key: string): number[] => this.#idsOf(key, accountId).filter((id) => !eventIds.includes(id));
    await this.#setIds(added, accountId, [...others(added), ...eventIds]);
    await this.#setIds(removed, accountId, others(removed));
    this.#changed.fire();
  }

  /**
   * Begins to read a feed that is seen for the first time: up to where another feed of the account has been read, so that what is new
   * in one is new in the other, or else to its end. Fires no event.
   */
  async begin({ id, ref: { accountId }, state: { items } }: ReadableFeed): Promise<void> {
    if (this.#cursorOf(id) === undefined && items.length > 0) {
      const others = Object.keys(this.#cursors).flatMap((other) =>
        isFeedOf(accountId, other) ? (this.#cursorOf(other) ?? []) : [],
      );
      const cursor = Math.min(newestId(items), others.length > 0 ? Math.max(...others) : Infinity);
      await this.#globalState.update(cursorsKey, { ...this.#cursors, [id]: cursor });
    }
  }

  /** Marks an event of a feed and all that happened before it as read; what happened after it is new. */
  async markReadUpTo(
    { id: feedId, ref: { accountId }, state: { items } }: ReadableFeed,
    eventId: number,
  ): Promise<void> {
    const older = new Set(items.flatMap(({ id }) => (id <= eventId ? id : [])));
    const unread = this.#idsOf(unreadKey, accountId);
    const left = unread.filter((id) => !older.has(id));
    if (left.length < unread.length) {
      await this.#setIds(unreadKey, accountId, left);
    }
    await this.#globalState.update(cursorsKey, { ...this.#cursors, [feedId]: eventId });
    this.#changed.fire();
  }

  /**
   * Marks all events of a feed that are loaded as read.
   *
   * @returns what `takeBack` takes; undefined if that changes nothing.
   */
  async markAllRead(feed: ReadableFeed): Promise<ReadStep | undefined> {
    const feedId = feed.id;
    const { accountId } = feed.ref;
    const { items } = feed.state;
    const before = this.#cursorOf(feedId);
    const after = Math.max(newestId(items), before ?? 0);
    const loaded = new Set(items.map(({ id }) => id));
    const unread = this.#idsOf(unreadKey, accountId).filter((id) => loaded.has(id));
    if (before === undefined || (after === before && unread.length === 0)) {
      return undefined;
    }
    await this.markReadUpTo(feed, after);
    return { feedId, accountId, before, after, unread };
  }

  /**
   * Makes new again what was marked as read, but for events that were opened. A feed of which more was marked as read since then stays as
   * it is, because what of it the user has read is not known: the price is that nothing of it is restored.
   *
   * @returns the ids of the feeds that are as they were.
   */
  async takeBack(steps: readonly ReadStep[]): Promise<ReadonlySet<string>> {
    const cursors = { ...this.#cursors };
    const restored = new Set<string>();
    // The last step first: a feed may have several.
    for (const { feedId, accountId, before, after, unread } of steps.toReversed()) {
      if (cursors[feedId] === after) {
        cursors[feedId] = before;
        restored.add(feedId);
        await this.#setIds(unreadKey, accountId, [...new Set([...this.#idsOf(unreadKey, accountId), ...unread])]);
      }
    }
    await this.#globalState.update(cursorsKey, cursors);
    this.#changed.fire();
    return restored;
  }

  async setCounts(feedId: string, counts: boolean): Promise<void> {
    const others = this.#quiet.filter((id) => id !== feedId);
    await this.#globalState.update(quietKey, counts ? others : [...others, feedId]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #quiet(): readonly string[] {
    return this.#globalState.get<readonly string[]>(quietKey, []);
  }

  get #cursors(): Readonly<Record<string, number>> {
    return this.#globalState.get<Record<string, number>>(cursorsKey, {});
  }

  #cursorOf(feedId: string): number | undefined {
    const cursor: unknown = this.#cursors[feedId];
    return typeof cursor === 'number' ? cursor : undefined;
  }

  #idsOf(key: string, accountId: string): readonly number[] {
    const ids = this.#globalState.get<Record<string, unknown>>(key, {})[accountId];
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  }

  async #setIds(key: string, accountId: string, ids: readonly number[]): Promise<void> {
    const all = this.#globalState.get<Record<string, unknown>>(key, {});
    await this.#globalState.update(key, { ...all, [accountId]: ids.slice(-mostEvents) });
  }
}

function newestId(items: readonly EventRecord[]): number {
  return items.reduce((newest, { id }) => Math.max(newest, id), 0);
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
export class Mutes implements vscode.Disposable {
  readonly #list: MementoList<Mute>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#list = new MementoList(memento, 'activity.mutes', (value) => muteSchema.safeParse(value).data);
  }

  get all(): readonly Mute[] {
    return this.#list.all;
  }

  /** What is left out of the feeds of an account, as `Reading` has it. */
  of(accountId: string): ReadonlySet<string> {
    return new Set(this.all.flatMap((mute) => (mute.accountId === accountId ? `${mute.what}/${mute.value}` : [])));
  }

  async add(mute: Mute): Promise<void> {
    await this.#update((all) => [...all.filter((other) => !isSame(other, mute)), mute]);
  }

  async remove(mutes: readonly Mute[]): Promise<void> {
    await this.#update((all) => all.filter((other) => !mutes.some((mute) => isSame(other, mute))));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #update(change: (mutes: readonly Mute[]) => readonly Mute[]): Promise<void> {
    await this.#list.update(change);
    this.#changed.fire();
  }
}

function isSame(mute: Mute, { accountId, what, value }: Mute): boolean {
  return mute.accountId === accountId && mute.what === what && mute.value === value;
}
