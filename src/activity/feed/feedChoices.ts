import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { MementoList } from '../../common/mementoList.ts';
import { choiceId, type FeedChoice, type FeedRef, readChoice } from './feedRef.ts';

const chosenKey = 'activity.feed';
const recentKey = 'activity.recentFeeds';
/** At most this many feeds are remembered that were chosen before. */
const mostRecent = 6;

/** The feeds that a user wants to see: the one chosen in this window, and those pinned in all windows. */
export class FeedChoices implements vscode.Disposable {
  readonly #app: App;
  readonly #pinned: MementoList<FeedChoice>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(app: App) {
    this.#app = app;
    this.#pinned = new MementoList(app.globalState, 'activity.pinnedFeeds', readChoice);
  }

  /** The choice of this window. A project or user is that of the account with which it was chosen. */
  get chosen(): FeedChoice {
    const stored = this.#app.workspaceState.get<{ readonly chosenAs?: unknown }>(chosenKey);
    const choice = readChoice(stored);
    // A workspace without a project has nothing to show for it.
    const ref = choice && this.refOf(choice);
    const inUse = this.#app.accountInUse.account?.id;
    // What another account reads was chosen with the one in use, or belongs to what was shown before.
    const isOfOther = ref?.accountId !== inUse || (choice !== undefined && 'accountId' in choice);
    return choice && ref && !(isOfOther && (stored?.chosenAs ?? ref.accountId) !== inUse) ? choice : this.#first;
  }

  /** The pinned feeds, each with the account that pinned it. */
  get pinned(): readonly FeedChoice[] {
    return this.#pinned.all.map((choice) => this.#ofAccount(choice));
  }

  /** Those chosen last, in any window, the latest first. */
  get recent(): readonly FeedChoice[] {
    const recent = this.#app.globalState.get<readonly unknown[]>(recentKey, []);
    return recent.flatMap((choice) => readChoice(choice) ?? []);
  }

  /** All that is to be seen: the pinned feeds in their order, then the chosen one if it is none of them. */
  get all(): readonly FeedChoice[] {
    const { chosen, pinned } = this;
    return this.isPinned(chosen) ? pinned : [...pinned, chosen];
  }

  isPinned(choice: FeedChoice): boolean {
    return this.pinned.some((pinned) => choiceId(pinned) === this.idOf(choice));
  }

  isChosen(choice: FeedChoice): boolean {
    return this.idOf(choice) === this.idOf(this.chosen);
  }

  /** Names a choice among all choices, where the user's own feeds are those of the account in use. */
  idOf(choice: FeedChoice): string {
    return choiceId(this.#ofAccount(choice));
  }

  /** The feed that a choice stands for; undefined if there is no account, or no project of this workspace. */
  refOf(choice: FeedChoice): FeedRef | undefined {
    switch (choice.kind) {
      case 'mine':
      case 'allProjects': {
        const accountId = choice.accountId ?? this.#app.accountInUse.account?.id;
        return accountId === undefined ? undefined : { kind: choice.kind, accountId };
      }
      case 'workspaceProject': {
        const { accountId, path } = this.#app.workspaceProjects.current ?? {};
        return accountId === undefined || path === undefined ? undefined : { kind: 'project', accountId, path };
      }
      case 'project':
      case 'user':
        return choice;
    }
  }

  async choose(choice: FeedChoice): Promise<void> {
    const { accountInUse, globalState, workspaceState } = this.#app;
    const others = this.recent.filter((recent) => choiceId(recent) !== choiceId(choice));
    await globalState.update(recentKey, [choice, ...others].slice(0, mostRecent));
    await workspaceState.update(chosenKey, { ...choice, chosenAs: accountInUse.account?.id });
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

  dispose(): void {
    this.#changed.dispose();
  }

  /**
   * What is shown until something is chosen: what others did, in the project that is open or else in all projects. What the
   * user did is no news, and a project that only another account reaches is not what the account in use was chosen for.
   */
  get #first(): FeedChoice {
    const wanted: unknown = vscode.workspace.getConfiguration('beacon.activity').get('defaultFeed');
    if (wanted === 'mine' || wanted === 'allProjects') {
      return { kind: wanted };
    }
    const { workspaceProjects, accountInUse } = this.#app;
    const project = workspaceProjects.current;
    return { kind: project && project.accountId === accountInUse.account?.id ? 'workspaceProject' : 'allProjects' };
  }

  #ofAccount(choice: FeedChoice): FeedChoice {
    const accountId = this.#app.accountInUse.account?.id;
    const isOwn = choice.kind === 'mine' || choice.kind === 'allProjects';
    return isOwn && accountId !== undefined ? { accountId, ...choice } : choice;
  }
}
