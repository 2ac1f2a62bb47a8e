import * as vscode from 'vscode';
import { type FeedFilter, isEmpty, readFilter } from './filter.ts';

const mementoKey = 'activity.filters';

/** The filter of each feed, remembered across windows and restarts. */
export class FilterMemory implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** The filter of a feed, by the feed's id. */
  of(feedId: string): FeedFilter {
    return readFilter(this.#remembered[feedId]);
  }

  async set(feedId: string, filter: FeedFilter): Promise<void> {
    const { [feedId]: _, ...others } = this.#remembered;
    await this.#memento.update(mementoKey, isEmpty(filter) ? others : { ...others, [feedId]: filter });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #remembered(): Readonly<Record<string, unknown>> {
    return this.#memento.get<Record<string, unknown>>(mementoKey, {});
  }
}
