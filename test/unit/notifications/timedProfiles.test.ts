import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isApiError } from '../../../src/api/errors.ts';
import type { App } from '../../../src/app.ts';
import type { SendOptions } from '../../../src/notifications/changes.ts';
import { type NotificationScope, type ScopeFiles, scopeFiles } from '../../../src/notifications/scope.ts';
import {
  type Change,
  changeTo,
  differences,
  isEmptyChange,
  type Plan,
  planFor,
  type Settings,
  undoOf,
} from '../../../src/notifications/settings.ts';
import { type Sent, SettingsService } from '../../../src/notifications/settingsService.ts';
import { type Ended, type Held, heldSchema, TimedProfiles } from '../../../src/notifications/timedProfiles.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { type Fault, holding, MemoryInstance } from './memoryInstance.ts';
import { runs } from '../../support/properties.ts';

const hour = 3_600_000;
const scopes = [1, 2, 3].map((id): NotificationScope => ({ kind: 'project', accountId: 'ada', id, path: `a/p${id}` }));
const [scope] = scopes as [NotificationScope];

class Killed extends Error {}

/** What survives windows that are killed. */
class World {
  readonly instance = new MemoryInstance();
  readonly files: ScopeFiles<Held>;
  readonly sentTwice: string[] = [];
  readonly clock = new FakeClock(1_800_000_000_000);
  /** The settings that are to be there in the end. */
  readonly wanted = new Map<NotificationScope, Settings>();
  readonly windows: Window[];

  constructor(folder: string) {
    this.files = scopeFiles(folder, heldSchema, { warn: (sentence) => assert.fail(sentence) });
    this.changeElsewhere(scope, { level: 'custom', new_note: true, new_issue: false });
    this.changeElsewhere(scopes[1] as NotificationScope, { level: 'watch' });
    this.changeElsewhere(scopes[2] as NotificationScope, { level: 'custom', new_note: false });
    this.instance.onPut = (_, sent, before) => this.sentTwice.push(...holding(before, sent));
    this.windows = [new Window(this), new Window(this)];
  }

  changeElsewhere(one: NotificationScope, change: Change): void {
    this.instance.change(one, change);
    this.wanted.set(one, this.instance.settings(one));
  }

  /** The time of all profiles comes, and nothing is in the way of their end any more. */
  async end(): Promise<void> {
    this.clock.shift(1000 * hour);
    await Promise.all(this.windows.map(({ timed }) => timed.check()));
    assert.deepEqual(await this.files.all(), []);
    for (const [one, wanted] of this.wanted) {
      assert.deepEqual(differences(wanted, this.instance.settings(one)), [], `scope ${'id' in one ? one.id : 0}`);
    }
    assert.deepEqual(this.sentTwice, []);
  }
}

/** A window in which profiles are applied and end. It can be killed at each change that it sends or keeps. */
class Window {
  readonly service: SettingsService;
  readonly timed: TimedProfiles;
  readonly results: Ended[] = [];
  readonly effects: string[] = [];
  undo: (() => Promise<unknown>) | undefined;
  killAt = Infinity;
  lastHappens = true;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    const { instance, files, clock } = world;
    const connections = instance.connections((run) => this.#effect('PUT', run));
    const app = { connections, clock, log: { error: () => {} } } as unknown as App;
    this.service = new SettingsService(app);
    const effect = <T>(name: string, run: () => Promise<T>): Promise<T> => this.#effect(name, run);
    const kept = Object.assign(scopeFiles(files.folder, heldSchema, { warn: (sentence) => assert.fail(sentence) }), {
      write: (one: NotificationScope, held: Held) => effect('write', () => files.write(one, held)),
      remove: (one: NotificationScope) => effect('remove', () => files.remove(one)),
    });
    this.timed = new TimedProfiles(app, this.service, kept, (ended) => this.results.push(...ended));
  }

  async plans(of: readonly NotificationScope[], wanted: Settings): Promise<readonly Plan[]> {
    const plans = await Promise.all(of.map(async (one) => planFor(one, await this.service.read(one), wanted)));
    return plans.filter(({ change }) => !isEmptyChange(change));
  }

  async apply(plans: readonly Plan[], hours: number): Promise<readonly Sent[]> {
    const until = this.#world.clock.date().getTime() + hours * hour;
    const around = this.timed.around({ profile: 'Focus', until });
    const all = await this.#send(plans, around, false);
    const undo = all.flatMap(({ plan, outcome }): readonly Plan[] =>
      outcome.kind === 'applied' ? [undoOf(plan.scope, outcome.before, outcome.taken, outcome.now)] : [],
    );
    this.undo = async () => await this.#send(undo, around, true);
    return all;
  }

  async #send(plans: readonly Plan[], around: SendOptions, isUndo: boolean): Promise<readonly Sent[]> {
    await around.before?.(plans, isUndo);
    const all = await Promise.all(plans.map(async (plan) => ({ plan, outcome: await this.service.apply(plan) })));
    await around.after?.(all, isUndo);
    return all;
  }

  async #effect<T>(name: string, run: () => Promise<T>): Promise<T> {
    this.killAt -= 1;
    if (this.killAt < 0 || (this.killAt === 0 && !this.lastHappens)) {
      throw new Killed();
    }
    const result = await run();
    this.effects.push(name);
    if (this.killAt === 0) {
      throw new Killed();
    }
    return result;
  }
}

const disabled: Settings = { level: 'disabled' };
const rarely = <T>(what: fc.Arbitrary<T>, usually: T): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usually), weight: 4 }, { arbitrary: what, weight: 1 });
const faults = fc.record({
  putFaults: fc.array(
    rarely<Fault | undefined>(fc.constantFrom('refused', 'answerLost', 'neverArrives', 'late'), undefined),
    { maxLength: 4 },
  ),
  getFaults: fc.array(rarely(fc.constant(true), false), { maxLength: 3 }),
});
const kill = rarely(fc.record({ killAt: fc.integer({ min: 1, max: 8 }), lastHappens: fc.boolean() }), {
  killAt: Infinity,
  lastHappens: true,
});
let levels = 0;
/** Settings that a user chooses elsewhere: as they are to be, or a level that no profile has. */
const elsewhere = fc.tuple(fc.constantFrom(...scopes), fc.boolean()).map(([one, isBack]) => (world: World) => {
  const wanted = world.wanted.get(one);
  world.changeElsewhere(one, isBack && wanted ? changeTo(wanted) : { level: `chosen ${(levels += 1)}` });
});
const apply = fc
  .record({
    some: fc.subarray(scopes, { minLength: 1 }),
    wanted: fc.oneof(fc.constant(disabled), fc.record({ level: fc.constant('custom'), new_note: fc.boolean() })),
    hours: fc.integer({ min: 1, max: 50 }),
    meanwhile: rarely<((world: World) => void) | undefined>(elsewhere, undefined),
  })
  .map(({ some, wanted, hours, meanwhile }) => async (world: World, window: Window) => {
    const plans = await window.plans(some, wanted);
    meanwhile?.(world);
    await window.apply(plans, hours);
  });
const steps = fc.oneof(
  { arbitrary: apply, weight: 3 },
  { arbitrary: elsewhere, weight: 1 },
  {
    arbitrary: fc.integer({ min: -20, max: 60 }).map((hours) => (world: World) => world.clock.shift(hours * hour)),
    weight: 1,
  },
  fc.constantFrom(
    (_: World, { undo }: Window) => undo?.(),
    (_: World, { timed }: Window) => timed.check(),
    ({ windows }: World) => Promise.all(windows.map(({ timed }) => timed.check())),
  ),
);

describe('profiles that hold for a while', () => {
  let folder: string;
  let world: World;
  let worlds = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-profiles-'));
  });
  beforeEach(() => {
    world = newWorld();
  });

  const newWorld = (): World => new World(join(folder, String((worlds += 1))));
  const window = (): Window => world.windows[0] as Window;

  it('put back in the end what there was, once, in whatever order they come, end, fail, are undone and killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), kill, faults, steps), { maxLength: 20 }), async (commands) => {
        const shared = newWorld();
        for (const [index, killed, failing, run] of commands) {
          const one = Object.assign(shared.windows[index] as Window, killed);
          Object.assign(shared.instance, structuredClone(failing));
          try {
            await run(shared, one);
          } catch (error) {
            const isExpected = isApiError(error, 'unavailable') || error instanceof Killed;
            assert.ok(isExpected, String(error));
          }
          if (killed.killAt < Infinity) {
            shared.windows[index] = new Window(shared);
          }
          Object.assign(shared.instance, { putFaults: [], getFaults: [] });
          shared.instance.arrive();
        }
        await shared.end();
      }),
      runs(60),
    );
  });

  it('are not sent where nothing can be kept', async () => {
    Object.assign(window(), { killAt: 1, lastHappens: false });
    await assert.rejects(window().apply(await window().plans([scope], disabled), 1), Killed);
    assert.equal(world.instance.puts, 0);
  });

  it('are none where no date is their end', async () => {
    const warnings: string[] = [];
    const files = scopeFiles(folder, heldSchema, { warn: (sentence) => warnings.push(sentence) });
    for (const until of [1e300, -1e300]) {
      await files.write(scope, { scope, profile: 'Focus', until, before: {}, ours: [] });
      assert.equal(await files.read(scope), undefined);
    }
    assert.equal(warnings.length, 2);
  });

  it('compare no event that was at its default before', async () => {
    const third = scopes[2] as NotificationScope;
    const profile: Settings = { level: 'custom', new_issue: true, new_note: true };
    await window().apply(await window().plans([third], profile), 1);
    assert.deepEqual((await world.files.read(third))?.ours, [{ level: 'custom', new_note: true }]);
    world.instance.change(third, { new_issue: false });
    world.clock.shift(hour);
    await window().timed.check();
    assert.deepEqual(
      window().results.map(({ outcome }) => outcome.kind),
      ['applied'],
    );
    const settings = world.instance.settings(third);
    assert.deepEqual([settings['new_note'], settings['new_issue']], [false, false]);
  });
});
