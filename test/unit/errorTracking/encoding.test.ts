import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { keysOf, openTracking, shortName, trackingView } from './trackingWindow.ts';

describe('Insert DSN into a file that is not in UTF-8', () => {
  it('keeps each of its bytes', async () => {
    const window = await openTracking();
    try {
      const key = (await keysOf(window)).find(({ active }) => active);
      assert.ok(key);
      window.write('.env', Buffer.from('NAME=Andr\xe9\n', 'latin1'));
      window.answer('Where the program reads the DSN', 'Into .env');
      await window.choose(trackingView, shortName(key), 'Insert DSN…');
      const bytes = readFileSync(window.path('.env').fsPath, 'latin1');
      assert.equal(bytes, `NAME=Andr\xe9\nSENTRY_DSN=${key.tracker_dsn}\n`);
    } finally {
      await window.dispose();
    }
  });
});
