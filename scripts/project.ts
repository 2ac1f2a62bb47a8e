import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What tests leave in the project, such as pictures of failures; git and the package leave it out. */
export const testFolder = join(projectRoot, '.vscode-test');

/**
 * Where editors are installed: outside of the project, so that all clones share them and packaging does not walk
 * through their files. BEACON_HOSTS names another folder.
 */
export const hostsFolder =
  process.env['BEACON_HOSTS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'beacon-gitlab');

/**
 * Whether host tests run in a desktop VS Code that is downloaded, which needs a display: on Windows and macOS. Elsewhere
 * they run in the workbench that has its window in a browser.
 */
export const isHostedByDesktop = process.platform === 'win32' || process.platform === 'darwin';
