import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type * as vscode from 'vscode';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { ScopeStore, SettingsSession } from '../../../src/notifications/form/settingsSession.ts';
import { type ScopeReading, SettingsEngine, type Wanted } from '../../../src/notifications/settings/engine.ts';
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
import { MemoryMemento } from '../../support/editorState.ts';
import { type Fault, holding, MemoryInstance } from '../../support/memoryInstance.ts';
import { runs } from '../../support/properties.ts';

class Killed extends Error {}

const form: NotificationScope = { kind: 'project', accountId: 'ada', id: 1, path: 'a/form' };
const other: NotificationScope = { kind: 'project', accountId: 'ada', id: 2, path: 'a/other' };
const scopes = [form, other];

/** A draft that was chosen, and which ones were known when it was. */
interface Version {
  readonly draft: Change;
  readonly known: ReadonlySet<Version>;
}

function versionOf(draft: Change, ...parents: readonly Version[]): Version {
  return { draft, known: new Set(parents.flatMap((parent) => [...parent.known, parent])) };
}

/** A window over what all windows share. It can be killed at any of its effects: each change that it sends or stores. */
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
    const memento: vscode.Memento = {
      keys: () => shared.memento.keys(),
      get: <T>(key: string) => shared.memento.get<T>(key) as T,
      update: (key, value) => this.#effect(() => shared.memento.update(key, value)),
    };
    this.engine = new SettingsEngine({ connections, memento, folder: shared.folder });
    this.session = new SettingsSession(form, {
      engine: this.engine,
      store: new ScopeStore(memento),
      locate: async (scope) => scope,
      onChange: () => {},
    });
  }

  /** Saves what the form shows. */
  async save(): Promise<void> {
    const { settings: expected, memory } = this.session.state;
    if (expected) {
      this.wanted.set(scopeKey(form), { expected, change: changeOf(expected, memory.draft) });
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
  readonly memento = new MemoryMemento();
  readonly folder: string;
  readonly violations: string[] = [];
  readonly windows: Window[];
  /** How often the account is still asked for before another window signs it out. */
  callsSignedIn = Infinity;

  constructor(folder: string) {
    this.folder = folder;
    this.windows = [new Window(this), new Window(this)];
  }

  window(index: number): Window {
    const window = this.windows[index];
    assert.ok(window);
    return window;
  }

  /** The drafts that are there whatever happens to the windows: first the one that a window goes on with. */
  get entries(): readonly { readonly draft: Change; readonly revision?: string | undefined }[] {
    const { draft, revision, others = [] } = new ScopeStore(this.memento).get(scopeKey(form));
    return [{ draft, revision }, ...others];
  }

  get stored(): readonly Change[] {
    return this.entries.map(({ draft }) => draft);
  }
}

/** What users have chosen, by window, and what of it has neither been saved nor given up. */
class Model {
  shown: readonly [Version, Version] = [versionOf({}), versionOf({})];
  leaves: readonly Version[] = [];
  /** The versions by what they are stored under. */
  readonly #stored = new Map<string, Version>();

  /** A window shows another version from now on; those that were known when it was chosen are in it, or were given up. */
  show(window: number, version: Version): void {
    const [one, two] = this.shown;
    this.shown = window === 0 ? [version, two] : [one, version];
    const others = this.leaves.filter((leaf) => !version.known.has(leaf) && leaf !== version);
    // What another window has gone on from is kept in that window's version.
    this.leaves = others.some((leaf) => leaf.known.has(version)) ? others : [...others, version];
  }

  /** The version that a window goes on with which looks at what is stored. */
  stored({ entries: [main] }: World): Version | undefined {
    return this.#stored.get(main?.revision ?? '');
  }

  /** Notes what of the windows is stored under new names. */
  note({ entries }: World, windows: readonly number[]): void {
    for (const { draft, revision = '' } of entries) {
      const version = windows.map((index) => this.of(index)).find((one) => isDeepStrictEqual(one.draft, draft));
      if (version && !this.#stored.has(revision)) {
        this.#stored.set(revision, version);
      }
    }
  }

  /** What was chosen twice and is stored once is one version from now on. */
  merge({ stored }: World): void {
    for (const { draft } of this.leaves.filter((leaf) => !isEmptyChange(leaf.draft))) {
      const same = this.like({ draft, known: new Set() });
      if (same.length > stored.filter((one) => isDeepStrictEqual(one, draft)).length) {
        const merged = versionOf(draft, ...same);
        const replaced = (version: Version): Version => (same.includes(version) ? merged : version);
        this.shown = [replaced(this.shown[0]), replaced(this.shown[1])];
        this.#stored.forEach((version, revision) => this.#stored.set(revision, replaced(version)));
        this.leaves = [...this.leaves.filter((leaf) => !same.includes(leaf)), merged];
      }
    }
  }

  /** The versions that are the same to users: what was chosen twice. */
  like({ draft }: Version): readonly Version[] {
    return this.leaves.filter((leaf) => isDeepStrictEqual(leaf.draft, draft));
  }

  of(window: number): Version {
    return window === 0 ? this.shown[0] : this.shown[1];
  }
}

type Step = fc.AsyncCommand<Model, World>;

/** One thing that happens, after which nothing may be lost. */
abstract class EngineStep implements Step {
  readonly window: number;

  constructor(window: number) {
    this.window = window;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    const before = world.instance.puts;
    world.instance.forget();
    this.before = model.leaves;
    await this.act(model, world);
    assert.ok(world.instance.puts - before <= this.mostPuts, 'no more requests than were asked for');
    assert.deepEqual(world.violations, []);
    world.instance.putFaults = [];
    world.instance.getFaults = [];
    world.windows.forEach(({ wanted }) => wanted.clear());
    model.note(world, [this.window, 1 - this.window]);
    model.leaves = model.leaves.map((leaf) => {
      const kept = [...world.stored, {}];
      const rest =
        kept.find((stored) => isDeepStrictEqual(stored, leaf.draft)) ??
        kept.find((stored) => isRest(world, leaf.draft, stored));
      assert.ok(
        rest,
        `what was chosen is stored or holds: ${JSON.stringify(leaf.draft)}, stored is ${JSON.stringify(world.stored)}`,
      );
      return isDeepStrictEqual(rest, leaf.draft) ? leaf : versionOf(rest, leaf);
    });
    model.merge(world);
  }

  protected readonly mostPuts: number = 0;
  /** What there was before it happened. */
  protected before: readonly Version[] = [];

  protected abstract act(model: Model, world: World): Promise<void>;

  abstract toString(): string;

  /**
   * What a window shows of the form must be what was chosen there, less what holds on the instance.
   *
   * @param isRead whether it has looked at what other windows have made of the draft.
   */
  protected follow(model: Model, world: World, index = this.window, isRead = false): void {
    const { draft } = world.window(index).session.state.memory;
    const own = model.of(index);
    const later = [...this.before, ...model.leaves].filter((leaf) => leaf.known.has(own) || isEmptyChange(own.draft));
    const read = isRead ? model.stored(world) : undefined;
    const from =
      [read, own].find((one) => one && isDeepStrictEqual(one.draft, draft) && (one === own || later.includes(one))) ??
      originOf(world, [own, ...later], draft);
    assert.ok(from, `what was chosen is shown: ${JSON.stringify(own.draft)} became ${JSON.stringify(draft)}`);
    model.show(index, isDeepStrictEqual(from.draft, draft) ? from : versionOf(draft, from));
  }
}

/** Whether a draft is what is left of another one, of which the instance has all else. */
function isRest({ instance }: World, draft: Change, rest: Change): boolean {
  return (
    Object.entries(rest).every(([field, value]) => draft[field] === value) &&
    Object.entries(draft).every(([field, value]) => field in rest || instance.held(form, field, value))
  );
}

/** The version that a draft is, or else is the rest of. */
function originOf(world: World, versions: readonly Version[], draft: Change): Version | undefined {
  return (
    versions.find((one) => isDeepStrictEqual(one.draft, draft)) ??
    versions.find((one) => isRest(world, one.draft, draft))
  );
}

class Load extends EngineStep {
  readonly fails: boolean;

  constructor(window: number, fails: boolean) {
    super(window);
    this.fails = fails;
  }

  protected async act(model: Model, world: World): Promise<void> {
    world.instance.getFaults = [this.fails];
    await world.window(this.window).session.load();
    this.follow(model, world, this.window, true);
  }

  toString(): string {
    return `${this.window}.load(${this.fails ? 'fails' : ''})`;
  }
}

class EditDraft extends EngineStep {
  readonly edit: Edit;
  static number = 0;

  constructor(window: number, edit: Edit) {
    super(window);
    this.edit = edit;
  }

  protected async act(model: Model, world: World): Promise<void> {
    const { session } = world.window(this.window);
    await session.edit({ scope: scopeKey(form), number: (EditDraft.number += 1), edit: this.edit });
    const own = model.of(this.window);
    const draft = applyEdit(own.draft, this.edit);
    assert.deepEqual(session.state.memory.draft, draft);
    // What changes nothing is no other choice, unless another window has gone on from it.
    const isSame = isDeepStrictEqual(draft, own.draft) && model.leaves.includes(own);
    model.show(this.window, isSame ? own : versionOf(draft, own));
    const rivals = model.leaves.filter(
      (leaf) => ![{}, draft, own.draft].some((known) => isDeepStrictEqual(leaf.draft, known)),
    );
    if (rivals.length > 0 && !isEmptyChange(draft) && !isDeepStrictEqual(draft, own.draft)) {
      assert.ok(session.state.otherDraft, 'the window that comes later shows the other draft');
    }
  }

  toString(): string {
    return `${this.window}.edit(${JSON.stringify(this.edit)})`;
  }
}

class Discard extends EngineStep {
  protected async act(model: Model, world: World): Promise<void> {
    await world.window(this.window).session.discard();
    model.show(this.window, versionOf({}, model.of(this.window)));
  }

  toString(): string {
    return `${this.window}.discard()`;
  }
}

class Choose extends EngineStep {
  readonly chosen: 'mine' | 'other';

  constructor(window: number, chosen: 'mine' | 'other') {
    super(window);
    this.chosen = chosen;
  }

  protected async act(model: Model, world: World): Promise<void> {
    const { session } = world.window(this.window);
    const { otherDraft } = session.state;
    if (!otherDraft || !world.stored.some((stored) => isDeepStrictEqual(stored, otherDraft))) {
      await session.chooseDraft(this.chosen);
      this.follow(model, world);
      return;
    }
    const own = model.of(this.window);
    const both = [own, ...model.like({ draft: otherDraft, known: new Set() })];
    model.show(this.window, versionOf(this.chosen === 'mine' ? own.draft : otherDraft, ...both));
    await session.chooseDraft(this.chosen);
    this.follow(model, world);
  }

  toString(): string {
    return `${this.window}.choose(${this.chosen})`;
  }
}

class Resolve extends EngineStep {
  readonly fields: readonly string[];

  constructor(window: number, fields: readonly string[]) {
    super(window);
    this.fields = fields;
  }

  protected async act(model: Model, world: World): Promise<void> {
    const { session } = world.window(this.window);
    const isConflict = session.state.conflict !== undefined;
    await session.resolve(this.fields);
    if (isConflict) {
      const own = model.of(this.window);
      const kept = withoutFields(own.draft, this.fields);
      assert.deepEqual(session.state.memory.draft, kept);
      model.show(this.window, isDeepStrictEqual(kept, own.draft) ? own : versionOf(kept, own));
    }
  }

  toString(): string {
    return `${this.window}.resolve(${this.fields.join()})`;
  }
}

/** The windows that save at the same time, with what becomes of their requests. */
class Save extends EngineStep {
  readonly both: boolean;
  readonly faults: readonly (Fault | undefined)[];
  readonly unreadable: readonly boolean[];
  protected override readonly mostPuts = 2;

  constructor(window: number, both: boolean, faults: readonly (Fault | undefined)[], unreadable: readonly boolean[]) {
    super(window);
    this.both = both;
    this.faults = faults;
    this.unreadable = unreadable;
  }

  protected async act(model: Model, world: World): Promise<void> {
    const { instance } = world;
    instance.putFaults = [...this.faults];
    instance.getFaults = [...this.unreadable];
    const saving = [this.window, 1 - this.window].slice(0, this.both ? 2 : 1);
    const before = instance.puts;
    const was = instance.settings(form);
    await Promise.all(
      saving.map(async (index) => {
        await world.window(index).save();
      }),
    );
    assert.ok(instance.puts - before <= saving.length);
    for (const index of saving) {
      const { outcome } = world.window(index).session.state;
      if (outcome?.kind === 'notSaved' && outcome.effect === 'none' && !this.both) {
        assert.deepEqual(instance.settings(form), was, 'what was not saved has changed nothing');
      }
      this.follow(model, world, index);
    }
  }

  toString(): string {
    return `${this.both ? 'both' : this.window}.save(${this.faults.join()}; ${this.unreadable.join()})`;
  }
}

/** A window is killed in the middle of a save; another one is opened in its place. */
class Crash extends EngineStep {
  readonly effect: number;
  readonly happens: boolean;
  protected override readonly mostPuts = 1;

  constructor(window: number, effect: number, happens: boolean) {
    super(window);
    this.effect = effect;
    this.happens = happens;
  }

  protected async act(model: Model, world: World): Promise<void> {
    const window = world.window(this.window);
    window.killAt(this.effect, this.happens);
    await window.save().catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
    world.windows[this.window] = new Window(world);
    const next = world.window(this.window);
    // It goes on with what is stored, whichever window has left it. That all else is stored as well is seen to in the end.
    const { draft } = next.session.state.memory;
    const own = model.of(this.window);
    const read = model.stored(world);
    const known = [...(read && isDeepStrictEqual(read.draft, draft) ? [read] : []), own];
    const from = known.find((one) => isRest(world, one.draft, draft)) ?? originOf(world, model.leaves, draft);
    assert.ok(from, `what is stored was chosen: ${JSON.stringify(draft)}`);
    model.show(this.window, isDeepStrictEqual(from.draft, draft) ? from : versionOf(draft, from));
    await next.session.load();
    this.follow(model, world);
  }

  toString(): string {
    return `${this.window}.crash(${this.effect}${this.happens ? '' : ', before'})`;
  }
}

/** Someone changes settings in a browser, or a late request arrives. */
class Elsewhere extends EngineStep {
  readonly scope: NotificationScope;
  readonly change: Change | undefined;

  constructor(scope: NotificationScope, change: Change | undefined) {
    super(0);
    this.scope = scope;
    this.change = change;
  }

  protected async act(_: Model, { instance }: World): Promise<void> {
    if (this.change) {
      instance.change(this.scope, this.change);
    } else {
      instance.arrive();
    }
  }

  toString(): string {
    return this.change ? `elsewhere(${this.scope.kind}, ${JSON.stringify(this.change)})` : 'late requests arrive';
  }
}

/** The account is signed out, perhaps in the middle of what comes next, or signed in again. */
class ChangeAccount extends EngineStep {
  readonly callsLeft: number;

  constructor(callsLeft: number) {
    super(0);
    this.callsLeft = callsLeft;
  }

  protected async act(_: Model, world: World): Promise<void> {
    world.callsSignedIn = this.callsLeft;
  }

  toString(): string {
    return `signed in for ${this.callsLeft} calls`;
  }
}

/** Settings of all scopes are read, to be changed later on. */
class ReadAll extends EngineStep {
  protected async act(_: Model, world: World): Promise<void> {
    const window = world.window(this.window);
    window.readings = await window.engine.readAll(scopes);
    for (const reading of window.readings) {
      if (!('settings' in reading)) {
        assert.ok(reading.error instanceof SignedOutError);
        continue;
      }
      assert.deepEqual(reading.settings, world.instance.settings(reading.scope));
    }
  }

  toString(): string {
    return `${this.window}.readAll()`;
  }
}

/** A profile is applied by what was read at some time. */
class ApplyAll extends EngineStep {
  readonly level: string;
  readonly events: Readonly<Record<string, 'on' | 'off'>>;
  readonly faults: readonly (Fault | undefined)[];
  protected override readonly mostPuts = scopes.length;

  constructor(
    window: number,
    level: string,
    events: Readonly<Record<string, 'on' | 'off'>>,
    faults: readonly (Fault | undefined)[],
  ) {
    super(window);
    this.level = level;
    this.events = events;
    this.faults = faults;
  }

  protected async act(_: Model, world: World): Promise<void> {
    const { instance } = world;
    const window = world.window(this.window);
    const plans = window.readings.flatMap((reading) =>
      'settings' in reading ? planFor(reading.scope, reading.settings, { level: this.level, flags: this.events }) : [],
    );
    plans.forEach((plan) => window.wanted.set(scopeKey(plan.scope), plan));
    const before = new Map(scopes.map((scope) => [scopeKey(scope), instance.settings(scope)]));
    instance.putFaults = [...this.faults];
    for (const outcome of await window.engine.applyAll(plans)) {
      const { scope, change } = outcome.plan;
      const now = instance.settings(scope);
      if (outcome.kind === 'applied') {
        assert.deepEqual(verify(change, now).missing, []);
        assert.deepEqual(outcome.settings, now);
      } else if (outcome.kind !== 'unknown') {
        assert.deepEqual(now, before.get(scopeKey(scope)), `${outcome.kind} has changed nothing`);
      }
    }
  }

  toString(): string {
    return `${this.window}.applyAll(${this.level} ${JSON.stringify(this.events)}; ${this.faults.join()})`;
  }
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
const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(window, fc.boolean()).map((args) => new Load(...args)),
  fc.tuple(window, edit).map((args) => new EditDraft(...args)),
  fc.tuple(window, edit).map((args) => new EditDraft(...args)),
  window.map((index) => new Discard(index)),
  fc.tuple(window, fc.constantFrom('mine' as const, 'other' as const)).map((args) => new Choose(...args)),
  fc.tuple(window, fc.subarray(['level', 'new_note', 'new_issue'])).map((args) => new Resolve(...args)),
  fc.tuple(window, fc.boolean(), faults, fc.array(fc.boolean(), { maxLength: 4 })).map((args) => new Save(...args)),
  fc.tuple(window, fc.constant(false), faults, fc.constant([])).map((args) => new Save(...args)),
  fc.tuple(window, fc.integer({ min: 1, max: 4 }), fc.boolean()).map((args) => new Crash(...args)),
  fc.tuple(fc.constantFrom(...scopes), fc.option(change, { nil: undefined })).map((args) => new Elsewhere(...args)),
  fc.nat(4).map((callsLeft) => new ChangeAccount(callsLeft)),
  // Most of the time it is signed in, so that all else is tried as often as without.
  ...Array.from({ length: 3 }, () => fc.constant(Infinity).map((callsLeft) => new ChangeAccount(callsLeft))),
  window.map((index) => new ReadAll(index)),
  fc
    .tuple(window, level, fc.record({ new_note: flag, new_issue: flag }, { requiredKeys: [] }), faults)
    .map((args) => new ApplyAll(...args)),
];

describe('the engine of notification settings', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-engine-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('loses no setting and sends none twice, in whatever order windows read, save, fail, crash, sign out and change the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (steps) => {
        const world = new World(folder);
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
        await fc.asyncModelRun(() => ({ model: new Model(), real: world }), steps);
      }),
      runs(150),
    );
  });
});
