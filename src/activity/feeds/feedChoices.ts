import * as vscode from 'vscode';
import { choiceId, type FeedChoice, readChoice } from './feedChoice.ts';

const chosenKey = 'activity.feed';
const pinnedKey = 'activity.pinnedFeeds';
const recentKey = 'activity.recentFeeds';
/** So many feeds are remembered that were chosen before. */
const mostRecent = 6;

/** The feeds that a person wants to see: the one chosen in this window, and those pinned in all windows. */
export class FeedChoices implements vscode.Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #globalState: vscode.Memento;
  readonly #first: () => FeedChoice;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param first what is shown until something is chosen in this window. */
  constructor(workspaceState: vscode.Memento, globalState: vscode.Memento, first: () => FeedChoice) {
    this.#first = first;
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
  }

  /** The choice of this window. */
  get chosen(): FeedChoice {
    return readChoice(this.#workspaceState.get(chosenKey)) ?? this.#first();
  }

  get pinned(): readonly FeedChoice[] {
    return readChoices(this.#globalState.get(pinnedKey));
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
    return this.pinned.some((pinned) => choiceId(pinned) === choiceId(choice));
  }

  async choose(choice: FeedChoice): Promise<void> {
    const others = this.recent.filter((recent) => choiceId(recent) !== choiceId(choice));
    await this.#globalState.update(recentKey, [choice, ...others].slice(0, mostRecent));
    await this.#workspaceState.update(chosenKey, choice);
    this.#changed.fire();
  }

  async pin(choice: FeedChoice): Promise<void> {
    if (!this.isPinned(choice)) {
      await this.#globalState.update(pinnedKey, [...this.#storedPins(), choice]);
      this.#changed.fire();
    }
  }

  async unpin(choice: FeedChoice): Promise<void> {
    const others = this.#storedPins().filter((stored) => {
      const pinned = readChoice(stored);
      return pinned === undefined || choiceId(pinned) !== choiceId(choice);
    });
    await this.#globalState.update(pinnedKey, others);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Also what another version of Beacon wrote and this one does not understand. */
  #storedPins(): readonly unknown[] {
    const stored = this.#globalState.get<unknown>(pinnedKey);
    return Array.isArray(stored) ? stored : [];
  }
}

function readChoices(remembered: unknown): FeedChoice[] {
  return (Array.isArray(remembered) ? remembered : []).flatMap((choice) => readChoice(choice) ?? []);
}
