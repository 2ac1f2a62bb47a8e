import { existsSync, statfsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { runQuietly, step } from '../processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const args = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
  // On a busy machine an extension may open a page later after a click than the browser believes the click.
  '--disable-popup-blocking',
  // Chromium's own sandbox refuses to run for root, as in most containers.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const { bavail, bsize } = existsSync('/dev/shm') ? statfsSync('/dev/shm') : { bavail: 0, bsize: 0 };
/**
 * What Playwright passes by default and is left out where the processes of a browser can share memory, with a tenth less of the processor's
 * time than by files. Containers have a few megabytes for it, which is not enough.
 */
const ignoreDefaultArgs = bavail * bsize > 2 ** 30 ? ['--disable-dev-shm-usage'] : [];

/**
 * Features that a browser with a profile runs without. BackgroundResourceFetch compiles a large script before it has looked for the
 * compiled one in the cache. Chromium obeys the last list only, so the others of Playwright's own list that matter here follow.
 */
const featuresOff =
  'BackgroundResourceFetch,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch';

/** Milliseconds that what drives a page waits for anything: on a busy machine a window takes more than a minute to open. */
export const longestWait = 120_000;

/**
 * Starts a headless Chromium: the machine's own, or else one that is installed now.
 *
 * @param isSeen without it, pages do not draw what they show, and take no clicks, for a fifth less of the processor's time.
 */
export async function launchChromium(isSeen = true): Promise<Browser> {
  const unseen = isSeen ? [] : ['--disable-threaded-compositing'];
  const executablePath = await findOrInstallChromium();
  const browser = await chromium.launch({ executablePath, args: [...args, ...unseen], ignoreDefaultArgs });
  browser.on('context', (context) => context.setDefaultTimeout(longestWait));
  return browser;
}

/**
 * Starts a headless Chromium with a profile, which caches compiled scripts: the third window of a workbench opens in half of the time.
 * Frames of other origins may have service workers, as the webviews of a workbench do that has no server. A private profile has neither.
 *
 * @param folder of the profile, which is made.
 */
export async function launchWithProfile(folder: string): Promise<BrowserContext> {
  const cookies = { cookie_controls_mode: 0, block_third_party_cookies: false };
  const preferences = { profile: { ...cookies, default_content_setting_values: { cookies: 1 } } };
  await mkdir(join(folder, 'Default'), { recursive: true });
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: await findOrInstallChromium(),
    args: [...args, `--disable-features=${featuresOff}`],
    ignoreDefaultArgs,
    // Without animations, which are drawn by the processor.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWait);
  return context;
}

/** The path of a Chromium: that of BEACON_CHROMIUM, one on PATH, the one Playwright has downloaded, or else one that is installed now. */
export async function findOrInstallChromium(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const find = () => [process.env['BEACON_CHROMIUM'] ?? '', ...onPath, chromium.executablePath()].find(existsSync);
  const found = find();
  if (found === undefined) {
    await step('Installing Chromium', async () => {
      if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
        await runQuietly('apt-get', ['update', '-qq']);
        await runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
      } else {
        await runQuietly('playwright-core', ['install', 'chromium']);
      }
    });
  }
  const path = found ?? find();
  if (path === undefined) {
    throw new Error('No Chromium was found. Install one, or name its program in BEACON_CHROMIUM.');
  }
  return path;
}
