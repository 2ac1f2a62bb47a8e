import * as fc from 'fast-check';

/**
 * Runs of properties in tests are random; a failing one prints its seed and path. `FUZZ_SEED` and `FUZZ_PATH` repeat it,
 * `FUZZ_RUNS` multiplies the runs.
 */
const { FUZZ_SEED: seed, FUZZ_PATH: path, FUZZ_RUNS: times = '1' } = process.env;

/** The parameters of a property that is to run so many times. */
export function runs(count: number): fc.Parameters<unknown> {
  return {
    numRuns: count * Number(times),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Characters that mean something to Markdown, HTML, spreadsheets, the editor, terminals or the direction of writing. */
const marks = [
  '[x](command:workbench.action.quit)¦](¦![](https://evil.example/x)¦<script>alert(1)</script>',
  '<img src=x>¦$(¦$(zap)¦`¦```¦~~~¦\\¦*¦_¦|¦#¦> ¦- ¦1. ¦&lt;¦&#x3c;¦---¦<!--¦\n¦\r¦\r\n¦\n\n¦\t¦\0',
  '\x07¦\x1b[31m¦\x85¦\u2028¦\u2029¦\u202e¦\u202d¦\u2066¦\u2067¦\u2069¦\u200b¦\u200d¦\ufeff¦\u2060',
  '\u{e0041}¦\u00ad¦\ud83d¦\ude00¦\u{1f600}¦=¦+¦-¦@¦"¦\'¦,¦;¦%¦%00¦../¦/¦file:///etc/passwd',
  'javascript:alert(1)¦command:x¦vscode://x/y¦https://evil.example¦//evil.example¦word¦ ',
].flatMap((line) => line.split('¦'));

/** Text as an attacker writes it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...marks), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 8 })), { maxLength: 12 })
    .map((all) => all.join('')),
);

/** Text of a megabyte. */
export const hugeText = '\u202e[x](command:y)$(zap)\n<b>'.repeat(40_000);

/** Names that every object of JavaScript has, as words of others. */
export const inheritedNames = ['constructor', 'valueOf', 'toString', '__proto__', 'hasOwnProperty'];
