import type * as vscode from 'vscode';
import type { Clock } from '../../common/clock.ts';

/** Where restores are kept in the memento. */
export const restoresKey = 'notificationRestores';

/** How long after a restore that failed it is tried again, in milliseconds. */
const retryDelay = 5 * 60_000;
/** Leaves the start of the window to others. */
const startDelay = 5_000;

/** What a schedule needs. */
export interface ScheduleDeps {
  readonly memento: vscode.Memento;
  readonly clock: Pick<Clock, 'date' | 'after'>;
  /** Subscribe to what gives a reason to look, such as that the window is focused, or that another account is in use. */
  readonly reasons: readonly ((look: () => void) => vscode.Disposable)[];
  /** Does the restores that are due. */
  readonly restore: () => Promise<void>;
}

/**
 * Sees to it that profiles end when their time is over, also across restarts: by a timer, and whenever there is a reason to
 * look, such as after the computer slept. Loads and requests nothing as long as nothing is due.
 */
export class RestoreSchedule implements vscode.Disposable {
  readonly #deps: ScheduleDeps;
  readonly #subscriptions: readonly vscode.Disposable[];
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #retryAt = 0;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
    this.#subscriptions = deps.reasons.map((subscribe) => subscribe(() => void this.check()));
    this.arm(startDelay);
  }

  /** Sets the timer by what is kept now. To be called when that has changed. */
  arm(leastDelay = 0): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const times = this.#times();
    if (times.length > 0) {
      const now = this.#deps.clock.date().getTime();
      const next = Math.max(Math.min(...times), Math.min(...times) <= now ? this.#retryAt : 0);
      this.#cancel = this.#deps.clock.after(Math.max(next - now, leastDelay), () => void this.check());
    }
  }

  /** Does what is due; callers at the same time share one run. */
  async check(): Promise<void> {
    const { clock, restore } = this.#deps;
    const now = (): number => clock.date().getTime();
    if (this.#times().some((time) => time <= now())) {
      this.#running ??= restore().finally(() => {
        this.#running = undefined;
        this.#retryAt = now() + retryDelay;
      });
      await this.#running;
    }
    this.arm();
  }

  dispose(): void {
    this.#cancel?.();
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }

  #times(): readonly number[] {
    const stored = this.#deps.memento.get<unknown>(restoresKey);
    return (Array.isArray(stored) ? (stored as readonly unknown[]) : []).flatMap((restore) => {
      const until = (restore as { readonly until?: unknown } | null)?.until;
      return typeof until === 'number' ? until : [];
    });
  }
}
