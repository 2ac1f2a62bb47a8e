import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type * as vscode from 'vscode';
import { UnavailableError } from '../../../src/api/errors.ts';
import {
  RestoreClaims,
  type RestoreEvent,
  restoreHooks,
  Restorer,
  Restores,
  restoresKey,
  type RestoreState,
  type ScopeResult,
  stateOf,
} from '../../../src/notifications/profiles/restores.ts';
import type { SendHooks } from '../../../src/notifications/settings/bulkChanges.ts';
import { type PlanOutcome, SettingsEngine } from '../../../src/notifications/settings/engine.ts';
import {
  changeTo,
  differences,
  isEmptyChange,
  type NotificationScope,
  planFor,
  type ScopePlan,
  scopeKey,
  type Settings,
  undoOf,
} from '../../../src/notifications/settings/settings.ts';
import { MemoryMemento } from '../../support/editorState.ts';
import { type Fault, holding, MemoryInstance } from '../../support/memoryInstance.ts';
import { runs } from '../../support/properties.ts';

const scopes = [1, 2, 3].map((id): NotificationScope => ({ kind: 'project', accountId: 'ada', id, path: `a/p${id}` }));
const [scope] = scopes as [NotificationScope];
const start = 1_800_000_000_000;
const hour = 3_600_000;

const states: readonly RestoreState[] = ['applying', 'holding', 'undoing', 'failed', 'changedElsewhere'];
const table: Readonly<Record<RestoreEvent, readonly (RestoreState | 'done')[]>> = {
  applied: ['holding', 'holding', 'undoing', 'failed', 'changedElsewhere'],
  notSent: ['done', 'holding', 'undoing', 'failed', 'changedElsewhere'],
  stillHeld: ['holding', 'holding', 'holding', 'holding', 'changedElsewhere'],
  undoing: ['undoing', 'undoing', 'undoing', 'failed', 'changedElsewhere'],
  restored: ['done', 'done', 'done', 'done', 'done'],
  alreadyRestored: ['done', 'done', 'done', 'done', 'done'],
  changedElsewhere: [
    'changedElsewhere',
    'changedElsewhere',
    'changedElsewhere',
    'changedElsewhere',
    'changedElsewhere',
  ],
  failed: ['failed', 'failed', 'failed', 'failed', 'failed'],
  kept: ['done', 'done', 'done', 'done', 'done'],
  takenOver: ['done', 'done', 'done', 'done', 'done'],
};

class Killed extends Error {}
class Ended extends Error {}

/** What survives editors that are killed. */
class World {
  readonly instance = new MemoryInstance();
  readonly memento = new MemoryMemento();
  folder = '';
  time = start;
  /** The fields that were sent although they held already. */
  readonly sentTwice: string[] = [];
  /** Whether nothing can be stored. */
  isFull = false;

  get stored(): Restores {
    return new Restores(this.memento);
  }

  /** What is done around sending a profile that holds for some hours. */
  hooks(restores: Restores, profile: string, hours: number): SendHooks {
    const until = this.time + hours * hour;
    return restoreHooks({ restores, profile, until, onChanged: () => {}, endedError: () => new Ended() });
  }
}

/** An editor in which profiles are applied and end. */
class Editor {
  readonly #world: World;
  #effectsLeft: number;
  #lastHappens: boolean;
  readonly effects: string[] = [];
  readonly errors: string[] = [];
  readonly results: ScopeResult[] = [];
  readonly #engine: SettingsEngine;
  readonly restores: Restores;
  readonly restorer: Restorer;

  /** @param effectsLeft that are let happen before the editor is killed. @param lastHappens whether the last one happens. */
  constructor(world: World, effectsLeft = Infinity, lastHappens = true) {
    this.#world = world;
    this.#effectsLeft = effectsLeft;
    this.#lastHappens = lastHappens;
    const memento: vscode.Memento = {
      keys: () => world.memento.keys(),
      get: <T>(key: string) => world.memento.get<T>(key) as T,
      update: (key, value) =>
        this.#effect('store', async () => {
          if (world.isFull) {
            throw new Error('ENOSPC');
          }
          await world.memento.update(key, value);
        }),
    };
    const clock = { date: () => new Date(world.time) };
    const connections = world.instance.connections((run) => this.#effect('PUT', run));
    // What the instance offers is another matter.
    this.#engine = new SettingsEngine({ connections, memento: new MemoryMemento(), folder: world.folder });
    this.restores = new Restores(memento);
    this.restorer = new Restorer({
      restores: this.restores,
      claims: new RestoreClaims(join(world.folder, 'restores'), clock),
      engine: this.#engine,
      clock,
      log: { error: (text) => this.errors.push(text) },
      onDidRestore: (_, __, results) => this.results.push(...results),
    });
  }

  /** Applies a profile that holds for some hours. */
  async apply(level: string, hours: number): Promise<string | undefined> {
    const hooks = this.#world.hooks(this.restores, level, hours);
    const [outcome] = await this.send(await this.plans([scope], { level, flags: {} }), hooks);
    return outcome?.kind;
  }

  /** What of scopes a profile changes by what is there now. */
  async plans(of: readonly NotificationScope[], wanted: Parameters<typeof planFor>[2]): Promise<readonly ScopePlan[]> {
    const plans = await Promise.all(of.map(async (one) => planFor(one, await this.#engine.read(one), wanted)));
    return plans.filter(({ change }) => !isEmptyChange(change));
  }

  async send(plans: readonly ScopePlan[], hooks: SendHooks): Promise<readonly PlanOutcome[]> {
    await hooks.before?.(plans);
    const outcomes = await this.#engine.applyAll(plans);
    await hooks.after?.(outcomes);
    return outcomes;
  }

  /** Kills it at one of its next effects. */
  killAt(effect: number, happens: boolean): void {
    this.#effectsLeft = effect;
    this.#lastHappens = happens;
  }

  async #effect<T>(name: string, run: () => Promise<T>): Promise<T> {
    this.#effectsLeft -= 1;
    if (this.#effectsLeft < 0 || (this.#effectsLeft === 0 && !this.#lastHappens)) {
      throw new Killed();
    }
    const result = await run();
    this.effects.push(name);
    if (this.#effectsLeft === 0) {
      throw new Killed();
    }
    return result;
  }
}

/** Two editors over one instance and one storage, with the settings that are to be there in the end. */
class SharedWorld extends World {
  readonly editors: Editor[];
  /** What takes back the last profile of an editor. */
  readonly undo = new Map<Editor, () => Promise<unknown>>();
  readonly #wanted = new Map<NotificationScope, Settings>();
  readonly #changedElsewhere = new Set<string>();
  #levels = 0;

  constructor(folder: string) {
    super();
    this.folder = folder;
    this.instance.change(scope, { level: 'custom', new_note: true, new_issue: false });
    this.instance.onPut = (_, sent, before) => this.sentTwice.push(...holding(before, sent));
    scopes.forEach((one) => this.#wanted.set(one, this.instance.settings(one)));
    this.editors = [new Editor(this), new Editor(this)];
  }

  /**
   * Someone changes settings in a browser: back to what is to be there, or to a level of its own. Nobody could tell one apart
   * that a profile or its undo has set.
   */
  changeElsewhere({ one, isBack }: Elsewhere): void {
    const wanted = this.#wanted.get(one);
    this.instance.change(one, isBack && wanted ? changeTo(wanted) : { level: `chosen ${(this.#levels += 1)}` });
    this.#wanted.set(one, this.instance.settings(one));
    this.#changedElsewhere.add(scopeKey(one));
  }

  /** An editor is killed at one of its next effects while it does something; another one is opened in its place. */
  async crash(editor: Editor, kill: Kill | undefined, run: () => Promise<unknown>): Promise<void> {
    if (kill) {
      editor.killAt(kill.effect, kill.happens);
    }
    await run().catch((error: unknown) => {
      const isExpected = [Killed, Ended, UnavailableError].some((kind) => error instanceof kind);
      assert.ok(isExpected || /ENOSPC/.test(String(error)), String(error));
    });
    if (kill) {
      this.editors[this.editors.indexOf(editor)] = new Editor(this);
    }
  }

  /** The time of all profiles comes, and nothing is in the way of their end any more. */
  async end(): Promise<void> {
    this.time += 1000 * hour;
    this.isFull = false;
    for (let times = 0; times < 2; times += 1) {
      await Promise.all(this.editors.map(({ restorer }) => restorer.restoreDue()));
    }
    for (const [one, wanted] of this.#wanted) {
      const now = this.instance.settings(one);
      assert.deepEqual(differences(wanted, now), [], `what was there before is there again: ${one.kind}`);
    }
    for (const left of this.stored.all.flatMap(({ scopes: ofRestore }) => ofRestore)) {
      assert.equal(stateOf(left), 'changedElsewhere');
      assert.ok(this.#changedElsewhere.has(scopeKey(left.scope)), 'a user is asked only where there is a question');
    }
    assert.deepEqual(this.sentTwice, []);
  }
}

interface Kill {
  readonly effect: number;
  readonly happens: boolean;
}

interface Elsewhere {
  readonly one: NotificationScope;
  readonly isBack: boolean;
}

type Step = fc.AsyncCommand<object, SharedWorld>;

function rarely<T>(what: fc.Arbitrary<T>, usually: T): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: fc.constant(usually), weight: 4 }, { arbitrary: what, weight: 1 });
}

/** Something that happens in an editor, which may be killed meanwhile. What was late arrives when it is over. */
function step<T>(
  name: string,
  args: fc.Arbitrary<T>,
  run: (world: SharedWorld, editor: Editor, args: T) => Promise<unknown>,
): fc.Arbitrary<Step> {
  const kill = rarely<Kill | undefined>(
    fc.record({ effect: fc.integer({ min: 1, max: 8 }), happens: fc.boolean() }),
    undefined,
  );
  const fault = rarely<Fault | undefined>(fc.constantFrom('refused', 'answerLost', 'neverArrives', 'late'), undefined);
  const putFaults = fc.array(fault, { maxLength: 4 });
  const getFaults = fc.array(rarely(fc.constant(true), false), { maxLength: 3 });
  return fc.tuple(fc.nat(1), kill, putFaults, getFaults, args).map(([index, killed, puts, gets, arg]) => ({
    check: () => true,
    run: async (_, world) => {
      const editor = world.editors[index];
      assert.ok(editor);
      Object.assign(world.instance, { putFaults: [...puts], getFaults: [...gets] });
      await world.crash(editor, killed, () => run(world, editor, arg));
      Object.assign(world.instance, { putFaults: [], getFaults: [] });
      world.instance.arrive();
    },
    toString: () => `${name}(${fc.stringify([index, killed, puts, gets, arg])})`,
  }));
}

/** What takes back what was applied. */
function undoPlans(outcomes: readonly PlanOutcome[]): readonly ScopePlan[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'applied'
      ? {
          ...{ scope: outcome.plan.scope, expected: outcome.settings, notes: [] },
          change: undoOf(outcome.sent.before, outcome.sent.change).change,
        }
      : [],
  );
}

const anyScope = fc.constantFrom(...scopes);
const profile = fc.oneof(
  fc.constant({ level: 'disabled', flags: {} }),
  fc.constantFrom('on' as const, 'off' as const).map((flag) => ({ level: 'custom', flags: { new_note: flag } })),
);
const elsewhere = fc.record({ one: anyScope, isBack: fc.boolean() });
const apply = step(
  'apply',
  fc.record({
    ...{ profile, some: fc.subarray(scopes, { minLength: 1 }), hours: fc.integer({ min: 1, max: 50 }) },
    meanwhile: rarely<Elsewhere | undefined>(elsewhere, undefined),
  }),
  async (world, editor, { profile: wanted, some, hours, meanwhile }) => {
    const plans = await editor.plans(some, wanted);
    if (meanwhile) {
      world.changeElsewhere(meanwhile);
    }
    const hooks = world.hooks(editor.restores, wanted.level, hours);
    const outcomes = plans.length > 0 ? await editor.send(plans, hooks) : [];
    world.undo.set(editor, () => editor.send(undoPlans(outcomes), hooks.undo ?? {}));
  },
);
const steps: readonly fc.Arbitrary<Step>[] = [
  apply,
  apply,
  apply,
  step('undo', fc.constant(undefined), async (world, editor) => {
    const undo = world.undo.get(editor);
    world.undo.delete(editor);
    await undo?.();
  }),
  step('time passes', fc.integer({ min: -20, max: 60 }), async (world, _, hours) => (world.time += hours * hour)),
  step('end what is due', fc.constant(undefined), (_, editor) => editor.restorer.restoreDue()),
  step('end what is due in both', fc.constant(undefined), (world) =>
    Promise.all(world.editors.map(({ restorer }) => restorer.restoreDue())),
  ),
  step('change elsewhere', elsewhere, async (world, _, change) => world.changeElsewhere(change)),
  step('keep what was changed', anyScope, async (_, { restores }, one) => {
    const restore = restores.all.find(({ scopes: parts }) =>
      parts.some((part) => scopeKey(part.scope) === scopeKey(one) && stateOf(part) === 'changedElsewhere'),
    );
    await (restore && restores.advance(restore.id, one, 'kept'));
  }),
  step('storage', rarely(fc.constant(true), false), async (world, _, isFull) => (world.isFull = isFull)),
];

describe('restores of profiles', () => {
  let world: World;

  beforeEach(async () => {
    world = new World();
    world.folder = await mkdtemp(join(tmpdir(), 'beacon-restores-'));
    world.instance.change(scope, { level: 'custom', new_note: true, new_issue: false });
    world.instance.onPut = (_, sent, before) => world.sentTwice.push(...holding(before, sent));
  });
  afterEach(async () => {
    await rm(world.folder, { recursive: true });
    assert.deepEqual(world.sentTwice, []);
  });

  const level = (): string => world.instance.settings(scope).level;

  function assertRestored(): void {
    const { level: now, flags } = world.instance.settings(scope);
    assert.deepEqual([now, flags['new_note'], flags['new_issue']], ['custom', 'on', 'off']);
    assert.deepEqual(world.stored.all, []);
  }

  /** Applies a profile of events, then one whose level hides them. @returns what undoes the second. */
  async function applyTwo(editor: Editor): Promise<() => Promise<unknown>> {
    const hooks = [1, 2].map((hours) => world.hooks(editor.restores, `Focus ${hours}`, hours)) as [
      SendHooks,
      SendHooks,
    ];
    await editor.send(await editor.plans([scope], { level: 'custom', flags: { new_note: 'off' } }), hooks[0]);
    const outcomes = await editor.send(await editor.plans([scope], { level: 'disabled', flags: {} }), hooks[1]);
    return () => editor.send(undoPlans(outcomes), hooks[1].undo ?? {});
  }

  for (const [event, expected] of Object.entries(table) as [RestoreEvent, readonly (RestoreState | 'done')[]][]) {
    for (const [index, state] of states.entries()) {
      it(`${state}, ${event}: ${expected[index]}`, async () => {
        const { stored } = world;
        const settings = { level: 'watch' };
        const id = '00000000-0000-0000-0000-000000000000';
        const scopes = [{ scope, before: settings, after: settings, state }];
        await stored.keep({ id, profile: 'Focus', until: start, scopes });
        await stored.advance(id, scope, event);
        const [one] = stored.find(id)?.scopes ?? [];
        assert.equal(one ? stateOf(one) : 'done', expected[index]);
      });
    }
  }

  it('keep of each scope what the profile set there', async () => {
    const { stored } = world;
    const other: NotificationScope = { kind: 'project', accountId: 'ada', id: 2, path: 'a/c' };
    const id = '00000000-0000-0000-0000-000000000000';
    const scopes = [scope, other].map((one) => ({
      ...{ scope: one, before: { level: 'watch' }, after: { level: 'custom' }, state: 'applying' as const },
    }));
    await stored.keep({ id, profile: 'Focus', until: start, scopes });
    await stored.advance(id, scope, 'applied', { level: 'custom', email: undefined, flags: {} });
    await stored.advance(id, other, 'applied', { level: 'global', email: undefined, flags: {} });
    assert.deepEqual(
      stored.find(id)?.scopes.map(({ after }) => after.level),
      ['custom', 'global'],
    );
  });

  it('store what there was, send the profile, and later put back what there was', async () => {
    const editor = new Editor(world);
    assert.equal(await editor.apply('disabled', 1), 'applied');
    assert.equal(level(), 'disabled');
    await editor.restorer.restoreDue();
    assert.equal(level(), 'disabled', 'it is not time');
    world.time += hour;
    await editor.restorer.restoreDue();
    assertRestored();
    assert.deepEqual(editor.effects, ['store', 'PUT', 'store', 'PUT', 'store', 'store']);
  });

  for (const [index, effect] of ['store', 'PUT', 'store'].entries()) {
    for (const happens of [false, true]) {
      const when = `${happens ? 'after' : 'before'} step ${index + 1} (${effect})`;
      it(`put back what there was where the editor is killed ${when} of applying`, async () => {
        await assert.rejects(new Editor(world, index + 1, happens).apply('disabled', 1), Killed);
        world.time += hour;
        await new Editor(world).restorer.restoreDue();
        assertRestored();
        assert.ok(world.instance.puts <= 2);
      });

      it(`put back what there was before the first of two profiles where the editor is killed ${when} of applying the second`, async () => {
        await new Editor(world).apply('mention', 1);
        await assert.rejects(new Editor(world, index + 1, happens).apply('disabled', 2), Killed);
        world.time += hour;
        await new Editor(world).restorer.restoreDue();
        world.time += hour;
        await new Editor(world).restorer.restoreDue();
        assertRestored();
        assert.ok(world.instance.puts <= 3);
      });
    }
  }

  for (const [index, effect] of ['PUT', 'store', 'store'].entries()) {
    for (const happens of [false, true]) {
      it(`end once where the editor is killed ${happens ? 'after' : 'before'} step ${index + 1} (${effect}) of restoring`, async () => {
        await new Editor(world).apply('disabled', 1);
        world.time += hour;
        await new Editor(world, index + 1, happens).restorer.restoreDue();
        for (let restarts = 0; restarts < 2; restarts += 1) {
          await new Editor(world).restorer.restoreDue();
        }
        assertRestored();
        assert.equal(world.instance.puts, 2);
      });
    }
  }

  for (const fault of ['refused', 'answerLost', 'neverArrives', 'late'] satisfies Fault[]) {
    it(`know what to put back where the request of the profile is ${fault}`, async () => {
      world.instance.putFaults = [fault];
      const outcome = await new Editor(world).apply('disabled', 1);
      assert.equal(outcome, fault === 'refused' ? 'failed' : fault === 'answerLost' ? 'applied' : 'unknown');
      assert.equal(world.stored.all.length, fault === 'refused' ? 0 : 1);
      world.instance.arrive();
      world.time += hour;
      await new Editor(world).restorer.restoreDue();
      assertRestored();
    });

    it(`put back what there was before two profiles where the undo of the second is ${fault}`, async () => {
      const editor = new Editor(world);
      const undo = await applyTwo(editor);
      world.instance.putFaults = [fault];
      await undo();
      world.instance.arrive();
      world.time += 2 * hour;
      await editor.restorer.restoreDue();
      assertRestored();
    });

    it(`end in the end where the request that puts back is ${fault}`, async () => {
      await new Editor(world).apply('disabled', 1);
      world.time += hour;
      world.instance.putFaults = [fault];
      const editor = new Editor(world);
      await editor.restorer.restoreDue();
      assert.equal(editor.results[0]?.result.kind, fault === 'answerLost' ? 'restored' : 'failed');
      world.instance.arrive();
      await editor.restorer.restoreDue();
      assertRestored();
    });
  }

  it('put back what there was before the second of two profiles where its answer and that to the undo of the first are missing', async () => {
    const editor = new Editor(world);
    const hooks = world.hooks(editor.restores, 'Focus', 1);
    const focus = { level: 'custom', flags: { new_note: 'off' } } as const;
    const outcomes = await editor.send(await editor.plans([scope], focus), hooks);
    world.instance.change(scope, { level: 'mention' });
    world.instance.putFaults = ['late'];
    await editor.send(await editor.plans([scope], focus), world.hooks(editor.restores, 'Again', 1));
    world.instance.arrive();
    world.instance.putFaults = ['late'];
    await editor.send(undoPlans(outcomes), hooks.undo ?? {});
    world.instance.arrive();
    world.time += hour;
    await editor.restorer.restoreDue();
    assert.deepEqual([level(), world.stored.all], ['mention', []]);
  });

  it('overwrite no event that was changed elsewhere while the answer of an undo is missing', async () => {
    const editor = new Editor(world);
    const undo = await applyTwo(editor);
    world.instance.putFaults = ['neverArrives'];
    await undo();
    world.instance.change(scope, { level: 'custom', new_note: false, new_issue: true });
    world.time += 2 * hour;
    await editor.restorer.restoreDue();
    assert.deepEqual(
      editor.results.map(({ result }) => result.kind),
      ['changedElsewhere'],
    );
    assert.equal(world.instance.settings(scope).flags['new_issue'], 'on');
  });

  it('overwrite nothing that was changed elsewhere since, and wait for an answer', async () => {
    const editor = new Editor(world);
    await editor.apply('disabled', 1);
    world.instance.change(scope, { level: 'mention' });
    world.time += hour;
    await editor.restorer.restoreDue();
    await editor.restorer.restoreDue();
    assert.deepEqual(
      editor.results.map(({ result, isNew }) => [result.kind, isNew]),
      [['changedElsewhere', true]],
    );
    assert.equal(level(), 'mention');
    const [one] = world.stored.all;
    assert.equal(one?.scopes[0]?.state, 'changedElsewhere');
    await world.stored.advance(one.id, scope, 'kept');
    assert.deepEqual(world.stored.all, []);
  });

  describe('where nothing can be stored', () => {
    it('send no profile that could not end', async () => {
      world.isFull = true;
      await assert.rejects(new Editor(world).apply('disabled', 1), /ENOSPC/);
      assert.equal(world.instance.puts, 0);
    });

    it('put back once what there was, and end as soon as that can be stored', async () => {
      await new Editor(world).apply('disabled', 1);
      world.time += hour;
      world.isFull = true;
      for (let attempts = 0; attempts < 3; attempts += 1) {
        const editor = new Editor(world);
        await editor.restorer.restoreDue();
        assert.match(editor.errors.join(), /ENOSPC/);
      }
      assert.equal(level(), 'custom');
      assert.equal(world.instance.puts, 2);
      world.isFull = false;
      await new Editor(world).restorer.restoreDue();
      assertRestored();
    });

    it('put back what there was without the folder that windows agree by', async () => {
      await new Editor(world).apply('disabled', 1);
      await writeFile(join(world.folder, 'restores'), '');
      world.time += hour;
      await new Editor(world).restorer.restoreDue();
      assertRestored();
      assert.equal(world.instance.puts, 2);
    });
  });

  it('end by the time of day, however the clock jumps, and once', async () => {
    await new Editor(world).apply('disabled', 1);
    world.time -= 24 * hour;
    await new Editor(world).restorer.restoreDue();
    assert.equal(level(), 'disabled');
    world.time += 365 * 24 * hour;
    await new Editor(world).restorer.restoreDue();
    assertRestored();
    world.time -= 365 * 24 * hour;
    world.instance.change(scope, { level: 'disabled' });
    await new Editor(world).restorer.restoreDue();
    assert.equal(level(), 'disabled');
  });

  it('put back in the end what there was, once, in whatever order profiles come, end, fail and are killed', async () => {
    const numbers = { made: 0 };
    await fc.assert(
      fc.asyncProperty(fc.commands([...steps], { maxCommands: 30, size: 'max' }), async (commands) => {
        const shared = new SharedWorld(join(world.folder, String((numbers.made += 1))));
        await fc.asyncModelRun(() => ({ model: {}, real: shared }), commands);
        await shared.end();
      }),
      runs(150),
    );
  });

  it('are read as versions before have stored them', async () => {
    const old = { level: 'watch' };
    for (const [trouble, state] of [
      [undefined, 'holding'],
      ['failed', 'failed'],
      ['changedElsewhere', 'changedElsewhere'],
    ] as const) {
      const one = { scope, before: old, after: old, ...(trouble ? { trouble } : {}) };
      const restore = { id: '00000000-0000-0000-0000-000000000000', profile: 'Focus', until: 5, scopes: [one] };
      await world.memento.update(restoresKey, [restore]);
      const [read] = world.stored.all;
      assert.equal(read?.scopes[0] && stateOf(read.scopes[0]), state);
    }
    const present = { level: 'mention' };
    const scopes = [{ scope, before: old, after: { level: 'disabled' }, present, state: 'applying' }];
    const id = '00000000-0000-0000-0000-000000000000';
    await world.memento.update(restoresKey, [{ id, profile: 'Focus', until: 5, scopes }]);
    world.instance.change(scope, present);
    await new Editor(world).restorer.restoreDue();
    assert.deepEqual([level(), world.stored.all], ['watch', []]);
  });
});
