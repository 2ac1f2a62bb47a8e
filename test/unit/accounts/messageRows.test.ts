import assert from 'node:assert/strict';
import { messageItem, problemRows } from '../../../src/accounts/messageRows.ts';

const tryAgain = { command: 'beacon.activity.refresh', title: 'Try Again' };

describe('the message rows of a view', () => {
  it('read out a sentence after the label, and never the same twice', () => {
    const said = [undefined, 'Load More', 'There are older ones.'].map(
      (sentence) => messageItem({ label: 'Load More', icon: 'fold-down', sentence }).accessibilityInformation?.label,
    );
    assert.deepEqual(said, ['Load More', 'Load More', 'Load More. There are older ones.']);
  });

  it('show a failure with the command that fixes it, if there is one, and "Try Again"', () => {
    const remedy = { command: 'beacon.signIn', title: 'Sign In…' } as const;
    const labels = (problem: Parameters<typeof problemRows>[0]) =>
      problemRows(problem, tryAgain).map((step) => messageItem(step).label);
    assert.deepEqual(labels({ sentence: 'No.', remedy }), ['No.', 'Sign In…', 'Try Again']);
    assert.deepEqual(labels({ sentence: 'No.' }), ['No.', 'Try Again']);
    const [message, again] = problemRows({ sentence: 'No.' }, tryAgain).map(messageItem);
    assert.deepEqual([message?.command, message?.accessibilityInformation?.label], [undefined, 'No.']);
    assert.deepEqual([again?.command, again?.accessibilityInformation?.label], [tryAgain, 'Try Again. No.']);
  });
});
