import * as vscode from 'vscode';
import type { FeedFilter } from '../filters/filter.ts';
import { filterId } from '../filters/filter.ts';
import type { FilterMemory } from '../filters/filterMemory.ts';
import { type Feed, feedId } from './feed.ts';
import { choiceId, type FeedChoice, feedOf, type Situation } from './feedChoice.ts';
import type { FeedChoices } from './feedChoices.ts';
import type { OpenFeed } from './openFeed.ts';

/** A choice as it stands in the view. */
export interface ShownFeed {
  readonly choice: FeedChoice;
  readonly isPinned: boolean;
  /** Undefined where the choice stands for no feed, such as without a project in this workspace. */
  readonly open: OpenFeed | undefined;
}

/** The feeds that are to be seen. Those that stay the same when something changes stay open, with all that they have loaded. */
export class OpenFeeds implements vscode.Disposable {
  readonly #choices: FeedChoices;
  readonly #filters: FilterMemory;
  readonly #situation: () => Situation;
  readonly #open: (feed: Feed, filter: FeedFilter) => OpenFeed;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shown: readonly ShownFeed[] = [];

  /** Fires when other feeds are shown, or the same with other filters. */
  readonly onDidChange = this.#changed.event;

  /** @param open opens a feed with a filter, without loading anything. */
  constructor(
    choices: FeedChoices,
    filters: FilterMemory,
    situation: () => Situation,
    open: (feed: Feed, filter: FeedFilter) => OpenFeed,
  ) {
    this.#choices = choices;
    this.#filters = filters;
    this.#situation = situation;
    this.#open = open;
    this.#shown = this.#update();
    const update = (): void => this.update();
    this.#subscriptions = [this.#changed, choices.onDidChange(update), filters.onDidChange(update)];
  }

  /** In the order of the view. One feed is in it only once, even if several choices stand for it. */
  get shown(): readonly ShownFeed[] {
    return this.#shown;
  }

  get all(): readonly OpenFeed[] {
    return this.#shown.flatMap(({ open }) => open ?? []);
  }

  /** The feed that was chosen in this window. */
  get chosen(): ShownFeed | undefined {
    const id = choiceId(this.#choices.chosen);
    return this.#shown.find(({ choice }) => choiceId(choice) === id) ?? this.#shown.at(-1);
  }

  /** Follows a change of the situation. */
  update(): void {
    this.#shown = this.#update();
    this.#changed.fire();
  }

  /** Opens all feeds anew, such as with another token: what they had loaded is dropped. */
  reopen(): void {
    this.all.forEach((open) => open.loaded.cancel());
    this.#shown = [];
    this.update();
  }

  dispose(): void {
    this.all.forEach((open) => open.loaded.cancel());
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #update(): ShownFeed[] {
    const before = this.all;
    const situation = this.#situation();
    const kept: OpenFeed[] = [];
    const shown = this.#choices.all.flatMap((choice): ShownFeed[] => {
      const feed = feedOf(choice, situation);
      const isPinned = this.#choices.isPinned(choice);
      if (!feed) {
        return [{ choice, isPinned, open: undefined }];
      }
      const id = feedId(feed);
      if (kept.some((open) => open.id === id)) {
        return [];
      }
      const filter = this.#filters.of(id);
      const open =
        before.find((known) => known.id === id && filterId(known.filter) === filterId(filter)) ??
        this.#open(feed, filter);
      kept.push(open);
      return [{ choice, isPinned, open }];
    });
    before.filter((open) => !kept.includes(open)).forEach((open) => open.loaded.cancel());
    return shown;
  }
}
