import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { type Client, createClient } from '../../../src/api/client.ts';
import { apiError, isApiError } from '../../../src/api/errors.ts';
import { type Clock, systemClock } from '../../../src/common/clock.ts';
import { keptSchema, SettingsSession } from '../../../src/notifications/form/settingsSession.ts';
import { SettingsEngine } from '../../../src/notifications/settings/engine.ts';
import { ScopeFiles } from '../../../src/notifications/settings/scopeFiles.ts';
import {
  changeOf,
  type Edit,
  isEmptyChange,
  type NotificationScope,
} from '../../../src/notifications/settings/settings.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../support/sandbox/sandbox.ts';
import { callAsOwner } from '../../support/callAsOwner.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { dropped, never, type Rule, truncated } from '../../support/sandbox/transforms.ts';

const project: NotificationScope = { kind: 'project', accountId: 'marta', id: 501, path: 'harbor/tide-table' };
const global: NotificationScope = { kind: 'global', accountId: 'marta' };
const projectPath = '/projects/501/notification_settings';

/** Whether there is something that a save would send. */
function hasChanges({ state: { settings, memory } }: SettingsSession): boolean {
  return settings !== undefined && !isEmptyChange(changeOf(settings, memory.draft));
}

/** What became of a save that did not work, as far as it is known. */
function effectOf({ state: { outcome } }: SettingsSession): string | undefined {
  return outcome?.kind === 'notSaved' ? outcome.effect : outcome?.kind;
}

describe('a session of notification settings', () => {
  let sandbox: Sandbox;
  let client: Client;
  let folder: string;

  beforeEach(async () => {
    await start();
  });
  afterEach(async () => {
    await stop();
  });

  async function start(options: SandboxOptions = {}): Promise<void> {
    sandbox = await startSandbox({ liveEvents: false, ...options });
    folder = await mkdtemp(join(tmpdir(), 'beacon-session-'));
    connect(sandbox.tokens.owner);
  }

  async function stop(): Promise<void> {
    await client.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  }

  /** Without repetitions, which would only take time. */
  function connect(token: string, clock: Clock = systemClock): void {
    client = createClient({ instanceUrl: sandbox.url, token, retries: 0, maxWait: 0, clock });
  }

  /** A session like that of a new window: what was kept is what it knows. */
  function open(scope: NotificationScope = project, of: Client = client): SettingsSession {
    const connections = {
      of: async () => ({ account: { kind: 'sandbox', id: 'sandbox' } as const, instanceUrl: sandbox.url, client: of }),
    };
    return new SettingsSession(scope, {
      engine: new SettingsEngine(connections),
      files: drafts(),
      onChange: () => {},
    });
  }

  function drafts(): ScopeFiles<z.infer<typeof keptSchema>> {
    return new ScopeFiles(join(folder, 'drafts'), keptSchema, { warn: (sentence) => assert.fail(sentence) });
  }

  async function loaded(scope: NotificationScope = project): Promise<SettingsSession> {
    const session = open(scope);
    await session.load();
    return session;
  }

  async function edit(session: SettingsSession, step: Edit): Promise<void> {
    await session.edit(step);
  }

  async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    return (await callAsOwner(sandbox, path, method, body)) as Record<string, unknown>;
  }

  function fault(...rules: Rule[]): void {
    sandbox.control.transform(...rules);
  }

  const custom = { level: 'custom', new_note: true, new_issue: false };

  it('reads, sends only what changed in one request, and shows what holds then', async () => {
    await api('PUT', projectPath, custom);
    const session = await loaded();
    await edit(session, { new_note: true, new_issue: true, close_issue: false });
    await session.save();
    assert.deepEqual(session.state.outcome, {
      kind: 'saved',
      undone: undefined,
      foundOut: false,
      error: undefined,
      missing: [],
      unseen: [],
    });
    assert.equal(session.state.settings?.flags['close_issue'], 'off');
    assert.deepEqual(session.state.memory.lastSave?.change, { new_issue: true, close_issue: false });
    assert.equal(hasChanges(session), false);
  });

  it('says what it has sent and the platform does not show', async () => {
    const session = await loaded(global);
    await edit(session, { level: 'custom' });
    await edit(session, { new_note: true });
    await session.save();
    assert.deepEqual(session.state.outcome, {
      kind: 'saved',
      undone: undefined,
      foundOut: false,
      error: undefined,
      missing: [],
      unseen: ['new_note'],
    });
    assert.equal(session.state.settings?.flags['new_note'], 'unknown');
  });

  it('takes the last save back, and names what the platform cannot take back', async () => {
    await api('PUT', projectPath, custom);
    const session = await loaded();
    await edit(session, { new_note: false, close_issue: true });
    await session.save();
    // Also in a new window.
    const later = await loaded();
    await later.undo();
    assert.deepEqual(later.state.outcome?.kind === 'saved' && later.state.outcome.undone, ['close_issue']);
    assert.equal(later.state.settings?.flags['new_note'], 'on');
    assert.equal(later.state.settings?.flags['close_issue'], 'on');
    assert.equal(later.state.memory.lastSave, undefined);
  });

  it('keeps the draft until it is discarded', async () => {
    await edit(await loaded(), { level: 'watch' });
    const later = await loaded();
    assert.equal(later.state.memory.draft['level'], 'watch');
    assert.ok(hasChanges(later));
    await later.discard();
    assert.ok(!hasChanges(await loaded()));
  });

  it('keeps the draft whole or not at all', async () => {
    const session = await loaded();
    await edit(session, { level: 'watch' });
    // A rename replaces a file in one step.
    const [file, ...others] = await readdir(join(folder, 'drafts'));
    assert.match(file ?? '', /^[0-9a-f]{32}\.json$/);
    assert.deepEqual(others, []);
  });

  describe('in two windows', () => {
    it('goes on with what the other window has chosen', async () => {
      const [one, other] = [await loaded(), await loaded()];
      await edit(one, { level: 'watch' });
      await other.load();
      assert.deepEqual(other.state.memory.draft, { level: 'watch' });
      await edit(other, { level: 'mention' });
      await one.load();
      assert.deepEqual(one.state.memory.draft, { level: 'mention' });
      assert.equal(one.state.otherDraft ?? other.state.otherDraft, undefined);
    });

    it('says that another draft was kept since before it keeps its own, and goes on with the one that is chosen', async () => {
      for (const [chosen, level] of [
        ['mine', 'mention'],
        ['other', 'watch'],
      ] as const) {
        const [one, later] = [await loaded(), await loaded()];
        await edit(one, { level: 'watch' });
        await edit(later, { level: 'mention' });
        assert.deepEqual(later.state.otherDraft, { level: 'watch' });
        assert.deepEqual(later.state.memory.draft, { level: 'mention' });
        assert.equal(one.state.otherDraft, undefined);
        assert.deepEqual(
          (await loaded()).state.memory.draft,
          { level: 'watch' },
          'nothing is kept before it is chosen',
        );
        await later.chooseDraft(chosen);
        assert.deepEqual(later.state.memory.draft, { level });
        assert.equal(later.state.otherDraft, undefined);
        assert.deepEqual((await loaded()).state.memory.draft, { level });
        await edit(later, { new_note: true });
        assert.equal(later.state.otherDraft, undefined);
        await (await loaded()).discard();
      }
    });

    it('lets the last one win where the other one has chosen nothing', async () => {
      const [one, later] = [await loaded(), await loaded()];
      await edit(one, { level: 'watch' });
      await one.discard();
      await edit(later, { level: 'mention' });
      assert.equal(later.state.otherDraft, undefined);
      assert.deepEqual((await loaded()).state.memory.draft, { level: 'mention' });
    });

    it('does not choose for the user what has changed since it was shown', async () => {
      const [one, later] = [await loaded(), await loaded()];
      await edit(one, { level: 'watch' });
      await edit(later, { level: 'mention' });
      await edit(one, { level: 'disabled' });
      await later.chooseDraft('mine');
      assert.deepEqual(later.state.otherDraft, { level: 'disabled' });
      assert.deepEqual((await loaded()).state.memory.draft, { level: 'disabled' });
    });

    it('saves what a window shows, and keeps what the other one has chosen', async () => {
      const [one, later] = [await loaded(), await loaded()];
      await edit(one, { level: 'watch' });
      await edit(later, { level: 'mention' });
      await later.save();
      assert.equal(later.state.outcome?.kind, 'saved');
      assert.deepEqual((await loaded()).state.memory.draft, { level: 'watch' });
      await one.save();
      assert.equal(one.state.conflict?.level, 'mention');
      assert.equal((await api('GET', projectPath))['level'], 'mention');
    });
  });

  describe('when the settings were changed elsewhere', () => {
    it('sends nothing, shows both, and goes on as the user chooses', async () => {
      await api('PUT', projectPath, custom);
      const session = await loaded();
      await edit(session, { new_note: false, new_issue: true });
      await api('PUT', projectPath, { new_note: true, new_issue: true, level: 'watch' });
      await session.save();
      assert.equal(session.state.outcome?.kind, 'changedElsewhere');
      assert.equal(session.state.settings?.level, 'custom');
      assert.equal(session.state.conflict?.level, 'watch');
      // Asking again while it is undecided sends nothing either.
      await session.save();
      assert.equal((await api('GET', projectPath))['level'], 'watch');
      await session.resolve(['new_issue']);
      assert.deepEqual(session.state.memory.draft, { new_note: false });
      assert.equal(session.state.settings?.level, 'watch');
      assert.equal(session.state.conflict, undefined);
    });

    it('finds it out when the form is opened again with a draft, and shows it at once without one', async () => {
      const session = await loaded();
      await edit(session, { level: 'mention' });
      await api('PUT', projectPath, { level: 'watch' });
      const later = await loaded();
      assert.equal(later.state.conflict?.level, 'watch');
      await later.discard();
      assert.equal(later.state.settings?.level, 'watch');
      await api('PUT', projectPath, { level: 'disabled' });
      await later.load();
      assert.equal(later.state.settings?.level, 'disabled');
    });
  });

  describe('when a save goes wrong', () => {
    const refusals = [401, 403, 404, 400, 422, 409, 429];
    for (const status of refusals) {
      it(`${status}: nothing was saved, the draft is there`, async () => {
        const session = await loaded();
        await edit(session, { level: 'watch' });
        fault({ answer: status, method: 'PUT' });
        await session.save();
        assert.equal(session.state.outcome?.kind, 'notSaved');
        assert.ok(hasChanges(session));
        assert.equal((await api('GET', projectPath))['level'], 'global');
        fault();
        // After 429 the client itself keeps quiet for a while.
        if (status !== 429) {
          await session.save();
          assert.equal(session.state.outcome.kind, 'saved');
        }
      });
    }

    for (const status of [500, 502, 503]) {
      it(`${status}: reads what holds`, async () => {
        const session = await loaded();
        await edit(session, { level: 'watch' });
        fault({ answer: status, method: 'PUT' });
        await session.save();
        assert.equal(session.state.outcome?.kind, 'notSaved');
        assert.ok(hasChanges(session));
      });
    }

    it('reports that it was saved if only the answer was lost', async () => {
      const session = await loaded();
      await edit(session, { level: 'watch' });
      fault({ answer: truncated, method: 'PUT' });
      await session.save();
      const { outcome } = session.state;
      assert.ok(outcome?.kind === 'saved' && outcome.foundOut);
      assert.deepEqual([outcome.missing, outcome.unseen], [[], []]);
      assert.equal(hasChanges(session), false);
    });

    it('reports after a timeout what holds so far, and does not take its own late effect for a change by others', async () => {
      await client.close();
      const clock = new FakeClock();
      connect(sandbox.tokens.owner, clock);
      const { notificationSettings } = client;
      const update = notificationSettings.update.bind(notificationSettings);
      notificationSettings.update = async (...args) => {
        const answer = update(...args);
        const isOver = answer.then(
          () => true,
          () => true,
        );
        // Time passes only while the change is under way: what is read after it is not to be late.
        while (!(await Promise.race([isOver, new Promise<false>((resolve) => setImmediate(resolve, false))]))) {
          await clock.pass(1000);
        }
        return await answer;
      };
      const session = open();
      await session.load();
      await edit(session, { level: 'watch' });
      fault({ answer: never, method: 'PUT' });
      await session.save();
      assert.equal(session.state.outcome?.kind, 'notSaved');
      fault();
      await api('PUT', projectPath, { level: 'watch' });
      await session.save();
      assert.equal(session.state.outcome.kind, 'saved');
    });

    it('reports an unknown outcome, offers no undo of the save before, and reads at the next try first', async () => {
      const lost = apiError(
        { method: 'PUT', pathTemplate: '/notification_settings', instance: 'gitlab.example.com' },
        { reason: 'unavailable', kind: 'timeout' },
      );
      const answers = [{ level: 'global' }, { level: 'global' }, lost, { level: 'watch' }];
      const sent: object[] = [];
      const get = async (): Promise<{ readonly level: string }> => {
        const answer = answers.shift();
        if (!answer || answer instanceof Error) {
          throw answer ?? lost;
        }
        return answer;
      };
      const update = async (_: unknown, change: object): Promise<never> => {
        sent.push(change);
        throw lost;
      };
      const notificationSettings = { get, update };
      const session = open(project, { ...client, notificationSettings } as unknown as Client);
      await session.load();
      await edit(session, { level: 'watch' });
      await session.save();
      assert.equal(effectOf(session), 'unknown');
      assert.equal(session.state.memory.lastSave, undefined);
      assert.ok(hasChanges(session));
      await session.save();
      assert.equal(session.state.outcome?.kind, 'saved');
      assert.equal(sent.length, 1, 'it holds already');
    });

    it('does not know what became of events that the platform does not show', async () => {
      await api('PUT', '/notification_settings', { level: 'custom' });
      const session = await loaded(global);
      await edit(session, { new_note: true });
      fault({ answer: truncated, method: 'PUT' });
      await session.save();
      assert.equal(effectOf(session), 'unknown');
      assert.ok(hasChanges(session));
    });

    it('keeps events that the platform does not show, also where it shows that the rest was saved', async () => {
      const session = await loaded(global);
      await edit(session, { level: 'custom', new_note: true });
      fault({ answer: truncated, method: 'PUT' });
      await session.save();
      const { outcome, memory } = session.state;
      assert.ok(outcome?.kind === 'saved' && outcome.foundOut);
      assert.deepEqual(
        [memory.lastSave?.change, outcome.missing, outcome.unseen],
        [{ level: 'custom' }, [], ['new_note']],
      );
      assert.deepEqual(memory.draft, { new_note: true });
    });

    it('shows the platform’s error at its field', async () => {
      const session = await loaded(global);
      await edit(session, { notification_email: 'nobody@elsewhere.example' });
      await session.save();
      const { outcome } = session.state;
      assert.ok(outcome?.kind === 'notSaved');
      assert.deepEqual((outcome.error as { fields: object }).fields, {
        notification_email: ['must be an email you have verified'],
      });
      assert.equal(session.state.memory.draft['notification_email'], 'nobody@elsewhere.example');
    });

    it('sends nothing if the settings cannot be read just before', async () => {
      const session = await loaded();
      await edit(session, { level: 'watch' });
      fault({ answer: dropped, method: 'GET' });
      await session.save();
      assert.equal(session.state.outcome?.kind, 'notSaved');
      assert.equal(effectOf(session), 'none');
    });

    it('leaves the draft to the next window if the editor ended in the midst, which compares it with what holds', async () => {
      const session = await loaded();
      await edit(session, { level: 'watch' });
      // The request had been acted on.
      await api('PUT', projectPath, { level: 'watch' });
      const later = await loaded();
      assert.equal(later.state.conflict, undefined);
      assert.equal(hasChanges(later), false);
    });

    it('can be cancelled, and reports what holds', async () => {
      const session = await loaded();
      await edit(session, { level: 'watch' });
      fault({ answer: never, method: 'PUT' });
      const { notificationSettings } = client;
      const update = notificationSettings.update.bind(notificationSettings);
      notificationSettings.update = async (...args) => {
        setImmediate(() => session.cancel());
        return await update(...args);
      };
      await session.save();
      assert.equal(effectOf(session), 'notSoFar');
      assert.ok(hasChanges(session));
    });
  });

  it('shows what it knew, with the draft, while the token is not accepted', async () => {
    const session = await loaded();
    await edit(session, { level: 'watch' });
    await client.close();
    connect('glpat-expired');
    const later = await loaded();
    assert.ok(later.state.outcome?.kind === 'loadFailed' && isApiError(later.state.outcome.error, 'notSignedIn'));
    assert.equal(later.state.settings?.level, 'global');
    assert.ok(hasChanges(later));
  });

  for (const tier of ['free', 'ultimate'] as const) {
    it(`offers new_epic on ${tier} unless the record of a group shows that there is none`, async () => {
      await stop();
      await start({ tier });
      const group = { kind: 'group', accountId: 'marta', id: 11, path: 'harbor' } as const;
      const offers = async (scope: NotificationScope): Promise<boolean> => {
        const { settings } = (await loaded(scope)).state;
        assert.ok(settings);
        return 'new_epic' in settings.flags;
      };
      assert.deepEqual([await offers(group), await offers(global), await offers(project)], [true, true, true]);
      await api('PUT', '/groups/11/notification_settings', { level: 'custom' });
      await api('PUT', projectPath, { level: 'custom' });
      assert.deepEqual(
        [await offers(group), await offers(global), await offers(project)],
        [tier === 'ultimate', true, true],
      );
    });
  }
});
