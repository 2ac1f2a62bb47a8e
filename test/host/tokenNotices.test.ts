import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Account, type InstanceAccount, sandboxAccount } from '../../src/accounts/account.ts';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { TokenNotices } from '../../src/accounts/tokenNotices.ts';
import { sampleAccount, withoutChangingTokens } from '../support/accountSamples.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

const today = Date.parse('2026-11-21T12:00:00Z');

describe('notices about tokens', () => {
  let disposables: vscode.Disposable[] = [];
  afterEach(() => {
    vscode.Disposable.from(...disposables.splice(0)).dispose();
  });

  /** A window at noon of 21 November, with what it shows; the first notice about an account is answered by its button. */
  function window(memento = new MemoryMemento()) {
    const store = new AccountStore(new MemoryMemento(), new MemorySecrets(), withoutChangingTokens);
    const inUse = new AccountInUse(store, new WindowRemotes(), { global: memento, workspace: new MemoryMemento() });
    const rejections = new vscode.EventEmitter<Account>();
    const clock = { now: today };
    const shown: string[] = [];
    const renewed: string[] = [];
    const notices = new TokenNotices(
      { store, inUse, memento, onDidRejectToken: rejections.event, clock: { date: () => new Date(clock.now) } },
      async (sentence, button) => {
        shown.push(sentence);
        return button;
      },
      async ({ id }) => void renewed.push(id),
    );
    disposables = [store, inUse, rejections, notices];
    return { store, notices, rejections, shown, renewed, clock };
  }

  const expiring = (expiresAt: string | undefined): InstanceAccount =>
    sampleAccount('ada', 'https://one.example', { expiresAt });

  for (const [expiresAt, sentence] of [
    [undefined, undefined],
    ['2027-11-21', undefined],
    ['2026-11-29', undefined],
    ['2026-11-28', 'ada@one.example: the token expires in 7 days.'],
    ['2026-11-24', 'ada@one.example: the token expires in 3 days.'],
    ['2026-11-22', 'ada@one.example: the token expires within a day.'],
    ['2026-11-21', 'ada@one.example: the token has expired.'],
    ['2026-01-01', 'ada@one.example: the token has expired.'],
    ['not a date', undefined],
  ] as const) {
    it(`say "${sentence ?? 'nothing'}" of a token that expires on ${expiresAt ?? 'no day'}`, async () => {
      const { store, notices, shown, renewed } = window();
      await store.save(expiring(expiresAt), 'glpat-1');
      await notices.warnOfExpiry();
      assert.deepEqual(shown, sentence === undefined ? [] : [sentence]);
      assert.deepEqual(renewed, sentence === undefined ? [] : ['ada@one.example']);
    });
  }

  it('come once a day for a token, whatever the number of windows', async () => {
    const memento = new MemoryMemento();
    const first = window(memento);
    await first.store.save(expiring('2026-11-24'), 'glpat-1');
    await first.notices.warnOfExpiry();
    await first.notices.warnOfExpiry();
    const second = window(memento);
    await second.store.save(expiring('2026-11-24'), 'glpat-1');
    await second.notices.warnOfExpiry();
    assert.equal(first.shown.length + second.shown.length, 1);
    second.clock.now += 24 * 60 * 60 * 1000;
    await second.notices.warnOfExpiry();
    assert.deepEqual(second.shown, ['ada@one.example: the token expires in 2 days.']);
  });

  it('come once for a rejected token, and again for the next one', async () => {
    const { rejections, shown, renewed } = window();
    const account = expiring(undefined);
    rejections.fire(account);
    rejections.fire(account);
    rejections.fire(sampleAccount('bob', 'https://one.example'));
    assert.equal(shown.length, 2);
    rejections.fire({ ...account, tokenStoredAt: 2 });
    assert.equal(shown.length, 3);
    await new Promise(setImmediate);
    assert.deepEqual(renewed, ['ada@one.example', 'bob@one.example', 'ada@one.example']);
  });

  it('never come for the sandbox', () => {
    const { rejections, shown } = window();
    rejections.fire(sandboxAccount);
    assert.deepEqual(shown, []);
  });
});
