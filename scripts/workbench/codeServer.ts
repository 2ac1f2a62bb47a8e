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
  const folder = await installHost(`code-server-${version}`, `VS Code (code-server ${version})`, (into) =>
    install(version, into),
  );
  return join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
}

/**
 * Makes sure that an editor is installed. It is installed aside and then renamed, since several clones may install it at once.
 *
 * @param name of its folder.
 * @param title what the step is called.
 * @param fill installs it in a folder.
 * @returns its folder.
 */
export async function installHost(
  name: string,
  title: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(hostsFolder, name);
  if (!existsSync(folder)) {
    await step(`Installing ${title}`, async () => {
      await mkdir(hostsFolder, { recursive: true });
      const aside = await mkdtemp(join(hostsFolder, '.new-'));
      await writeFile(join(aside, 'package.json'), '{ "private": true }');
      await fill(aside);
      await rename(aside, folder).catch(async (error: unknown) => {
        await rm(aside, { recursive: true, force: true });
        if (!existsSync(folder)) {
          throw error;
        }
      });
    });
  }
  return folder;
}

/** Without install scripts: nothing that the workbench or the extension host needs has to be compiled. */
export const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

async function install(version: string, folder: string): Promise<void> {
  const packageFolder = join(folder, 'node_modules', 'code-server');
  const vscodeFolder = join(packageFolder, 'lib', 'vscode');
  await runQuietly('npm', ['install', `code-server@${version}`, ...npmFlags], { cwd: folder });
  const { engines } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as PackageFile;
  if (engines.node !== process.versions.node.split('.')[0]) {
    await runQuietly('npm', ['install', `${nodePackage}@${engines.node}`, ...npmFlags], { cwd: folder });
  }
  await takeFromRegistry(vscodeFolder);
  // Last, because the packages of an inner folder go with the next installation in an outer one.
  await runQuietly('npm', ['install', '--omit=dev', ...npmFlags], { cwd: vscodeFolder });
}

/** Takes dependencies that are addresses of git, as older versions have one, from the registry: nothing that is used needs what they changed. */
async function takeFromRegistry(folder: string): Promise<void> {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { readonly dependencies: Record<string, string> };
  const ofGit = Object.entries(manifest.dependencies).filter(([, range]) => range.includes('#'));
  if (ofGit.length > 0) {
    const dependencies = { ...manifest.dependencies, ...Object.fromEntries(ofGit.map(([name]) => [name, '2.x'])) };
    await writeFile(file, JSON.stringify({ ...manifest, dependencies }));
    await rm(join(folder, 'npm-shrinkwrap.json'), { force: true });
  }
}

interface PackageFile {
  /** The major version of Node that it runs on; with another one, its extension host hangs. */
  readonly engines: { readonly node: string };
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
  /** Holds the profile: settings, logs, storage. */
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Whether all of VS Code's own extensions are there, as by default, or those alone that have to do with this one. */
  readonly hasAllExtensions?: boolean;
  /** User settings of the profile, written before the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Whether the address of the workbench may name an extension to load from its folder: true by default, and not for old versions. */
  readonly takesDevelopmentExtension?: boolean;
}

/** What a window opens. */
export interface WorkbenchTarget {
  readonly extension?: { readonly developmentPath: string; readonly testsPath?: string };
  readonly file?: string;
  readonly folder?: string;
}

/** A running workbench. */
export class CodeServer {
  readonly origin: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  constructor(child: ChildProcess, origin: string, folder: string) {
    this.#child = child;
    this.origin = origin;
    this.#folder = folder;
  }

  /**
   * The address of the workbench.
   *
   * @param target `extension`: one to load from its folder and, for a test run, the module whose `run()` the extension host calls.
   * `file`: the path of one that it opens. `folder`: the one that it opens, if it is another one than the server's.
   */
  url({ extension, file, folder = this.#folder }: WorkbenchTarget = {}): string {
    const url = new URL(this.origin);
    url.searchParams.set('folder', folder);
    const remote = (path: string): string => `vscode-remote://${url.host}${path}`;
    const payload = [
      ...(extension ? [['extensionDevelopmentPath', remote(extension.developmentPath)]] : []),
      ...(extension?.testsPath === undefined ? [] : [['extensionTestsPath', remote(extension.testsPath)]]),
      ...(file === undefined ? [] : [['openFile', remote(file)]]),
    ];
    if (payload.length > 0) {
      url.searchParams.set('payload', JSON.stringify(payload));
    }
    return url.href;
  }

  /** Ends it with all of its processes: nothing writes to the profile any more. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    await endGroup(this.#child.pid);
  }
}

/**
 * Ends what a process has started and left: extension hosts outlive their server for a moment.
 *
 * @param leader the id of the process.
 */
async function endGroup(leader: number | undefined): Promise<void> {
  if (!hasGroups || leader === undefined) {
    return;
  }
  // One that has ended counts until the system takes note of it, which may be late and does not matter.
  const end = performance.now() + 1000;
  while (isKilled(leader) && performance.now() < end) {
    await sleep(5);
  }
}

/** Kills the processes of a group. False if there is none left. */
function isKilled(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Whether processes that belong together can be ended together. */
const hasGroups = process.platform !== 'win32';

/**
 * Starts a workbench on loopback and waits until it listens.
 *
 * @throws Error with the server's output if it ends before it listens.
 */
export async function startCodeServer(entry: string, options: CodeServerOptions): Promise<CodeServer> {
  await mkdir(join(options.userDataDir, 'User'), { recursive: true });
  await mkdir(options.extensionsDir, { recursive: true });
  await writeFile(
    join(options.userDataDir, 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, ...options.settings }),
  );
  const child = spawn(
    nodeFor(entry),
    [
      // The extension host gets the options of Node from the command line alone.
      ...(process.env['NODE_OPTIONS'] ?? '').split(' ').filter(Boolean),
      entry,
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--without-connection-token'],
      ...profileFlags(options),
      ...['--accept-server-license-terms', '--disable-telemetry'],
      // Folders are trusted unless the settings say that this is to be asked.
      ...(options.settings?.['security.workspace.trust.enabled'] === true ? [] : ['--disable-workspace-trust']),
      ...(options.takesDevelopmentExtension === false ? [] : ['--enable-smoke-test-driver']),
      ...(options.hasAllExtensions === false
        ? ['--builtin-extensions-dir', await fewerExtensions(entry, options.userDataDir)]
        : []),
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
  return new CodeServer(child, origin, options.folder);
}

/** Where a profile and its extensions are. */
export function profileFlags({
  userDataDir,
  extensionsDir,
}: {
  readonly userDataDir: string;
  readonly extensionsDir: string;
}): readonly string[] {
  return ['--server-data-dir', userDataDir, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
}

/**
 * VS Code's own extensions that this one has nothing to do with, and that cost time in every window: servers of languages, task runners,
 * debuggers, other hosts of git.
 */
const otherExtensions =
  /^(?:copilot|debug-.*|emmet|extension-editing|github|grunt|gulp|ipynb|jake|media-preview|merge-conflict|mermaid-.*|microsoft-.*|ms-vscode.*|node_modules|notebook-.*|npm|references-view|simple-browser|terminal-suggest|tunnel-.*|(?!markdown-).*-language-features)$/;

/** Makes a folder, in that of the profile, that leads to VS Code's own extensions but the others. */
async function fewerExtensions(entry: string, userDataDir: string): Promise<string> {
  const all = resolve(dirname(entry), '..', 'extensions');
  const folder = join(userDataDir, 'builtin-extensions');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const names = (await readdir(all, { withFileTypes: true }))
    .filter((one) => one.isDirectory())
    .map(({ name }) => name);
  const needed = names.filter((name) => !otherExtensions.test(name));
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
