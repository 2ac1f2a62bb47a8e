import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isApiError } from '../../../src/api/errors.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { runs } from '../../support/properties.ts';
import { type Fault, MemoryInstance } from './memoryInstance.ts';
import {
  Form,
  keptProfiles,
  Killed,
  type NotificationScope,
  ProfileWindow as Window,
  type Settings,
} from './notificationSettings.ts';

const hour = 3_600_000;
const scopes = [1, 2, 3].map((id): NotificationScope => ({ kind: 'project', accountId: 'ada', id, path: `a/p${id}` }));
const [scope] = scopes as [NotificationScope];

type Change = Parameters<MemoryInstance['change']>[1];

/** What survives windows that are killed. */
class World {
  readonly instance = new MemoryInstance();
  readonly clock = new FakeClock(1_800_000_000_000);
  readonly windows: Window[];
  readonly files: ReturnType<typeof keptProfiles>;
  /** The settings that are to be there in the end. */
  readonly #wanted = new Map<NotificationScope, Settings>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.files = keptProfiles(folder, (sentence) => assert.fail(sentence));
    this.windows = [this.open(), this.open()];
    this.changeElsewhere(scope, { level: 'custom', new_note: true, new_issue: false });
    this.changeElsewhere(scopes[1] as NotificationScope, { level: 'watch' });
    this.changeElsewhere(scopes[2] as NotificationScope, { level: 'custom', new_note: false });
  }

  open(): Window {
    return new Window(this.instance, this.#folder, this.clock);
  }

  settings(one: NotificationScope): Settings {
    return new Form('project', this.instance.settings(one)).settings;
  }

  changeElsewhere(one: NotificationScope, change: Change): void {
    this.instance.change(one, change);
    this.#wanted.set(one, this.settings(one));
  }

  /** Sets elsewhere what is to be there in the end. */
  restoreElsewhere(one: NotificationScope): void {
    const known = Object.entries(this.#wanted.get(one) ?? {}).filter(([, value]) => (value ?? undefined) !== undefined);
    this.changeElsewhere(one, Object.fromEntries(known) as Change);
  }

  /** The time of all profiles comes, and nothing is in the way of their end any more. */
  async end(): Promise<void> {
    this.clock.shift(1000 * hour);
    await Promise.all(this.windows.map(({ timed }) => timed.check()));
    assert.deepEqual(await this.files.all(), []);
    for (const [one, wanted] of this.#wanted) {
      const now = Object.entries(this.settings(one)).filter(([, value]) => value !== undefined);
      now.forEach(([field, value]) => assert.equal(value, wanted[field] ?? value, field));
    }
    assert.deepEqual(this.instance.sentTwice, []);
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
  if (isBack) {
    world.restoreElsewhere(one);
  } else {
    world.changeElsewhere(one, { level: `chosen ${(levels += 1)}` });
  }
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
    await window.apply(plans, hours * hour);
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
            shared.windows[index] = shared.open();
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
    await assert.rejects(window().apply(await window().plans([scope], disabled), hour), Killed);
    assert.equal(world.instance.puts, 0);
  });

  it('are none where no date is their end', async () => {
    const warnings: string[] = [];
    const files = keptProfiles(folder, (sentence) => warnings.push(sentence));
    for (const until of [1e300, -1e300]) {
      await files.write(scope, { scope, profile: 'Focus', until, before: {}, ours: [] });
      assert.equal(await files.read(scope), undefined);
    }
    assert.equal(warnings.length, 2);
  });

  it('compare no event that was at its default before', async () => {
    const third = scopes[2] as NotificationScope;
    const profile: Settings = { level: 'custom', new_issue: true, new_note: true };
    await window().apply(await window().plans([third], profile), hour);
    assert.deepEqual((await world.files.read(third))?.ours, [{ level: 'custom', new_note: true }]);
    world.instance.change(third, { new_issue: false });
    world.clock.shift(hour);
    await window().timed.check();
    assert.deepEqual(window().results, ['applied']);
    const settings = world.settings(third);
    assert.deepEqual([settings['new_note'], settings['new_issue']], [false, false]);
  });
});
