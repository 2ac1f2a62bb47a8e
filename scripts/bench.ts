import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { holds, type Part, reportOf, sectionOf } from '../test/bench/report.ts';
import { endWith, readOptions } from './options.ts';
import { packageExtension } from './packaging.ts';
import { temporaryFolder } from './processes.ts';
import { projectRoot } from './project.ts';

// Modules of the extension import `vscode`; in plain Node it is a stand-in.
await import('../test/support/editor/register.ts');

/** A part measures in a folder for its files; the one of the hostile instance for so many minutes. */
type Bench = (folder: string, minutes: number) => Promise<Part>;

/** The parts by name. With `--only`, those whose name contains its value run; the report keeps the others as they were. */
const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  activation: () => import('../test/bench/activation.ts'),
  client: () => import('../test/bench/client.ts'),
  transport: () => import('../test/bench/transport.ts'),
  apiHints: () => import('../test/bench/apiHints.ts'),
  activity: () => import('../test/bench/activity.ts'),
  form: () => import('../test/bench/form.ts'),
  insights: () => import('../test/bench/insights.ts'),
  dsnScan: () => import('../test/bench/dsnScan.ts'),
  markdown: () => import('../test/bench/markdown.ts'),
  memory: () => import('../test/bench/memory.ts'),
  hour: () => import('../test/bench/hour.ts'),
  hostile: () => import('../test/bench/hostile.ts'),
};

const help = `Usage: npm run bench [-- options]
Measures all that has a limit and writes test/bench/results.md.
  --only WORD      the parts alone whose name contains the word: ${Object.keys(benches).join(', ')}
  --minutes N      how long the instance of the part "hostile" is hostile (default 2)`;
const { values: options } = readOptions(help, {
  options: {
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '2' },
  },
});

const chosen = Object.entries(benches).filter(([name]) => name.includes(options.only));
if (chosen.length === 0) {
  endWith(`There is no part "${options.only}".`, help);
}
// Windows are measured with what is shipped.
await packageExtension();
// What the parts leave in the folder of temporary files goes with it.
const temporary = await temporaryFolder();
Object.assign(process.env, { TMPDIR: temporary.path, TEMP: temporary.path, TMP: temporary.path });
const parts: Part[] = [];
for (const [name, load] of chosen) {
  try {
    const begun = performance.now();
    const { bench } = await load();
    const part = await bench(await mkdtemp(join(temporary.path, 'part-')), Number(options.minutes));
    parts.push({ ...part, about: `${part.about} The load of the machine was ${loadavg()[0]?.toFixed(1)}.` });
    console.log(sectionOf(part), `(${((performance.now() - begun) / 1000).toFixed(0)} s)`);
  } catch (error) {
    console.error(`The part "${name}" could not be measured.`, error);
  }
}
await temporary[Symbol.asyncDispose]();
const file = join(projectRoot, 'test', 'bench', 'results.md');
const isWhole = parts.length === Object.keys(benches).length;
await writeFile(file, reportOf(parts, isWhole ? '' : await readFile(file, 'utf8')));
const countsHold = parts.every(({ results }) => results.every((result) => !result.isCount || holds(result)));
process.exit(countsHold && parts.length === chosen.length ? 0 : 1);
