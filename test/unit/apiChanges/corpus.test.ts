import assert from 'node:assert/strict';
import { compare, readCorpus } from '../../bench/apiChanges/learnedCorpus.ts';

describe('the corpus that earlier versions learned from', () => {
  const comparisons = readCorpus().map(compare);
  const sum = (count: (comparison: (typeof comparisons)[number]) => number): number =>
    comparisons.reduce((total, comparison) => total + count(comparison), 0);

  // The others travel from one function to another, which ties nothing.
  it('keeps its recall: 70 of 100 uses are found', () => {
    const missed = comparisons.flatMap((comparison) => comparison.missed);
    assert.equal(sum(({ found }) => found) + missed.length, 100);
    assert.ok(missed.length <= 30, missed.join('\n'));
  });

  it('keeps its precision: no hint is wrong', () => {
    const wrong = comparisons.flatMap((comparison) => comparison.false);
    assert.deepEqual(wrong, []);
  });
});
