import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWebviews } from '../../scripts/bundle.ts';
import { launchChromium } from '../../scripts/workbench/chromium.ts';
import { EventRows } from '../../src/activity/insights/eventRows.ts';
import type { InsightsState, Name } from '../../src/activity/insights/messages.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { calendarDate } from '../../src/common/dates.ts';
import { median, type Rounds, medianRatio, medianTime } from './measure.ts';
import type { Part } from './report.ts';

const [eventCount, rounds] = [100_000, 15];
const [firstPicture, interaction] = [300, 50];

/** A year of events by many people in many projects. */
function makeEvents(now: Date): EventRecord[] {
  const kinds = ['opened', 'closed', 'created', 'approved'];
  return Array.from({ length: eventCount }, (_, id) => ({
    ...{ id: id + 1, project_id: (id * 7919) % 300, author_username: `user-${(id * 104_729) % 900}` },
    created_at: new Date(now.getTime() - ((id * 15_485_863) % (364 * 86_400)) * 1000).toISOString(),
    ...{ action_name: kinds[id % 4] ?? '', target_type: 'Issue' },
    ...(id % 3 === 0 ? { push_data: { commit_count: 1, ref_type: 'branch' } } : {}),
    ...(id % 3 === 1 ? { note: { id, body: 'a comment' } } : {}),
  }));
}

function stateOf(rows: EventRows, today: string): InsightsState {
  const named = (keys: readonly (string | number | undefined)[]): Name[] =>
    keys.map((key) => ({ label: `group/${key}`, isKnown: true }));
  return {
    ...{ type: 'state', ref: { kind: 'allProjects', accountId: 'marta' }, feed: 'All My Projects', account: 'marta' },
    ...{ phase: 'ready', period: '365', today, muted: { kinds: [], projects: [], authors: [] } },
    names: { kinds: named(rows.kinds), projects: named(rows.projects), authors: named(rows.authors) },
    ...{ answered: 0, notes: [] },
    filter: { label: '', kinds: null, projects: null, authors: null, days: null },
  };
}

/** What is measured in the page, as one expression: until everything is laid out, without the wait for the next frame. */
const measurement = `(async ({ state, numbers, script }) => {
  const rows = Int32Array.from(numbers);
  const laidOut = async () => {
    for (let turns = 0; turns < 5; turns += 1) {
      await undefined;
    }
    return document.body.getBoundingClientRect();
  };
  const send = (data) => window.dispatchEvent(new MessageEvent('message', { data }));
  globalThis.acquireVsCodeApi = () => ({
    getState: () => undefined,
    setState: () => undefined,
    postMessage: ({ type }) => type === 'ready' && (send(state), send({ type: 'rows', from: 0, rows })),
  });
  const element = document.createElement('script');
  element.textContent = script;
  const start = performance.now();
  document.body.append(element);
  await laidOut();
  const first = performance.now() - start;
  const total = document.querySelector('.total').textContent.trim();
  const times = [];
  const charts = numbers.length > 0 ? ['a day', 'a kind', 'a project', 'a person'] : [];
  for (const [place, name] of [...charts.entries(), ...charts.entries()]) {
    for (const [type, event] of [['choosing', 'click'], ['pointing at', 'pointerover'], ['taking back', 'click']]) {
      const marks = document.querySelectorAll('[role=listbox]')[place].querySelectorAll('[role=option]');
      const begun = performance.now();
      marks[7 % marks.length].dispatchEvent(new MouseEvent(event, { bubbles: true }));
      await laidOut();
      times.push([type + ' ' + name, performance.now() - begun]);
    }
  }
  return { first, times, total };
})`;

interface Measured {
  readonly first: number;
  /** Of each interaction. */
  readonly times: readonly (readonly [name: string, time: number])[];
  readonly total: string;
}

/** The page of activity insights with a year of events, and without any. */
export async function benchInsights(): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const browser = await launchChromium();
  try {
    await bundleWebviews('production', folder);
    const [script = '', style = ''] = await Promise.all(
      ['js', 'css'].map((type) => readFile(join(folder, `activityInsights.${type}`), 'utf8')),
    );
    const now = new Date();
    const [today, events] = [calendarDate(now), makeEvents(now)];
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    const open = async (rows: EventRows): Promise<Measured> => {
      await page.setContent(`<!doctype html><html lang="en"><style>${style}</style><body></body></html>`);
      const given = { state: stateOf(rows, today), numbers: [...rows.from(0)], script };
      return await page.evaluate<Measured>(`${measurement}(${JSON.stringify(given)})`);
    };
    const [full, empty, host, choice] = ['full', 'empty', 'host', 'choice'];
    const times = new Map([full, empty, host, choice].map((name) => [name, [] as number[]]));
    const ofInteractions = new Map<string, number[]>();
    for (let round = -2; round < rounds; round += 1) {
      const start = performance.now();
      const rows = new EventRows();
      rows.add(events);
      const read = performance.now() - start;
      const order = round % 2 === 0 ? [rows, new EventRows()] : [new EventRows(), rows];
      for (const one of order) {
        const { first, times: ofChoices, total } = await open(one);
        if (one === rows && !total.startsWith('100,000')) {
          throw new Error(`The page shows ${total}`);
        }
        if (round >= 0) {
          times.get(one === rows ? full : empty)?.push(first);
          if (one === rows) {
            times
              .get(choice)
              ?.push(median(ofChoices.flatMap(([name, time]) => (name.startsWith('pointing') ? [] : time))));
            ofChoices.forEach(([name, time]) => ofInteractions.set(name, [...(ofInteractions.get(name) ?? []), time]));
          }
        }
      }
      if (round >= 0) {
        times.get(host)?.push(read);
      }
    }
    const [slowest, ofSlowest] = [...ofInteractions]
      .map(([name, all]) => [name, median(all)] as const)
      .reduce((one, other) => (other[1] > one[1] ? other : one));
    const longest = Math.max(...[...ofInteractions.values()].flat());
    const measured: Rounds = times;
    const time = (name: string): string => `${medianTime(measured, name).toFixed(0)} ms`;
    return {
      title: 'Activity insights',
      about: `${eventCount.toLocaleString('en')} events of a year in 300 projects by 900 people, over ${rounds} rounds in a headless Chromium: times from a script to a page that is laid out, without painting and without the way between extension host and page. An interaction is choosing a mark of one of four charts, pointing at it, or taking the choice back, until all charts show it. The empty page draws the same days and hours without events. The load of the machine was ${loadavg()[0]?.toFixed(1)} in the last minute.`,
      results: [
        {
          what: `first picture to ${firstPicture} ms`,
          ratio: (medianTime(measured, full) + medianTime(measured, host)) / firstPicture,
          bound: { atMost: 1 },
          times: `page ${time(full)}, before it events to numbers ${time(host)}`,
        },
        {
          what: `choosing a mark to ${interaction} ms`,
          ratio: medianTime(measured, choice) / interaction,
          bound: { atMost: 1 },
          times: `median ${time(choice)}`,
        },
        {
          what: `the slowest interaction to ${interaction} ms`,
          ratio: ofSlowest / interaction,
          bound: { atMost: 1 },
          times: `${slowest}: median ${ofSlowest.toFixed(0)} ms; longest of all ${longest.toFixed(0)} ms`,
        },
        {
          what: 'first picture to that of no events',
          ratio: medianRatio(measured, full, empty),
          bound: { atMost: 2 },
          times: `${time(full)} and ${time(empty)}`,
        },
        {
          what: 'choosing a mark to the first picture of no events',
          ratio: medianRatio(measured, choice, empty),
          bound: { atMost: 1 },
          times: `${time(choice)} and ${time(empty)}`,
        },
        {
          what: 'script and style of the page to 60 KB',
          ratio: (script.length + style.length) / (60 * 1024),
          bound: { atMost: 1 },
          times: `${script.length + style.length} bytes`,
          isCount: true,
        },
      ],
    };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}
