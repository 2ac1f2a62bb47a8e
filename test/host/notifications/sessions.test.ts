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
      memento: window.memento,
      folder: window.folder,
      locate: async (scope) => scope,
    });

  it('know after a restart of all scopes with changes that were not saved, and of no others', async () => {
    const { tideTable, tools, global } = window;
    const before = sessions();
    for (const scope of [tideTable, tools, global]) {
      await before.of(scope).load();
    }
    await before.of(tideTable).edit({ scope: '', number: 1, edit: { level: 'watch' } });
    await before.of(tools).edit({ scope: '', number: 1, edit: { level: 'global' } });
    const after = sessions();
    assert.deepEqual(after.drafted(window.account.id), [tideTable]);
    assert.deepEqual(after.drafted('another account'), []);
    await after.of(tideTable).discard();
    assert.deepEqual(after.drafted(window.account.id), []);
  });
});
