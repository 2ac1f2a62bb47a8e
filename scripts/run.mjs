// Runs a task of this folder under the Node that the project brings, after installing what is missing.
// Plain JavaScript without dependencies: it is the one script that any Node from 20 on has to run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Whether node_modules holds every package of the lock file in the locked version. */
function packagesAreInstalled() {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock) || !existsSync(projectNode)) {
    return false;
  }
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional === true || installed[path]?.version === entry.version,
  );
}

function installPackages() {
  process.stderr.write('Installing packages…\n');
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' };
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  if (status !== 0 || !existsSync(projectNode)) {
    console.error(
      `${error?.message ?? ''}\nThe packages could not be installed. Run "npm ci" when what is said above is put right, then try again.`,
    );
    process.exit(1);
  }
}

const [task, ...args] = process.argv.slice(2);
if (!task || !existsSync(join(root, 'scripts', `${task}.ts`))) {
  console.error(`There is no task "${task ?? ''}" in scripts/.`);
  process.exit(2);
}
if (!packagesAreInstalled()) {
  installPackages();
}

const child = spawn(
  projectNode,
  ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(root, 'scripts', `${task}.ts`), ...args],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${dirname(projectNode)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
// npm ends its shell on a signal but not what runs in it: without a parent, the task ends too.
const parent = process.ppid;
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 300).unref();
child.on('exit', (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
});
