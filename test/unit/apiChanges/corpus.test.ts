import assert from 'node:assert/strict';
import { compare, readCorpus } from '../../bench/apiChanges/learnedCorpus.ts';

describe('the corpus that earlier versions learned from', () => {
  const comparisons = readCorpus().map(compare);
  const sum = (count: (comparison: (typeof comparisons)[number]) => number): number =>
    comparisons.reduce((total, comparison) => total + count(comparison), 0);

  it('keeps its recall: 80 of 100 uses are found', () => {
    const missed = comparisons.flatMap((comparison) => comparison.missed);
    assert.equal(sum(({ found }) => found) + missed.length, 100);
    assert.ok(missed.length <= 20, missed.join('\n'));
  });

  it('keeps its precision: at most 5 hints are wrong', () => {
    const wrong = comparisons.flatMap((comparison) => comparison.false);
    assert.ok(wrong.length <= 5, wrong.join('\n'));
  });
});
