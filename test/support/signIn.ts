import type { Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import type * as product from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from './sandbox/sandbox.ts';
import { callAsOwner } from './callAsOwner.ts';
import { quickInput, Workbench } from './workbench.ts';

/** Answers the questions of a sign-in, which must be open, by typing the URL and the token, and waits until it is over. */
export async function answerSignIn(page: Page, instanceUrl: string, token: string): Promise<void> {
  const { field } = quickInput(page);
  await field.fill(instanceUrl);
  await field.press('Enter');
  await typeToken(page, token);
  // Before that the view takes the focus, which closes any list that is open by then.
  await page
    .getByText('Signed in as')
    .filter({ hasText: new URL(instanceUrl).host })
    .waitFor();
}

/** Opens a window that is signed in as the owner of a sandbox's projects, and shows their activity. */
export async function openSignedIn(
  workbench: Workbench,
  { url, tokens }: Pick<product.Sandbox, 'url' | 'tokens'>,
  ...options: Parameters<Workbench['open']>
): Promise<Page> {
  const page = await workbench.open(...options);
  await page.getByRole('button', { name: 'Sign In' }).first().click();
  await answerSignIn(page, url, tokens.owner);
  await countShownEvents(page, 1);
  return page;
}

/** Answers the question for a token. */
export async function typeToken(page: Page, token: string): Promise<void> {
  const field = page.getByPlaceholder('Personal access token');
  await field.fill(token);
  await field.press('Enter');
}

/** The set-up of a suite in whose workbench each test has a window that is signed in to a sandbox of its own. */
export class SignedInSuite {
  #workbench: Workbench | undefined;
  #sandbox: Sandbox | undefined;
  #page: Page | undefined;

  /** Adds hooks to the suite that is being described. */
  constructor() {
    before(async () => {
      this.#workbench = await Workbench.start();
    });
    after(async () => {
      await this.#workbench?.stop();
    });
    beforeEach(async () => {
      this.#sandbox = await startSandbox({ liveEvents: false });
      this.#page = await openSignedIn(this.workbench, this.sandbox);
    });
    const release = async (test: Mocha.Test | undefined): Promise<void> => {
      await this.workbench.release(this.page, test);
      await this.sandbox.close();
    };
    afterEach(async function releaseWindow() {
      await release(this.currentTest);
    });
  }

  get workbench(): Workbench {
    return present(this.#workbench);
  }

  get sandbox(): Sandbox {
    return present(this.#sandbox);
  }

  get page(): Page {
    return present(this.#page);
  }

  /**
   * Calls the instance as its owner, elsewhere than in the window.
   *
   * @param path without `/api/v4`.
   */
  async call(path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> {
    return (await callAsOwner(this.sandbox, path, method, body)) as Record<string, unknown>;
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The hooks of the suite have not run');
  }
  return value;
}
