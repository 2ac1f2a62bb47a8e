import * as vscode from 'vscode';
import { MementoList } from '../../common/mementoList.ts';
import { canonicalKind } from '../events/eventKind.ts';
import { type FeedItem, isFeedOf } from './feedRef.ts';
import type { Reading } from './feedState.ts';

const cursorsKey = 'activity.read';
const quietKey = 'activity.quietFeeds';
const onlyNewKey = 'activity.onlyNew';
const openedKey = 'activity.opened';
/** So many opened events of an account are remembered: older ones are soon below the cursors. */
const mostOpened = 500;

/** How far a feed was read before it was marked as read, and after that. */
export interface ReadStep {
  readonly feedId: string;
  readonly before: number;
  readonly after: number;
}

/** How far each feed has been read, and what follows for what is shown of it. Events are read in the order of their ids. */
export class ReadState implements vscode.Disposable {
  readonly #globalState: vscode.Memento;
  readonly #workspaceState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(globalState: vscode.Memento, workspaceState = globalState) {
    this.#globalState = globalState;
    this.#workspaceState = workspaceState;
  }

  /** What the user has read of a feed, and wants to see of it. */
  of(feedId: string): Omit<Reading, 'muted' | 'own' | 'opened'> {
    return {
      readUpTo: this.#cursorOf(feedId),
      counts: !this.#quiet.includes(feedId),
      onlyNew: this.onlyNew,
    };
  }

  /** The events that the user has opened, in whichever feed of an account. */
  openedOf(accountId: string): ReadonlySet<unknown> {
    const ids: unknown = this.#opened[accountId];
    return new Set(Array.isArray(ids) ? ids : []);
  }

  /** Notes that an event was opened: it alone is read. */
  async markOpened(accountId: string, eventId: number): Promise<void> {
    const ids = [...this.openedOf(accountId), eventId].slice(-mostOpened);
    await this.#update(this.#globalState, openedKey, { ...this.#opened, [accountId]: ids });
  }

  /** Whether this window leaves out events that have been read. */
  get onlyNew(): boolean {
    return this.#workspaceState.get(onlyNewKey, false);
  }

  /** Leaves out events that have been read, or shows them again. */
  async setOnlyNew(onlyNew: boolean): Promise<void> {
    await this.#update(this.#workspaceState, onlyNewKey, onlyNew);
  }

  /**
   * Begins to read a feed that is seen for the first time: up to where another feed of the account has been read, so that what is new
   * in one is new in the other, or else to its end. Fires no event.
   */
  async begin(feedId: string, accountId: string, items: readonly FeedItem[]): Promise<void> {
    if (this.#cursorOf(feedId) === undefined && items.length > 0) {
      const others = Object.keys(this.#cursors).flatMap((id) =>
        isFeedOf(accountId, id) ? (this.#cursorOf(id) ?? []) : [],
      );
      const cursor = Math.min(newestId(items), others.length > 0 ? Math.max(...others) : Infinity);
      await this.#globalState.update(cursorsKey, { ...this.#cursors, [feedId]: cursor });
    }
  }

  /** Marks an event and all that happened before it as read; what happened after it is new. */
  async markReadUpTo(feedId: string, eventId: number): Promise<void> {
    await this.#update(this.#globalState, cursorsKey, { ...this.#cursors, [feedId]: eventId });
  }

  /**
   * Marks all events that are loaded as read.
   *
   * @returns what `takeBack` takes; undefined if that changes nothing.
   */
  async markAllRead(feedId: string, items: readonly FeedItem[]): Promise<ReadStep | undefined> {
    const [before, after] = [this.#cursorOf(feedId), newestId(items)];
    if (after <= (before ?? 0)) {
      return undefined;
    }
    await this.markReadUpTo(feedId, after);
    return before === undefined ? undefined : { feedId, before, after };
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
    for (const { feedId, before, after } of steps.toReversed()) {
      if (cursors[feedId] === after) {
        cursors[feedId] = before;
        restored.add(feedId);
      }
    }
    await this.#update(this.#globalState, cursorsKey, cursors);
    return restored;
  }

  /** Lets what is new in a feed count in the badge and be notified, or not. */
  async setCounts(feedId: string, counts: boolean): Promise<void> {
    const others = this.#quiet.filter((id) => id !== feedId);
    await this.#update(this.#globalState, quietKey, counts ? others : [...others, feedId]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #opened(): Readonly<Record<string, unknown>> {
    return this.#globalState.get(openedKey, {});
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

  async #update(memento: vscode.Memento, key: string, value: unknown): Promise<void> {
    await memento.update(key, value);
    this.#changed.fire();
  }
}

function newestId(items: readonly FeedItem[]): number {
  return items.reduce((newest, item) => Math.max(newest, 'id' in item ? item.id : 0), 0);
}

/** What a user does not want to see. */
export interface Mute {
  readonly accountId: string;
  readonly what: 'author' | 'project' | 'kind';
  /** A username, the id of a project, or a kind of event. */
  readonly value: string;
  /** How it was called when it was muted. */
  readonly name: string;
}

const mementoKey = 'activity.mutes';

/** The authors, projects and kinds of events that are left out of all feeds and never count as new. */
export class Mutes implements vscode.Disposable {
  readonly #list: MementoList<Mute>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#list = new MementoList(memento, mementoKey, (value) => (isMute(value) ? value : undefined));
  }

  get all(): readonly Mute[] {
    return this.#list.all;
  }

  /** What is left out of the feeds of an account, as `Reading` has it. */
  of(accountId: string): ReadonlySet<string> {
    const mutes = this.all.filter((mute) => mute.accountId === accountId);
    return new Set(mutes.map(({ what, value }) => `${what}/${what === 'kind' ? canonicalKind(value) : value}`));
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

function isMute(value: unknown): value is Mute {
  const { accountId, what, value: muted, name } = (value ?? {}) as Partial<Record<keyof Mute, unknown>>;
  return (
    (what === 'author' || what === 'project' || what === 'kind') &&
    [accountId, muted, name].every((text) => typeof text === 'string')
  );
}
