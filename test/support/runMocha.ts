import { basename } from 'node:path';
import Mocha from 'mocha';

/** What a run of tests came to. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of each test or hook that failed its name and what it said. */
  readonly failures?: readonly string[];
}

/** Milliseconds after which a test counts as one that hangs: on a busy machine some take minutes that take seconds elsewhere. */
const longestTest = 300_000;

/**
 * Runs test files with mocha, reporting to the console.
 *
 * @param reportFile gets what each test came to, as JUnit XML; without it no such file is written.
 * @param load loads the files once mocha's globals stand; without it mocha loads them itself.
 */
export async function runMocha(files: readonly string[], reportFile?: string, load?: () => void): Promise<TestCounts> {
  const mocha = new Mocha({ timeout: longestTest, forbidOnly: true, reporter: 'spec', color: false });
  mocha.fgrep(process.env['BEACON_TEST_GREP'] ?? '');
  if (load) {
    mocha.suite.emit('pre-require', globalThis, '', mocha);
    load();
  } else {
    files.forEach((file) => mocha.addFile(file));
    await mocha.loadFilesAsync();
  }
  return new Promise((resolve) => {
    const failed: string[] = [];
    const runner = mocha.run((count) => {
      const { passes, failures, pending } = runner.stats ?? { passes: 0, failures: 0, pending: 0 };
      // A failing hook leaves tests unrun and counts as a failure of its own.
      const finish = (): void => resolve({ passed: passes, failed: failures, skipped: pending, failures: failed });
      if (report) {
        report.done(count, finish);
      } else {
        finish();
      }
    });
    runner.on('fail', (test: Mocha.Runnable, { message }: Error) => failed.push(`${test.fullTitle()}: ${message}`));
    const reporterOptions = { output: reportFile, suiteName: basename(reportFile ?? '', '.xml') };
    const report = reportFile === undefined ? undefined : new Mocha.reporters.XUnit(runner, { reporterOptions });
  });
}
