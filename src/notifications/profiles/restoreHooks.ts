import { randomUUID } from 'node:crypto';
import { scopeKey } from '../model/scope.ts';
import type { SendHooks } from '../scopes/planRunner.ts';
import type { ScopeOutcome } from '../scopes/scopeSettings.ts';
import { matches, snapshotOf } from '../scopes/snapshot.ts';
import type { Profile } from './profileStore.ts';
import { expected } from './restorer.ts';
import type { Restores } from './restores.ts';

/**
 * Keeps what is to be put back when a profile ends, before anything of it is sent, so that it is there whatever happens.
 *
 * @param until when the profile ends.
 */
export function restoreHooks(restores: Restores, { name }: Profile, until: number, onChanged: () => void): SendHooks {
  const id = randomUUID();
  /** The scopes at which another profile held before. */
  const held = new Set<string>();
  return {
    before: async (plans) => {
      const parts = plans.map(({ scope, before, change }) => {
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
      const added = new Set(parts.map(({ scope }) => scopeKey(scope)));
      const kept = (restores.find(id)?.scopes ?? []).filter(({ scope }) => !added.has(scopeKey(scope)));
      await restores.keep({ id, profile: name, until, scopes: [...kept, ...parts] });
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
