import assert from 'node:assert/strict';
import { messageItem } from '../../../src/common/messageRow.ts';
import { problemRows } from '../../../src/errorTracking/tree.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

const tryAgain = { command: 'beacon.activity.refresh', title: 'Try Again' };

describe('the rows of error tracking', () => {
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
