import { writeFileSync } from 'node:fs';
import { takeCoverage } from 'node:v8';
import { runMocha } from '../support/runMocha.ts';

/**
 * Runs tests inside the extension host, which calls this function of their bundle.
 * The counts go to the file that BEACON_TEST_COUNTS names.
 *
 * @param load loads the tests, once mocha's globals stand.
 */
export async function runTests(load: () => void): Promise<void> {
  const shift = Date.now() - (performance.timeOrigin + performance.now());
  if (Math.abs(shift - Number(process.env['BEACON_CLOCK_OFFSET'] ?? 0)) > 60_000) {
    throw new Error('The extension host has another clock than the tests.');
  }
  const counts = await runMocha([], process.env['BEACON_TEST_REPORT'], load);
  // The host is ended from outside, before Node would write down what ran.
  takeCoverage();
  const countsFile = process.env['BEACON_TEST_COUNTS'];
  if (countsFile !== undefined) {
    writeFileSync(countsFile, JSON.stringify(counts));
  }
  if (counts.failed > 0) {
    throw new Error(`${counts.failed} failed`);
  }
}
