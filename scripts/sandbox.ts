import { parseArgs } from 'node:util';
import { startSandbox } from '../src/sandbox/server.ts';

const help = `Usage: npm run sandbox [-- options]
Serves the sandbox instance on 127.0.0.1 and prints one line of JSON: its URL, tokens and what is on it.
  --port N         the port (default 0: a free one)
  --seed N         which sample data (default 1)
  --dialect NAME   spec (default), or live for the words of the live platform
  --tier NAME      ultimate (default), premium or free
  --no-live-events keep the feed as it is; without it, events keep happening`;

function fail(sentence: string): never {
  console.error(`${sentence}\n\n${help}`);
  process.exit(2);
}

function wholeNumber(name: string, text: string, high: number): number {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= high
    ? value
    : fail(`--${name} takes a whole number from 0 to ${high}, not "${text}".`);
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  return names.find((name) => name === text) ?? fail(`--${option} takes ${names.join(' or ')}, not "${text}".`);
}

function options() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        port: { type: 'string', default: '0' },
        seed: { type: 'string', default: '1' },
        dialect: { type: 'string', default: 'spec' },
        tier: { type: 'string', default: 'ultimate' },
        'live-events': { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

const { port, seed, dialect, tier, 'live-events': liveEvents, help: wantsHelp } = options();
if (wantsHelp) {
  console.error(help);
  process.exit(0);
}
const sandbox = await startSandbox({
  port: wholeNumber('port', port, 65_535),
  seed: wholeNumber('seed', seed, 2 ** 32 - 1),
  dialect: oneOf('dialect', dialect, ['spec', 'live']),
  tier: oneOf('tier', tier, ['ultimate', 'premium', 'free']),
  liveEvents,
  onDefect: console.error,
}).catch((error: NodeJS.ErrnoException) =>
  fail(error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another, or 0 for a free one.` : error.message),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
const { url, tokens, projects, groups, users } = sandbox;
console.log(JSON.stringify({ url, tokens, projects, groups, users }));
