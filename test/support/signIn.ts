import type { Page } from 'playwright-core';
import { quickInput } from './workbench.ts';

/** Answers the questions of a sign-in, which must be open, by typing the URL and the token. */
export async function answerSignIn(page: Page, instanceUrl: string, token: string): Promise<void> {
  const { field } = quickInput(page);
  await field.fill(instanceUrl);
  await field.press('Enter');
  await typeToken(page, token);
}

/** Answers the question for a token. */
export async function typeToken(page: Page, token: string): Promise<void> {
  const field = page.getByPlaceholder('Personal access token');
  await field.fill(token);
  await field.press('Enter');
}
