import assert from 'node:assert/strict';
import { Sessions } from '../../../src/notifications/form/settingsPanel.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';

describe('the sessions of notification settings', () => {
  let window: NotificationWindow;

  beforeEach(async () => {
    window = await NotificationWindow.open();
  });
  afterEach(() => window.close());

  /** The sessions of a new window, or after a restart. */
  const sessions = () =>
    new Sessions({
      engine: window.engine,
      folder: window.folder,
      log: { warn: (sentence) => assert.fail(sentence) },
    });

  it('know after a restart of all scopes with changes that were not saved, and of no others', async () => {
    const { tideTable, tools, global } = window;
    const before = sessions();
    for (const scope of [tideTable, tools, global]) {
      await before.of(scope).load();
    }
    await before.of(tideTable).edit({ level: 'watch' });
    await before.of(tools).edit({ level: 'global' });
    const after = sessions();
    assert.deepEqual(await after.drafted(window.account.id), [tideTable]);
    assert.deepEqual(await after.drafted('another account'), []);
    await after.of(tideTable).load();
    await after.of(tideTable).discard();
    assert.deepEqual(await after.drafted(window.account.id), []);
  });
});
