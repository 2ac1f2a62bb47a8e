import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotificationPage, sentSince, type ToPage } from '../../support/notificationPage.ts';
import { runs } from '../../support/properties.ts';
import { truncated } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';

const scope = { kind: 'project', accountId: '', id: 501, path: 'harbor/tide-table' } as const;
const path = '/projects/501/notification_settings';
const newer = /another window has changed what is not saved/;

type Choices = Readonly<Record<string, string | boolean>>;

/** What a form shows as chosen, by the names of fields. */
function chosenIn({ form }: ToPage): Choices {
  const { level = '', levelNote = '', subjects = [] } = form?.fields ?? {};
  const events = subjects.flatMap(({ events: all }) => all.filter(({ isModified }) => isModified));
  return {
    ...(levelNote === '' ? {} : { level }),
    ...Object.fromEntries(events.map(({ event, isOn }) => [event, isOn === true])),
  };
}

/** The level that a form says is there now, by its name. */
function currentIn({ form }: ToPage): string {
  const { level, levels = [], levelNote = '' } = form?.fields ?? {};
  const name = levels.find(({ value }) => value === level)?.name;
  return levelNote === '' ? (name ?? '') : levelNote.replace('Current: ', '');
}

/** Two windows with the same project, and what is to be known of it. */
class World {
  readonly names = new Map<string, string>();
  /** What is chosen and not saved. */
  draft: Choices = {};
  /** Another number each time that it is kept, and 0 if there is none; with those that the windows have seen. */
  revision = 0;
  readonly seen = [0, 0];
  readonly #windows: readonly TestWindow[];
  #last = 0;

  constructor(windows: readonly TestWindow[]) {
    this.#windows = windows;
  }

  page(index: number): NotificationPage {
    return new NotificationPage(this.#windows[index] as TestWindow);
  }

  /** Opens the page, or reads in it again. */
  async open(index: number): Promise<void> {
    const { window } = this.page(index);
    const accountId = `marta@${new URL(window.sandbox.url).host}`;
    await window.run('beacon.notifications.open', { ...scope, accountId });
    await this.page(index).until(({ phase, form }) => phase === 'ready' && form?.fields !== undefined);
    this.seen[index] = this.revision;
  }

  /** Waits until a page has done what was asked for by now. */
  async settle(index: number): Promise<void> {
    await this.page(index).edit({ no_such_event: true });
  }

  async level(): Promise<string> {
    return String((await this.page(0).window.elsewhere(path))['level']);
  }

  /** After a window has kept another draft, or was told that there is a newer one. */
  kept(index: number, draft: Choices): void {
    const { state } = this.page(index);
    const isBehind = this.seen[index] !== this.revision;
    assert.equal(newer.test(state.message?.sentence ?? ''), isBehind, 'it is told of a newer draft, and of that alone');
    if (!isBehind) {
      this.draft = draft;
      this.revision = Object.keys(draft).length === 0 ? 0 : (this.#last += 1);
    }
    this.seen[index] = this.revision;
    this.check(index);
  }

  /** A page shows what is chosen, but for what is there anyway. */
  check(index: number): void {
    const { state } = this.page(index);
    const chosen = chosenIn(state);
    for (const [field, value] of Object.entries(chosen)) {
      assert.equal(value, this.draft[field], `${field} is shown as it was chosen`);
    }
    const { level } = this.draft;
    if (level !== undefined && chosen['level'] === undefined) {
      assert.equal(this.names.get(String(level)), currentIn(state), 'what is not shown as chosen is there');
    }
  }
}

type Step = (world: World) => Promise<void>;

const index = fc.nat(1);
// Events are chosen with the level Custom alone: with another one they are not shown.
const edit = fc.oneof(
  fc.constantFrom('watch', 'mention', 'disabled').map((level) => ({ level, new_note: null, new_issue: null })),
  fc.record({ level: fc.constant('custom'), new_note: fc.boolean(), new_issue: fc.constantFrom(true, null) }),
);

const choose = fc.tuple(index, edit).map(([one, choice]): Step => async (world) => {
  await world.page(one).edit(choice);
  const chosen = Object.entries({ ...world.draft, ...choice }).filter(([, value]) => value !== null);
  world.kept(one, Object.fromEntries(chosen));
});

const discard = index.map((one): Step => async (world) => {
  const page = world.page(one);
  const hasDraft = world.seen[one] !== 0;
  page.send({ type: 'discard', keys: [...page.keys] });
  await world.settle(one);
  if (hasDraft) {
    world.kept(one, {});
  }
});

const keep = index.map((one): Step => async (world) => {
  const page = world.page(one);
  const hasDraft = world.seen[one] !== 0;
  page.send({ type: 'keep', keys: [...page.keys] });
  await world.settle(one);
  if (hasDraft) {
    world.kept(one, world.draft);
  }
});

const failures = fc.constantFrom(undefined, undefined, 403, 502, 'lost' as const);
const save = fc.tuple(index, failures).map(([one, failure]): Step => async (world) => {
  const page = world.page(one);
  const { window, state: before } = page;
  const [was, start] = [await world.level(), window.requests.length];
  if (before.changes.length === 0) {
    page.send({ type: 'save', seen: before.seen });
    await world.settle(one);
    assert.deepEqual(sentSince(window.requests, start), []);
    return;
  }
  const answer = failure === 'lost' ? truncated : failure;
  window.sandbox.control.transform(...(answer === undefined ? [] : [{ path, method: 'PUT', answer, times: 1 }]));
  const said = await page.save();
  window.sandbox.control.transform();
  const sent = sentSince(window.requests, start);
  assert.ok(sent.length <= 1, 'no request is repeated');
  for (const [field, value] of Object.entries(sent[0] ?? {})) {
    assert.equal(chosenIn(before)[field], value, `${field} was shown as it was sent`);
    const isWanted = was === chosenIn(before)['level'];
    assert.ok(isWanted || world.names.get(was) === currentIn(before), 'what is overwritten was shown');
  }
  if (world.seen[one] !== world.revision) {
    assert.deepEqual(sent, []);
    world.kept(one, {});
  } else if (said.startsWith('Saved') || said.startsWith('Nothing to change')) {
    assert.equal(await world.level(), sent[0]?.['level'] ?? was);
    world.kept(one, {});
  } else {
    assert.ok(sent.length === 0 || failure !== undefined, said);
    assert.equal(await world.level(), was);
    world.check(one);
  }
});

const elsewhere = fc.constantFrom('watch', 'mention', 'participating').map((level): Step => async (world) => {
  await world.page(0).window.elsewhere(path, { level });
});

const read = fc.tuple(index, fc.boolean()).map(([one, isRestarted]): Step => async (world) => {
  if (isRestarted) {
    world.page(one).panel.dispose();
    await world.page(one).window.restart();
  }
  await world.open(one);
  world.check(one);
  assert.equal(currentIn(world.page(one).state), world.names.get(await world.level()), 'it is read again');
});

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: choose },
    { weight: 3, arbitrary: save },
    { weight: 2, arbitrary: elsewhere },
    { weight: 2, arbitrary: read },
    discard,
    keep,
  ),
  { minLength: 5, maxLength: 25 },
);

describe('the page of notification settings in two windows', () => {
  it('sends nothing that was not shown, and loses nothing unsaid, whatever is read, chosen, saved, changed elsewhere, restarted and fails', async function wander() {
    const window = await TestWindow.open({ signedInAs: 'owner' });
    try {
      const second = await window.second();
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          await window.elsewhere(path, { level: 'custom', new_note: true, new_issue: false });
          await window.elsewhere(path, { level: 'global' });
          const world = new World([window, second]);
          for (const one of [0, 1]) {
            await world.open(one);
            const page = world.page(one);
            page.state.form?.fields?.levels.forEach(({ value, name }) => world.names.set(value, name));
            page.send({ type: 'discard', keys: [...page.keys] });
            await world.settle(one);
          }
          await world.open(0);
          for (const step of all) {
            await step(world);
          }
        }),
        runs(12),
      );
    } finally {
      window.sandbox.control.transform();
      await window.dispose();
    }
  });
});
