import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { runQuietly, step } from '../processes.ts';
import { hostsFolder } from '../project.ts';

/** code-server is the workbench and the Node extension host of the VS Code version that its own version stands for. */
const newestCodeServer = '4.139.1';

/** The oldest VS Code that the manifest claims: the first code-server with it. */
export const oldestCodeServer = '4.105.1';

/**
 * Makes sure that a version of code-server is installed.
 *
 * @param version BEACON_CODE_SERVER says which one, or else it is the newest that is known to work.
 * @returns the path of the server of the workbench in it.
 */
export async function installCodeServer(
  version = process.env['BEACON_CODE_SERVER'] ?? newestCodeServer,
): Promise<string> {
  const folder = await installHost(`code-server-${version}`, `VS Code (code-server ${version})`, async (npm, into) => {
    const packageFolder = join(into, 'node_modules', 'code-server');
    await npm(`code-server@${version}`);
    // The major version of Node that it runs on; with another one, its extension host hangs.
    const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
    const { engines } = JSON.parse(manifest) as { readonly engines: { readonly node: string } };
    if (engines.node !== process.versions.node.split('.')[0]) {
      await npm(`${nodePackage}@${engines.node}`);
    }
    const workbench = join(packageFolder, 'lib', 'vscode');
    await takeFromRegistry(workbench);
    // Last, because the packages of an inner folder go with the next installation in an outer one.
    await npm('--omit=dev', '--prefix', workbench);
  });
  return join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
}

/**
 * Makes sure that an editor is installed. It is installed aside and then renamed, since several clones may install it at once.
 *
 * @param name of its folder.
 * @param title what the step is called.
 * @param fill installs it in a folder by `npm install`, without scripts: nothing that is needed has to be compiled.
 * @returns its folder.
 */
export async function installHost(
  name: string,
  title: string,
  fill: (npm: (...args: readonly string[]) => Promise<void>, folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(hostsFolder, name);
  if (!existsSync(folder)) {
    await step(`Installing ${title}`, async () => {
      await mkdir(hostsFolder, { recursive: true });
      const cwd = await mkdtemp(join(hostsFolder, '.new-'));
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await writeFile(join(cwd, 'package.json'), '{ "private": true }');
      await fill((...args) => runQuietly('npm', ['install', ...args, ...flags], { cwd }), cwd);
      await rename(cwd, folder).catch(async (error: unknown) => {
        await rm(cwd, { recursive: true, force: true });
        if (!existsSync(folder)) {
          throw error;
        }
      });
    });
  }
  return folder;
}

/** Takes from the registry what older versions have from git: nothing that is used needs what was changed there. */
async function takeFromRegistry(folder: string): Promise<void> {
  const manifest = join(folder, 'package.json');
  const text = await readFile(manifest, 'utf8');
  const changed = text.replace(/"parcel-bundler\/watcher#\w+"/, '"2.x"');
  if (changed !== text) {
    await writeFile(manifest, changed);
    await rm(join(folder, 'npm-shrinkwrap.json'), { force: true });
  }
}

/** The package that holds nothing but the executable of Node for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The Node that a version of code-server runs on.
 *
 * @param entry as `installCodeServer` gives it.
 */
export function nodeFor(entry: string): string {
  const modules = resolve(entry, '..', '..', '..', '..', '..');
  const own = join(modules, nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(own) ? own : process.execPath;
}

export interface CodeServerOptions {
  /** The folder that the workbench opens. */
  readonly folder: string;
  /** The folder that holds settings, logs and storage in `data`, and extensions in `extensions`. */
  readonly profile: string;
  /** Whether all of VS Code's own extensions are there, as by default, or those alone that have to do with this one. */
  readonly hasAllExtensions?: boolean;
  /** User settings of the profile, written before the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the address of the workbench may name an extension to load from its folder: true by default, and not for old versions. */
  readonly takesDevelopmentExtension?: boolean;
}

/** A running workbench. It ends with all of its processes: nothing writes to the profile any more. */
export interface CodeServer extends AsyncDisposable {
  /**
   * The address of the workbench with its folder.
   *
   * @param payload paths by what they are for, such as `openFile`.
   */
  url(payload?: Readonly<Record<string, string>>): string;
}

/** Whether processes that belong together can be ended together. */
const hasGroups = process.platform !== 'win32';

/**
 * Starts a workbench on loopback and waits until it listens.
 *
 * @throws Error with the server's output if it ends before it listens.
 */
export async function startCodeServer(entry: string, options: CodeServerOptions): Promise<CodeServer> {
  const { profile, settings = {}, hasAllExtensions = true, takesDevelopmentExtension = true } = options;
  const userFolder = join(profile, 'data', 'User');
  await mkdir(userFolder, { recursive: true });
  await mkdir(join(profile, 'extensions'), { recursive: true });
  await writeFile(join(userFolder, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
  const child = spawn(
    nodeFor(entry),
    [
      // The extension host gets the options of Node from the command line alone.
      ...(process.env['NODE_OPTIONS'] ?? '').split(' ').filter(Boolean),
      entry,
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
      ...profileFlags(profile),
      ...['--accept-server-license-terms', '--disable-telemetry'],
      // Folders are trusted unless the settings say that this is to be asked.
      ...(settings['security.workspace.trust.enabled'] === true ? [] : ['--disable-workspace-trust']),
      ...(takesDevelopmentExtension ? ['--enable-smoke-test-driver'] : []),
      ...(hasAllExtensions ? [] : ['--builtin-extensions-dir', await fewerExtensions(entry, profile)]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...codeServerEnvironment(), ...options.env }, detached: hasGroups },
  );
  const output: string[] = [];
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const listening = /Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (listening !== undefined) {
        resolve(`http://127.0.0.1:${listening}`);
      }
    });
    child.once('exit', () => reject(new Error(`The workbench did not start:\n${output.join('\n')}`)));
  });
  return {
    url(payload = {}) {
      const url = new URL(origin);
      const remote = Object.entries(payload).map(([name, path]) => [name, `vscode-remote://${url.host}${path}`]);
      url.search = new URLSearchParams({ folder: options.folder, payload: JSON.stringify(remote) }).toString();
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      // What it has left: extension hosts outlive their server for a moment. One that has ended counts until the system takes note of it,
      // which may be late and does not matter.
      for (const end = performance.now() + 1000; killGroup(child) && performance.now() < end;) {
        await sleep(5);
      }
    },
  };
}

/** Kills the processes of the group that a process leads. False if there is none left. */
function killGroup({ pid = 0 }: ChildProcess): boolean {
  try {
    return hasGroups && process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Where a profile and its extensions are. */
export function profileFlags(profile: string): readonly string[] {
  const data = join(profile, 'data');
  return ['--server-data-dir', data, '--user-data-dir', data, '--extensions-dir', join(profile, 'extensions')];
}

/**
 * VS Code's own extensions that this one has nothing to do with, and that cost time in every window: servers of languages, task runners,
 * debuggers, other hosts of git; and the files beside them.
 */
const otherExtensions =
  /^(?:copilot|debug-.*|emmet|extension-editing|github|grunt|gulp|ipynb|jake|media-preview|merge-conflict|mermaid-.*|microsoft-.*|ms-vscode.*|node_modules|notebook-.*|npm|references-view|simple-browser|terminal-suggest|tunnel-.*|(?!markdown-).*-language-features|.*\.(?:json|mjs))$/;

/** Makes a folder, in that of the profile, that leads to VS Code's own extensions but the others. */
async function fewerExtensions(entry: string, profile: string): Promise<string> {
  const all = resolve(dirname(entry), '..', 'extensions');
  const folder = join(profile, 'builtin-extensions');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const needed = (await readdir(all)).filter((name) => !otherExtensions.test(name));
  await Promise.all(needed.map((name) => symlink(join(all, name), join(folder, name), 'junction')));
  return folder;
}

/** Its variable says, as the command `code` does, that the environment is that of a shell: none has to be started and asked for it. */
export const codeServerEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, VSCODE_CLI: '1' });

/** What keeps a fresh profile from covering the view with offers of its own. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  // Otherwise each window looks through the open files of all processes every few seconds, for ports to forward.
  'remote.autoForwardPortsSource': 'output',
};
