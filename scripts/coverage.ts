import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';

// Which lines of src the tests run, in Node and in the extension host. What only the tests of the ui level run is not seen and
// counts as not run: the pages in webviews with their panels, and what they show of the packaged extension.
const folder = join(projectRoot, '.coverage');
const levels = ['unit', 'contract', 'host'];

await rm(folder, { recursive: true, force: true });
await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'test.ts'), ...levels], {
  cwd: projectRoot,
  env: { ...process.env, NODE_V8_COVERAGE: folder },
});
await run(
  'c8',
  [
    'report',
    ...['--temp-directory', folder, '--reports-dir', join(folder, 'report')],
    ...['--include', 'src/**/*.ts', '--all', '--src', 'src', '--exclude-after-remap'],
    ...['--reporter', 'text', '--reporter', 'html', '--check-coverage', '--lines', '90'],
  ],
  { cwd: projectRoot },
);
