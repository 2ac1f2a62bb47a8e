import assert from 'node:assert/strict';
import { recognize } from '../../../src/apiHints/recognize.ts';
import { languageOfPath } from '../../../src/workspace/languages.ts';
import { findingsOf, marked, unmarked } from './marked.ts';
import { otherMeanings, sureTies } from './otherMeanings.ts';

describe('names of announced changes in other meanings', () => {
  for (const { kind, path, text } of otherMeanings) {
    it(`are left alone in ${kind}, ${path}`, () => {
      assert.deepEqual(recognize({ text, path, languageId: languageOfPath(path, text) }), []);
    });
  }
});

describe('values that the function ties to the API', () => {
  for (const [what, language, program] of sureTies) {
    it(`are found in ${what}, in ${language}`, () => {
      const { source } = unmarked(program);
      const findings = findingsOf(source, language);
      assert.equal(marked(source, findings), program);
      assert.ok(findings.every(({ tier }) => tier === 'sure'));
    });
  }
});
