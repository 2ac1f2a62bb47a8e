import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeCoverage } from 'node:v8';
import { runMocha } from '../support/runMocha.ts';

/**
 * Runs the tests beside this module inside the extension host, which calls this function.
 * The counts go to the file that BEACON_TEST_COUNTS names.
 */
export async function run(): Promise<void> {
  const shift = Date.now() - (performance.timeOrigin + performance.now());
  if (Math.abs(shift - Number(process.env['BEACON_CLOCK_OFFSET'] ?? 0)) > 60_000) {
    throw new Error('The extension host has another clock than the tests.');
  }
  const files = globSync('**/*.test.js', { cwd: __dirname }).map((file) => join(__dirname, file));
  const counts = await runMocha(files, process.env['BEACON_TEST_REPORT'], () =>
    files.forEach((file) => void require(file)),
  );
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
