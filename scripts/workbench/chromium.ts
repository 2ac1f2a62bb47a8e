import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { run } from '../processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

/** Starts a headless Chromium: the machine's own, or else one that is installed now. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
      // On a busy machine an extension may open a page later after a click than the browser believes the click.
      '--disable-popup-blocking',
      // Chromium's own sandbox refuses to run for root, as in most containers.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/** The path of a Chromium: the machine's own, or else one that is installed now. */
export async function findOrInstallChromium(): Promise<string> {
  return findChromium() ?? installChromium();
}

/** The path of a Chromium on this machine: BEACON_CHROMIUM, one on PATH, or the one Playwright has downloaded. */
function findChromium(): string | undefined {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env['BEACON_CHROMIUM'], ...onPath, chromium.executablePath()].find(isExecutable);
}

function isExecutable(path: string | undefined): path is string {
  try {
    accessSync(path ?? '', constants.X_OK);
    return path !== undefined;
  } catch {
    return false;
  }
}

async function installChromium(): Promise<string> {
  process.stderr.write('Installing Chromium…\n');
  const stdio: ['ignore', 2, 2] = ['ignore', 2, 2];
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    await run('apt-get', ['update', '-qq'], { stdio });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio });
  } else {
    await run('playwright-core', ['install', 'chromium'], { stdio });
  }
  const path = findChromium();
  if (path === undefined) {
    throw new Error('No Chromium was found. Install one, or name its program in BEACON_CHROMIUM.');
  }
  return path;
}
