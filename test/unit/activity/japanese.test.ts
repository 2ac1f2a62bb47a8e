import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';

describe('the Activity view in Japanese', () => {
  let window: TestWindow;
  before(async () => {
    window = await TestWindow.open({ signedInAs: 'owner', language: 'ja' });
  });
  after(() => window.dispose());

  it('says what happened without spaces between Japanese characters', async () => {
    const { accessibleName = '' } = await window.row('beacon.activity', /: #\d/);
    assert.match(accessibleName, /^\w+ が.*「.*」[にを]/);
    assert.doesNotMatch(accessibleName, /[\u3000-\uffef] [\u3000-\uffef]/);
  });
});
