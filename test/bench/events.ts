import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sampleEvent, sampleUser } from '../support/clientSamples.ts';

/**
 * Starts a server of 10,000 events in a process of its own, so that its work is not counted to the measured one.
 *
 * @param latency the milliseconds after which it answers.
 */
export async function startEventServer(latency: number): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = fork(join(import.meta.dirname, 'eventServer.ts'), [String(latency)]);
  const [port] = (await once(server, 'message')) as [number];
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    },
  };
}

/** The JSON of a page of 100 events: pushes, comments and issues as they come in a busy project, about 80 KB. */
export function eventPage(page: number): string {
  return JSON.stringify(Array.from({ length: 100 }, (_, index) => eventOf((page - 1) * 100 + index + 1)));
}

function eventOf(id: number): Record<string, unknown> {
  const author = { ...sampleUser, locked: false };
  const { note, ...sample } = sampleEvent(id);
  const title = `The door squeaks when it is opened for the ${id}th time`;
  const event = { ...sample, target_id: id * 3, target_iid: id, target_title: title, author };
  switch (id % 3) {
    case 0:
      return { ...event, action_name: 'opened', target_type: 'Issue' };
    case 1:
      return {
        ...event,
        note: {
          ...(note as object),
          ...{ id: id * 3, author, type: null, updated_at: '2026-02-09T10:43:19.438Z', project_id: 15 },
          ...{ resolvable: false, confidential: false, internal: false },
          body: `I oiled the hinges, ${id} times now. It helps for a day, then the weather changes and it is back.`,
        },
      };
    default:
      return {
        ...event,
        ...{ action_name: 'pushed to', target_id: null, target_iid: null, target_type: null, target_title: null },
        push_data: {
          ...{ commit_count: 1, action: 'pushed', ref_type: 'branch', ref: 'main', ref_count: null },
          commit_from: '50d4420237a9de7be1304607147aec22e4a14af7',
          commit_to: 'c5feabde2d8cd023215af4d2ceeb7a64839fc428',
          commit_title: 'Oil the hinges of the front door',
        },
      };
  }
}
