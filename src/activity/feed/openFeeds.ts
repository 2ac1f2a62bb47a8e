import * as vscode from 'vscode';
import { MementoList } from '../../common/mementoList.ts';
import { type Account, lacksReadScope } from '../../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import { plainText } from '../../common/inertText.ts';
import { Feed, type FeedDeps } from './feed.ts';
import {
  choiceId,
  type FeedChoice,
  feedId,
  type FeedRef,
  feedRefOf,
  lacksMergeRequests,
  readChoice,
} from './feedRef.ts';
import { type FeedFilter, filterId, isEmptyFilter } from './filter.ts';
import type { FilterMemory } from './filterMemory.ts';

/** The name of a feed or of a choice of one. */
export function feedLabel(feed: FeedRef | FeedChoice): string {
  switch (feed.kind) {
    case 'mine':
      return vscode.l10n.t('My Activity');
    case 'allProjects':
      return vscode.l10n.t('All My Projects');
    case 'workspaceProject':
      return vscode.l10n.t('Workspace Project');
    case 'project':
      return plainText(feed.path);
    case 'user':
      return plainText(feed.name).trim() || plainText(feed.username);
  }
}

/** The name of a feed where nothing else says whose it is: with its account, if there are several to tell apart. */
export function feedLabelAmong(feed: FeedRef, { all }: Pick<AccountStore, 'all'>): string {
  return all.length > 1 ? `${feedLabel(feed)} (${accountLabel(feed.accountId)})` : feedLabel(feed);
}

/**
 * What a feed lacks: what the instance leaves out of all feeds but those of projects, and what a token may not read.
 *
 * @param account that of the feed, if it is known.
 */
export function feedNote(feed: FeedRef | FeedChoice, account?: Account): string {
  const notes = [
    lacksReadScope(account) && feed.kind !== 'project'
      ? vscode.l10n.t('no project names (token without read_api)')
      : '',
    lacksMergeRequests(feed) ? vscode.l10n.t('GitLab leaves out MRs and epics') : '',
  ];
  return notes.filter(Boolean).join(' · ');
}

/** The id of the codicon that stands for a feed or a choice of one. */
export function feedIcon({ kind }: FeedRef | FeedChoice): string {
  return feedIcons[kind];
}

const feedIcons = {
  mine: 'account',
  allProjects: 'repo-clone',
  workspaceProject: 'root-folder',
  project: 'repo',
  user: 'person',
} as const;

const chosenKey = 'activity.feed';
const pinnedKey = 'activity.pinnedFeeds';
const recentKey = 'activity.recentFeeds';
/** So many feeds are remembered that were chosen before. */
const mostRecent = 6;

/** The feeds that a user wants to see: the one chosen in this window, and those pinned in all windows. */
export class FeedChoices implements vscode.Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #globalState: vscode.Memento;
  readonly #pinned: MementoList<FeedChoice>;
  readonly #first: () => FeedChoice;
  readonly #accountInUse: Pick<AccountInUse, 'account'>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param first what is shown until something is chosen in this window. */
  constructor(
    workspaceState: vscode.Memento,
    globalState: vscode.Memento,
    accountInUse: Pick<AccountInUse, 'account'>,
    first: () => FeedChoice,
  ) {
    this.#first = first;
    this.#accountInUse = accountInUse;
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
    this.#pinned = new MementoList(globalState, pinnedKey, readChoice);
  }

  /** The choice of this window. A project or user is that of the account with which it was chosen. */
  get chosen(): FeedChoice {
    const stored = this.#workspaceState.get<{ readonly chosenAs?: unknown }>(chosenKey);
    const choice = readChoice(stored);
    const isOfOther =
      choice !== undefined &&
      'accountId' in choice &&
      (stored?.chosenAs ?? choice.accountId) !== this.#accountInUse.account?.id;
    return choice && !isOfOther ? choice : this.#first();
  }

  /** Each of an account: that with which it was pinned. Those of before that was kept are the account's in use. */
  get pinned(): readonly FeedChoice[] {
    return this.#pinned.all.map((choice) => this.#ofAccount(choice));
  }

  /** Those chosen last, in any window, the latest first. */
  get recent(): readonly FeedChoice[] {
    return readChoices(this.#globalState.get(recentKey));
  }

  /** All that is to be seen: the pinned feeds in their order, then the chosen one if it is none of them. */
  get all(): readonly FeedChoice[] {
    const { chosen, pinned } = this;
    return this.isPinned(chosen) ? pinned : [...pinned, chosen];
  }

  isPinned(choice: FeedChoice): boolean {
    return this.pinned.some((pinned) => choiceId(pinned) === this.idOf(choice));
  }

  /** Names a choice among all choices, where the user's own feeds are those of the account in use. */
  idOf(choice: FeedChoice): string {
    return choiceId(this.#ofAccount(choice));
  }

  async choose(choice: FeedChoice): Promise<void> {
    const others = this.recent.filter((recent) => choiceId(recent) !== choiceId(choice));
    await this.#globalState.update(recentKey, [choice, ...others].slice(0, mostRecent));
    await this.#workspaceState.update(chosenKey, { ...choice, chosenAs: this.#accountInUse.account?.id });
    this.#changed.fire();
  }

  async pin(choice: FeedChoice): Promise<void> {
    if (!this.isPinned(choice)) {
      await this.#pinned.update((all) => [...all, this.#ofAccount(choice)]);
      this.#changed.fire();
    }
  }

  async unpin(choice: FeedChoice): Promise<void> {
    await this.#pinned.update((all) => all.filter((pinned) => this.idOf(pinned) !== this.idOf(choice)));
    this.#changed.fire();
  }

  #ofAccount(choice: FeedChoice): FeedChoice {
    const accountId = this.#accountInUse.account?.id;
    const isOwn = choice.kind === 'mine' || choice.kind === 'allProjects';
    return isOwn && accountId !== undefined ? { accountId, ...choice } : choice;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function readChoices(remembered: unknown): FeedChoice[] {
  return (Array.isArray(remembered) ? remembered : []).flatMap((choice) => readChoice(choice) ?? []);
}

/** A choice as it stands in the view. */
export interface ShownFeed {
  readonly choice: FeedChoice;
  readonly isPinned: boolean;
  /** Whether it is read by another account than the window's. */
  readonly isOfOtherAccount?: boolean;
  /** Undefined where the choice stands for no feed, such as without a project in this workspace. */
  readonly feed: Feed | undefined;
  /** The feed without its filter, by which it counts in the badge; the same where it has none. */
  readonly whole?: Feed | undefined;
}

/** What the open feeds depend on. */
export interface OpenFeedsDeps extends FeedDeps {
  readonly choices: FeedChoices;
  readonly filters: FilterMemory;
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'current' | 'onDidChange'>;
}

/**
 * The feeds that are to be seen; none without an account. Those that stay the same when something changes stay open, with all
 * that they have loaded.
 */
export class OpenFeeds implements vscode.Disposable {
  readonly #deps: OpenFeedsDeps;
  readonly #changed = new vscode.EventEmitter<Feed | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  #shown: readonly ShownFeed[];
  #chosen: string;

  /** Fires with a feed when its state has changed, and with nothing when other feeds are shown, or the same with other filters. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: OpenFeedsDeps) {
    this.#deps = deps;
    this.#chosen = deps.choices.idOf(deps.choices.chosen);
    this.#shown = this.#open([]);
    const update = (): void => this.#update();
    this.#subscriptions = [
      this.#changed,
      deps.choices.onDidChange(update),
      deps.filters.onDidChange(update),
      deps.workspaceProjects.onDidChange(update),
      deps.accounts.onDidChange(update),
      deps.accountInUse.onDidChange(() => this.#reopen()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('beacon.activity.defaultFeed')) {
          this.#update();
        }
        if (change.affectsConfiguration('beacon.activity.ownEventsAreNew')) {
          this.followed.forEach((feed) => feed.updateReading());
        }
      }),
    ];
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

  /** The feeds without their filters. */
  get whole(): readonly Feed[] {
    return this.#shown.flatMap(({ whole }) => whole ?? []);
  }

  /** All that are kept up to date: those that are shown, and what they are without their filters. */
  get followed(): readonly Feed[] {
    return [...new Set([...this.all, ...this.whole])];
  }

  /** The feed that was chosen in this window. */
  get chosen(): ShownFeed | undefined {
    const { choices } = this.#deps;
    return this.#shown.find(({ choice }) => choices.idOf(choice) === this.#chosen) ?? this.#shown.at(-1);
  }

  /** Filters a feed by its id, or shows it whole again, with what has come meanwhile: the filtered one may have shown that. */
  async setFilter(id: string, filter: FeedFilter): Promise<void> {
    await this.#deps.filters.set(id, filter);
    if (isEmptyFilter(filter)) {
      await this.all.find((feed) => feed.id === id)?.check();
    }
  }

  dispose(): void {
    this.followed.forEach((feed) => feed.dispose());
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Opens all feeds again, such as with another token: what they had loaded is dropped. */
  #reopen(): void {
    this.followed.forEach((feed) => feed.dispose());
    this.#chosen = this.#deps.choices.idOf(this.#deps.choices.chosen);
    this.#shown = this.#open([]);
    this.#changed.fire(undefined);
  }

  #update(): void {
    const { shown, followed } = this;
    const chosen = this.#deps.choices.idOf(this.#deps.choices.chosen);
    const now = this.#open(followed);
    const isOther = (one: ShownFeed, other: ShownFeed | undefined): boolean =>
      one.feed !== other?.feed || one.isPinned !== other?.isPinned || choiceId(one.choice) !== choiceId(other.choice);
    if (
      chosen !== this.#chosen ||
      now.length !== shown.length ||
      now.some((one, index) => isOther(one, shown[index]))
    ) {
      this.#chosen = chosen;
      this.#shown = now;
      const kept = this.followed;
      followed.filter((feed) => !kept.includes(feed)).forEach((feed) => feed.dispose());
      this.#changed.fire(undefined);
    }
  }

  #open(before: readonly Feed[]): ShownFeed[] {
    const { choices, filters, accounts, accountInUse, workspaceProjects } = this.#deps;
    const accountId = accountInUse.account?.id;
    if (accountId === undefined) {
      return [];
    }
    const seen = new Set<string>();
    return choices.all.flatMap((choice): ShownFeed[] => {
      const ref = feedRefOf(choice, { accountId, workspaceProject: workspaceProjects.current });
      const isPinned = choices.isPinned(choice);
      if (!ref) {
        return [{ choice, isPinned, feed: undefined }];
      }
      const id = feedId(ref);
      const isOfOne = ref.kind === 'project' || ref.kind === 'user';
      // A user's own feeds are not there without the user.
      if (seen.has(id) || !(isOfOne || [accountId, ...accounts.all.map((one) => one.id)].includes(ref.accountId))) {
        return [];
      }
      seen.add(id);
      const open = (filter: FeedFilter): Feed =>
        before.find((feed) => feed.id === id && filterId(feed.filter) === filterId(filter)) ??
        this.#follow(new Feed(ref, filter, this.#deps));
      const feed = open(filters.of(id));
      const whole = isEmptyFilter(feed.filter) ? feed : open({});
      return [{ choice, isPinned, isOfOtherAccount: ref.accountId !== accountId, feed, whole }];
    });
  }

  #follow(feed: Feed): Feed {
    feed.onDidChange((changed) => this.#changed.fire(changed));
    return feed;
  }
}
