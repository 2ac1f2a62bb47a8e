import assert from 'node:assert/strict';
import { announcedChanges } from '../../../src/apiChanges/catalogue.ts';
import { findingsOf, unmarked } from './marked.ts';
import { rows } from './rows.ts';

/** What travels through what this recognizer does not follow: a variable of a shell that holds a value. */
const notSeen = new Set(['runnerStatus shellscript 2']);

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
          const findings = findingsOf(source, language);
          assert.ok(places.length > 0);
          const isAt = ({ start, end }: (typeof places)[number], finding: (typeof findings)[number]): boolean =>
            finding.change === id && finding.tier !== 'possible' && finding.start < end && start < finding.end;
          const found = places.filter((place) => findings.some((finding) => isAt(place, finding)));
          assert.equal(found.length, notSeen.has(`${id} ${language} ${index + 1}`) ? 0 : places.length);
          const others = findings.filter(
            (finding) => finding.change === id && !places.some((place) => isAt(place, finding)),
          );
          assert.deepEqual(others, []);
        });
      });
      negative.forEach((program, index) => {
        it(`${id} is not seen where it is not, in ${language}, ${index + 1}`, () => {
          const wrong = findingsOf(program, language).filter(
            ({ change, tier }) => change === id && tier !== 'possible',
          );
          assert.deepEqual(wrong, []);
        });
      });
    }
  }
});
