import type { Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { openSignedIn } from '../support/signIn.ts';
import { paletteOf, runCommand, Workbench } from '../support/workbench.ts';
import { medianRatio, medianTime } from './measure.ts';
import { packExtension } from './packedExtension.ts';
import { limited, type Part } from './report.ts';

const rounds = 11;
const bound = 300;
const form = 'Beacon: Notification Settings…';
const empty = 'Open Empty Webview';
/** When a page had what it shows, in milliseconds since 1970. */
const shownTime = 'performance.timeOrigin + performance.getEntriesByName("settings shown")[0].startTime';

/**
 * How long the form takes from its command to its settings, in a real workbench, with the settings at hand; and in the same
 * rounds a webview with one word in it, which is what the editor itself takes.
 */
export async function bench(folder: string): Promise<Part> {
  await using left = new AsyncDisposableStack();
  const emptyWebview = await packExtension(folder, 'emptyWebview', { open: empty });
  const sandbox = await startSandbox({ liveEvents: false });
  left.defer(() => sandbox.close());
  const workbench = await Workbench.start({ extensions: [emptyWebview] });
  left.defer(() => workbench.stop());
  const page = await openSignedIn(workbench, sandbox);
  const times = new Map([form, empty].map((command) => [command, [] as number[]]));
  // The first round reads the settings and loads the code; it does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const command of round % 2 === 0 ? [form, empty] : [empty, form]) {
      const time = await measureOpening(page, command);
      if (round > 0) {
        times.get(command)?.push(time);
      }
      await close(page);
    }
  }
  const [formTime, emptyTime] = [medianTime(times, form), medianTime(times, empty)];
  const longest = Math.max(...(times.get(form) ?? []));
  return {
    title: 'Form of notification settings',
    about: `From the key that runs the command to the page with the settings, in VS Code in a browser on this machine, over ${rounds} rounds, each beside a webview with one word in it: what that takes, too, is the editor's own.`,
    results: [
      limited(
        `time until the form shows to ${bound} ms`,
        formTime,
        bound,
        `median ${formTime.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
      ),
      {
        what: 'time until the form shows to that of a webview with one word',
        ratio: medianRatio(times, form, empty),
        bound: { atMost: 1.2 },
        times: `${formTime.toFixed(0)} ms and ${emptyTime.toFixed(0)} ms`,
      },
    ],
  };
}

/** Closes the webview that is open. */
async function close(page: Page): Promise<void> {
  await runCommand(page, 'View: Close Editor');
  await page.locator('iframe.webview').waitFor({ state: 'detached' });
}

/**
 * Runs a command that opens a webview; answers with milliseconds. The page itself reports when it was filled, so that
 * waiting for it adds nothing.
 */
async function measureOpening(page: Page, command: string): Promise<number> {
  await page.keyboard.press('F1');
  await paletteOf(page).fill(`>${command}`);
  await page.getByRole('option', { name: command }).first().waitFor();
  const started = Date.now();
  await page.keyboard.press('Enter');
  const shown = new NotificationForm(page);
  await (command === form
    ? shown.shows('Global settings')
    : shown.content.getByRole('heading', { name: 'Empty' }).waitFor());
  return Number(await shown.content.locator('body').evaluate(shownTime)) - started;
}
