import * as z from 'zod';
import { startSandbox } from '../test/support/sandbox/sandbox.ts';
import { endWith, readOptions } from './options.ts';

const help = `Usage: npm run sandbox [-- options]
Serves the sandbox instance on 127.0.0.1 and prints one line of JSON: its URL and tokens.
  --port N         the port (default 0: a free one)
  --seed N         which sample data (default 1)
  --dialect NAME   spec (default), or live for the words of the live platform
  --tier NAME      ultimate (default), premium or free
  --no-live-events keep the feed as it is; without it, events keep happening`;

const optionsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  dialect: z.enum(['spec', 'live']),
  tier: z.enum(['ultimate', 'premium', 'free']),
});

const { values } = readOptions(help, {
  allowNegative: true,
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    dialect: { type: 'string', default: 'spec' },
    tier: { type: 'string', default: 'ultimate' },
    'live-events': { type: 'boolean', default: true },
  },
});
const { data: options, error: mistake } = optionsSchema.safeParse(values);
const sandbox = await startSandbox({
  ...(options ?? endWith(z.prettifyError(mistake), help)),
  liveEvents: values['live-events'],
  isControlledByHttp: true,
  onDefect: console.error,
}).catch((error: Error) => endWith(error.message, help));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
const { url, tokens } = sandbox;
console.log(JSON.stringify({ url, tokens }));
