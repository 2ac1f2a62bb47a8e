import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { isApiError } from '../../api/errors.ts';
import type { ActivityContext } from '../context.ts';
import type { NewsNotifier } from '../header.ts';
import type { Feed } from './feed.ts';

/** Up to this many feeds are polled as often as one; more of them share the requests. */
const feedsAtFullRate = 4;
/** While the view is hidden and only notifications need the feeds, the interval is this many times longer. */
const hiddenFactor = 5;
/** Milliseconds between two requests on average, whatever is open: what is left of an hour's 600 is for what a user does. */
const shortestGap = 10_000;
/** Without news the time between rounds grows by this, */
const growth = 1.5;
/** up to this many times the interval. */
const mostIdle = 5;
/** After failures it doubles, up to this many times the interval. */
const mostFailing = 15;

/**
 * Keeps the loaded feeds up to date while the view is in use: of several windows, the one that has the focus. Polls often while
 * things change, less often while nothing does. After a pause, such as sleep of the computer, it runs one round and does not catch up
 * on missed ones.
 */
export class Polling implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #notifier: NewsNotifier;
  #cancel: (() => void) | undefined;
  #lastRound: number;
  #factor = 1;
  #running: Promise<void> | undefined;
  #isDisposed = false;

  /** @param notifier gets each feed that has changed in a round. */
  constructor(view: ActivityContext, notifier: NewsNotifier) {
    this.#view = view;
    this.#notifier = notifier;
    this.#lastRound = view.app.clock.now();
    this.update();
  }

  /** To be called after a change of the settings, the visibility, the window's focus or the feeds. */
  update(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { clock } = this.#view.app;
    const interval = this.#interval;
    const isActive = vscode.window.state.focused && (this.#view.treeView.visible || this.#notifier.isOn);
    if (this.#isDisposed || this.#running !== undefined || interval === undefined || !isActive) {
      return;
    }
    const due = this.#lastRound + interval * this.#factor;
    this.#cancel = clock.after(Math.max(0, due - clock.now()), () => {
      this.#cancel = undefined;
      this.#running = this.#round();
    });
  }

  /** To be called after a refresh from elsewhere, such as by the user. */
  restart(): void {
    this.#factor = 1;
    this.#lastRound = this.#view.app.clock.now();
    this.update();
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  /** A feed that was never loaded waits until it is shown; one that cannot succeed waits until something has changed. */
  get #polled(): readonly Feed[] {
    return this.#view.feeds.all.filter(({ state }) => state.checkedAt !== undefined && !isHopeless(state.error));
  }

  get #interval(): number | undefined {
    const seconds = vscode.workspace.getConfiguration('beacon.activity').get('pollingInterval', 60);
    const feeds = Math.max(1, this.#polled.length);
    const share = Math.max(1, feeds / feedsAtFullRate) * (this.#view.treeView.visible ? 1 : hiddenFactor);
    return seconds > 0 ? Math.max(shortestGap * feeds, seconds * 1000 * share) : undefined;
  }

  async #round(): Promise<void> {
    const outcomes = await Promise.all(this.#polled.map((feed) => this.#poll(feed)));
    if (outcomes.includes('changed')) {
      this.#factor = 1;
    } else if (outcomes.includes('failed')) {
      this.#factor = Math.min(mostFailing, this.#factor * 2);
    } else {
      this.#factor = Math.min(mostIdle, this.#factor * growth);
    }
    this.#running = undefined;
    this.#lastRound = this.#view.app.clock.now();
    this.update();
  }

  async #poll(feed: Feed): Promise<'changed' | 'unchanged' | 'failed'> {
    const changed = await feed.check();
    if (feed.state.error !== undefined) {
      return 'failed';
    }
    if (changed) {
      void this.#notifier.notify(feed);
    }
    return changed ? 'changed' : 'unchanged';
  }
}

/** Whether asking again changes nothing until the user does something. */
function isHopeless(error: unknown): boolean {
  return (
    error instanceof SignedOutError ||
    isApiError(error, 'notSignedIn', 'missingScope', 'missingPermission', 'accountRefused', 'missingRole', 'notFound')
  );
}
