import assert from 'node:assert/strict';
import { sentSince } from '../../support/notificationPage.ts';
import { TestWindow, type WindowOptions } from '../../support/testWindow.ts';

const manage = 'beacon.notifications.manageProfiles';
const hour = 3_600_000;
const pathOf = (path: string): string => `/projects/${encodeURIComponent(path)}/notification_settings`;
const [tideTable, winch] = ['harbor/tide-table', 'harbor/tools/winch'];

describe('notification profiles', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  async function open(options: WindowOptions = {}): Promise<void> {
    window = await TestWindow.open({ signedInAs: 'owner', ...options });
  }

  /** Saves a profile of one level. */
  async function save(name: string, level = 'Disabled'): Promise<void> {
    window.answer('Choose a profile to apply', 'Save Notification Profile…');
    window.answer('What the profile sets', level);
    window.answer('The name of the profile', name);
    await window.run(manage);
  }

  /** Applies a profile, and confirms the review. */
  async function apply(name: string, howLong: string | RegExp, review: readonly (string | RegExp)[]): Promise<void> {
    window.answer('Choose a profile to apply', name);
    window.answer('For how long?', howLong);
    window.answer('Select the scopes to change', review);
    await window.run(manage);
  }

  const levelOf = async (path: string): Promise<unknown> => (await window.elsewhere(pathOf(path)))['level'];

  it('of one level set it wherever a scope has a level of its own, and nowhere else', async () => {
    await open();
    await window.elsewhere(pathOf(tideTable), { level: 'mention' });
    await window.elsewhere(pathOf(winch), { level: 'watch' });
    await save('Vacation');
    await window.message('Saved “Vacation”: Disabled everywhere that has a level of its own.');
    const start = window.requests.length;
    await apply('Vacation', 'For Good', ['Global settings', `Project ${tideTable}`, `Project ${winch}`]);
    const { lines } = window.asked.at(-1) ?? { lines: [] };
    assert.equal(lines.length, 3, lines.join('\n'));
    assert.equal(sentSince(window.requests, start).length, 3);
    assert.deepEqual(
      [await levelOf(tideTable), await levelOf(winch), await levelOf('website/landing-page')],
      ['disabled', 'disabled', 'global'],
    );
    await window.press('Undo');
    await window.message(/Undone: /);
    assert.deepEqual([await levelOf(tideTable), await levelOf(winch)], ['mention', 'watch']);
  });

  it('keep what scopes are set to, and are replaced and deleted', async () => {
    await open();
    await window.elsewhere(pathOf(tideTable), { level: 'custom', new_note: true, new_issue: false });
    window.answer('Choose a profile to apply', 'Save Notification Profile…');
    window.answer('What the profile sets', 'Settings as They Are Now');
    window.answer('Select the scopes whose settings are saved', ['Global settings', `Project ${tideTable}`]);
    window.answer('The name of the profile', 'Focus');
    await window.run(manage);
    await window.message('Saved “Focus”: Global settings and Project harbor/tide-table.');
    await window.elsewhere(pathOf(tideTable), { level: 'watch' });
    const start = window.requests.length;
    await apply('Focus', 'For Good', [`Project ${tideTable}`]);
    assert.deepEqual(sentSince(window.requests, start)[0]?.['level'], 'custom');
    assert.match(window.asked.at(-1)?.text ?? '', /Nothing to change: Global settings/);
    window.answer('Replace the notification profile', 'Replace');
    await save('focus');
    window.answer('Choose a profile to apply', 'focus');
    window.answer('For how long?', 'Delete…');
    window.answer('Delete the notification profile', 'Delete');
    await window.run(manage);
    window.answer('Choose a profile to apply', undefined);
    await window.run(manage);
    assert.equal(window.asked.at(-1)?.lines.length, 1, 'only that a profile can be saved');
  });

  it('carry out what they can, say what failed, and try that again', async () => {
    await open();
    await window.elsewhere(pathOf(tideTable), { level: 'mention' });
    await save('Vacation');
    const failing = { path: '/notification_settings', method: 'PUT', answer: 403 };
    window.sandbox.control.transform(failing);
    await apply('Vacation', 'For Good', ['Global settings', `Project ${tideTable}`]);
    const { text, buttons } = await window.message(/^Applied “Vacation” · /);
    assert.match(text, /Saved: Project harbor\/tide-table.*Global settings: Your role/);
    assert.deepEqual(buttons.slice(0, 2), ['Try Again', 'Undo']);
    window.sandbox.control.transform();
    await window.press('Try Again');
    await window.message(/Saved: Global settings/);
    assert.equal((await window.elsewhere('/notification_settings'))['level'], 'disabled');
  });

  describe('that hold for a while', () => {
    beforeEach(async () => {
      await open({ time: '2026-05-04T09:00:00Z' });
      await window.elsewhere(pathOf(tideTable), { level: 'mention' });
      await save('Focus');
    });

    const applyForAnHour = () => apply('Focus', 'For One Hour', [`Project ${tideTable}`]);

    /** Lets an hour pass, and then as much as takes its time until something is said. */
    const untilSaid = async (text: string, milliseconds = hour, ...windows: readonly TestWindow[]): Promise<void> => {
      await window.advance(milliseconds);
      await window.until(async () => {
        await window.advance(1);
        return ends(window, ...windows).some((one) => one.includes(text));
      }, text);
    };
    const ends = (...windows: readonly TestWindow[]): readonly string[] =>
      windows.flatMap(({ messages }) => messages.map(({ text }) => text)).filter((text) => text.includes('has ended'));

    it('are applied by four choices, put back what there was by one request, and are named until then', async () => {
      const before = window.asked.length;
      await applyForAnHour();
      assert.equal(1 + window.asked.length - before, 4, 'the command, the profile, how long, the review');
      assert.equal(await levelOf(tideTable), 'disabled');
      assert.ok(
        window.statusBar.some((text) => text.includes('Focus')),
        window.statusBar.join(),
      );
      await window.advance(60_000);
      assert.equal(await levelOf(tideTable), 'disabled', 'not sooner');
      const start = window.requests.length;
      await untilSaid('“Focus” has ended · Undone: Project harbor/tide-table · Level: from Disabled to On mention');
      assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
      assert.ok(!window.statusBar.some((text) => text.includes('Focus')), window.statusBar.join());
    });

    it('end after a restart, once by several windows', async () => {
      await applyForAnHour();
      const start = window.requests.length;
      await window.restart();
      const second = await window.second();
      await untilSaid('Undone: Project', hour, second);
      await window.advance(1);
      assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
      assert.equal(await levelOf(tideTable), 'mention');
      assert.equal(ends(window, second).length, 1, ends(window, second).join('\n'));
    });

    it('leave what was changed elsewhere, and say so', async () => {
      await applyForAnHour();
      await window.elsewhere(pathOf(tideTable), { level: 'watch' });
      await untilSaid('Project harbor/tide-table: changed in the meantime, here or elsewhere, so nothing was sent.');
      assert.equal(await levelOf(tideTable), 'watch');
    });

    it('are tried again where they cannot end, and say so once', async () => {
      await applyForAnHour();
      window.sandbox.control.transform({ path: '*/notification_settings', answer: 403 });
      await untilSaid('does not allow this. · Beacon tries again.');
      const tries = window.requests.length;
      await window.advance(240_000);
      assert.equal(window.requests.length, tries, 'not sooner than after some minutes');
      await window.until(async () => {
        await window.advance(10_000);
        return window.requests.length > tries;
      }, 'another try');
      assert.equal(ends(window).length, 1);
      window.sandbox.control.transform();
      await untilSaid('“Focus” has ended · Undone: Project', 300_000);
      assert.equal(await levelOf(tideTable), 'mention');
    });

    it('end at once or not at all from the list, and at a moment that is typed, which is none that has passed', async () => {
      const problems: (string | undefined)[] = [];
      window.answer('Choose a profile to apply', 'Focus');
      window.answer('For how long?', 'Until…');
      for (const typed of ['31 April', '2026-04-31 10:00', '2020-01-01 10:00']) {
        window.answer('Until when?', (question) => {
          problems.push(question.problem);
          return typed;
        });
      }
      window.answer('Until when?', ({ problem }) => {
        problems.push(problem);
        return '2030-01-01 10:00';
      });
      window.answer('Select the scopes to change', [`Project ${tideTable}`]);
      await window.run(manage);
      assert.deepEqual(
        problems.map((problem) => problem?.slice(0, 10)),
        [undefined, 'Until when', 'Until when', 'This time '],
      );
      assert.equal(await levelOf(tideTable), 'disabled');
      window.answer('Choose a profile to apply', /“Focus” until/);
      window.answer('End “Focus”', 'Restore Earlier Settings');
      await window.run(manage);
      await window.until(async () => (await levelOf(tideTable)) === 'mention');
      await applyForAnHour();
      window.answer('Choose a profile to apply', /“Focus” until/);
      window.answer('End “Focus”', 'Keep Current Settings');
      await window.run(manage);
      await window.advance(2 * hour);
      assert.equal(await levelOf(tideTable), 'disabled');
    });
  });
});
