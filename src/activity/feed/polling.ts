import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { isApiError } from '../../api/errors.ts';
import { showInformationMessage } from '../../common/inertWindow.ts';
import type { ActivityContext } from '../context.ts';
import { authorName, eventLabel, newEventsLabel } from '../events/eventLabel.ts';
import type { Feed } from './feed.ts';
import { feedLabelAmong } from './feedRef.ts';

/** While the view is hidden and only notifications need the feeds, the interval is this many times longer. */
const hiddenFactor = 5;
/** Milliseconds between two requests on average, whatever is open: what is left of an hour's 600 is for what a user does. */
const shortestGap = 10_000;
/** Without news, as after a failure, the time between rounds grows by this, */
const growth = 1.5;
/** up to this many times the interval. */
const mostIdle = 5;

/**
 * Keeps the loaded feeds up to date while the view is in use: of several windows, the one that has the focus. Polls often while
 * things change, less often while nothing does. After a pause, such as sleep of the computer, it runs one round and does not catch up
 * on missed ones. Notifies of new events, if the user has enabled that.
 */
export class Polling implements vscode.Disposable {
  readonly #view: ActivityContext;
  #cancel: (() => void) | undefined;
  #lastRound: number;
  #factor = 1;
  #running: Promise<void> | undefined;
  #isDisposed = false;
  /** How many events of a feed were new at its last notification, by its id. */
  readonly #notified = new Map<string, number>();
  /** The feeds with a notification that is not answered. */
  readonly #notifying = new Set<string>();

  constructor(view: ActivityContext) {
    this.#view = view;
    this.#lastRound = view.app.clock.now();
    this.update();
  }

  /** To be called after a change of the settings, the visibility, the window's focus or the feeds. */
  update(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { clock } = this.#view.app;
    const interval = this.#interval;
    const isActive = vscode.window.state.focused && (this.#view.treeView.visible || this.#notifies);
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

  get #notifies(): boolean {
    return vscode.workspace.getConfiguration('beacon.activity').get('notifications', false);
  }

  /** A feed that was never loaded waits until it is shown; one that cannot succeed waits until something has changed. */
  get #polled(): readonly Feed[] {
    return this.#view.feeds.all.filter(({ state }) => state.checkedAt !== undefined && !isHopeless(state.error));
  }

  get #interval(): number | undefined {
    const seconds = vscode.workspace.getConfiguration('beacon.activity').get('pollingInterval', 60);
    const interval = seconds * 1000 * (this.#view.treeView.visible ? 1 : hiddenFactor);
    return seconds > 0 ? Math.max(shortestGap * this.#polled.length, interval) : undefined;
  }

  async #round(): Promise<void> {
    const news = await Promise.all(
      this.#polled.map(async (feed) => {
        const isNews = (await feed.check()) && feed.state.error === undefined;
        if (isNews) {
          void this.#notify(feed);
        }
        return isNews;
      }),
    );
    this.#factor = news.includes(true) ? 1 : Math.min(mostIdle, this.#factor * growth);
    this.#running = undefined;
    this.#lastRound = this.#view.app.clock.now();
    this.update();
  }

  /** Notifies of new events in a feed, unless the view is visible, and waits until the user has answered. Never rejects. */
  async #notify({ id, ref, state: { newItems, reading } }: Feed): Promise<void> {
    const { treeView, app } = this.#view;
    const before = this.#notified.get(id) ?? 0;
    this.#notified.set(id, newItems.length);
    const isNews = this.#notifies && !treeView.visible && newItems.length > before && reading.counts;
    if (!isNews || this.#notifying.has(id)) {
      return;
    }
    this.#notifying.add(id);
    try {
      const [newest, second] = newItems;
      const name = feedLabelAmong(ref, app.accountInUse);
      const news = newest && !second ? eventLabel(newest, authorName(newest)) : newEventsLabel(newItems.length, name);
      if ((await showInformationMessage(news, vscode.l10n.t('Show'))) !== undefined) {
        await vscode.commands.executeCommand('beacon.activity.focus');
      }
    } catch (error) {
      app.log.error(inspect(error));
    } finally {
      this.#notifying.delete(id);
    }
  }
}

/** Whether asking again changes nothing until the user does something. */
function isHopeless(error: unknown): boolean {
  return (
    error instanceof SignedOutError ||
    isApiError(error, 'notSignedIn', 'missingScope', 'missingPermission', 'accountRefused', 'missingRole', 'notFound')
  );
}
