import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchActivity } from '../bench/activity.ts';
import { benchClient } from '../bench/client.ts';
import { benchLens } from '../bench/lens.ts';
import { benchDeprecations } from '../bench/deprecations.ts';
import { benchForm } from '../bench/form.ts';
import { holds, reportOf } from '../bench/report.ts';
import { benchSandbox } from '../bench/sandbox.ts';
import { projectRoot } from './project.ts';

const parts = [
  await benchClient(),
  await benchSandbox(),
  await benchDeprecations(),
  await benchActivity(),
  await benchForm(),
  await benchLens(),
];
const report = reportOf(parts);
await writeFile(join(projectRoot, 'bench', 'results.md'), report);
console.log(report);
process.exit(parts.every(({ results }) => results.every(holds)) ? 0 : 1);
