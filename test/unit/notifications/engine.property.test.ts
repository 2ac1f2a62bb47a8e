import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { type Kept, keptSchema, SettingsSession } from '../../../src/notifications/form/settingsSession.ts';
import { type ScopeReading, SettingsEngine, type Wanted } from '../../../src/notifications/settings/engine.ts';
import { ScopeFiles } from '../../../src/notifications/settings/scopeFiles.ts';
import {
  applyEdit,
  type Change,
  changeOf,
  conflicts,
  type Edit,
  isEmptyChange,
  type NotificationScope,
  planFor,
  scopeKey,
  verify,
  withoutFields,
} from '../../../src/notifications/settings/settings.ts';
import { type Fault, holding, MemoryInstance } from '../../support/memoryInstance.ts';
import { runs } from '../../support/properties.ts';

class Killed extends Error {}

const form: NotificationScope = { kind: 'project', accountId: 'ada', id: 1, path: 'a/form' };
const other: NotificationScope = { kind: 'project', accountId: 'ada', id: 2, path: 'a/other' };
const scopes = [form, other];

/** A window over what all windows share. It can be killed at any of its effects: each change that it sends or keeps. */
class Window {
  readonly engine: SettingsEngine;
  readonly session: SettingsSession;
  /** What the engine has been asked for, by scope. */
  readonly wanted = new Map<string, Wanted>();
  readings: readonly ScopeReading[] = [];
  #effectsLeft = Infinity;
  #lastHappens = true;

  constructor(shared: World) {
    const instance = shared.instance.connections((run) => this.#effect(run));
    const connections: typeof instance = {
      of: async (accountId) => {
        shared.callsSignedIn -= 1;
        if (shared.callsSignedIn < 0) {
          throw new SignedOutError();
        }
        return await instance.of(accountId);
      },
    };
    this.engine = new SettingsEngine(connections);
    this.session = new SettingsSession(form, {
      engine: this.engine,
      files: {
        read: (scope) => shared.files.read(scope),
        write: async (kept) => await this.#effect(() => shared.files.write(kept)),
      },
      onChange: () => {},
    });
  }

  get draft(): Change {
    return this.session.state.memory.draft;
  }

  /** Saves what the form shows. */
  async save(): Promise<void> {
    const { settings: expected } = this.session.state;
    if (expected) {
      this.wanted.set(scopeKey(form), { expected, change: changeOf(expected, this.draft) });
    }
    await this.session.save();
  }

  /** Kills it at one of its next effects. */
  killAt(effect: number, happens: boolean): void {
    this.#effectsLeft = effect;
    this.#lastHappens = happens;
  }

  async #effect<T>(run: () => Promise<T>): Promise<T> {
    this.#effectsLeft -= 1;
    if (this.#effectsLeft < 0 || (this.#effectsLeft === 0 && !this.#lastHappens)) {
      throw new Killed();
    }
    const result = await run();
    if (this.#effectsLeft === 0) {
      throw new Killed();
    }
    return result;
  }
}

/** What survives the windows. */
class World {
  readonly instance = new MemoryInstance();
  readonly files: ScopeFiles<Kept>;
  readonly violations: string[] = [];
  readonly windows: Window[];
  /** How often the account is still asked for before another window signs it out. */
  callsSignedIn = Infinity;
  /** What was kept by the last step. */
  kept: Change = {};
  /** The windows that have said, or were told, what is kept: only they may keep something else. */
  knowing = new Set<number>();

  constructor(folder: string) {
    this.files = new ScopeFiles(join(folder, 'drafts'), keptSchema, { warn: (text) => this.violations.push(text) });
    this.windows = [new Window(this), new Window(this)];
  }

  window(index: number): Window {
    const window = this.windows[index];
    assert.ok(window);
    return window;
  }

  /** Whether a draft is what is left of another one, of which the instance has all else. */
  isRest(draft: Change, rest: Change): boolean {
    return (
      Object.entries(rest).every(([field, value]) => draft[field] === value) &&
      Object.entries(draft).every(([field, value]) => field in rest || this.instance.held(form, field, value))
    );
  }
}

interface Step {
  readonly name: string;
  /** So many changes may be sent at most. */
  readonly mostPuts?: number;
  /** The window in which something is done. */
  readonly index: number;
  readonly run: (world: World, window: Window) => Promise<void>;
}

/** One thing that happens, after which nothing may be lost. */
function command({ name, mostPuts = 0, index, run }: Step): fc.AsyncCommand<object, World> {
  return {
    check: () => true,
    run: async (_, world) => {
      const { instance } = world;
      const [puts, drafts] = [instance.puts, world.windows.map(({ draft }) => draft)];
      instance.forget();
      await run(world, world.window(index));
      assert.ok(instance.puts - puts <= mostPuts, 'no more requests than were asked for');
      assert.deepEqual(world.violations, []);
      Object.assign(instance, { putFaults: [], getFaults: [] });
      world.windows.forEach(({ wanted }) => wanted.clear());
      const { draft: kept = {} } = (await world.files.read(form)) ?? {};
      const { draft, session } = world.window(index);
      assert.deepEqual(world.window(1 - index).draft, drafts[1 - index], 'another window shows what was chosen there');
      if (!isDeepStrictEqual(kept, world.kept)) {
        assert.deepEqual(kept, draft, 'what is kept is what the window shows');
        const isNoLoss = isEmptyChange(world.kept) || world.isRest(world.kept, kept);
        assert.ok(isNoLoss || world.knowing.has(index), `nothing is overwritten unseen: ${JSON.stringify(world.kept)}`);
        world.kept = kept;
        world.knowing = new Set([index]);
      }
      if ([draft, session.state.otherDraft].some((known) => isDeepStrictEqual(known, kept))) {
        world.knowing.add(index);
      }
    },
    toString: () => name,
  };
}

/** After a step that keeps the draft, it is kept, or the one is shown that stands in the way. */
async function assertKept(world: World, { draft, session }: Window): Promise<void> {
  const kept = (await world.files.read(form))?.draft;
  assert.deepEqual(session.state.otherDraft ?? draft, kept ?? {});
}

const window = fc.constantFrom(0, 1);
const level = fc.constantFrom('watch', 'mention', 'custom');
const switches = { new_note: fc.boolean(), new_issue: fc.boolean(), approver: fc.boolean() };
const change = fc
  .oneof(
    fc.record({ level, ...switches }, { requiredKeys: [] }),
    fc.record({ level: fc.constant('custom'), ...switches }, { requiredKeys: ['level'] }),
  )
  .filter((fields) => !isEmptyChange(fields as Change)) as fc.Arbitrary<Change>;
const edit = fc.oneof(
  change,
  fc.record({ new_note: fc.constant(null), level: fc.constant(null) }),
) as fc.Arbitrary<Edit>;
const faults = fc.array(
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 3 },
    { arbitrary: fc.constantFrom<Fault>('refused', 'answerLost', 'neverArrives', 'late'), weight: 4 },
  ),
  { maxLength: 2 },
);
const flag = fc.constantFrom('on' as const, 'off' as const);
const steps = [
  fc.tuple(window, fc.boolean()).map(([index, fails]) =>
    command({
      ...{ name: `${index}.load(${fails ? 'fails' : ''})`, index },
      run: async (world, one) => {
        world.instance.getFaults = [fails];
        await one.session.load();
        await assertKept(world, one);
      },
    }),
  ),
  ...[1, 2].map(() =>
    fc.tuple(window, edit).map(([index, change]) =>
      command({
        ...{ name: `${index}.edit(${JSON.stringify(change)})`, index },
        run: async (world, one) => {
          const draft = applyEdit(one.draft, change);
          await one.session.edit(change);
          assert.deepEqual(one.draft, draft);
          await assertKept(world, one);
        },
      }),
    ),
  ),
  window.map((index) =>
    command({
      ...{ name: `${index}.discard()`, index },
      run: async (world, one) => {
        await one.session.discard();
        assert.deepEqual(one.draft, {});
        await assertKept(world, one);
      },
    }),
  ),
  fc.tuple(window, fc.constantFrom('mine' as const, 'other' as const)).map(([index, chosen]) =>
    command({
      ...{ name: `${index}.choose(${chosen})`, index },
      run: async (world, one) => {
        const { otherDraft } = one.session.state;
        // What has changed since it was shown is another choice.
        const isNew = otherDraft && ![{}, one.draft, otherDraft].some((known) => isDeepStrictEqual(known, world.kept));
        const draft = otherDraft && (chosen === 'mine' ? one.draft : world.kept);
        await one.session.chooseDraft(chosen);
        assert.deepEqual(one.draft, draft ?? one.draft);
        assert.equal(one.session.state.otherDraft !== undefined, isNew === true && chosen === 'mine');
      },
    }),
  ),
  fc.tuple(window, fc.subarray(['level', 'new_note', 'new_issue'])).map(([index, fields]) =>
    command({
      ...{ name: `${index}.resolve(${fields.join()})`, index },
      run: async (_, { session }) => {
        const { conflict, memory } = session.state;
        await session.resolve(fields);
        assert.deepEqual(session.state.memory.draft, conflict ? withoutFields(memory.draft, fields) : memory.draft);
      },
    }),
  ),
  fc.tuple(window, faults, fc.array(fc.boolean(), { maxLength: 4 })).map(([index, puts, gets]) =>
    command({
      ...{ name: `${index}.save(${puts.join()}; ${gets.join()})`, index, mostPuts: 1 },
      run: async (world, one) => {
        const { instance } = world;
        Object.assign(instance, { putFaults: [...puts], getFaults: [...gets] });
        const [was, draft] = [instance.settings(form), one.draft];
        await one.save();
        const { outcome } = one.session.state;
        if (outcome?.kind === 'notSaved' && outcome.effect === 'none') {
          assert.deepEqual(instance.settings(form), was, 'what was not saved has changed nothing');
        }
        assert.ok(world.isRest(draft, one.draft), `what was chosen is shown or holds: ${JSON.stringify(draft)}`);
      },
    }),
  ),
  fc.tuple(window, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([index, effect, happens]) =>
    command({
      ...{ name: `${index}.crash(${effect}${happens ? '' : ', before'})`, index, mostPuts: 1 },
      run: async (world, one) => {
        one.killAt(effect, happens);
        await one.save().catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
        // What was kept, or the rest of it, is what the next window goes on with.
        world.windows[index] = new Window(world);
        const next = world.window(index);
        world.knowing.add(index);
        await next.session.load();
        await assertKept(world, next);
      },
    }),
  ),
  fc.tuple(fc.constantFrom(...scopes), fc.option(change, { nil: undefined })).map(([scope, changed]) =>
    command({
      ...{ name: changed ? `elsewhere(${scope.path}, ${JSON.stringify(changed)})` : 'late requests arrive', index: 0 },
      run: async ({ instance }) => (changed ? instance.change(scope, changed) : instance.arrive()),
    }),
  ),
  // Most of the time it is signed in, so that all else is tried as often as without.
  fc.oneof({ arbitrary: fc.nat(4), weight: 1 }, { arbitrary: fc.constant(Infinity), weight: 3 }).map((calls) =>
    command({
      ...{ name: `signed in for ${calls} calls`, index: 0 },
      run: async (world) => void (world.callsSignedIn = calls),
    }),
  ),
  window.map((index) =>
    command({
      ...{ name: `${index}.readAll()`, index },
      run: async (world, one) => {
        one.readings = await one.engine.readAll(scopes);
        for (const reading of one.readings) {
          if ('settings' in reading) {
            assert.deepEqual(reading.settings, world.instance.settings(reading.scope));
          } else {
            assert.ok(reading.error instanceof SignedOutError);
          }
        }
      },
    }),
  ),
  // By what was read at some time.
  fc
    .tuple(window, level, fc.record({ new_note: flag, new_issue: flag }, { requiredKeys: [] }), faults)
    .map(([index, wanted, flags, puts]) =>
      command({
        ...{ name: `${index}.applyAll(${wanted} ${JSON.stringify(flags)}; ${puts.join()})`, index },
        mostPuts: scopes.length,
        run: async ({ instance }, one) => {
          const plans = one.readings.flatMap((reading) =>
            'settings' in reading ? planFor(reading.scope, reading.settings, { level: wanted, flags }) : [],
          );
          plans.forEach((plan) => one.wanted.set(scopeKey(plan.scope), plan));
          const before = new Map(scopes.map((scope) => [scopeKey(scope), instance.settings(scope)]));
          instance.putFaults = [...puts];
          for (const outcome of await one.engine.applyAll(plans)) {
            const now = instance.settings(outcome.plan.scope);
            if (outcome.kind === 'applied') {
              assert.deepEqual(verify(outcome.plan.change, now).missing, []);
              assert.deepEqual(outcome.settings, now);
            } else if (outcome.kind !== 'unknown') {
              assert.deepEqual(now, before.get(scopeKey(outcome.plan.scope)), `${outcome.kind} has changed nothing`);
            }
          }
        },
      }),
    ),
];

describe('the engine of notification settings', () => {
  let folder: string;
  let worlds = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-engine-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('loses no setting and no draft unsaid and sends nothing twice, in whatever order windows read, save, fail, crash, sign out and change the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
        const world = new World(join(folder, String((worlds += 1))));
        await Promise.all(world.windows.map(({ session }) => session.load()));
        world.instance.onPut = (key, sent, before) => {
          // Thrown here, it would be one more failure of a request.
          if (holding(before, sent).length > 0) {
            world.violations.push(`sends what holds already: ${JSON.stringify(sent)}`);
          }
          const asked = world.windows.flatMap(({ wanted }) => wanted.get(key) ?? []);
          if (asked.every(({ expected, change: all }) => conflicts(expected, before, all).length > 0)) {
            world.violations.push(`overwrites what was changed elsewhere: ${JSON.stringify(sent)}`);
          }
        };
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      }),
      runs(150),
    );
  });
});
