import { run } from './processes.ts';
import { projectRoot } from './project.ts';

/** Format, lint, types and what nothing uses: everything that is known without running the product. */
const checks = [
  ['oxfmt', '--check'],
  ['oxlint', '--type-aware', '--quiet'],
  ['tsc', '--noEmit', ...onlyChanges('node')],
  // With what takes the place of Node where the host is a worker of a browser.
  ['tsc', '--noEmit', '--project', 'src/platform/web', ...onlyChanges('web')],
  // What runs in webviews has the browser's types and not Node's.
  ['tsc', '--noEmit', '--project', 'src/webviews/page'],
  ['knip'],
] as const;

/** Makes tsc keep what it has found, so that the next check looks at what changed since. */
function onlyChanges(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types-${name}.tsbuildinfo`];
}

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
