import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

/** The project's root folder. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where test hosts and their profiles are kept; git and the package leave it out. */
export const hostsFolder = join(projectRoot, '.vscode-test');
