import type { Locator, Page } from 'playwright-core';
import { longestWait } from '../../scripts/workbench/chromium.ts';

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

/**
 * Scrolls the Activity view until it shows all of a row with a text, which may be that of its sentence for screen readers. Rows are in the
 * page only while they are in sight, and more may come at any time.
 *
 * @throws Error if there is none within two minutes.
 */
export async function findRow(page: Page, hasText: string | RegExp): Promise<Locator> {
  const tree = page.getByRole('tree', { name: 'Activity' });
  const row = activityRows(page)
    .filter({ hasText })
    .or(tree.getByRole('treeitem', { name: hasText }))
    .first();
  /** While a page is turned no row has the focus for a moment; it stays so if the editor replaces the rows meanwhile. */
  const focusedIndex = (): Promise<string | null> =>
    tree
      .locator('.monaco-list-row.focused')
      .getAttribute('data-index', { timeout: 1000 })
      .catch(() => null);
  /** A click on a row of which the list shows a part would scroll the page, and the list back: it would hit another row. */
  const isInSight = async (): Promise<boolean> => {
    if (!(await row.isVisible())) {
      return false;
    }
    const [box, list] = await Promise.all([row.boundingBox({ timeout: 1000 }).catch(() => null), tree.boundingBox()]);
    return box !== null && list !== null && box.y >= list.y && box.y + box.height <= list.y + list.height;
  };
  await activityRows(page).first().waitFor();
  await tree.focus();
  await page.keyboard.press('Home');
  for (const end = performance.now() + longestWait; performance.now() < end;) {
    if (await isInSight()) {
      return row;
    }
    const before = await focusedIndex();
    await page.keyboard.press(before === null ? 'Home' : 'PageDown');
    if (before === (await focusedIndex())) {
      await page.keyboard.press('Home');
    }
  }
  throw new Error(`The Activity view has no row with ${String(hasText)}.`);
}
