import assert from 'node:assert/strict';
import { announcedChanges } from '../../../src/apiHints/catalogue.ts';
import { findingsOf, unmarked } from './marked.ts';
import { programs } from './programs.ts';

describe('announced changes in programs', () => {
  for (const { id } of announcedChanges) {
    const own = programs.filter(([change]) => change === id);

    for (const [, language, ...texts] of own) {
      texts.forEach((program, index) => {
        it(`${id} is ${program.includes('⟦') ? 'found' : 'not seen'} in ${language}, ${index + 1}`, () => {
          const { source, places } = unmarked(program);
          const findings = findingsOf(source, language).filter(({ change, tier }) => change === id && tier === 'sure');
          const isAt = ({ start, end }: (typeof places)[number], finding: (typeof findings)[number]): boolean =>
            finding.start < end && start < finding.end;
          const missed = places.filter((place) => !findings.some((finding) => isAt(place, finding)));
          assert.deepEqual(missed, []);
          assert.deepEqual(
            findings.filter((finding) => !places.some((place) => isAt(place, finding))),
            [],
          );
        });
      });
    }
  }
});
