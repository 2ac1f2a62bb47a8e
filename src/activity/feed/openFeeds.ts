import * as vscode from 'vscode';
import { Feed, type FeedSurroundings } from './feed.ts';
import type { FeedChoices } from './feedChoices.ts';
import { choiceId, type FeedChoice, feedId } from './feedRef.ts';
import { type FeedFilter, type FilterMemory, filterId, isEmptyFilter } from './filter.ts';

/** A choice as it stands in the view. */
export interface ShownFeed {
  readonly choice: FeedChoice;
  readonly isPinned: boolean;
  /** Whether it is the one that was chosen in this window. */
  readonly isChosen: boolean;
  /** Whether it is read by another account than the window's. */
  readonly isOfOtherAccount: boolean;
  /** Undefined where the choice stands for no feed, such as without a project in this workspace. */
  readonly feed: Feed | undefined;
}

/**
 * The feeds that are to be seen; none without an account. Those that stay the same when something changes stay open, with all
 * that they have loaded.
 */
export class OpenFeeds implements vscode.Disposable {
  readonly #shared: FeedSurroundings;
  readonly #choices: FeedChoices;
  readonly #filters: FilterMemory;
  readonly #changed = new vscode.EventEmitter<Feed | undefined>();
  readonly #subscription: vscode.Disposable;
  #shown: readonly ShownFeed[] = [];

  /** Fires with a feed when its state has changed, and with nothing when other feeds are shown, or the same with other filters. */
  readonly onDidChange = this.#changed.event;

  constructor(shared: FeedSurroundings, choices: FeedChoices, filters: FilterMemory) {
    this.#shared = shared;
    this.#choices = choices;
    this.#filters = filters;
    this.#shown = this.#open([]);
    const { workspaceProjects, accounts, accountInUse } = shared.app;
    const update = (): void => this.#update();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      choices.onDidChange(update),
      filters.onDidChange(update),
      workspaceProjects.onDidChange(update),
      accounts.onDidChange(update),
      // Also with another token of the same account: what was loaded is dropped.
      accountInUse.onDidChange(() => this.#show(this.#open([]))),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('beacon.activity.defaultFeed')) {
          this.#update();
        }
        if (change.affectsConfiguration('beacon.activity.ownEventsAreNew')) {
          this.all.forEach((feed) => feed.updateReading());
        }
      }),
    );
  }

  /** In the order of the view. One feed is in it only once, even if several choices stand for it. */
  get shown(): readonly ShownFeed[] {
    return this.#shown;
  }

  get all(): readonly Feed[] {
    return this.#shown.flatMap(({ feed }) => feed ?? []);
  }

  /** Whether the feeds are read by more than one account. */
  get hasSeveralAccounts(): boolean {
    return new Set(this.all.map(({ ref }) => ref.accountId)).size > 1;
  }

  /** The feed that was chosen in this window. */
  get chosen(): ShownFeed | undefined {
    return this.#shown.find(({ isChosen }) => isChosen) ?? this.#shown.at(-1);
  }

  /** Filters a feed by its id, or shows it whole again, with what has come meanwhile: the filtered one may have shown that. */
  async setFilter(id: string, filter: FeedFilter): Promise<void> {
    await this.#filters.set(id, filter);
    if (isEmptyFilter(filter)) {
      await this.all.find((feed) => feed.id === id)?.check();
    }
  }

  dispose(): void {
    this.all.forEach((feed) => feed.dispose());
    this.#subscription.dispose();
  }

  #update(): void {
    const now = this.#open(this.all);
    const isOther = (one: ShownFeed, other: ShownFeed | undefined): boolean =>
      one.feed !== other?.feed ||
      one.isPinned !== other?.isPinned ||
      one.isChosen !== other.isChosen ||
      choiceId(one.choice) !== choiceId(other.choice);
    if (now.length !== this.#shown.length || now.some((one, index) => isOther(one, this.#shown[index]))) {
      this.#show(now);
    }
  }

  #show(now: readonly ShownFeed[]): void {
    const before = this.all;
    this.#shown = now;
    before.filter((feed) => !this.all.includes(feed)).forEach((feed) => feed.dispose());
    this.#changed.fire(undefined);
  }

  #open(before: readonly Feed[]): ShownFeed[] {
    const { accounts, accountInUse } = this.#shared.app;
    const accountId = accountInUse.account?.id;
    if (accountId === undefined) {
      return [];
    }
    const seen = new Set<string>();
    return this.#choices.all.flatMap((choice): ShownFeed[] => {
      const ref = this.#choices.refOf(choice);
      const [isPinned, isChosen] = [this.#choices.isPinned(choice), this.#choices.isChosen(choice)];
      if (!ref) {
        return [{ choice, isPinned, isChosen, isOfOtherAccount: false, feed: undefined }];
      }
      const id = feedId(ref);
      const isOfOne = ref.kind === 'project' || ref.kind === 'user';
      // A user's own feeds are not there without the user.
      if (seen.has(id) || !(isOfOne || [accountId, ...accounts.all.map((one) => one.id)].includes(ref.accountId))) {
        return [];
      }
      seen.add(id);
      const filter = this.#filters.of(id);
      const known = before.find((feed) => feed.id === id && filterId(feed.filter) === filterId(filter));
      const feed = known ?? new Feed(ref, filter, this.#shared);
      if (!known) {
        feed.onDidChange((changed) => this.#changed.fire(changed));
      }
      return [{ choice, isPinned, isChosen, isOfOtherAccount: ref.accountId !== accountId, feed }];
    });
  }
}
