import { subscribe } from 'node:diagnostics_channel';

/** Requests of this process that have no answer yet. */
const requests = new Set<unknown>();
const requestOf = (message: unknown): unknown => (message as { readonly request: unknown }).request;

subscribe('undici:request:create', (message) => requests.add(requestOf(message)));
subscribe('undici:request:trailers', (message) => requests.delete(requestOf(message)));
subscribe('undici:request:error', (message) => requests.delete(requestOf(message)));

/** What Node waits for that comes to an end by itself: reading of files and modules, connections. */
const works = /^(?:FSReq|GetAddrInfo|TCPConnect|Connect|Pipe.*Connect)/;

/** So many turns without work are enough for what was answered to go on to the next request or timer. */
const quietTurns = 20;

/** Resolves when nothing goes on but timers. */
export async function idle(): Promise<void> {
  for (let turns = 0; turns < quietTurns; turns += 1) {
    await new Promise(setImmediate);
    const isBusy = requests.size > 0 || process.getActiveResourcesInfo().some((name) => works.test(name));
    turns = isBusy ? -1 : turns;
  }
}
