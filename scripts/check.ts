import { run } from './processes.ts';
import { projectRoot } from './project.ts';

/** Format, lint and types: everything that is known without running the product. */
for (const [command, ...args] of [
  ['prettier', '--check', '--log-level', 'warn', '.'],
  ['oxlint', '--type-aware', '--quiet'],
  ['tsc', '--noEmit'],
]) {
  await run(command ?? '', args, { cwd: projectRoot });
}
