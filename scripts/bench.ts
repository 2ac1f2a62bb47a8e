import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchActivation } from '../test/bench/activation.ts';
import { benchActivity } from '../test/bench/activity.ts';
import { benchApiHints } from '../test/bench/apiHints.ts';
import { benchClient } from '../test/bench/client.ts';
import { benchForm } from '../test/bench/form.ts';
import { benchHostile } from '../test/bench/hostile.ts';
import { benchHour } from '../test/bench/hour.ts';
import { benchInsights } from '../test/bench/insights.ts';
import { benchLens } from '../test/bench/lens.ts';
import { benchMarkdown } from '../test/bench/markdown.ts';
import { benchMemory } from '../test/bench/memory.ts';
import { holds, type Part, reportOf } from '../test/bench/report.ts';
import { benchSandbox } from '../test/bench/sandbox.ts';
import { endWith, readOptions } from './options.ts';
import { projectRoot } from './project.ts';

/** The benchmarks by name. With `--only`, those whose name contains its value run; the report keeps the others as they were. */
const benches: Readonly<Record<string, () => Promise<Part>>> = {
  activation: benchActivation,
  client: benchClient,
  sandbox: benchSandbox,
  apiHints: benchApiHints,
  activity: benchActivity,
  form: benchForm,
  insights: benchInsights,
  lens: benchLens,
  markdown: benchMarkdown,
  memory: benchMemory,
  hour: benchHour,
  hostile: () => benchHostile(Number(options.minutes)),
};

const help = `Usage: npm run bench [-- options]
Measures all that has a limit and writes test/bench/results.md.
  --only WORD      the parts alone whose name contains the word: ${Object.keys(benches).join(', ')}
  --minutes N      how long the instance is hostile (default 10)`;
const { values: options } = readOptions(help, {
  options: {
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '10' },
  },
});

const chosen = Object.entries(benches).filter(([name]) => name.includes(options.only));
if (chosen.length === 0) {
  endWith(`There is no part "${options.only}".`, help);
}
const parts: Part[] = [];
for (const [name, bench] of chosen) {
  try {
    parts.push(await bench());
  } catch (error) {
    console.error(`The part "${name}" could not be measured.`, error);
  }
}
const file = join(projectRoot, 'test', 'bench', 'results.md');
const isWhole = parts.length === Object.keys(benches).length;
const report = reportOf(parts, isWhole ? '' : await readFile(file, 'utf8'));
await writeFile(file, report);
console.log(reportOf(parts));
const countsHold = parts.every(({ results }) => results.every((result) => !result.isCount || holds(result)));
process.exit(countsHold && parts.length === chosen.length ? 0 : 1);
