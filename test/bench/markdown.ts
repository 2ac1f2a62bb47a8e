import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/project.ts';
import { hostileMarkdown } from '../unit/activity/hostileMarkdown.ts';
import { TestWindow } from '../support/testWindow.ts';
import { median } from './measure.ts';
import { limited, type Part } from './report.ts';

/** The renderer as it is shipped. */
type Renderer = (text: string, places: { readonly instanceUrl: string; readonly projectUrl: string }) => string;

const [length, rounds, limit] = [64 * 1024, 7, 50];

/** What it costs to render a comment that is designed to make that slow. */
export async function bench(): Promise<Part> {
  const window = await TestWindow.open({ sandbox: false });
  try {
    return await window.within(async () => {
      const { renderMarkdown } = createRequire(import.meta.url)(join(projectRoot, 'dist', 'markdown.js')) as {
        readonly renderMarkdown: Renderer;
      };
      const places = {
        instanceUrl: 'https://gitlab.example.com',
        projectUrl: 'https://gitlab.example.com/group/project',
      };
      const times = hostileMarkdown(length).map((text) => {
        const all = Array.from({ length: rounds }, () => {
          const start = process.cpuUsage();
          renderMarkdown(text, places);
          const { user, system } = process.cpuUsage(start);
          return (user + system) / 1000;
        });
        return { text: JSON.stringify(text.slice(0, 12)), time: median(all), first: all[0] ?? 0 };
      });
      const [slowest] = times.toSorted((one, other) => other.time - one.time);
      const first = Math.max(...times.map((one) => one.first));
      return {
        title: 'Comments',
        about: `${times.length} texts of 64 KiB, each designed to make a renderer of Markdown slow, as the page of an event shows them: one task each, in time of the processor (median of ${rounds} rounds).`,
        results: [
          limited(
            `the slowest text to ${limit} ms`,
            slowest?.time ?? Number.NaN,
            limit,
            `${slowest?.time.toFixed(0)} ms for ${slowest?.text}; at worst ${first.toFixed(0)} ms the first time`,
          ),
        ],
      };
    });
  } finally {
    await window.dispose();
  }
}
