import assert from 'node:assert/strict';
import { recognizeInSlices, recognizing } from '../../../src/apiChanges/recognize.ts';
import { OverBudgetError, Work } from '../../../src/apiChanges/tokenizer.ts';

/** Sources that grow by repeating lines, each designed to make a parser read the same place repeatedly. */
const kinds: readonly (readonly [what: string, language: string, lines: string])[] = [
  ['repeated assignments', 'javascript', 'x = x + "/a";\n'],
  ['assignments in a row', 'javascript', 'a=a\nb=a\n'],
  ['chains after a call of runners', 'javascript', '.map(r => r.active)\n'],
  ['texts that are joined', 'java', '"/a" + "/runners" +\n'],
  ['maps of YAML', 'yaml', '- name: a\n  spec:\n    containers:\n      - image: "x"\n        env: {a: b, c: "d"}\n'],
  ['lock files', 'yaml', "  '@a/b@7.0.0':\n    resolution: {integrity: sha512-aaaaaaaaaaaaaaaaaaa==}\n    dev: true\n"],
  ['literals that do not end', 'javascript', '`a ${ b \n'],
  ['quotes of a shell', 'shellscript', `'"\`$(\\"\n`],
  ['minified bundles', 'javascript', `${'function a(b){return b.active?c("/runners/"+b.id):d};'.repeat(300)}\n`],
  ['one literal of many lines', 'javascript', '/api/v4/runners?active=true\n'],
  ['brackets', 'go', '((([[[{{{\n'],
  ['brackets with words', 'javascript', '[a[a[a[a\n'],
  ['a variable that calls are given again and again', 'javascript', 'f("/api/v4/runners", data);d={active:1};\n'],
  ['here documents', 'shellscript', 'cat <<A\n'],
  ['functions of a shell', 'shellscript', 'a() {\n'],
  ['texts full of paths', 'javascript', `f("${'/projects/ '.repeat(1100)}");\n`],
  ['records', 'python', '"active": 1, "namespace": 2,\n'],
  ['loops', 'python', 'for runner in runners:\n  use(runner)\n'],
  ['fences', 'markdown', '```sh\ncurl $CI_API_V4_URL/a/runners\n```\n'],
  ['fences of no language', 'markdown', '```\n'],
  ['options', 'shellscript', '--data active=true \\\n'],
];
const first = '# gitlab /api/v4/runners PRIVATE-TOKEN\n';
const sizes = [256, 1024].map((kibibytes) => kibibytes * 1024);

function sourceOf(language: string, lines: string, size: number) {
  const opening = language === 'markdown' ? '' : lines.startsWith('/api') ? 'x = `' : '';
  return { text: first + opening + lines.repeat(size / lines.length), languageId: language, path: 'a' };
}

describe('the work that a source makes', () => {
  for (const [what, language, lines] of kinds) {
    it(`grows no faster than the text, up to 1 MiB of ${what}`, () => {
      const counts = sizes.map((size) => {
        const work = new Work();
        const run = recognizing(sourceOf(language, lines, size), work);
        let [slices, before, most] = [0, 0, 0];
        while (run.next().done !== true) {
          slices += 1;
          most = Math.max(most, work.steps - before);
          before = work.steps;
        }
        return { steps: work.steps, slices, most };
      });
      for (const [index, { steps, slices, most }] of counts.entries()) {
        const before = counts[index - 1];
        assert.ok(steps > 0);
        // In slices: other tasks wait for a small part of it only, at most for one search through all of it.
        assert.ok(most <= 70_000, `${most} steps in one slice`);
        if (before) {
          assert.ok(steps <= 4.2 * before.steps, `${before.steps} and then ${steps} steps`);
          assert.ok(slices <= 4.4 * before.slices + 5, `${before.slices} and then ${slices} slices`);
        }
      }
    });
  }

  it('can be cancelled within a file', async () => {
    const source = sourceOf('javascript', 'x = x + "/a";\n', 1024 * 1024);
    const whole = new Work();
    await recognizeInSlices(source, Number.POSITIVE_INFINITY, () => false, whole);
    const work = new Work();
    let asked = 0;
    const findings = await recognizeInSlices(source, Number.POSITIVE_INFINITY, () => (asked += 1) > 2, work);
    assert.deepEqual(findings, []);
    assert.ok(work.steps < whole.steps / 2, `${work.steps} of ${whole.steps} steps`);
  });

  it('has a bound, beyond which it ends with an error that says so', async () => {
    const source = sourceOf('javascript', 'x = x + "/a";\n', 256 * 1024);
    await assert.rejects(
      recognizeInSlices(source, 10_000, () => false),
      OverBudgetError,
    );
  });

  it('is not too much for a literal of 125,000 characters and more', () => {
    const text = `${first}fetch("/api/v4/geo_nodes");\nx = \`${'${a} b\n'.repeat(60_000)}\`;\nfetch("/api/v4/geo_nodes");\n`;
    const run = recognizing({ text, languageId: 'javascript', path: 'a' }, new Work());
    let step = run.next();
    while (!step.done) {
      step = run.next();
    }
    assert.equal(step.value.length, 2);
  });
});
