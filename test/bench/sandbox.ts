import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Contestant, measureInTurns, medianRatio, medianTime } from './measure.ts';
import type { Part } from './report.ts';

const megabyte = 1024 * 1024;
const maxMemory = 300;

/** The sandbox with 100,000 events in one project beside one with 1,000, and the memory it takes. */
export async function benchSandbox(): Promise<Part> {
  const [small, large] = [forkSandbox(1_000), forkSandbox(100_000)];
  try {
    const contestants = await Promise.all([
      pageContestant('1,000 events', small),
      pageContestant('100,000 events', large),
    ]);
    const rounds = await measureInTurns(contestants, 31);
    large.send('memory');
    const [bytes] = (await once(large, 'message')) as [number];
    const memory = bytes / megabyte;
    const times = contestants.map(({ name }) => `${name} ${medianTime(rounds, name).toFixed(0)} ms per 20 pages`);
    return {
      title: 'Sandbox',
      about: 'A page of 20 of `/projects/:id/events`; the memory is the resident set of its process.',
      results: [
        {
          what: 'page of 100,000 events to page of 1,000',
          ratio: medianRatio(rounds, '100,000 events', '1,000 events'),
          bound: { atMost: 3 },
          times: times.join(', '),
        },
        {
          what: `memory with 100,000 events to ${maxMemory} MB`,
          ratio: memory / maxMemory,
          bound: { atMost: 1 },
          times: `${memory.toFixed(0)} MB`,
        },
      ],
    };
  } finally {
    await Promise.all([stop(small), stop(large)]);
  }
}

function forkSandbox(events: number): ChildProcess {
  return fork(join(import.meta.dirname, 'sandboxServer.ts'), [String(events)]);
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill();
  await exited;
}

async function pageContestant(name: string, server: ChildProcess): Promise<Contestant> {
  const [{ url, token }] = (await once(server, 'message')) as [{ url: string; token: string }];
  return {
    name,
    async run() {
      for (let page = 1; page <= 20; page += 1) {
        const response = await fetch(`${url}/api/v4/projects/501/events?page=${page}`, {
          headers: { 'private-token': token },
        });
        await response.arrayBuffer();
      }
    },
  };
}
