import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { runs } from '../../support/properties.ts';
import { findingsOf, unmarked } from './marked.ts';
import { programs } from './programs.ts';

const languages = 'typescript python ruby go csharp php rust shellscript yaml http markdown plaintext'.split(' ');
const samples = programs.flatMap(([, , ...texts]) => texts.map((text) => unmarked(text)));

/** Whether findings are places of the source, in order, with fixes of places of it. */
function areSound(source: string, language: string): boolean {
  const findings = findingsOf(source, language);
  const isPlace = ({ start, end }: { start: number; end: number }): boolean =>
    0 <= start && start <= end && end <= source.length;
  return findings.every(
    (finding, index) =>
      isPlace(finding) &&
      finding.start < finding.end &&
      finding.start >= (findings[index - 1]?.start ?? 0) &&
      (finding.fix?.edits.every(isPlace) ?? true),
  );
}

describe('sources that nobody writes', () => {
  it('are read to their end, in every language, when they are cut anywhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.constantFrom(...languages),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ source }, language, from, to) =>
          areSound(
            source.slice(Math.floor(from * source.length), Math.ceil(Math.max(from, to) * source.length)),
            language,
          ),
      ),
      runs(400),
    );
  });

  it('are read to their end when they are made of marks', () => {
    const marks =
      `" ' \` \${ { } ( ) [ ] #{ {{ }} /* // # | = => -> . , : ; """ ''' \\ a runner .active /api/v4/runners/1`.split(
        ' ',
      );
    const words = ['\n', 'def ', 'for ', 'in ', 'return ', 'lambda ', 'as ', '<<EOF\n', ' - ', 'jq '];
    const piece = fc.constantFrom(...marks, ...words);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), fc.constantFrom(...languages), (pieces, language) =>
        areSound(`gitlab runners ${pieces.join('')}`, language),
      ),
      runs(400),
    );
  });

  for (const [what, unit] of [
    ['brackets', '('],
    ['braces', '{'],
    ['holes', '`${'],
    ['members', 'a.'],
    ['assignments', 'a='],
    ['operators', '"x"+'],
    ['functions', 'x=>'],
    ['calls', 'f(&a,'],
    ['loops', 'for x in '],
  ] as const) {
    it(`are read to their end when they nest ${what}`, () => {
      for (const language of languages) {
        assert.ok(areSound(`gitlab /api/v4/runners\n${unit.repeat(500)}`, language), language);
      }
    });
  }

  it('are left alone when a line is of enormous length, as in what programs generate', () => {
    const call = 'fetch("https://gitlab.example.com/api/v4/geo_nodes");';
    assert.equal(findingsOf(call, 'javascript').length, 1);
    assert.deepEqual(findingsOf(call.repeat(500), 'javascript'), []);
  });
});
