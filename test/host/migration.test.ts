import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { Pins } from '../../src/accounts/pins.ts';
import { FilterMemory } from '../../src/activity/feed/filterMemory.ts';
import { FeedChoices } from '../../src/activity/feed/openFeeds.ts';
import { Mutes } from '../../src/activity/feed/readState.ts';
import { parseSavedFeed } from '../../src/activity/feed/storedFeed.ts';
import { isRecognized } from '../../src/api/unrecognized.ts';
import { CheckedMemento } from '../../src/common/checkedMemento.ts';
import { ScopeStore } from '../../src/notifications/form/settingsSession.ts';
import { ProfileStore } from '../../src/notifications/profiles/profileStore.ts';
import { Restores } from '../../src/notifications/profiles/restores.ts';
import { withoutChangingTokens } from '../support/accountSamples.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

/** What a version has left, see scripts/storedState.ts. */
interface StoredState {
  readonly global: Readonly<Record<string, unknown>>;
  readonly workspace: Readonly<Record<string, unknown>>;
  /** The texts of the secret store by their keys. */
  readonly secrets: Readonly<Record<string, string>>;
}

const extensionPath = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.extensionPath ?? '';
const fixtures = join(extensionPath, 'test', 'host', 'fixtures');

/** A list that was kept, as it was written. */
function listOf(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value) && value.length > 0, 'the fixture has something of it');
  return value as readonly unknown[];
}

for (const version of readdirSync(fixtures)) {
  describe(`the state that version ${version} has stored`, () => {
    const state = JSON.parse(readFileSync(join(fixtures, version, 'state.json'), 'utf8')) as StoredState;
    const complaints: string[] = [];
    const mementoOf = (values: Readonly<Record<string, unknown>>): CheckedMemento => {
      const memento = new MemoryMemento();
      Object.entries(values).forEach(([key, value]) => memento.values.set(key, structuredClone(value)));
      return new CheckedMemento(memento, { warn: (sentence: string) => complaints.push(sentence) });
    };
    const [global, workspace, secrets] = [mementoOf(state.global), mementoOf(state.workspace), new MemorySecrets()];
    Object.entries(state.secrets).forEach(([key, value]) => secrets.values.set(key, value));

    after(() => assert.deepEqual(complaints, []));

    it('has its accounts with their tokens, and the one in use', async () => {
      const store = new AccountStore(global, secrets, withoutChangingTokens);
      const inUse = new AccountInUse(store, new WindowRemotes(), { global, workspace });
      const kept = listOf(state.global['accounts']) as readonly { id: string; instanceUrl: string }[];
      assert.deepEqual(store.all, kept);
      for (const { id, instanceUrl } of kept) {
        const credentials = await store.credentials(id);
        assert.equal(credentials?.instanceUrl, instanceUrl);
        assert.match(credentials.token, /^glpat-/);
      }
      assert.equal(inUse.account?.id, state.workspace['accountInUse']);
      assert.deepEqual(store.all, kept, 'reading the tokens changes nothing of what is kept');
      inUse.dispose();
      store.dispose();
    });

    it('has its pinned and chosen feeds, filters and mutes', () => {
      const choices = new FeedChoices(workspace, global, { account: undefined }, () => ({ kind: 'mine' }));
      assert.deepEqual(choices.pinned, listOf(state.global['activity.pinnedFeeds']));
      assert.deepEqual(choices.chosen, state.workspace['activity.feed']);
      const filters = Object.entries(state.global['activity.filters'] as object);
      assert.ok(filters.length > 0);
      const memory = new FilterMemory(global);
      filters.forEach(([feed, filter]) => assert.deepEqual(memory.of(feed), filter));
      assert.deepEqual(new Mutes(global).all, listOf(state.global['activity.mutes']));
    });

    it('has its pinned projects', () => {
      const kept = listOf(state.global['pins']) as readonly { accountId: string }[];
      assert.deepEqual(new Pins(global).of(kept[0]?.accountId ?? ''), kept);
    });

    it('has its profiles, and what is restored when one ends', () => {
      assert.deepEqual(new ProfileStore(global).all, listOf(state.global['notificationProfiles']));
      assert.deepEqual(new Restores(global).all, listOf(state.global['notificationRestores']));
    });

    it('has its drafts of notification settings', () => {
      const prefix = 'notificationSettings/';
      const drafts = Object.entries(state.global).filter(([key]) => key.startsWith(prefix));
      assert.ok(drafts.some(([, memory]) => JSON.stringify(memory).includes('"mention"')));
      const store = new ScopeStore(global);
      for (const [key, memory] of drafts) {
        const { draft, ...rest } = memory as { draft: { flags: object; level?: string; email?: string } };
        const { flags, email, ...level } = draft;
        const fields = { ...flags, ...level, ...(email === undefined ? {} : { notification_email: email }) };
        assert.deepEqual(JSON.parse(JSON.stringify(store.get(key.slice(prefix.length)))), { ...rest, draft: fields });
      }
    });

    it('has its kept feeds, with every event', () => {
      const files = globSync('*.json', { cwd: join(fixtures, version) }).filter((file) => file !== 'state.json');
      assert.ok(files.length > 0);
      for (const file of files) {
        const text = readFileSync(join(fixtures, version, file), 'utf8');
        const feed = parseSavedFeed(text);
        assert.equal(feed?.items.filter(isRecognized).length, (JSON.parse(text) as { items: unknown[] }).items.length);
      }
    });
  });
}
