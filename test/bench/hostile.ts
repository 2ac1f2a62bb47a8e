import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { countShownEvents } from '../support/activityView.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { answerSignIn } from '../support/signIn.ts';
import { runCommand, Workbench } from '../support/workbench.ts';
import { hostileClasses, startHostileInstance, type View, views } from './hostileInstance.ts';
import { median } from './measure.ts';
import { packExtension } from './packedExtension.ts';
import { limitedCount, type Part } from './report.ts';

/** Keys of a burst, and milliseconds from one to the next: a fast typist. */
const burst = 60;
const keyInterval = 80;
/** Bursts before and after the hostile time. */
const calmBursts = 6;
/** Milliseconds until a view has to say what is wrong, or to be right again. */
const patience = 60_000;
const file = 'app.py';
const settings = {
  'editor.quickSuggestions': 'off',
  'workbench.reduceMotion': 'on',
  'beacon.activity.pollingInterval': 1,
};

/**
 * Notes for each key the time until the frame after the one in which the editor changed its lines: a message that is posted while
 * a frame is made is read when it was painted.
 */
const recordLatencies = `(() => {
  const latencies = globalThis.beaconLatencies = [];
  let pressed;
  addEventListener('keydown', ({ key, timeStamp }) => { if (key.length === 1) pressed = timeStamp; }, true);
  const painted = new MessageChannel();
  painted.port1.onmessage = ({ data }) => latencies.push(performance.now() - data);
  new MutationObserver(() => {
    if (pressed !== undefined) {
      painted.port2.postMessage(pressed);
      pressed = undefined;
    }
  }).observe(document.querySelector('.editor-instance .view-lines'), { subtree: true, childList: true, characterData: true });
})()`;

/**
 * Types in an editor of a real workbench with all views open, before, while and after the instance answers everything with the
 * worst of each class.
 *
 * @param minutes how long the instance is hostile.
 */
export async function bench(folder: string, minutes: number): Promise<Part> {
  const delays = join(folder, 'delays');
  await writeFile(delays, '');
  await using left = new AsyncDisposableStack();
  const sandbox = await startSandbox({ liveEvents: false });
  left.defer(() => sandbox.close());
  const instance = left.use(await startHostileInstance(sandbox.url));
  const workbench = await Workbench.start({
    settings,
    files: { [file]: program(instance.origin) },
    extensions: [await packExtension(folder, 'hostileProbe', {}, { resultsFile: JSON.stringify(delays) })],
  });
  left.defer(() => workbench.stop());
  await makeRepository(workbench.folder, `${instance.origin}/harbor/tide-table.git`);
  const window = await Window.open(workbench, instance.origin, sandbox.tokens.owner);
  const before = await typeFor(window, calmBursts);
  const start = Date.now();
  const during: number[] = [];
  const silent: string[] = [];
  const lost: string[] = [];
  let explained = 0;
  let requests = 0;
  let slowest = { name: '', worst: 0 };
  const classes = Object.entries(hostileClasses);
  const share = (minutes * 60_000) / classes.length;
  for (const [name, { failsIn = views }] of classes) {
    const asked = instance.requests.length;
    const begun = Date.now();
    instance.behave(name);
    const end = performance.now() + share;
    await window.refresh();
    do {
      during.push(...(await window.type()));
    } while (performance.now() < end);
    for (const view of failsIn) {
      const isSaid = await window.says(view);
      explained += isSaid ? 1 : 0;
      silent.push(...(isSaid ? [] : [`${view} (${name})`]));
    }
    requests += instance.requests.length - asked;
    const { worst } = await hostDelays(delays, begun, Date.now());
    if (worst > slowest.worst) {
      slowest = { name, worst };
    }
    instance.behave();
    lost.push(...(await window.recover()).map((view) => `${view} (${name})`));
  }
  const end = Date.now();
  const after = await typeFor(window, calmBursts);
  const host = await hostDelays(delays, start, end);
  const looks = explained + silent.length;
  const times = (of: readonly number[]): string => `median ${median(of).toFixed(1)} ms, p95 ${p95(of).toFixed(1)} ms`;
  return {
    title: 'Hostile instance',
    about: `In a real workbench, signed in, with both views, the page of notification settings and a file with DSNs open and the shortest interval of polling: typing in that file, from a key to the picture with its character, ${before.length} times before, ${during.length} times while the instance answers everything with the worst of ${classes.length} classes for ${minutes} minutes, one after the other, and ${after.length} times after that. Between two classes it answers right until all views show what there is. ${requests} requests got a hostile answer.`,
    results: [
      {
        what: 'typing during hostile answers to before, median',
        ratio: median(during) / median(before),
        bound: { atMost: 1.25 },
        times: `before ${times(before)}; during ${times(during)}, at worst ${Math.max(...during).toFixed(0)} ms`,
      },
      {
        what: 'typing during hostile answers to before, p95',
        ratio: p95(during) / p95(before),
        bound: { atMost: 1.5 },
        times: `${p95(during).toFixed(1)} ms and ${p95(before).toFixed(1)} ms`,
      },
      {
        what: 'typing after hostile answers to before, median',
        ratio: median(after) / median(before),
        bound: { atMost: 1.25 },
        times: `after ${times(after)}`,
      },
      {
        what: 'views that say what is wrong to those that got no answer',
        ratio: explained / looks,
        bound: { atLeast: 1 },
        times: `${explained} of ${looks}${silent.length === 0 ? '' : `; silent: ${silent.join(', ')}`}`,
        isCount: true,
      },
      {
        what: 'views that did not come back once the instance answered right',
        ratio: lost.length,
        bound: { atMost: 0 },
        times: lost.length === 0 ? 'all came back' : lost.join(', '),
        isCount: true,
      },
      limitedCount(
        'extension hosts that were started to 1',
        host.processes,
        1,
        `its thread was held up for ${host.p95.toFixed(0)} ms at most in 95 of 100 half seconds, for ${slowest.worst.toFixed(0)} ms at worst (${slowest.name})`,
      ),
    ],
  };
}

async function typeFor(window: Window, bursts: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let count = 0; count < bursts; count += 1) {
    latencies.push(...(await window.type()));
  }
  return latencies;
}

/** The window that is measured. */
class Window {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens a window with everything that shows something of the instance, side by side. */
  static async open(workbench: Workbench, origin: string, token: string): Promise<Window> {
    const page = await workbench.open({ width: 2000, height: 1000 });
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, origin, token);
    await countShownEvents(page, 1);
    await page.keyboard.press('Control+P');
    await page.keyboard.type(file);
    await page.getByRole('option', { name: file }).first().click();
    await page.locator('.editor-instance .view-lines').waitFor();
    const window = new Window(page);
    await runCommand(page, 'Beacon: Notification Settings…');
    await within(() => window.#isFree('notification settings'));
    // It stands beside the file. A page that is moved loads again, and takes no key meanwhile.
    await runCommand(page, 'View: Move Editor into Right Group');
    await within(() => window.#isFree('notification settings'));
    await runCommand(page, 'View: Focus First Editor Group');
    await page.locator('.editor-instance .view-lines').first().waitFor();
    await page.evaluate(recordLatencies);
    await window.recover();
    return window;
  }

  /** Types a line at the end of the file. @returns milliseconds from each key to the picture with its character. */
  async type(): Promise<readonly number[]> {
    const { keyboard } = this.#page;
    await this.#page.locator('.editor-instance .view-lines').first().click();
    await keyboard.press('Control+End');
    await this.#page.evaluate('globalThis.beaconLatencies.length = 0');
    for (let count = 0; count < burst; count += 1) {
      await keyboard.press('abcdefghijklmnopqrstuvwxyz'.charAt(count % 26));
      await sleep(keyInterval);
    }
    const latencies = await this.#page.evaluate<readonly number[]>('[...globalThis.beaconLatencies]');
    await keyboard.press('Enter');
    return latencies;
  }

  /** Has everything asked for again; does not wait for it. A page that is still at work is left to it. */
  async refresh(): Promise<void> {
    for (const command of ['Beacon: Refresh Activity', 'Beacon: Refresh Error Tracking']) {
      await runCommand(this.#page, command);
    }
    const content = await this.#webview();
    // A notice of what is wrong may have another one.
    await content
      ?.getByRole('button', { name: 'Reload', exact: true })
      .first()
      .click({ timeout: patience })
      .catch(() => undefined);
  }

  /** Whether a view shows in time what is wrong. */
  async says(view: View): Promise<boolean> {
    return await within(async () => (await this.#problems(view)) > 0);
  }

  /** Has everything asked for again. @returns the views that do not come back to what there is. */
  async recover(): Promise<readonly View[]> {
    await this.refresh();
    const lost: View[] = [];
    for (const view of views) {
      if (!(await within(async () => (await this.#isFree(view)) && (await this.#problems(view)) === 0))) {
        lost.push(view);
      }
    }
    return lost;
  }

  #tree(view: View): Locator | undefined {
    return view === 'Activity' || view === 'Error Tracking' ? this.#page.getByRole('tree', { name: view }) : undefined;
  }

  async #webview(): Promise<FrameLocator | undefined> {
    const webviews = this.#page.locator('iframe.webview.ready');
    for (let index = 0; index < (await webviews.count()); index += 1) {
      const content = webviews.nth(index).contentFrame().frameLocator('iframe#active-frame');
      if ((await content.getByRole('heading', { level: 1, name: 'Notification Settings' }).count()) > 0) {
        return content;
      }
    }
    return undefined;
  }

  /** Whether a view shows something, and waits for nothing. */
  async #isFree(view: View): Promise<boolean> {
    const tree = this.#tree(view);
    return tree
      ? (await tree.getByRole('treeitem').count()) > 1
      : ((await (await this.#webview())?.locator('main[aria-busy=false]').count()) ?? 0) > 0;
  }

  async #problems(view: View): Promise<number> {
    const tree = this.#tree(view);
    return tree
      ? await tree.getByRole('treeitem', { name: /^(?:Try Again|Replace Token)/ }).count()
      : ((await (await this.#webview())?.locator('.notice, td.problem').count()) ?? 0);
  }
}

/** Whether a condition becomes true in time. */
async function within(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(100)) {
    if (await isSo()) {
      return true;
    }
  }
  return false;
}

/** What is typed in: a program with DSNs, which are looked up again after each change. */
function program(origin: string): string {
  const dsn = `http://glet_${'0'.repeat(32)}@${new URL(origin).host}/errortracking/api/v1/projects/501`;
  return `import sentry_sdk\n${`sentry_sdk.init("${dsn}")\n`.repeat(20)}`;
}

/** Makes a repository of a folder, whose project the views show by themselves. */
async function makeRepository(cwd: string, remote: string): Promise<void> {
  const git = promisify(execFile);
  await git('git', ['init', '-q'], { cwd });
  await git('git', ['remote', 'add', 'origin', remote], { cwd });
}

/** What the probe wrote down between two moments. */
async function hostDelays(file: string, start: number, end: number) {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const all = lines.map((line) => line.split(' ').map(Number) as [pid: number, time: number, delay: number]);
  const delays = all.filter(([, time]) => time >= start && time <= end).map(([, , delay]) => delay);
  return { processes: new Set(all.map(([pid]) => pid)).size, p95: p95(delays), worst: Math.max(0, ...delays) };
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}
