import assert from 'node:assert/strict';
import { SettingsCommands } from '../../../src/errorTracking/settingsCommands.ts';
import type { SettingsOperation } from '../../../src/errorTracking/settingsOperations.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';
import { dropped, failing, truncated } from '../../support/sandbox/transforms.ts';

/** The outcome of an operation: the end of the question, the message with its buttons, and the tree afterwards. */
interface Outcome {
  readonly asked?: RegExp;
  readonly messages: RegExp;
  readonly buttons: readonly string[];
  readonly settings: string;
}

const on = 'Integrated error tracking [enabled]';
const off = 'Integrated error tracking [disabled]';
const none = 'Error tracking is not set up';
const external = 'External tracker: Harbor / Winch [enabled]';
const externalOff = 'External tracker: Harbor / Winch [disabled]';
const notOffered = 'Integrated error tracking is not offered';
const administrators = /^This instance does not offer integrated error tracking; its administrators can enable it\.$/;

const table: Record<string, { path: string; before: string; outcomes: Record<SettingsOperation, Outcome> }> = {
  'no settings': {
    path: 'harbor/berth-planner',
    before: none,
    outcomes: {
      setUp: {
        asked:
          /If no client key is active, the instance creates one\.\s+The API cannot remove the settings again; it can disable them\.$/,
        messages: /^Integrated error tracking is set up and enabled\.$/,
        buttons: ['Disable'],
        settings: on,
      },
      enable: { messages: /nothing to enable: .* not set up/, buttons: ['Set Up Error Tracking…'], settings: none },
      disable: { messages: /nothing to disable: .* not set up/, buttons: ['Set Up Error Tracking…'], settings: none },
      switchToIntegrated: {
        messages: /nothing to switch from: .* not set up/,
        buttons: ['Set Up Error Tracking…'],
        settings: none,
      },
    },
  },
  'integrated, enabled': {
    path: 'harbor/tide-table',
    before: on,
    outcomes: {
      setUp: { messages: /set up and enabled already/, buttons: [], settings: on },
      enable: { messages: /^Error tracking is enabled already\.$/, buttons: [], settings: on },
      disable: {
        asked:
          /^Errors that programs send are refused and lost until error tracking is enabled again\.\s+Client keys and settings are kept\.$/,
        messages: /^Error tracking is disabled\.$/,
        buttons: ['Undo'],
        settings: off,
      },
      switchToIntegrated: { messages: /uses integrated error tracking already/, buttons: [], settings: on },
    },
  },
  'integrated, disabled': {
    path: 'harbor/tools/logbook',
    before: off,
    outcomes: {
      setUp: { messages: /set up already, and disabled/, buttons: ['Enable Error Tracking…'], settings: off },
      enable: {
        asked: /^Errors are received again\.\s+If no client key is active, the instance creates one\.$/,
        messages: /^Error tracking is enabled\.$/,
        buttons: ['Undo'],
        settings: on,
      },
      disable: { messages: /disabled already/, buttons: [], settings: off },
      switchToIntegrated: {
        messages: /uses integrated error tracking already/,
        buttons: ['Enable Error Tracking…'],
        settings: off,
      },
    },
  },
  'an external tracker, enabled': {
    path: 'harbor/tools/winch',
    before: external,
    outcomes: {
      setUp: {
        asked:
          /project name, link and API address become null.*Current values: Harbor \/ Winch, https:\/\/tracker\.example\/harbor\/winch, https:\/\/tracker\.example\/api\/0/s,
        messages: /^Integrated error tracking has replaced the external tracker\.$/,
        buttons: [],
        settings: on,
      },
      enable: { messages: /enabled already/, buttons: [], settings: external },
      disable: {
        asked: /no longer show on the instance; its link stays/,
        messages: /^Error tracking is disabled\.$/,
        buttons: ['Undo'],
        settings: externalOff,
      },
      switchToIntegrated: {
        asked: /no longer returns .* \(null\).*Current values: Harbor \/ Winch/s,
        messages: /^The project uses integrated error tracking\.$/,
        buttons: ['Undo'],
        settings: on,
      },
    },
  },
  'an external tracker, disabled': {
    path: 'harbor/tools/winch',
    before: externalOff,
    outcomes: {
      setUp: { asked: /become null/, messages: /has replaced the external tracker/, buttons: [], settings: on },
      enable: {
        asked: /show on the instance again; its link stays as it is\.$/,
        messages: /^Error tracking is enabled\.$/,
        buttons: ['Undo'],
        settings: external,
      },
      disable: { messages: /disabled already/, buttons: [], settings: externalOff },
      switchToIntegrated: {
        asked: /programs need the DSN of a client key/,
        messages: /uses integrated error tracking\.$/,
        buttons: ['Undo'],
        settings: on,
      },
    },
  },
  'an instance that has it switched off': {
    path: 'harbor/berth-planner',
    before: none,
    outcomes: {
      setUp: { asked: /The instance itself tracks/, messages: administrators, buttons: [], settings: notOffered },
      enable: { messages: /nothing to enable/, buttons: ['Set Up Error Tracking…'], settings: none },
      disable: { messages: /nothing to disable/, buttons: ['Set Up Error Tracking…'], settings: none },
      switchToIntegrated: { messages: /nothing to switch/, buttons: ['Set Up Error Tracking…'], settings: none },
    },
  },
  'an instance that does not know error tracking': {
    path: 'harbor/berth-planner',
    before: notOffered,
    outcomes: {
      setUp: { messages: administrators, buttons: [], settings: notOffered },
      enable: { messages: administrators, buttons: [], settings: notOffered },
      disable: { messages: administrators, buttons: [], settings: notOffered },
      switchToIntegrated: { messages: administrators, buttons: [], settings: notOffered },
    },
  },
};

const operations: readonly SettingsOperation[] = ['setUp', 'enable', 'disable', 'switchToIntegrated'];

describe('the settings of error tracking', () => {
  let window: ErrorTrackingWindow;
  let commands: SettingsCommands;
  let project: TrackedProject;

  async function open(path: string, ...[username, options]: Parameters<typeof ErrorTrackingWindow.open>) {
    window = await ErrorTrackingWindow.open(username, options);
    commands = new SettingsCommands(window.targets, window.states, window.dialogs);
    const ids: Record<string, number> = { 'harbor/tide-table': 501 };
    project = await window.pin(path, ids[path]);
  }
  afterEach(() => window.close());

  const settingsLine = async () =>
    (await window.lines(project)).find((line) => /racking|racker/.test(line) && !/…/.test(line));

  async function prepare(state: string): Promise<void> {
    if (state === 'an external tracker, disabled') {
      const { client } = await window.connection();
      await client.errorTracking.change(503, { active: false });
    }
    if (state === 'an instance that has it switched off') {
      window.sandbox.control.offerErrorTracking(false);
    }
    if (state === 'an instance that does not know error tracking') {
      window.sandbox.control.transform({
        answer: failing(404, '{"error":"404 Not Found"}'),
        path: '/projects/*/error_tracking/*',
      });
    }
  }

  for (const [state, { path, before, outcomes }] of Object.entries(table)) {
    for (const operation of operations) {
      const { asked, messages, buttons, settings } = outcomes[operation];
      it(`${state}: ${operation} ${asked ? 'shows its effect and does it' : 'says why it does nothing'}`, async () => {
        await open(path);
        await prepare(state);
        assert.equal(await settingsLine(), before);
        await commands.run(operation, { project });
        assert.equal(window.dialogs.asked.length, asked ? 1 : 0);
        if (asked) {
          assert.match(window.dialogs.asked[0]?.detail ?? '', asked);
        }
        assert.equal(window.dialogs.messages.length, 1);
        assert.match(window.dialogs.messages[0]?.sentence ?? '', messages);
        assert.deepEqual(window.dialogs.messages[0]?.buttons, buttons);
        assert.equal(await settingsLine(), settings);
      });
    }
  }

  it('stay where they have changed while the user was asked', async () => {
    await open('harbor/tools/winch');
    window.dialogs.onConfirm = async () => {
      await (await window.connection()).client.errorTracking.change(503, { active: false });
    };
    await commands.run('switchToIntegrated', { project });
    assert.match(
      window.dialogs.messages[0]?.sentence ?? '',
      /^The settings have changed meanwhile, so nothing was sent\. /,
    );
    assert.match((await settingsLine()) ?? '', /^External tracker: .*\[disabled\]$/);
  });

  for (const [state, operation] of [
    ['integrated, enabled', 'disable'],
    ['integrated, disabled', 'enable'],
    ['an external tracker, enabled', 'disable'],
    ['an external tracker, disabled', 'enable'],
    ['an external tracker, enabled', 'switchToIntegrated'],
    ['an external tracker, disabled', 'switchToIntegrated'],
  ] as const) {
    it(`${state}: ${operation} can be undone`, async () => {
      const { path = '', before } = table[state] ?? {};
      await open(path);
      await prepare(state);
      await commands.run(operation, { project });
      await window.dialogs.messages[0]?.press('Undo');
      assert.match(window.dialogs.messages[1]?.sentence ?? '', /^Restored the earlier state: /);
      assert.equal(await settingsLine(), before);
    });
  }

  it('undoes nothing once the settings have changed again', async () => {
    await open('harbor/tide-table');
    await commands.run('disable', { project });
    await commands.run('enable', { project });
    await window.dialogs.messages[0]?.press('Undo');
    assert.match(
      window.dialogs.messages[2]?.sentence ?? '',
      /^The settings have changed since, so nothing was undone\. Current state: Integrated error tracking is enabled/,
    );
    assert.equal(await settingsLine(), on);
    await window.dialogs.messages[1]?.press('Undo');
    assert.equal(await settingsLine(), off);
  });

  it('says what an instance did not bring back', async () => {
    await open('harbor/tools/winch');
    await commands.run('switchToIntegrated', { project });
    const { client } = await window.connection();
    const change = client.errorTracking.change.bind(client.errorTracking);
    client.errorTracking.change = (id) => change(id, { active: true, integrated: true });
    await window.dialogs.messages[0]?.press('Undo');
    assert.match(
      window.dialogs.messages[1]?.sentence ?? '',
      /^The instance did not restore everything\. Current state: Integrated error tracking is enabled/,
    );
  });

  it('changes nothing without a confirmation', async () => {
    await open('harbor/tide-table');
    window.dialogs.confirms = false;
    await commands.run('disable', { project });
    await window.states.reload(project);
    assert.equal(await settingsLine(), on);
    assert.deepEqual(window.dialogs.messages, []);
  });

  it('sends a PATCH once, and shows the present state when its answer got lost', async () => {
    await open('harbor/tide-table', 'marta', { retries: 2 });
    window.sandbox.control.transform({ answer: truncated, method: 'PATCH' });
    await commands.run('disable', { project });
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /Current state: Integrated error tracking is disabled/);
    assert.equal(await settingsLine(), off);
  });

  it('shows that the outcome is unknown when the instance stays unreachable', async () => {
    await open('harbor/tide-table');
    await window.nodes(project);
    const { errorTracking } = (await window.connection()).client;
    const change = errorTracking.change.bind(errorTracking);
    errorTracking.change = async (...args) => {
      window.sandbox.control.transform({ answer: dropped });
      return await change(...args);
    };
    await commands.run('disable', { project });
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /is not known until the instance answers again/);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Check Again']);
  });
});
