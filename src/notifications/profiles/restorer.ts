import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { describeProblem } from '../../accounts/problem.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import type { Settings } from '../model/settings.ts';
import { scopeWords } from '../model/words.ts';
import type { Dialogs } from '../scopes/dialogs.ts';
import { changesNothing, planFor } from '../scopes/plan.ts';
import { countWords, describeNote, describeTrouble } from '../scopes/planWords.ts';
import type { PlanRunner } from '../scopes/planRunner.ts';
import type { ScopeOutcome, ScopeSettings } from '../scopes/scopeSettings.ts';
import { matches } from '../scopes/snapshot.ts';
import type { Claims } from './claims.ts';
import type { Restore, Restores, RestoreScope } from './restores.ts';

/** What a restorer needs. */
export interface RestorerParts {
  readonly restores: Restores;
  readonly claims: Claims;
  readonly settings: ScopeSettings;
  readonly runner: PlanRunner;
  readonly dialogs: Dialogs;
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly now: () => number;
}

/** What became of one scope of a restore. */
type Ending =
  | { readonly kind: 'restored'; readonly lost: readonly string[] }
  | { readonly kind: 'asBefore' }
  | { readonly kind: 'changedElsewhere' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Puts back what was there before a profile, when its time is over. Never overwrites what was changed elsewhere since. */
export class Restorer {
  readonly #parts: RestorerParts;
  /** What this window has told of, so that it does so once. */
  readonly #told = new Set<string>();
  /** What became of scopes when they were last tried. */
  readonly #endings = new Map<string, Ending>();

  constructor(parts: RestorerParts) {
    this.#parts = parts;
  }

  /** Does the restores whose time has come. A failure of one is no reason not to do the others; it is tried again at the next call. */
  async restoreDue(): Promise<void> {
    const { restores, now, log } = this.#parts;
    for (const { id } of restores.all.filter(({ until }) => until <= now())) {
      await this.restore(id).catch((error: unknown) => log.error(inspect(error)));
    }
  }

  /** Does one restore now, unless another window is at it or has done it. */
  async restore(id: string): Promise<void> {
    const { restores, claims } = this.#parts;
    const result = await claims.run(id, async (renew) => {
      const restore = restores.find(id);
      const open = (restore?.scopes ?? []).filter((part) => !this.#isUpToThePerson(id, part));
      for (const part of open) {
        await renew();
        await this.#restoreOne(id, part);
      }
      this.#tell(restore, restores.find(id));
      return restores.find(id) === undefined;
    });
    if (result === 'done') {
      // This window may not have heard yet that another one did it.
      await restores.forget(id);
    }
  }

  /** What was changed elsewhere waits for an answer; it need not be read again and again. */
  #isUpToThePerson(id: string, { scope, trouble }: RestoreScope): boolean {
    return trouble === 'changedElsewhere' && this.#told.has(`${id} ${scopeKey(scope)} changedElsewhere`);
  }

  async #restoreOne(id: string, part: RestoreScope): Promise<void> {
    const { restores, log } = this.#parts;
    const ending = await this.#end(part);
    this.#endings.set(`${id} ${scopeKey(part.scope)}`, ending);
    if (ending.kind === 'failed') {
      log.error(inspect(ending.error));
    }
    const isOver = ending.kind === 'restored' || ending.kind === 'asBefore';
    await restores.settle(id, part.scope, isOver ? undefined : { ...part, trouble: ending.kind });
  }

  async #end({ scope, before, after }: RestoreScope): Promise<Ending> {
    const { settings } = this.#parts;
    const [reading] = await settings.read([scope]);
    if (!reading || 'error' in reading) {
      return { kind: 'failed', error: reading?.error };
    }
    const { settings: now } = reading;
    if (!matches(after, now)) {
      return matches(before, now) ? { kind: 'asBefore' } : { kind: 'changedElsewhere' };
    }
    const plan = planFor(scope, now, before);
    if (changesNothing(plan)) {
      return { kind: 'asBefore' };
    }
    const [outcome] = await settings.apply([plan]);
    switch (outcome?.kind) {
      case 'done':
        return {
          kind: 'restored',
          lost: [...plan.notes.filter(isLoss).map(describeNote), describeTrouble(outcome) ?? []].flat(),
        };
      case 'changedMeanwhile':
        return { kind: 'changedElsewhere' };
      case 'failed':
      case undefined:
        return { kind: 'failed', error: outcome?.error };
    }
  }

  #tell(was: Restore | undefined, left: Restore | undefined): void {
    if (!was) {
      return;
    }
    const endingOf = (scope: NotificationScope): Ending | undefined =>
      this.#endings.get(`${was.id} ${scopeKey(scope)}`);
    const endings = was.scopes.map(({ scope }) => ({ scope, ending: endingOf(scope) }));
    const restored = endings.flatMap(({ ending }) => (ending?.kind === 'restored' ? [ending] : []));
    if (restored.length > 0) {
      const lost = [...new Set(restored.flatMap((ending) => ending.lost))];
      const sentence = left
        ? vscode.l10n.t(
            '“{0}” has ended. Scopes with restored notification settings: {1} of {2}.',
            was.profile,
            countWords(restored.length),
            countWords(was.scopes.length),
          )
        : vscode.l10n.t('“{0}” has ended: the earlier notification settings are restored.', was.profile);
      this.#parts.dialogs.tell('info', [sentence, ...lost].join(' '));
    }
    for (const { scope, ending } of endings) {
      if (ending && this.#isNews(was.id, scope, ending)) {
        this.#tellTrouble(was, scope, ending);
      }
    }
  }

  #isNews(id: string, scope: NotificationScope, { kind }: Ending): boolean {
    const key = `${id} ${scopeKey(scope)} ${kind}`;
    const isNew = !this.#told.has(key);
    this.#told.add(key);
    return isNew;
  }

  #tellTrouble({ id, profile }: Restore, scope: NotificationScope, ending: Ending): void {
    const { dialogs, restores } = this.#parts;
    const name = scopeWords(scope, vscode.l10n);
    if (ending.kind === 'failed') {
      const sentence = vscode.l10n.t(
        '{0} could not be restored after “{1}”; Beacon tries again. {2}',
        name,
        profile,
        describeProblem(ending.error).sentence,
      );
      dialogs.tell('warning', sentence, { title: vscode.l10n.t('Try Again'), run: () => this.#again(id, scope) });
    } else if (ending.kind === 'changedElsewhere') {
      const sentence = vscode.l10n.t(
        '“{0}” has ended, but {1} was changed elsewhere in the meantime. Nothing was overwritten.',
        profile,
        name,
      );
      dialogs.tell(
        'warning',
        sentence,
        { title: vscode.l10n.t('Review Differences…'), run: () => this.#review(id, scope) },
        { title: vscode.l10n.t('Keep Current Settings'), run: () => restores.settle(id, scope, undefined) },
      );
    }
  }

  async #again(id: string, scope: NotificationScope): Promise<void> {
    this.#told.delete(`${id} ${scopeKey(scope)} failed`);
    await this.restore(id);
  }

  /** Shows what would be put back, and does so if the person confirms. */
  async #review(id: string, scope: NotificationScope): Promise<void> {
    const { restores, runner, dialogs } = this.#parts;
    const part = restores.find(id)?.scopes.find((one) => scopeKey(one.scope) === scopeKey(scope));
    if (!part) {
      dialogs.tell('info', vscode.l10n.t('This has been decided already, perhaps in another window.'));
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
export function expected(before: Settings, change: Readonly<Record<string, unknown>>): Settings {
  const { level, notification_email: email, ...flags } = change;
  const changed = Object.entries(flags).map(([event, on]) => [event, on === true ? 'on' : 'off'] as const);
  return {
    level: typeof level === 'string' ? level : before.level,
    email: typeof email === 'string' ? email : before.email,
    flags: { ...before.flags, ...Object.fromEntries(changed) },
  };
}
