import * as vscode from 'vscode';
import { MementoList } from '../../common/stored.ts';
import { Feed, type FeedSurroundings } from './feed.ts';
import { choiceId, type FeedChoice, feedId, type FeedRef, readChoice } from './feedRef.ts';
import { type FeedFilter, filterId, isEmptyFilter, readFilter } from './filter.ts';

const chosenKey = 'activity.feed';
const filtersKey = 'activity.filters';
const mostRecent = 6;

export interface ShownFeed {
  readonly choice: FeedChoice;
  readonly isPinned: boolean;
  readonly isChosen: boolean;
  /** Undefined where the choice stands for no feed, such as without a project in this workspace. */
  readonly feed: Feed | undefined;
}

/**
 * The feeds that a user wants to see: the one chosen in this window, and those pinned in all windows; none without an account. Those
 * that stay the same when something changes stay open, with all that they have loaded.
 */
export class OpenFeeds implements vscode.Disposable {
  readonly #shared: FeedSurroundings;
  readonly #pinned: MementoList<FeedChoice>;
  readonly #recent: MementoList<FeedChoice>;
  readonly #changed = new vscode.EventEmitter<Feed | undefined>();
  readonly #subscription: vscode.Disposable;
  #shown: readonly ShownFeed[] = [];

  /** Fires with a feed when its state has changed, and with nothing when other feeds are shown, or the same with other filters. */
  readonly onDidChange = this.#changed.event;

  constructor(shared: FeedSurroundings) {
    const { workspaceProjects, accounts, accountInUse, globalState } = shared.app;
    this.#shared = shared;
    this.#pinned = new MementoList(globalState, 'activity.pinnedFeeds', readChoice);
    this.#recent = new MementoList(globalState, 'activity.recentFeeds', readChoice);
    this.#update();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      workspaceProjects.onDidChange(() => this.#update()),
      // What was loaded with an account that has come or gone is dropped: nothing is shown of one that is signed out of.
      accounts.onDidChange(({ id, before, now }) =>
        this.#update(before && now ? this.all : this.all.filter(({ ref }) => ref.accountId !== id)),
      ),
      // Also with another token of the same account: what was loaded is dropped.
      accountInUse.onDidChange(() => this.#update([])),
      this.#pinned.onDidChange(() => this.#update()),
      vscode.workspace.onDidChangeConfiguration((change) =>
        change.affectsConfiguration('beacon.activity.defaultFeed') ? this.#update() : undefined,
      ),
    );
  }

  /** The pinned feeds in their order, then the chosen one if it is none of them. One that several choices stand for is there once. */
  get shown(): readonly ShownFeed[] {
    return this.#shown;
  }

  get all(): readonly Feed[] {
    return this.#shown.flatMap(({ feed }) => feed ?? []);
  }

  get hasSeveralAccounts(): boolean {
    return new Set(this.all.map(({ ref }) => ref.accountId)).size > 1;
  }

  get chosen(): ShownFeed | undefined {
    return this.#shown.find(({ isChosen }) => isChosen) ?? this.#shown.at(-1);
  }

  /** The choice of this window, which is that of the account with which it was chosen. */
  get choice(): FeedChoice {
    const stored = this.#shared.app.workspaceState.get<{ readonly chosenAs?: unknown }>(chosenKey);
    const inUse = this.#accountId;
    const choice = readChoice(stored, inUse);
    // A workspace without a project has nothing to show for it.
    return choice && this.refOf(choice) && (stored?.chosenAs ?? inUse) === inUse ? choice : this.#first;
  }

  get pinned(): readonly FeedChoice[] {
    return this.#pinned.all;
  }

  get recent(): readonly FeedChoice[] {
    return this.#recent.all;
  }

  isPinned(choice: FeedChoice): boolean {
    return this.pinned.some((pinned) => choiceId(pinned) === choiceId(choice));
  }

  isChosen(choice: FeedChoice): boolean {
    return choiceId(choice) === choiceId(this.choice);
  }

  /** Whether there is an account to read a feed as: a user's own feeds are not there without the user. */
  isThere(choice: FeedChoice): boolean {
    const isOwn = choice.kind === 'mine' || choice.kind === 'allProjects';
    return (
      !isOwn || choice.accountId === this.#accountId || this.#shared.app.accounts.find(choice.accountId) !== undefined
    );
  }

  /** The feed that a choice stands for; undefined if there is no project of this workspace. */
  refOf(choice: FeedChoice): FeedRef | undefined {
    if (choice.kind !== 'workspaceProject') {
      return choice;
    }
    const { accountId, path } = this.#shared.app.workspaceProjects.current ?? {};
    return accountId === undefined || path === undefined ? undefined : { kind: 'project', accountId, path };
  }

  async choose(choice: FeedChoice): Promise<void> {
    const isOther = (recent: FeedChoice): boolean => choiceId(recent) !== choiceId(choice);
    await this.#recent.update((all) => [choice, ...all.filter(isOther)].slice(0, mostRecent));
    await this.#shared.app.workspaceState.update(chosenKey, { ...choice, chosenAs: this.#accountId });
    this.#update();
  }

  async pin(choice: FeedChoice): Promise<void> {
    if (!this.isPinned(choice)) {
      await this.#pinned.update((all) => [...all, choice]);
    }
  }

  async unpin(choice: FeedChoice): Promise<void> {
    await this.#pinned.update((all) => all.filter((pinned) => choiceId(pinned) !== choiceId(choice)));
  }

  /** The filter of a feed by its id, which is remembered across windows and restarts. */
  filterOf(id: string): FeedFilter {
    return readFilter(this.#filters[id]);
  }

  /** Filters a feed by its id, or shows it whole again, with what has come meanwhile: the filtered one may have shown that. */
  async setFilter(id: string, filter: FeedFilter): Promise<void> {
    const { [id]: _, ...others } = this.#filters;
    await this.#shared.app.globalState.update(filtersKey, isEmptyFilter(filter) ? others : { ...others, [id]: filter });
    this.#update();
    if (isEmptyFilter(filter)) {
      await this.all.find((feed) => feed.id === id)?.check();
    }
  }

  dispose(): void {
    this.all.forEach((feed) => feed.dispose());
    this.#subscription.dispose();
  }

  get #filters(): Readonly<Record<string, unknown>> {
    return this.#shared.app.globalState.get<Record<string, unknown>>(filtersKey, {});
  }

  get #accountId(): string | undefined {
    return this.#shared.app.accountInUse.account?.id;
  }

  /**
   * What is shown until something is chosen: what others did, in the project that is open or else in all projects. What the
   * user did is no news, and a project that only another account reaches is not what the account in use was chosen for.
   */
  get #first(): FeedChoice {
    const wanted: unknown = vscode.workspace.getConfiguration('beacon.activity').get('defaultFeed');
    const accountId = this.#accountId ?? '';
    const isWorkspace = this.#shared.app.workspaceProjects.current?.accountId === accountId;
    return wanted === 'mine' || wanted === 'allProjects' || !isWorkspace
      ? { kind: wanted === 'mine' ? wanted : 'allProjects', accountId }
      : { kind: 'workspaceProject' };
  }

  /** @param open the feeds that may stay. */
  #update(open = this.all): void {
    const before = this.all;
    this.#shown = this.#accountId === undefined ? [] : this.#wanted(open);
    before.filter((feed) => !this.all.includes(feed)).forEach((feed) => feed.dispose());
    this.#changed.fire(undefined);
  }

  #wanted(open: readonly Feed[]): ShownFeed[] {
    const { choice: chosen, pinned } = this;
    const seen = new Set<string>();
    return (this.isPinned(chosen) ? pinned : [...pinned, chosen]).flatMap((choice): ShownFeed[] => {
      const ref = this.refOf(choice);
      const shown = { choice, isPinned: this.isPinned(choice), isChosen: this.isChosen(choice) };
      if (!ref) {
        return [{ ...shown, feed: undefined }];
      }
      const id = feedId(ref);
      if (seen.has(id) || !this.isThere(ref)) {
        return [];
      }
      seen.add(id);
      const filter = this.filterOf(id);
      const known = open.find((feed) => feed.id === id && filterId(feed.filter) === filterId(filter));
      const feed = known ?? new Feed(ref, filter, this.#shared);
      if (!known) {
        feed.onDidChange((changed) => this.#changed.fire(changed));
      }
      return [{ ...shown, feed }];
    });
  }
}
