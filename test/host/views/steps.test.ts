import assert from 'node:assert/strict';
import { problemSteps, stepItem } from '../../../src/views/steps.ts';

const tryAgain = { command: 'beacon.activity.refresh', title: 'Try Again' };

describe('the steps of a view', () => {
  it('read out a sentence after the label, and never the same twice', () => {
    const said = [undefined, 'Load More', 'There are older ones.'].map(
      (sentence) => stepItem({ label: 'Load More', icon: 'fold-down', sentence }).accessibilityInformation?.label,
    );
    assert.deepEqual(said, ['Load More', 'Load More', 'Load More. There are older ones.']);
  });

  it('tell a failure with the step that mends it, where there is one, and another try', () => {
    const remedy = { command: 'beacon.signIn', title: 'Sign In…' };
    const labels = (problem: Parameters<typeof problemSteps>[0]) =>
      problemSteps(problem, tryAgain).map((step) => stepItem(step).label);
    assert.deepEqual(labels({ sentence: 'No.', remedy }), ['No.', 'Sign In…', 'Try Again']);
    assert.deepEqual(labels({ sentence: 'No.' }), ['No.', 'Try Again']);
    const [told, again] = problemSteps({ sentence: 'No.' }, tryAgain).map(stepItem);
    assert.deepEqual([told?.command, told?.accessibilityInformation?.label], [undefined, 'No.']);
    assert.deepEqual([again?.command, again?.accessibilityInformation?.label], [tryAgain, 'Try Again. No.']);
  });
});
