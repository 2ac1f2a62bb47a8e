import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

/** The project's root folder. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where test hosts and their profiles are kept; git and the package leave it out. */
export const hostsFolder = join(projectRoot, '.vscode-test');

/**
 * Whether host tests run in a desktop VS Code that is downloaded, which needs a display: on Windows and macOS. Elsewhere
 * they run in the workbench that has its window in a browser.
 */
export const isHostedByDesktop = process.platform === 'win32' || process.platform === 'darwin';
