import assert from 'node:assert/strict';
import type { Pin } from '../../../src/accounts/pins.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';
import { dropped } from '../../support/sandbox/transforms.ts';

const hour = 3_600_000;

describe('notification profiles', () => {
  let window: NotificationWindow;

  beforeEach(async () => {
    window = await NotificationWindow.open();
    await window.pinSamples();
  });
  afterEach(() => window.close());

  const last = () => window.dialogs.messages.at(-1)?.sentence ?? '';

  /** Saves the profile "Focus", in which the chosen scopes are disabled, and brings them back to what they were. */
  async function saveFocus(many = /tide-table/): Promise<void> {
    const before = await Promise.all([window.level(window.tideTable), window.level(window.tools)]);
    await window.change(window.tideTable, { level: 'disabled' });
    await window.change(window.tools, { level: 'disabled' });
    window.dialogs.many = many;
    window.dialogs.answers = ['Focus'];
    await save();
    await window.change(window.tideTable, { level: before[0] });
    await window.change(window.tools, { level: before[1] });
  }

  /** @param what the line that says what the profile sets. */
  async function save(what = /^Settings as They Are Now$/): Promise<void> {
    window.dialogs.choices = [what];
    await window.profileCommands.save();
  }

  /** @param until the line that says how long; for good if nothing. */
  async function apply(until?: RegExp): Promise<void> {
    window.dialogs.choices = [...(window.profiles.all.length > 1 ? [/^Focus$/] : []), ...(until ? [until] : [])];
    window.dialogs.takesAlternative = until !== undefined;
    await window.profileCommands.apply();
  }

  it('save the present settings of global settings, workspace projects and pins', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true, new_issue: false });
    window.dialogs.answers = ['On call'];
    await save();
    const [profile] = window.another().profiles.all;
    assert.equal(profile?.name, 'On call');
    assert.deepEqual(
      profile.scopes.map(({ scope, snapshot }) => [scope.kind, snapshot.level]),
      [
        ['global', 'participating'],
        ['project', 'custom'],
        ['group', 'global'],
      ],
    );
    assert.equal(profile.scopes[0]?.snapshot.notification_email, 'marta@harbor.example');
    assert.deepEqual(profile.scopes[1]?.snapshot.events, {
      new_note: true,
      new_issue: false,
      moved_project: true,
      merge_when_pipeline_succeeds: false,
    });
    assert.match(
      last(),
      /^Saved “On call”: Global settings, Project harbor\/tide-table, and Group harbor\/tools\. Events at their default are not saved/,
    );
  });

  it('set one level in several scopes, whatever they have now', async () => {
    window.dialogs.answers = ['Quiet'];
    await save(/^On mention$/);
    assert.deepEqual(window.dialogs.offered, [
      ['Settings as They Are Now', 'Watch', 'Participate', 'On mention', 'Disabled'],
    ]);
    const snapshots = window.profiles.find('Quiet')?.scopes.map(({ snapshot }) => snapshot);
    assert.deepEqual(snapshots, [{ level: 'mention' }, { level: 'mention' }, { level: 'mention' }]);
    assert.match(last(), /^Saved “Quiet”: Global settings, Project harbor\/tide-table, and Group harbor\/tools\./);
    await window.change(window.tideTable, { level: 'custom', new_note: true });
    await window.profileCommands.apply();
    assert.equal(await window.level(window.tideTable), 'mention');
    assert.equal(await window.level(window.global), 'mention');
    await window.dialogs.messages.at(-1)?.press('Undo');
    assert.equal((await window.events(window.tideTable))['new_note'], true);
  });

  it('are saved of the one scope that there is without asking for it', async () => {
    const { global } = window;
    Object.assign(window.finder, {
      find: async () => ({ found: [{ scope: global, place: 'global' }], missing: [], hasMore: false }),
    });
    window.dialogs.many = /nothing is chosen from a list/;
    window.dialogs.answers = ['Here'];
    await save();
    assert.deepEqual(
      window.profiles.all.map(({ scopes }) => scopes.map(({ scope }) => scope)),
      [[global]],
    );
  });

  it('offer all projects of the user, and choose for them only those that matter in the window', async () => {
    window.dialogs.answers = ['Here'];
    await save();
    window.dialogs.many = /berth-planner/;
    window.dialogs.answers = ['There'];
    await save();
    const paths = window.profiles.all.map(({ scopes }) => scopes.map(({ scope }) => 'path' in scope && scope.path));
    assert.deepEqual(paths, [[false, 'harbor/tide-table', 'harbor/tools'], ['harbor/berth-planner']]);
  });

  it('offer the groups around them as well, without choosing them', async () => {
    await window.pins.remove(window.tools as Pin);
    await window.change(window.tools, { level: 'watch' });
    window.dialogs.many = /^Group harbor\/tools$/;
    window.dialogs.answers = ['Group'];
    await save();
    assert.deepEqual(window.profiles.all[0]?.scopes, [{ scope: window.tools, snapshot: { level: 'watch' } }]);
    window.dialogs.many = undefined;
    window.dialogs.answers = ['Here'];
    await save();
    const here = window.profiles.find('Here')?.scopes.map(({ scope }) => scope.kind);
    assert.deepEqual(here, ['global', 'project']);
  });

  it('save the workspace’s projects by the ids of the instance, and report those that it does not know', async () => {
    const folder = (await import('vscode')).Uri.file('/tmp/x');
    window.workspace.push(
      { accountId: window.account.id, path: 'harbor/tools/winch', folder },
      { accountId: window.account.id, path: 'harbor/sunken', folder },
    );
    window.dialogs.many = /winch/;
    window.dialogs.answers = ['Winch'];
    await save();
    assert.deepEqual(
      window.profiles.find('winch')?.scopes.map(({ scope }) => scope),
      [{ kind: 'project', accountId: window.account.id, id: 503, path: 'harbor/tools/winch' }],
    );
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /Some settings could not be read\. harbor\/sunken: /);
  });

  it('say once that their account is signed out, with the button that helps', async () => {
    await saveFocus(/tide-table|tools$/);
    const sandbox = { kind: 'global', accountId: 'sandbox' } as const;
    await window.profiles.save({
      name: 'Night',
      savedAt: 1,
      scopes: [{ scope: sandbox, snapshot: { level: 'watch' } }],
    });
    window.signedIn = false;
    await apply();
    const [message] = window.dialogs.messages.slice(-1);
    assert.deepEqual(
      [message?.sentence, message?.buttons],
      ['“Focus” is for marta@sandbox, which is signed out.', ['Sign In…']],
    );
    window.dialogs.choices = [/^Night$/];
    await window.profileCommands.apply();
    assert.deepEqual(
      [last(), window.dialogs.messages.at(-1)?.buttons],
      ['“Night” is for marta@sandbox, which is signed out.', ['Try Sandbox']],
    );
    assert.deepEqual(window.dialogs.reviewed, []);
  });

  it('are asked for where the only one is of another account, which its line names', async () => {
    const scope = { kind: 'global', accountId: 'bo@other.example' } as const;
    await window.profiles.save({ name: 'Night', savedAt: 1, scopes: [{ scope, snapshot: { level: 'watch' } }] });
    await window.profileCommands.apply();
    assert.deepEqual(window.dialogs.offered, [['Night']]);
    assert.match(
      window.dialogs.descriptions[0]?.[0] ?? '',
      /^bo@other\.example, not the account of this window · Scopes: 1/,
    );
    assert.deepEqual(window.dialogs.messages, []);
  });

  it('say once why several scopes could not be read', async () => {
    await saveFocus(/tide-table|tools$/);
    window.sandbox.control.transform({ answer: 403, method: 'GET', path: '/*' });
    await apply();
    assert.match(
      last(),
      /^Some settings could not be read\. Project harbor\/tide-table and Group harbor\/tools: (.+)$/,
    );
    assert.equal(last().match(/Your role on/g)?.length, 1);
  });

  it('show what would be different, and send one PUT per scope with only that', async () => {
    await saveFocus(/tide-table|tools$/);
    await window.change(window.tideTable, { level: 'watch' });
    await window.change(window.tools, { level: 'disabled' });
    let level = '';
    window.dialogs.onReview = async (plans) => {
      level = await window.level(window.tideTable);
      return plans;
    };
    await apply();
    assert.equal(level, 'watch', 'nothing is sent before the review');
    assert.deepEqual(window.dialogs.reviewed, [
      'Apply “Focus”',
      'Project harbor/tide-table: Level: from Watch to Disabled',
      'Group harbor/tools: Nothing to change.',
    ]);
    assert.equal(await window.level(window.tideTable), 'disabled');
    assert.equal(
      last(),
      'Applied “Focus” · Saved: Project harbor/tide-table · Level: from Watch to Disabled · Account: marta@sandbox',
    );
    assert.deepEqual(await window.timed.read(), []);
  });

  it('ask nothing but the review where there is one', async () => {
    await saveFocus();
    const { length } = window.dialogs.offered;
    await apply();
    assert.equal(window.dialogs.offered.length, length);
    assert.equal(window.dialogs.reviewed[0], 'Apply “Focus”');
    assert.equal(await window.level(window.tideTable), 'disabled');
  });

  it('change nothing when the user cancels, and report if nothing would change', async () => {
    await saveFocus();
    window.dialogs.onReview = async () => undefined;
    await apply();
    assert.equal(await window.level(window.tideTable), 'global');
    await window.change(window.tideTable, { level: 'disabled' });
    await apply();
    assert.equal(last(), 'Apply “Focus” · Nothing to change.');
  });

  it('show in the preview what the API cannot restore or does not show', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true });
    await window.change(window.global, { level: 'custom' });
    window.dialogs.many = /tide-table|Global/;
    window.dialogs.answers = ['Focus'];
    await save();
    await window.change(window.global, { level: 'watch' });
    await window.change(window.tideTable, { new_note: false, new_issue: true });
    await apply();
    const [, global = '', project = ''] = window.dialogs.reviewed;
    assert.match(global, /Level: from Watch to Custom · The events are not changed: the API did not show/);
    assert.match(
      project,
      /New comment: from off to on · Not changed, because the API cannot restore the default: New issue\./,
    );
    assert.equal((await window.events(window.tideTable))['new_issue'], true);
  });

  it('report a partial failure scope by scope, carry out the rest, and try the others again', async () => {
    await saveFocus(/tide-table|tools$/);
    window.sandbox.control.transform({
      answer: 403,
      method: 'PUT',
      path: '/groups/12/notification_settings',
      times: 1,
    });
    await apply();
    assert.match(
      last(),
      /^Applied “Focus” · Saved: Project harbor\/tide-table · .* · Group harbor\/tools: Your role on .* does not allow this\. · Account: /,
    );
    assert.deepEqual(window.dialogs.messages.at(-1)?.buttons, ['Try Again', 'Undo']);
    assert.equal(await window.level(window.tideTable), 'disabled');
    await window.dialogs.messages.at(-1)?.press('Try Again');
    assert.equal(await window.level(window.tools), 'disabled');
  });

  it('name the scopes that were changed, and take them back together', async () => {
    await saveFocus(/tide-table|tools$/);
    await window.change(window.tideTable, { level: 'custom', new_note: true });
    await apply();
    assert.equal(
      last(),
      'Applied “Focus” · Set Group harbor/tools and Project harbor/tide-table to Disabled · Account: marta@sandbox',
    );
    await window.dialogs.messages.at(-1)?.press('Undo');
    assert.equal(last(), 'Undone: Project harbor/tide-table and Group harbor/tools · Account: marta@sandbox');
    assert.deepEqual(window.dialogs.messages.at(-1)?.buttons, []);
    assert.deepEqual(await Promise.all([window.level(window.tideTable), window.level(window.tools)]), [
      'custom',
      'global',
    ]);
    assert.equal((await window.events(window.tideTable))['new_note'], true);
  });

  it('say what of them cannot be restored, and undo the rest', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true, new_issue: false });
    window.dialogs.many = /tide-table/;
    window.dialogs.answers = ['On call'];
    await save();
    await window.change(window.tideTable, { level: 'watch' });
    await window.profileCommands.apply();
    assert.equal(
      last(),
      'Applied “On call” · Saved: Project harbor/tide-table · 4 events (after Undo, kept for the level Custom) · Account: marta@sandbox',
    );
    await window.dialogs.messages.at(-1)?.press('Undo');
    assert.equal(await window.level(window.tideTable), 'watch');
  });

  it('undo nothing that was changed elsewhere since', async () => {
    await saveFocus();
    await apply();
    await window.change(window.tideTable, { level: 'mention' });
    await window.dialogs.messages.at(-1)?.press('Undo');
    assert.match(
      last(),
      /^Project harbor\/tide-table: changed in the meantime, here or elsewhere, so nothing was sent/,
    );
    assert.equal(await window.level(window.tideTable), 'mention');
  });

  it('do not overwrite what was changed elsewhere between preview and sending', async () => {
    await saveFocus();
    window.dialogs.onReview = async (plans) => {
      await window.change(window.tideTable, { level: 'mention' });
      return plans;
    };
    await apply();
    assert.match(last(), /changed in the meantime, here or elsewhere, so nothing was sent/);
    assert.equal(await window.level(window.tideTable), 'mention');
  });

  it('are renamed, replaced after a question, and deleted', async () => {
    await saveFocus();
    window.dialogs.answers = ['On call'];
    await save();
    window.dialogs.choices = [/^Focus$/, /Rename/];
    window.dialogs.answers = ['on CALL'];
    window.dialogs.confirms = false;
    await window.profileCommands.manage();
    assert.deepEqual(window.dialogs.questions, ['Replace the notification profile “On call”?']);
    assert.deepEqual(
      window.profiles.all.map(({ name }) => name),
      ['Focus', 'On call'],
    );
    window.dialogs.confirms = true;
    window.dialogs.choices = [/^Focus$/, /Rename/];
    window.dialogs.answers = ['on CALL'];
    await window.profileCommands.manage();
    assert.deepEqual(
      window.profiles.all.map(({ name }) => name),
      ['on CALL'],
    );
    window.dialogs.choices = [/^Save Notification Profile…$/, /^Settings as They Are Now$/];
    window.dialogs.answers = ['Night'];
    await window.profileCommands.manage();
    assert.ok(window.profiles.find('Night'));
    await window.profiles.delete('Night');
    window.dialogs.choices = [/^on CALL$/, /Delete/];
    await window.profileCommands.manage();
    assert.deepEqual(window.profiles.all, []);
    await window.profileCommands.manage();
    assert.deepEqual(window.dialogs.messages.at(-1)?.buttons, ['Save Notification Profile…']);
  });

  it('are listed and applied where they are managed, also where there is one', async () => {
    await saveFocus();
    window.dialogs.choices = [/^Focus$/, /^Apply…$/];
    await window.profileCommands.manage();
    assert.deepEqual(window.dialogs.offered[1], ['Focus', 'Save Notification Profile…']);
    assert.equal(await window.level(window.tideTable), 'disabled');
    await window.change(window.tideTable, { level: 'global' });
    window.dialogs.choices = [/^Focus$/, /^Apply Only for a While…$/, /one hour/i];
    await window.profileCommands.manage();
    assert.equal((await window.timed.all()).length, 1);
    const question = 'For how long? Afterwards the earlier levels and, where possible, events hold again';
    assert.ok(window.dialogs.headings.some(([, placeholder]) => placeholder === question));
  });

  it('name their accounts where there are several, and where it is another one than that of the window', async () => {
    const { dialogs, global } = window;
    await window.profiles.save({
      name: 'There',
      savedAt: 1,
      scopes: [{ scope: { ...global, accountId: 'ada@gitlab.com' }, snapshot: { level: 'watch' } }],
    });
    await saveFocus();
    assert.equal(last(), 'Saved “Focus”: Project harbor/tide-table.');
    await window.profileCommands.manage();
    const described = () => dialogs.descriptions.at(-1)?.map((description) => description?.split(' · ')[0]);
    assert.match(described()?.[0] ?? '', /^Scopes: 1/);
    assert.equal(described()?.[1], 'ada@gitlab.com, not the account of this window');
    window.hasOthers = true;
    await saveFocus();
    assert.equal(last(), 'Saved “Focus”: Project harbor/tide-table. Account: marta@sandbox');
    await dialogs.messages.at(-1)?.press('Apply…');
    assert.equal(dialogs.reviewed.splice(0)[0], 'Apply “Focus” · marta@sandbox');
    assert.equal(await window.level(window.tideTable), 'disabled');
    await window.change(window.tideTable, { level: 'global' });
    dialogs.choices = [/^Focus$/, /^Apply Only for a While…$/, /one hour/i];
    await window.profileCommands.manage();
    assert.match(dialogs.reviewed[0] ?? '', /^Apply “Focus” until .* · marta@sandbox$/);
    await window.profileCommands.manage();
    const names = ['marta@sandbox', 'marta@sandbox', 'ada@gitlab.com, not the account of this window'];
    assert.deepEqual(described()?.slice(0, 3), names);
  });

  it('say before the review that the token may not change settings, and before the choice that it may not read them', async () => {
    await saveFocus();
    Object.assign(window.account, { scopes: ['read_api'] });
    await assert.rejects(apply(), /The token of marta@sandbox may read but change nothing/);
    Object.assign(window.account, { scopes: ['read_user'] });
    await assert.rejects(window.profileCommands.save(), /The token of marta@sandbox is enough for feeds only/);
    // Nor is one offered to be saved.
    await window.profiles.delete('Focus');
    await assert.rejects(apply(), /The token of marta@sandbox is enough for feeds only/);
    assert.deepEqual(window.dialogs.reviewed, []);
  });

  describe('for a while', () => {
    async function applyForAnHour(): Promise<void> {
      await saveFocus(/tide-table|tools$/);
      await window.change(window.tideTable, { level: 'custom', new_note: true, new_issue: false });
      await apply(/one hour/i);
      assert.match(window.dialogs.reviewed[0] ?? '', /^Apply “Focus” until /);
      assert.match(last(), /^“Focus” until .* · Set .* to Disabled · /);
      assert.equal(await window.level(window.tideTable), 'disabled');
      assert.equal(await window.level(window.tools), 'disabled');
    }

    it('put back what was there before, after a restart, and not sooner', async () => {
      await applyForAnHour();
      const restarted = window.another();
      await restarted.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'disabled');
      restarted.time += hour + 1;
      await restarted.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'custom');
      assert.equal(await window.level(window.tools), 'global');
      assert.equal((await window.events(window.tideTable))['new_note'], true);
      // Events that the level has hidden are at their default as before.
      assert.equal(
        restarted.dialogs.messages[0]?.sentence,
        '“Focus” has ended: the earlier notification settings of Project harbor/tide-table and Group harbor/tools are restored.',
      );
      assert.deepEqual(await restarted.timed.read(), []);
    });

    it('say before the review is confirmed which events are not put back, and at their end whose settings they were', async () => {
      await window.change(window.tideTable, { level: 'custom', new_note: true });
      window.dialogs.many = /tide-table/;
      window.dialogs.answers = ['On call'];
      await save();
      await window.change(window.tideTable, { new_note: false, new_issue: true });
      await window.profiles.save({
        name: 'On call',
        savedAt: 1,
        scopes: [
          { scope: window.tideTable, snapshot: { level: 'custom', events: { new_note: true, close_issue: true } } },
        ],
      });
      await apply(/one hour/i);
      assert.match(
        window.dialogs.reviewed.at(-1) ?? '',
        /Overwritten for good, because the API cannot restore the default: Closed issue\./,
      );
      window.time += hour + 1;
      window.hasOthers = true;
      await window.timed.endDue();
      assert.match(last(), /^“On call” has ended: .* are restored\. Account: marta@sandbox$/);
      const events = await window.events(window.tideTable);
      assert.deepEqual([events['new_note'], events['close_issue'], events['new_issue']], [false, true, true]);
    });

    it('are put back once by several windows', async () => {
      await applyForAnHour();
      const [one, other] = [window.another(), window.another()];
      one.time += hour + 1;
      other.time += hour + 1;
      await Promise.all([one.timed.endDue(), other.timed.endDue()]);
      assert.equal(one.dialogs.messages.length + other.dialogs.messages.length, 1);
      assert.deepEqual(await window.timed.read(), []);
    });

    it('leave what was changed elsewhere, say so once, and put it back after a review', async () => {
      await applyForAnHour();
      await window.change(window.tideTable, { level: 'mention' });
      window.time += hour + 1;
      await window.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'mention');
      assert.equal(await window.level(window.tools), 'global');
      assert.match(last(), /tide-table was changed elsewhere in the meantime\. Nothing was overwritten\.$/);
      assert.deepEqual(await window.timed.read(), []);
      const count = window.dialogs.messages.length;
      await window.timed.endDue();
      assert.equal(window.dialogs.messages.length, count, 'it is said once');
      await window.dialogs.messages[count - 1]?.press('Review Differences…');
      assert.match(window.dialogs.reviewed.at(-1) ?? '', /Level: from On mention to Custom/);
      assert.equal(await window.level(window.tideTable), 'custom');
    });

    it('keep a restore that failed, report it once, and try again', async () => {
      await applyForAnHour();
      window.time += hour + 1;
      window.sandbox.control.transform({ answer: 503, path: '/projects/*' });
      await window.timed.endDue();
      await window.timed.endDue();
      const messages = window.dialogs.messages.filter(({ sentence }) => /could not be restored/.test(sentence));
      assert.equal(messages.length, 1);
      assert.equal(await window.level(window.tools), 'global');
      assert.equal((await window.another().timed.read()).length, 1);
      window.sandbox.control.transform();
      await messages[0]?.press('Try Again');
      assert.equal(await window.level(window.tideTable), 'custom');
      assert.deepEqual(await window.timed.read(), []);
    });

    it('keep a restore while signed out', async () => {
      await applyForAnHour();
      window.time += hour + 1;
      window.signedIn = false;
      await window.timed.endDue();
      assert.match(last(), /You are signed out/);
      window.signedIn = true;
      await window.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'custom');
    });

    it('know what to put back although the window was closed in the middle of sending', async () => {
      await saveFocus();
      window.sandbox.control.transform({ answer: dropped, method: 'PUT' });
      await apply(/one hour/i);
      assert.match(last(), /^Project harbor\/tide-table: the answer is missing/);
      window.sandbox.control.transform();
      // The request had been acted on after all.
      await window.change(window.tideTable, { level: 'disabled' });
      const restarted = window.another();
      restarted.time += hour + 1;
      await restarted.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'global');
    });

    it('take over from one another: the last one puts back what was there before the first', async () => {
      await applyForAnHour();
      await window.change(window.global, { level: 'watch' });
      window.dialogs.many = /tide-table/;
      window.dialogs.answers = ['Night'];
      await save();
      await window.profiles.save({
        name: 'Night',
        savedAt: 1,
        scopes: [{ scope: window.tideTable, snapshot: { level: 'mention' } }],
      });
      window.dialogs.choices = [/^Night$/, /tomorrow/i];
      window.dialogs.takesAlternative = true;
      await window.profileCommands.apply();
      window.time += hour + 1;
      await window.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'mention');
      assert.equal(await window.level(window.tools), 'global');
      window.time += 48 * hour;
      await window.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'custom');
    });

    it('do not end any more once they are undone', async () => {
      await applyForAnHour();
      const { timedChanges } = window;
      await window.dialogs.messages.at(-1)?.press('Undo');
      assert.equal(await window.level(window.tideTable), 'custom');
      assert.deepEqual(await window.timed.read(), []);
      assert.ok(window.timedChanges > timedChanges);
    });

    it('put back what was there before the first one, also where the second one is undone', async () => {
      await applyForAnHour();
      await window.profiles.save({
        name: 'Night',
        savedAt: 1,
        scopes: [{ scope: window.tideTable, snapshot: { level: 'mention' } }],
      });
      window.dialogs.choices = [/^Night$/, /tomorrow/i];
      window.dialogs.takesAlternative = true;
      await window.profileCommands.apply();
      await window.dialogs.messages.at(-1)?.press('Undo');
      assert.equal(await window.level(window.tideTable), 'disabled');
      window.time += 48 * hour;
      await window.timed.endDue();
      assert.equal(await window.level(window.tideTable), 'custom');
      assert.deepEqual(await window.timed.read(), []);
    });

    it('are put back or kept at once from the list of profiles', async () => {
      await applyForAnHour();
      window.dialogs.choices = [/“Focus” until/, /Restore Earlier Settings/];
      await window.profileCommands.manage();
      assert.equal(await window.level(window.tideTable), 'custom');
      await apply(/one hour/i);
      window.dialogs.choices = [/“Focus” until/, /Keep Current/];
      await window.profileCommands.manage();
      assert.deepEqual(await window.timed.read(), []);
      assert.equal(await window.level(window.tideTable), 'disabled');
    });

    it('end at a moment that is typed, and refuse one that has passed', async () => {
      await saveFocus();
      window.dialogs.answers = ['2020-01-01 10:00'];
      await apply(/^Until…/);
      assert.match(window.dialogs.questions.at(-1) ?? '', /has passed/);
      window.dialogs.answers = ['2099-12-24 18:00'];
      await apply(/^Until…/);
      assert.equal((await window.timed.read())[0]?.until, new Date(2099, 11, 24, 18).getTime());
    });
  });
});
