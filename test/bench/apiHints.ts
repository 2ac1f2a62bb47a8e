import { recognizeInSlices, type Source, TooManyError } from '../../src/apiHints/recognize.ts';
import { recognize } from '../unit/apiHints/marked.ts';
import { turnsOf, usualAndLongest } from './measure.ts';
import { limited, type Part } from './report.ts';

/** The length of a frame in milliseconds: what comes later is noticed. */
const frame = 16;

/** What the search for announced changes costs in texts that are designed to make it slow. */
export async function bench(): Promise<Part> {
  const worst = worstSource();
  const large = largeSources.map(sourceOf);
  const turns = await turnsOf(async () => {
    for (const source of large) {
      await recognizeInSlices(source, () => false).catch(ignoreTooMany);
    }
  });
  const { usual, longest } = usualAndLongest(turns);
  return {
    title: 'API v5 hints',
    about: `Sources of 1 MiB, each designed to make a parser slow. A task is how long the work keeps its thread before a keystroke's document could be looked at, at worst but for one in a hundred, in time of the processor.`,
    results: [
      limited(
        'one source of 1 MiB to a second',
        worst.milliseconds,
        1000,
        `${worst.what}: ${worst.milliseconds.toFixed(0)} ms at worst`,
      ),
      limited(
        `tasks of one source of 1 MiB to a frame of ${frame} ms`,
        usual,
        frame,
        `${usual.toFixed(1)} ms, at worst ${longest.toFixed(1)} ms`,
      ),
    ],
  };
}

/** Sources of 1 MiB, each designed to make a parser slow. */
const largeSources: readonly (readonly [what: string, languageId: string, lines: string])[] = [
  ['repeated assignments', 'javascript', 'x = x + "/a";\n'],
  ['a chain', 'javascript', '.map(r => r.active)\n'],
  ['maps of YAML', 'yaml', '- name: a\n  spec:\n    containers:\n      - image: "x"\n        env: {a: b, c: "d"}\n'],
  [
    'a lock file',
    'yaml',
    "  '@a/b@7.0.0':\n    resolution: {integrity: sha512-aaaaaaaaaaaaaaaaaaa==}\n    dev: true\n",
  ],
  ['literals that do not end', 'javascript', '`a ${ b \n'],
  ['a minified bundle', 'javascript', `${'function a(b){return b.active?c("/runners/"+b.id):d};'.repeat(300)}\n`],
  ['brackets', 'go', '((([[[{{{\n'],
  ['brackets with words', 'javascript', '[a[a[a[a\n'],
  ['loops', 'python', 'for runner in runners:\n  use(runner)\n'],
  ['here documents', 'shellscript', 'cat <<A\n'],
  ['functions of a shell', 'shellscript', 'a() {\n'],
  ['texts of 12,000 characters', 'javascript', `f("${'/projects/ '.repeat(1100)}");\n`],
  ['fences', 'markdown', '```sh\n$CI_API_V4_URL/runners\n```\n'],
  ['fences of no language', 'markdown', '```\n'],
  ['quotes of a shell', 'shellscript', `'"\`$(\\"\n`],
  ['lines of a letter', 'javascript', 'A\n'],
  ['one literal', 'javascript', '/api/v4/runners?active=true `;\n'],
];

function sourceOf([, languageId, lines]: (typeof largeSources)[number]): Source {
  const text = `# gitlab /api/v4/runners active merge_status\n${lines.repeat((1024 * 1024) / lines.length)}`;
  // Read once, as a file's text was: what `repeat` makes is put together when it is first searched.
  text.includes('\0');
  return { text, languageId, path: 'a' };
}

/** A source with thousands of findings ends there. */
function ignoreTooMany(error: unknown): void {
  if (!(error instanceof TooManyError)) {
    throw error;
  }
}

function worstSource(): { readonly what: string; readonly milliseconds: number } {
  const times = largeSources.map((large) => {
    const source = sourceOf(large);
    const runs = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      try {
        recognize(source);
      } catch (error) {
        ignoreTooMany(error);
      }
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    });
    return { what: large[0], milliseconds: Math.min(...runs) };
  });
  return times.toSorted((one, other) => other.milliseconds - one.milliseconds)[0] ?? { what: '', milliseconds: 0 };
}
