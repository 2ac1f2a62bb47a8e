import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { run } from '../scripts/processes.ts';
import { projectRoot } from '../scripts/project.ts';
import { countShownEvents } from '../scripts/workbench/activityView.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { NotificationForm } from '../test/support/notificationForm.ts';
import { answerSignIn } from '../test/support/signIn.ts';
import { quickInput, runCommand, Workbench } from '../test/support/workbench.ts';
import type { Part } from './report.ts';

const rounds = 9;
const bound = 300;
const command = 'Beacon: Notification Settings…';

/** How long the form takes from its command to its settings, in a real workbench, with the settings at hand. */
export async function benchForm(): Promise<Part> {
  await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], { stdio: 'ignore' });
  const sandbox = await startSandbox({ liveEvents: false });
  const workbench = await Workbench.start();
  try {
    const page = await workbench.open();
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    await countShownEvents(page, 1);
    const times: number[] = [];
    // The first round reads the settings and loads the code; it does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const time = await measureOpening(page);
      if (round > 0) {
        times.push(time);
      }
      await runCommand(page, 'View: Close Editor');
    }
    const median = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
    return {
      title: 'Form of notification settings',
      about: `From the key that runs the command to the form with its settings, in VS Code in a browser on this machine, over ${rounds} rounds.`,
      results: [
        {
          what: `time until the form shows to ${bound} ms`,
          ratio: median / bound,
          bound: { atMost: 1 },
          times: `median ${median.toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
        },
      ],
    };
  } finally {
    await workbench.stop();
    await sandbox.close();
  }
}

/** Opens the form; answers with milliseconds. The page itself tells when it showed, so that waiting for it adds nothing. */
async function measureOpening(page: Page): Promise<number> {
  const form = new NotificationForm(page);
  await page.keyboard.press('F1');
  await quickInput(page).field.fill(`>${command}`);
  await page.getByRole('option', { name: command }).first().waitFor();
  const started = Date.now();
  await page.keyboard.press('Enter');
  await form.shows('Global');
  const body = form.content.locator('body');
  const shown = await body.evaluate(
    'performance.timeOrigin + performance.getEntriesByName("settings shown")[0].startTime',
  );
  return Number(shown) - started;
}
