import assert from 'node:assert/strict';
import { announcedChanges } from '../../../src/deprecations/catalogue.ts';
import { recognize } from '../../../src/deprecations/recognition/recognize.ts';
import { marked, unmarked } from './marked.ts';
import { rows } from './rows.ts';

describe('announced changes in programs', () => {
  for (const { id } of announcedChanges) {
    const own = rows.filter(({ change }) => change === id);

    it(`${id} is tried in at least three languages, with two programs each that do not rely on it`, () => {
      assert.ok(new Set(own.map(({ language }) => language)).size >= 3);
      assert.ok(own.every(({ positive, negative }) => positive.length >= 1 && negative.length >= 2));
    });

    for (const { language, positive, negative } of own) {
      positive.forEach((program, index) => {
        it(`${id} is found in ${language}, ${index + 1}`, () => {
          const { source, places } = unmarked(program);
          const findings = recognize(source, language);
          assert.equal(marked(source, findings), program);
          assert.ok(places.length > 0);
          assert.deepEqual([...new Set(findings.map(({ change }) => change))], [id]);
        });
      });
      negative.forEach((program, index) => {
        it(`${id} is not seen where it is not, in ${language}, ${index + 1}`, () => {
          assert.equal(marked(program, recognize(program, language)), program);
        });
      });
    }
  }
});
