import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { App } from '../../../src/app.ts';
import type { NotificationScope } from '../../../src/notifications/scope.ts';
import {
  type Change,
  differences,
  isEmptyChange,
  type Plan,
  planOf,
  type Settings,
  undoOf,
} from '../../../src/notifications/settings.ts';
import { SettingsService } from '../../../src/notifications/settingsService.ts';
import { type Fault, holding, MemoryInstance } from './memoryInstance.ts';
import { runs } from '../../support/properties.ts';

const scope: NotificationScope = { kind: 'project', accountId: 'ada', id: 1, path: 'a/b' };

/** One user who reads, changes and takes back, at an instance that others change as well. */
class World {
  readonly instance = new MemoryInstance();
  readonly service = new SettingsService({ connections: this.instance.connections() } as unknown as App);
  seen: Settings | undefined;
  undo: Plan | undefined;
  sent: Change[] = [];
  found: Settings[] = [];

  constructor() {
    this.instance.onPut = (_, change, before) => {
      this.sent.push(change);
      this.found.push(before);
    };
  }

  /** Carries a plan out, and holds what is said of it against what is there. */
  async apply(plan: Plan): Promise<void> {
    const { instance } = this;
    [this.sent, this.found] = [[], []];
    const [before, faults] = [instance.settings(scope), instance.putFaults.length];
    instance.forget();
    const outcome = await this.service.apply(plan);
    const now = instance.settings(scope);
    assert.ok(this.sent.length + (faults - instance.putFaults.length) <= 2, 'one request, once');
    for (const [index, change] of this.sent.entries()) {
      assert.ok(
        Object.entries(change).every(([field, value]) => plan.change[field] === value),
        'only what was planned',
      );
      assert.deepEqual(holding(this.found[index] as Settings, change), [], 'nothing that was so already');
    }
    switch (outcome.kind) {
      case 'applied':
        assert.deepEqual(differences(outcome.now, now), []);
        for (const [field, value] of Object.entries(outcome.taken)) {
          assert.ok(instance.held(scope, field, value), `${field} was taken`);
        }
        this.seen = outcome.now;
        this.undo = undoOf(scope, outcome.before, outcome.taken, outcome.now);
        return;
      case 'conflict':
        assert.deepEqual([this.sent, differences(outcome.now, now)], [[], []]);
        this.seen = outcome.now;
        return;
      case 'failed':
        assert.deepEqual(differences(before, now), [], 'nothing was changed');
        return;
      case 'unknown':
        assert.ok(faults > 0, 'an answer was lost');
    }
  }
}

type Step = (world: World) => Promise<void> | void;

const change = fc.oneof(
  fc.constantFrom('watch', 'mention', 'disabled').map((level): Change => ({ level })),
  fc
    .record({ new_note: fc.boolean(), new_issue: fc.boolean(), approver: fc.boolean() }, { requiredKeys: [] })
    .map((events): Change => ({ level: 'custom', ...events })),
);
const steps = fc.oneof(
  fc.constant<Step>(async (world) => {
    world.seen = await world.service.read(scope).catch(() => world.seen);
  }),
  {
    weight: 3,
    arbitrary: change.map((draft): Step => async (world) => {
      const plan = world.seen && planOf(scope, world.seen, draft);
      await (plan && !isEmptyChange(plan.change) ? world.apply(plan) : undefined);
    }),
  },
  fc.constant<Step>(async (world) => {
    await (world.undo && !isEmptyChange(world.undo.change) ? world.apply(world.undo) : undefined);
  }),
  change.map(
    (all): Step =>
      (world) =>
        world.instance.change(scope, all),
  ),
  fc.constant<Step>((world) => world.instance.arrive()),
);
const faults = fc.record({
  putFaults: fc.array(
    fc.constantFrom<Fault | undefined>(undefined, undefined, 'refused', 'answerLost', 'neverArrives', 'late'),
    {
      maxLength: 2,
    },
  ),
  getFaults: fc.array(fc.constantFrom(false, false, true), { maxLength: 3 }),
});

describe('the service of notification settings', () => {
  it('sends each change once, only what was planned on what was read, and says what holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(faults, steps), { maxLength: 25 }), async (all) => {
        const world = new World();
        for (const [failing, step] of all) {
          Object.assign(world.instance, structuredClone(failing));
          await step(world);
        }
      }),
      runs(150),
    );
  });
});
