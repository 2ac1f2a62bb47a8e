import * as vscode from 'vscode';
import type { FeedItem } from '../loading/loadedFeed.ts';

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
