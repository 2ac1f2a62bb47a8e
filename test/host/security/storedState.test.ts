import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AccountInUse } from '../../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { Pins } from '../../../src/accounts/pins.ts';
import type { Feed } from '../../../src/activity/feed/feed.ts';
import { FeedChoices } from '../../../src/activity/feed/feedChoices.ts';
import { FilterMemory } from '../../../src/activity/feed/filter.ts';
import { isMuted, isNew } from '../../../src/activity/feed/merge.ts';
import { Mutes, ReadState } from '../../../src/activity/feed/readState.ts';
import { CheckedMemento } from '../../../src/common/checkedMemento.ts';
import { parseRemoteUrl } from '../../../src/workspace/remoteUrl.ts';
import { withoutChangingTokens } from '../../support/accountSamples.ts';
import { sampleEvent } from '../../support/anyEvent.ts';
import { MemoryMemento, MemorySecrets } from '../../support/editorState.ts';
import { hostileText, runs } from '../../support/properties.ts';

const account = { kind: 'instance', id: 'ada@host', instanceUrl: 'https://host', username: 'ada', tokenStoredAt: 1 };
const names = [
  'kind',
  'id',
  'instanceUrl',
  'username',
  'tokenStoredAt',
  'scopes',
  'expiresAt',
  'accountId',
  'what',
  'value',
  'name',
  'path',
];
/** What may be left of state: what another version wrote, what a crash left, and what is no state at all. */
const stored = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    hostileText,
    fc.constantFrom('instance', 'project', 'author', 'https://host', 'ada@host', 7, account),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 8 }),
  ),
})).any;
const keys = [
  'activity.read',
  'activity.opened',
  'activity.quietFeeds',
  'activity.mutes',
  'activity.filters',
  'activity.feed',
  'activity.pinnedFeeds',
];
const kept = fc.dictionary(
  fc.constantFrom(...keys, 'activity.recentFeeds', 'pins', 'accounts', 'accountInUse'),
  stored,
);

/** A memento as the extension has it, over what was left. */
function mementoOf(left: Readonly<Record<string, unknown>>): {
  memento: CheckedMemento;
  values: MemoryMemento;
  warnings: string[];
} {
  const warnings: string[] = [];
  const values = new MemoryMemento();
  Object.entries(left).forEach(([key, value]) => values.values.set(key, value));
  return {
    memento: new CheckedMemento(values, { warn: (sentence: string) => warnings.push(sentence) }),
    values,
    warnings,
  };
}

/** What reading needs of a feed. */
const feed = { id: 'feed', ref: { kind: 'mine', accountId: 'ada@host' }, state: { items: [] } } as unknown as Feed;

describe('what was kept, whatever has become of it', () => {
  it('lets the views begin, and take what the user does next', async () => {
    await fc.assert(
      fc.asyncProperty(kept, async (left) => {
        const { memento } = mementoOf(left);
        const read = new ReadState(memento, memento);
        const mutes = new Mutes(memento);
        const filters = new FilterMemory(memento);
        const choices = new FeedChoices({
          globalState: memento,
          workspaceState: memento,
          accountInUse: { account: undefined },
          workspaceProjects: { current: undefined },
        } as never);
        const pins = new Pins(memento);
        const event = sampleEvent({ id: 9 });
        const ofFeed = () => ({ ...read.of(feed), muted: mutes.of('ada@host') });
        assert.equal(typeof isNew(ofFeed(), event), 'boolean');
        await read.markReadUpTo(feed, 8);
        await read.setRead('ada@host', [9], false);
        assert.ok(isNew(ofFeed(), event));
        await read.setCounts('feed', false);
        assert.ok(!ofFeed().counts);
        assert.equal(typeof isMuted({ muted: mutes.of('ada@host') }, event), 'boolean');
        await mutes.add({ accountId: 'ada@host', what: 'author', value: 'ada', name: 'Ada' });
        assert.ok(isMuted({ muted: mutes.of('ada@host') }, event));
        assert.equal(typeof filters.of('feed'), 'object');
        await filters.set('feed', { kind: 'closed Issue' });
        assert.deepEqual(filters.of('feed'), { kind: 'closed Issue' });
        assert.ok(choices.all.length > 0);
        await choices.pin({ kind: 'allProjects' });
        assert.ok(choices.isPinned({ kind: 'allProjects' }));
        await pins.add({ kind: 'group', accountId: 'ada@host', id: 1, path: 'g' });
        assert.ok(pins.has({ kind: 'group', accountId: 'ada@host', id: 1 }));
        [read, mutes, filters, choices, pins].forEach((part) => part.dispose());
      }),
      runs(150),
    );
  });

  it('lets the accounts begin, with those that can be used', () => {
    const remotes = {
      repositories: [{ remotes: [parseRemoteUrl('git@host:a/b.git')].filter((one) => one !== undefined) }],
      hostNameOf: (alias: string) => alias,
      onDidChange: () => ({ dispose: () => undefined }),
    };
    fc.assert(
      fc.property(kept, fc.array(stored), (left, accounts) => {
        const { memento } = mementoOf({ ...left, accounts: [account, ...accounts] });
        const store = new AccountStore(memento, new MemorySecrets(), withoutChangingTokens);
        const inUse = new AccountInUse(store, remotes as never, { global: memento, workspace: memento });
        assert.deepEqual(store.all[0], account);
        assert.ok(store.all.every(({ instanceUrl }) => /^https?:\/\//.test(instanceUrl)));
        assert.ok(inUse.account !== undefined);
        inUse.dispose();
        store.dispose();
      }),
      runs(150),
    );
  });

  it('takes an account without what is odd about it, and no other address than of the web', () => {
    const { memento } = mementoOf({
      accounts: [
        { ...account, scopes: 'api', expiresAt: 7 },
        { ...account, id: 'b', instanceUrl: 'not an address' },
        { ...account, id: 'c', instanceUrl: 'file:///etc' },
        { ...account, id: 'd', instanceUrl: 'https://user:secret@host' },
      ],
    });
    const store = new AccountStore(memento, new MemorySecrets(), withoutChangingTokens);
    assert.deepEqual(store.all, [account]);
    store.dispose();
  });

  it('is reported in the log once if it cannot be read', () => {
    const { memento, warnings } = mementoOf({ 'activity.read': null, 'activity.mutes': 'gone' });
    const [read, mutes] = [new ReadState(memento, memento), new Mutes(memento)];
    read.of(feed);
    read.of(feed);
    assert.deepEqual(mutes.all, []);
    assert.deepEqual(
      warnings.map((sentence) => sentence.split('"')[1]),
      ['activity.read', 'activity.mutes'],
    );
  });
});
