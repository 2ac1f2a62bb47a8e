import type { Page } from 'playwright-core';
import { countShownEvents } from './activityView.ts';
import type * as product from '../../src/sandbox/server.ts';
import type { Workbench } from './workbench.ts';

/** Answers the questions of a sign-in, which must be open, by typing the URL and the token, and waits until it is over. */
export async function answerSignIn(page: Page, instanceUrl: string, token: string): Promise<void> {
  await typeUrl(page, instanceUrl);
  await typeToken(page, token);
  // Before that the view takes the focus, which closes any list that is open by then.
  await page
    .getByText(/Signed in to /)
    .filter({ hasText: new URL(instanceUrl).host })
    .waitFor();
}

/** Answers the question for the URL of an instance. */
export async function typeUrl(page: Page, url: string): Promise<void> {
  // By what it asks for: the list from which the sign-in was chosen may still be closing.
  const field = page.getByPlaceholder(/^(https:\/\/gitlab\.com|Choose an instance.*)$/);
  await field.fill(url);
  await field.press('Enter');
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

export const tokenPlaceholder = 'Personal access token';

/** Answers the question for a token. */
export async function typeToken(page: Page, token: string): Promise<void> {
  const field = page.getByPlaceholder(tokenPlaceholder);
  await field.fill(token);
  await field.press('Enter');
}
