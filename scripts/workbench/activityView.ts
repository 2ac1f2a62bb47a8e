import type { Locator, Page } from 'playwright-core';

/** The rows of the Activity view, days and all. */
export function activityRows(page: Page): Locator {
  return page.getByRole('tree', { name: 'Activity' }).getByRole('treeitem');
}

/**
 * Waits until the Activity view shows at least so many events.
 *
 * @returns how many it shows.
 * @throws if it does not within Playwright's timeout.
 */
export async function countShownEvents(page: Page, atLeast: number): Promise<number> {
  // Days are the first level, events the second.
  const events = activityRows(page).and(page.locator('[aria-level="2"]'));
  await events.nth(atLeast - 1).waitFor();
  return events.count();
}
