import { startSandbox } from '../test/support/sandbox/sandbox.ts';
import { endWith, readOptions } from './options.ts';

const help = `Usage: npm run sandbox [-- options]
Serves the sandbox instance on 127.0.0.1 and prints one line of JSON: its URL, tokens and what is on it.
  --port N         the port (default 0: a free one)
  --seed N         which sample data (default 1)
  --dialect NAME   spec (default), or live for the words of the live platform
  --tier NAME      ultimate (default), premium or free
  --no-live-events keep the feed as it is; without it, events keep happening`;

function wholeNumber(name: string, text: string, high: number): number {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= high
    ? value
    : endWith(`--${name} takes a whole number from 0 to ${high}, not "${text}".`, help);
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  return (
    names.find((name) => name === text) ?? endWith(`--${option} takes ${names.join(' or ')}, not "${text}".`, help)
  );
}

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
const { port, seed, dialect, tier, 'live-events': liveEvents } = values;
const sandbox = await startSandbox({
  port: wholeNumber('port', port, 65_535),
  seed: wholeNumber('seed', seed, 2 ** 32 - 1),
  dialect: oneOf('dialect', dialect, ['spec', 'live']),
  tier: oneOf('tier', tier, ['ultimate', 'premium', 'free']),
  liveEvents,
  isControlledByHttp: true,
  onDefect: console.error,
}).catch((error: NodeJS.ErrnoException) =>
  endWith(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another, or 0 for a free one.` : error.message,
    help,
  ),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
const { url, tokens, projects, groups, users } = sandbox;
console.log(JSON.stringify({ url, tokens, projects, groups, users }));
