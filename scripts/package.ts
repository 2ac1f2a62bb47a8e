import { join } from 'node:path';
import { packageExtension } from './packaging.ts';
import { projectRoot } from './project.ts';

await packageExtension({ packagePath: join(projectRoot, 'beacon-gitlab.vsix') });
