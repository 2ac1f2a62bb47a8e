import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';

// Which lines of src the tests run, in Node and in the extension host. What runs in webviews and in the packaged extension is not seen.
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
    // They run in a browser.
    ...['--exclude', 'src/notifications/form/**', '--exclude', 'src/notifications/overview/page/**'],
    ...['--reporter', 'text', '--reporter', 'html', '--check-coverage', '--lines', '90'],
  ],
  { cwd: projectRoot },
);
