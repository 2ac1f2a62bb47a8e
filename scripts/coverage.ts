import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from './options.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';

// Which lines of src the tests run, in Node and in the extension host. What only the tests of the ui level run is not seen and
// counts as not run: the pages in webviews with their panels, and what they show of the packaged extension.
const allLevels = ['unit', 'contract', 'host'];
const help = `Usage: npm run coverage [-- LEVEL…]
  LEVEL  ${allLevels.join(', ')}; without one: all of them`;
// `npm test` says which levels there are.
const { positionals } = readOptions(help, { allowPositionals: true });
const levels = positionals.length > 0 ? positionals : allLevels;
const reports = join(projectRoot, '.reports');
const raw = join(reports, 'v8');
/** What the levels reach together. */
const bound = ['--check-coverage', '--lines', '90'];

await rm(reports, { recursive: true, force: true });
try {
  await run(
    'c8',
    [
      ...['--temp-directory', raw, '--reports-dir', join(reports, 'coverage')],
      ...['--include', 'src/**/*.ts', '--all', '--src', 'src', '--exclude-after-remap'],
      ...['text', 'text-summary', 'html', 'cobertura'].flatMap((reporter) => ['--reporter', reporter]),
      ...(allLevels.every((level) => levels.includes(level)) ? bound : []),
      ...[process.execPath, ...process.execArgv, join(projectRoot, 'scripts', 'test.ts')],
      ...[...levels, '--junit', join(reports, 'junit')],
    ],
    { cwd: projectRoot },
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  // Hundreds of megabytes that nothing else reads.
  await rm(raw, { recursive: true, force: true });
}
