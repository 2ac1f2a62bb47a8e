import { startSandbox } from '../../src/sandbox/server.ts';

/**
 * The sandbox for benchmarks, to be forked, so that its memory is its own. Argument: how many events one project has more.
 * Sends its URL and the owner's token to its parent, and the bytes of memory it takes at every message from there.
 */

const { url, tokens } = await startSandbox({ extra: { events: Number(process.argv[2] ?? 0) } });
process.on('message', () => process.send?.(process.memoryUsage().rss));
process.send?.({ url, token: tokens.owner });
