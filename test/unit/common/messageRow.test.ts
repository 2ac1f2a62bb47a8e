import assert from 'node:assert/strict';
import { messageItem } from '../../../src/common/messageRow.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

describe('the message rows of a view', () => {
  it('read out a sentence after the label, and never the same twice', () => {
    const said = [undefined, 'Load More', 'There are older ones.'].map(
      (sentence) => messageItem({ label: 'Load More', icon: 'fold-down', sentence }).accessibilityInformation?.label,
    );
    assert.deepEqual(said, ['Load More', 'Load More', 'Load More. There are older ones.']);
  });
});
