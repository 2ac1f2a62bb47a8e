import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holds, type Part, reportOf, sectionOf } from '../test/bench/report.ts';
import { endWith, readOptions } from './options.ts';
import { packageExtension } from './packaging.ts';
import { projectRoot } from './project.ts';

// Modules of the extension import `vscode`; in plain Node it is a stand-in.
await import('../test/support/editor/register.ts');

/** The benchmarks by name. With `--only`, those whose name contains its value run; the report keeps the others as they were. */
const benches: Readonly<Record<string, () => Promise<Part>>> = {
  activation: async () => await (await import('../test/bench/activation.ts')).benchActivation(),
  client: async () => await (await import('../test/bench/client.ts')).benchClient(),
  transport: async () => await (await import('../test/bench/transport.ts')).benchTransport(),
  apiHints: async () => await (await import('../test/bench/apiHints.ts')).benchApiHints(),
  activity: async () => await (await import('../test/bench/activity.ts')).benchActivity(),
  form: async () => await (await import('../test/bench/form.ts')).benchForm(),
  insights: async () => await (await import('../test/bench/insights.ts')).benchInsights(),
  lens: async () => await (await import('../test/bench/lens.ts')).benchLens(),
  markdown: async () => await (await import('../test/bench/markdown.ts')).benchMarkdown(),
  memory: async () => await (await import('../test/bench/memory.ts')).benchMemory(),
  hour: async () => await (await import('../test/bench/hour.ts')).benchHour(),
  hostile: async () => await (await import('../test/bench/hostile.ts')).benchHostile(Number(options.minutes)),
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
const parts: Part[] = [];
for (const [name, bench] of chosen) {
  try {
    const begun = performance.now();
    const part = await bench();
    parts.push(part);
    console.log(sectionOf(part), `(${((performance.now() - begun) / 1000).toFixed(0)} s)`);
  } catch (error) {
    console.error(`The part "${name}" could not be measured.`, error);
  }
}
const file = join(projectRoot, 'test', 'bench', 'results.md');
const isWhole = parts.length === Object.keys(benches).length;
const report = reportOf(parts, isWhole ? '' : await readFile(file, 'utf8'));
await writeFile(file, report);
const countsHold = parts.every(({ results }) => results.every((result) => !result.isCount || holds(result)));
process.exit(countsHold && parts.length === chosen.length ? 0 : 1);
