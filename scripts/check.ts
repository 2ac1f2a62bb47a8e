import { run } from './processes.ts';
import { projectRoot } from './project.ts';

/** Makes tsc keep what it has found, so that the next check looks at what changed since. */
const onlyChanges = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types-web.tsbuildinfo'];

/** Format, lint, types and what nothing uses: everything that is known without running the product. */
const checks = [
  ['oxfmt', '--check'],
  // Types as well, of each file by the nearest tsconfig.json.
  ['oxlint', '--type-aware', '--type-check', '--quiet'],
  // With what takes the place of Node where the host is a worker of a browser.
  ['tsc', '--noEmit', '--project', 'src/platform/web', ...onlyChanges],
  ['knip'],
] as const;

// package.json cannot say that .ts files are modules: what VS Code loads is none.
const env = { ...process.env, NODE_OPTIONS: '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON' };
try {
  for (const [command, ...args] of checks) {
    await run(command, args, { cwd: projectRoot, env });
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
