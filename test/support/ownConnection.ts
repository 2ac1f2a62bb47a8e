/**
 * Headers of a request whose connection is not used again. `fetch` keeps connections by address: when the next sandbox of a process
 * gets the port of the last one, a request could go by a connection of that, which has ended.
 */
export const ownConnection = { connection: 'close' } as const;
