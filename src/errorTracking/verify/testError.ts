import { randomUUID } from 'node:crypto';
import type { Dsn } from '../dsn.ts';

/** An error that is sent to see whether a DSN works. */
export interface TestError {
  /** 32 hexadecimal digits. */
  readonly eventId: string;
  /** The envelope that an SDK would post: a header, then each item with a header of its own, a line each. */
  readonly envelope: string;
}

/** Makes a test error. It names the sender, and nothing of the computer, the person or the program. */
export function makeTestError({ text }: Dsn, now: Date): TestError {
  const eventId = randomUUID().replaceAll('-', '');
  const frame = { filename: 'beacon.js', function: 'sendTestError', lineno: 1, colno: 1, in_app: true };
  const event = {
    event_id: eventId,
    timestamp: now.getTime() / 1000,
    platform: 'javascript',
    level: 'error',
    environment: 'test',
    logger: 'beacon-gitlab',
    exception: {
      values: [
        {
          type: 'TestError',
          value: 'Sent from the editor by Beacon for GitLab to see whether this DSN works',
          mechanism: { type: 'generic', handled: true },
          stacktrace: { frames: [frame] },
        },
      ],
    },
  };
  const lines = [
    { event_id: eventId, sent_at: now.toISOString(), dsn: text },
    { type: 'event', content_type: 'application/json' },
    event,
  ];
  return { eventId, envelope: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n` };
}
