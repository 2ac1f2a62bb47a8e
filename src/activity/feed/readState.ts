import * as vscode from 'vscode';
import { MementoList } from '../../common/mementoList.ts';
import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { eventKind, canonicalKind } from '../events/eventKind.ts';
import { usernameOf } from './filter.ts';
import type { FeedItem } from './loadedFeed.ts';

const cursorsKey = 'activity.read';
const quietKey = 'activity.quietFeeds';

/** How far each feed has been read, and which feeds count as new what was not. Events are read in the order of their ids. */
export class ReadState implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Whether an event came after what has been read of a feed. */
  isNew(feedId: string, item: FeedItem): boolean {
    const cursor = this.#cursorOf(feedId);
    return cursor !== undefined && 'id' in item && item.id > cursor;
  }

  /** What is there when a feed is seen for the first time is not new. */
  async begin(feedId: string, items: readonly FeedItem[]): Promise<void> {
    if (this.#cursorOf(feedId) === undefined && items.length > 0) {
      await this.#setCursor(feedId, newestId(items));
    }
  }

  /** Marks an event and all that happened before it as read; what happened after it is new. */
  async markReadUpTo(feedId: string, eventId: number): Promise<void> {
    await this.#setCursor(feedId, eventId);
    this.#changed.fire();
  }

  /** Marks all events that are loaded as read. */
  async markAllRead(feedId: string, items: readonly FeedItem[]): Promise<void> {
    if (items.length > 0) {
      await this.#setCursor(feedId, Math.max(newestId(items), this.#cursorOf(feedId) ?? 0));
      this.#changed.fire();
    }
  }

  /** Whether what is new in a feed counts in the badge and is notified. */
  counts(feedId: string): boolean {
    return !this.#memento.get<readonly string[]>(quietKey, []).includes(feedId);
  }

  /** Lets a feed count or not. */
  async setCounts(feedId: string, counts: boolean): Promise<void> {
    const others = this.#memento.get<readonly string[]>(quietKey, []).filter((id) => id !== feedId);
    await this.#memento.update(quietKey, counts ? others : [...others, feedId]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #cursors(): Readonly<Record<string, number>> {
    return this.#memento.get<Record<string, number>>(cursorsKey, {});
  }

  #cursorOf(feedId: string): number | undefined {
    const cursor: unknown = this.#cursors[feedId];
    return typeof cursor === 'number' ? cursor : undefined;
  }

  async #setCursor(feedId: string, eventId: number): Promise<void> {
    await this.#memento.update(cursorsKey, { ...this.#cursors, [feedId]: eventId });
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

  /** A test for events of an account. */
  test(accountId: string): (item: FeedItem) => boolean {
    const mutes = this.all.filter((mute) => mute.accountId === accountId);
    const muted = new Set(mutes.map(({ what, value }) => `${what}/${what === 'kind' ? canonicalKind(value) : value}`));
    return (item) => muted.size > 0 && !isUnrecognized(item) && subjects(item).some((subject) => muted.has(subject));
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

function subjects(event: EventRecord): string[] {
  return [`author/${usernameOf(event)}`, `project/${event.project_id}`, `kind/${eventKind(event)}`];
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
