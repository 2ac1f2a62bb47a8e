import assert from 'node:assert/strict';
import { compare, readCorpus } from '../../../bench/deprecations/corpus.ts';

/** A parameter that one function of the program gives to another, which sends it. */
const notSeen = new Set(['api.ts:20 restrictedVariables']);

describe('a corpus of programs, scripts and CI files', () => {
  const samples = readCorpus();

  it('is large, of many languages, and much of it relies on nothing that changes', () => {
    assert.ok(samples.length >= 30);
    assert.ok(new Set(samples.map(({ name }) => name.slice(name.lastIndexOf('.')))).size >= 6);
    assert.ok(samples.filter(({ expected }) => expected.length === 0).length >= 10);
  });

  for (const sample of samples) {
    it(`${sample.name} is read as a person reads it`, () => {
      const { missed, false: wrong } = compare(sample);
      assert.deepEqual({ missed: missed.filter((place) => !notSeen.has(place)), wrong }, { missed: [], wrong: [] });
    });
  }
});
