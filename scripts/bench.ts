import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchActivation } from '../bench/activation.ts';
import { benchActivity } from '../bench/activity.ts';
import { benchClient } from '../bench/client.ts';
import { benchLens } from '../bench/lens.ts';
import { benchDeprecations } from '../bench/deprecations.ts';
import { benchForm } from '../bench/form.ts';
import { holds, type Part, reportOf } from '../bench/report.ts';
import { benchSandbox } from '../bench/sandbox.ts';
import { projectRoot } from './project.ts';

/** The parts by name. With `--only`, those whose name holds its value are run; the report keeps the others as they were. */
const benches: Readonly<Record<string, () => Promise<Part>>> = {
  activation: benchActivation,
  client: benchClient,
  sandbox: benchSandbox,
  deprecations: benchDeprecations,
  activity: benchActivity,
  form: benchForm,
  lens: benchLens,
};
const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const parts: Part[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (name.includes(options.only)) {
    parts.push(await bench());
  }
}
if (parts.length === 0) {
  console.error(`There is no part "${options.only}"; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const file = join(projectRoot, 'bench', 'results.md');
const report = reportOf(parts, options.only === '' ? '' : await readFile(file, 'utf8'));
await writeFile(file, report);
console.log(reportOf(parts));
process.exit(parts.every(({ results }) => results.every(holds)) ? 0 : 1);
