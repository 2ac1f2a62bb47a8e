import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { problemOf } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { scopeLabel } from '../settings/labels.ts';
import { countLabel, type PlanDialogs, planFailureLabel, noteLabel } from '../settings/planDialogs.ts';
import type { PlanRunner, SendHooks } from '../settings/planRunner.ts';
import {
  changesNothing,
  matches,
  planFor,
  type ScopeOutcome,
  type ScopeSettings,
  snapshotOf,
} from '../settings/scopeSettings.ts';
import { type NotificationScope, scopeKey, type Settings } from '../settings/settings.ts';
import type { Profile } from './profileStore.ts';
import type { Restore, RestoreClaims, Restores, RestoreScope } from './restores.ts';

/**
 * Keeps what is to be put back when a profile ends, before anything of it is sent, so that it is there whatever happens.
 *
 * @param until when the profile ends.
 */
export function restoreHooks(restores: Restores, { name }: Profile, until: number, onChanged: () => void): SendHooks {
  const id = crypto.randomUUID();
  /** The scopes at which another profile held before. */
  const held = new Set<string>();
  return {
    before: async (plans) => {
      const restored = plans.map(({ scope, before, change }) => {
        // While another profile holds, what was there before it is meant.
        const part = restores.of(scope)?.part;
        const isHeld = part !== undefined && matches(part.after, before);
        if (isHeld) {
          held.add(scopeKey(scope));
        }
        return {
          scope,
          before: isHeld ? part.before : snapshotOf(before),
          after: snapshotOf(expected(before, change)),
        };
      });
      const added = new Set(restored.map(({ scope }) => scopeKey(scope)));
      const kept = (restores.find(id)?.scopes ?? []).filter(({ scope }) => !added.has(scopeKey(scope)));
      await restores.keep({ id, profile: name, until, scopes: [...kept, ...restored] });
      onChanged();
    },
    after: async (outcomes) => {
      for (const outcome of outcomes) {
        await settle(outcome);
      }
      onChanged();
    },
  };

  async function settle(outcome: ScopeOutcome): Promise<void> {
    const { scope, before } = outcome.plan;
    const key = scopeKey(scope);
    const part = restores.find(id)?.scopes.find((one) => scopeKey(one.scope) === key);
    if (!part) {
      return;
    }
    if (outcome.kind === 'done') {
      await restores.settle(id, scope, { ...part, after: snapshotOf(outcome.after) });
    } else if (held.has(key)) {
      // The other profile still holds; what was there before it is put back all the same.
      await restores.settle(id, scope, { ...part, after: snapshotOf(before) });
    } else if (outcome.kind === 'changedMeanwhile') {
      await restores.settle(id, scope, undefined);
    }
    // A failed request may have been acted on after all: what is kept holds in both cases.
  }
}

/** What a restorer needs. */
export interface RestorerDeps {
  readonly restores: Restores;
  readonly claims: RestoreClaims;
  readonly settings: ScopeSettings;
  readonly runner: PlanRunner;
  readonly dialogs: PlanDialogs;
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly clock: Pick<Clock, 'date'>;
}

/** What became of one scope of a restore. */
type RestoreResult =
  | { readonly kind: 'restored'; readonly lost: readonly string[] }
  | { readonly kind: 'alreadyRestored' }
  | { readonly kind: 'changedElsewhere' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Puts back what was there before a profile, when its time is over. Never overwrites what was changed elsewhere since. */
export class Restorer {
  readonly #deps: RestorerDeps;
  /** What this window has shown already, so that it does so once. */
  readonly #notified = new Set<string>();
  /** What became of scopes when they were last tried. */
  readonly #results = new Map<string, RestoreResult>();

  constructor(deps: RestorerDeps) {
    this.#deps = deps;
  }

  /** Does the restores whose time has come. A failure of one is no reason not to do the others; it is tried again at the next call. */
  async restoreDue(): Promise<void> {
    const { restores, clock, log } = this.#deps;
    for (const { id } of restores.all.filter(({ until }) => until <= clock.date().getTime())) {
      await this.restore(id).catch((error: unknown) => log.error(inspect(error)));
    }
  }

  /** Does one restore now, unless another window is at it or has done it. */
  async restore(id: string): Promise<void> {
    const { restores, claims } = this.#deps;
    const result = await claims.run(id, async (renew) => {
      const restore = restores.find(id);
      const open = (restore?.scopes ?? []).filter((part) => !this.#needsDecision(id, part));
      for (const part of open) {
        await renew();
        await this.#restoreOne(id, part);
      }
      this.#notify(restore, restores.find(id));
      return restores.find(id) === undefined;
    });
    if (result === 'done') {
      // This window may not have heard yet that another one did it.
      await restores.forget(id);
    }
  }

  /** What was changed elsewhere waits for an answer; it need not be read repeatedly. */
  #needsDecision(id: string, { scope, trouble }: RestoreScope): boolean {
    return trouble === 'changedElsewhere' && this.#notified.has(`${id} ${scopeKey(scope)} changedElsewhere`);
  }

  async #restoreOne(id: string, part: RestoreScope): Promise<void> {
    const { restores, log } = this.#deps;
    const result = await this.#end(part);
    this.#results.set(`${id} ${scopeKey(part.scope)}`, result);
    if (result.kind === 'failed') {
      log.error(inspect(result.error));
    }
    const isOver = result.kind === 'restored' || result.kind === 'alreadyRestored';
    await restores.settle(id, part.scope, isOver ? undefined : { ...part, trouble: result.kind });
  }

  async #end({ scope, before, after }: RestoreScope): Promise<RestoreResult> {
    const { settings } = this.#deps;
    const [reading] = await settings.read([scope]);
    if (!reading || 'error' in reading) {
      return { kind: 'failed', error: reading?.error };
    }
    const { settings: now } = reading;
    if (!matches(after, now)) {
      return matches(before, now) ? { kind: 'alreadyRestored' } : { kind: 'changedElsewhere' };
    }
    const plan = planFor(scope, now, before);
    if (changesNothing(plan)) {
      return { kind: 'alreadyRestored' };
    }
    const [outcome] = await settings.apply([plan]);
    switch (outcome?.kind) {
      case 'done':
        return {
          kind: 'restored',
          lost: [...plan.notes.filter(isLoss).map(noteLabel), planFailureLabel(outcome) ?? []].flat(),
        };
      case 'changedMeanwhile':
        return { kind: 'changedElsewhere' };
      case 'failed':
      case undefined:
        return { kind: 'failed', error: outcome?.error };
    }
  }

  #notify(was: Restore | undefined, left: Restore | undefined): void {
    if (!was) {
      return;
    }
    const resultOf = (scope: NotificationScope): RestoreResult | undefined =>
      this.#results.get(`${was.id} ${scopeKey(scope)}`);
    const outcomes = was.scopes.map(({ scope }) => ({ scope, result: resultOf(scope) }));
    const restored = outcomes.flatMap(({ result }) => (result?.kind === 'restored' ? [result] : []));
    if (restored.length > 0) {
      const lost = [...new Set(restored.flatMap((result) => result.lost))];
      const sentence = left
        ? vscode.l10n.t(
            '“{0}” has ended. Scopes with restored notification settings: {1} of {2}.',
            was.profile,
            countLabel(restored.length),
            countLabel(was.scopes.length),
          )
        : vscode.l10n.t('“{0}” has ended: the earlier notification settings are restored.', was.profile);
      this.#deps.dialogs.notify('info', [sentence, ...lost].join(' '));
    }
    for (const { scope, result } of outcomes) {
      if (result && this.#isNews(was.id, scope, result)) {
        this.#notifyFailures(was, scope, result);
      }
    }
  }

  #isNews(id: string, scope: NotificationScope, { kind }: RestoreResult): boolean {
    const key = `${id} ${scopeKey(scope)} ${kind}`;
    const isNew = !this.#notified.has(key);
    this.#notified.add(key);
    return isNew;
  }

  #notifyFailures({ id, profile }: Restore, scope: NotificationScope, result: RestoreResult): void {
    const { dialogs, restores } = this.#deps;
    const name = scopeLabel(scope, vscode.l10n);
    if (result.kind === 'failed') {
      const sentence = vscode.l10n.t(
        '{0} could not be restored after “{1}”; Beacon tries again. {2}',
        name,
        profile,
        problemOf(result.error).sentence,
      );
      dialogs.notify('warning', sentence, { title: vscode.l10n.t('Try Again'), run: () => this.#retry(id, scope) });
    } else if (result.kind === 'changedElsewhere') {
      const sentence = vscode.l10n.t(
        '“{0}” has ended, but {1} was changed elsewhere in the meantime. Nothing was overwritten.',
        profile,
        name,
      );
      dialogs.notify(
        'warning',
        sentence,
        { title: vscode.l10n.t('Review Differences…'), run: () => this.#review(id, scope) },
        { title: vscode.l10n.t('Keep Current Settings'), run: () => restores.settle(id, scope, undefined) },
      );
    }
  }

  async #retry(id: string, scope: NotificationScope): Promise<void> {
    this.#notified.delete(`${id} ${scopeKey(scope)} failed`);
    await this.restore(id);
  }

  /** Shows what would be put back, and does so if the user confirms. */
  async #review(id: string, scope: NotificationScope): Promise<void> {
    const { restores, runner, dialogs } = this.#deps;
    const part = restores.find(id)?.scopes.find((one) => scopeKey(one.scope) === scopeKey(scope));
    if (!part) {
      dialogs.notify('info', vscode.l10n.t('This has been decided already, perhaps in another window.'));
      return;
    }
    const readings = await runner.read([scope]);
    const [reading] = readings ?? [];
    if (reading && 'error' in reading) {
      throw reading.error;
    }
    const plans = runner.plan([{ scope, snapshot: part.before }], readings ?? []);
    const after = async (outcomes: readonly ScopeOutcome[]): Promise<void> => {
      if (outcomes.every(({ kind }) => kind === 'done')) {
        await restores.settle(id, scope, undefined);
      }
    };
    await runner.run(vscode.l10n.t('Restore Settings from Before “{0}”', restores.find(id)?.profile ?? ''), plans, {
      after,
    });
  }
}

function isLoss({ kind }: { readonly kind: string }): boolean {
  return kind === 'defaultNotRestored' || kind === 'notOffered' || kind === 'eventsUnreadable';
}

/** What settings are expected to be after a change, as a snapshot of them. */
function expected(before: Settings, change: Readonly<Record<string, unknown>>): Settings {
  const { level, notification_email: email, ...flags } = change;
  const changed = Object.entries(flags).map(([event, on]) => [event, on === true ? 'on' : 'off'] as const);
  return {
    level: typeof level === 'string' ? level : before.level,
    email: typeof email === 'string' ? email : before.email,
    flags: { ...before.flags, ...Object.fromEntries(changed) },
  };
}
