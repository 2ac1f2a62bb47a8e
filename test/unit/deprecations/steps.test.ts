import assert from 'node:assert/strict';
import { type Profiler, Session } from 'node:inspector/promises';
import { recognize } from '../../../src/deprecations/recognition/recognize.ts';

/** Sources that grow by repeating a unit, each a way to make a reader look at the same place again and again. */
const units: Readonly<Record<string, string>> = {
  brackets: '(',
  braces: '{ ',
  holes: '`${',
  strings: '"x" + ',
  quotes: `'"`,
  escapes: '\\"',
  comments: '/* ',
  members: 'a.runner.',
  assignments: 'a = b\nb = a\n',
  functions: 'x => ',
  calls: 'get("/api/v4/runners", ',
  loops: 'for runner in runners:\n ',
  heredocs: 'cat <<EOF\n',
  fences: '```sh\n',
  entries: '- a: *b\n',
  paths: '/api/v4',
  options: '--data active=true \\\n',
  names: 'merge_status ',
};
const languages = ['typescript', 'python', 'shellscript', 'markdown'];

/** Counts how often pieces of the recognition's code run: a measure of its work that is the same on every machine. */
class StepCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async count(run: () => void): Promise<number> {
    await this.#session.post('Profiler.takePreciseCoverage');
    run();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }: Profiler.ScriptCoverage) => url.includes('/src/deprecations/'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }

  stop(): void {
    this.#session.disconnect();
  }
}

describe('the work that a source makes', () => {
  const counter = new StepCounter();
  before(() => counter.start());
  after(() => counter.stop());

  const sourceOf = (unit: string, times: number): string =>
    `# gitlab /api/v4/runners PRIVATE-TOKEN\n${`${unit.repeat(5)}\n`.repeat(times / 5)}`;

  for (const [name, unit] of Object.entries(units)) {
    it(`grows with its length and not much faster, by repeated ${name}`, async () => {
      for (const language of languages) {
        const steps = async (times: number): Promise<number> =>
          counter.count(() => void recognize(sourceOf(unit, times), language));
        const [once, fourTimes] = [await steps(200), await steps(800)];
        assert.ok(once > 0);
        // In proportion would be 4, with the square 16; what grows faster than that would never end.
        assert.ok(
          fourTimes <= 16 * once + 10_000,
          `${language}: ${once} steps, ${fourTimes} for four times the length`,
        );
      }
    });
  }
});
