import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWebviews } from '../../scripts/bundle.ts';
import { launchChromium } from '../../scripts/workbench/chromium.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { addDays } from '../../src/common/dates.ts';
import { TestWindow } from '../support/testWindow.ts';
import { median } from './measure.ts';
import { limited, type Part, type Result } from './report.ts';

const [eventCount, rounds] = [10_000, 15];
const [firstPicture, interaction] = [300, 50];

/** A year of events by many people in many projects. */
function makeEvents(now: Date): EventRecord[] {
  const kinds = ['opened', 'closed', 'created', 'approved'];
  return Array.from({ length: eventCount }, (_, id) => ({
    id: id + 1,
    project_id: (id * 7919) % 300,
    author_username: `user-${(id * 104_729) % 900}`,
    created_at: new Date(now.getTime() - ((id * 15_485_863) % (364 * 86_400)) * 1000).toISOString(),
    action_name: kinds[id % 4] ?? '',
    target_type: 'Issue',
    push_data: id % 3 === 0 ? { commit_count: 1, ref_type: 'branch' } : undefined,
    note: id % 3 === 1 ? { id, body: 'a comment' } : undefined,
  }));
}

/** What the host does for a first picture, and at each choice. */
async function measureHost(events: readonly EventRecord[], now: Date) {
  const window = await TestWindow.open({ sandbox: false });
  try {
    return await window.within(async () => {
      const { chartsOf } = await import('../unit/activity/eventTexts.ts');
      const to = now.toISOString().slice(0, 10);
      const selection = { from: addDays(to, -364), to, muted: new Set<string>(), pathOf: () => undefined, now };
      const [first, choice]: [number[], number[]] = [[], []];
      let charts: ReturnType<ReturnType<typeof chartsOf>> = [];
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        const draw = chartsOf(events, selection);
        charts = draw({});
        const shown = performance.now();
        draw({ kind: 'opened Issue' });
        first.push(shown - start);
        choice.push(performance.now() - shown);
      }
      return { first: median(first), choice: median(choice), charts };
    });
  } finally {
    await window.dispose();
  }
}

/** What is measured in the page, as one expression: until everything is laid out, without the wait for the next frame. */
const measurement = `(async ({ state, script }) => {
  globalThis.acquireVsCodeApi = () => ({ getState: () => undefined, setState: () => {}, postMessage: () => {} });
  const element = document.createElement('script');
  element.textContent = script;
  document.body.append(element);
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    const data = { ...state, total: String(round) };
    window.dispatchEvent(new MessageEvent('message', { data }));
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
})`;

/** Activity insights with a year of events. */
export async function bench(folder: string): Promise<Part> {
  await using browser = await launchChromium();
  await bundleWebviews('production', folder);
  const [script = '', style = ''] = await Promise.all(
    ['js', 'css'].map((type) => readFile(join(folder, `activityInsights.${type}`), 'utf8')),
  );
  const now = new Date();
  const host = await measureHost(makeEvents(now), now);
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.setContent(`<!doctype html><html lang="en"><style>${style}</style><body></body></html>`);
  const state = { type: 'state', kept: {}, period: '365', notes: [], filter: '', charts: host.charts };
  const times = await page.evaluate<number[]>(`${measurement}(${JSON.stringify({ state, script })})`);
  const [first = 0, ...others] = times;
  const result = (what: string, value: number, limit: number): Result =>
    limited(`${what} to ${limit} ms`, value, limit, `${value.toFixed(0)} ms`);
  return {
    title: 'Activity insights',
    about: `${eventCount.toLocaleString('en')} events of a year in 300 projects by 900 people: counted in the extension host (median of ${rounds} rounds), and drawn in a headless Chromium until all is laid out, without painting and without the way between the two.`,
    results: [
      result('first picture', host.first + first, firstPicture),
      result('choosing a mark', host.choice + median(others), interaction),
    ],
  };
}
