import * as vscode from 'vscode';
import { countLabel, type PlanDialogs, planFailureLabel } from './planDialogs.ts';
import {
  changesNothing,
  isCancellation,
  type KeptScope,
  planFor,
  type ScopeOutcome,
  type ScopePlan,
  type ScopeReading,
  type ScopeSettings,
} from './scopeSettings.ts';
import { type NotificationScope, scopeKey } from './settings.ts';

/** What else is to be done around sending, also when it is tried again. */
export interface SendHooks {
  readonly before?: (plans: readonly ScopePlan[]) => Promise<void>;
  readonly after?: (outcomes: readonly ScopeOutcome[]) => Promise<void>;
}

/** Plans and carries out changes of many scopes interactively: reads, lets the user review, sends, shows the outcome. */
export class PlanRunner {
  readonly #settings: ScopeSettings;
  readonly #dialogs: PlanDialogs;

  constructor(settings: ScopeSettings, dialogs: PlanDialogs) {
    this.#settings = settings;
    this.#dialogs = dialogs;
  }

  /**
   * Reads scopes with progress.
   *
   * @returns undefined if the user cancelled.
   */
  async read(scopes: readonly NotificationScope[]): Promise<readonly ScopeReading[] | undefined> {
    return await unlessCancelled(
      this.#dialogs.progress(vscode.l10n.t('Reading notification settings'), async (signal, report) => {
        const onStep = stepper(scopes.length, report);
        return await this.#settings.read(scopes, { signal, onStep });
      }),
    );
  }

  /** Plans what brings scopes to what is wanted, by what was read of them; what could not be read has no plan. */
  plan(wanted: readonly KeptScope[], readings: readonly ScopeReading[]): readonly ScopePlan[] {
    return wanted.flatMap(({ scope, snapshot }) => {
      const reading = readings.find((one) => scopeKey(one.scope) === scopeKey(scope));
      return reading && 'settings' in reading ? [planFor(reading.scope, reading.settings, snapshot)] : [];
    });
  }

  /**
   * Lets the user review plans, and carries out those that they confirm.
   *
   * @returns what became of them; undefined if there was nothing to do or the user gave up, which they know.
   */
  async run(
    title: string,
    plans: readonly ScopePlan[],
    hooks: SendHooks = {},
  ): Promise<readonly ScopeOutcome[] | undefined> {
    if (plans.every(changesNothing)) {
      this.#dialogs.notify('info', vscode.l10n.t('Nothing to change: all settings have these values already.'));
      return undefined;
    }
    const chosen = await this.#dialogs.review(title, plans);
    if (chosen === undefined || chosen.length === 0) {
      return undefined;
    }
    return await this.send(chosen, hooks);
  }

  /** Carries plans out with progress, and shows each that failed, with a button to try those again. */
  async send(plans: readonly ScopePlan[], hooks: SendHooks = {}): Promise<readonly ScopeOutcome[]> {
    await hooks.before?.(plans);
    const outcomes = await this.#dialogs.progress(
      vscode.l10n.t('Changing notification settings'),
      async (signal, report) => await this.#settings.apply(plans, { signal, onStep: stepper(plans.length, report) }),
    );
    await hooks.after?.(outcomes);
    this.#notifyResults(outcomes, hooks);
    return outcomes;
  }

  #notifyResults(outcomes: readonly ScopeOutcome[], hooks: SendHooks): void {
    const troubles = outcomes.flatMap((outcome) => planFailureLabel(outcome) ?? []);
    const done = outcomes.filter(({ kind }) => kind === 'done').length;
    const summary = vscode.l10n.t(
      'Scopes with changed notification settings: {0} of {1}.',
      countLabel(done),
      countLabel(outcomes.length),
    );
    if (troubles.length === 0) {
      this.#dialogs.notify('info', summary);
      return;
    }
    const failed = outcomes.filter(({ kind }) => kind === 'failed').map(({ plan }) => plan);
    const again = { title: vscode.l10n.t('Try Again'), run: () => this.send(failed, hooks) };
    this.#dialogs.notify('warning', [summary, ...troubles].join(' '), ...(failed.length > 0 ? [again] : []));
  }
}

function stepper(total: number, report: (done: number) => void): () => void {
  let done = 0;
  return () => {
    done += 1;
    report(done / total);
  };
}

/** Undefined for something that the user cancelled. */
export async function unlessCancelled<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (isCancellation(error)) {
      return undefined;
    }
    throw error;
  }
}
