import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What axe finds wrong in a page: the rule and what breaks it.
 *
 * @param rules those that are looked at; all of them by default.
 */
export async function violationsIn(page: Page | Frame, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  // Nothing is made that is not read: selectors of marks cost as much as the rules.
  const options = { resultTypes: ['violations'], selectors: false, ...(rules.length > 0 ? { runOnly: rules } : {}) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
