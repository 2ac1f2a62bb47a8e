import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from './project.ts';

// Runs the script vscode:prepublish first, which bundles for production.
await createVSIX({
  cwd: projectRoot,
  packagePath: join(projectRoot, 'beacon-gitlab.vsix'),
  // Everything that runs is in the bundle.
  dependencies: false,
});
