/** Runs something in a time zone, whatever that of the run is. */
export function inZone<T>(zone: string, run: () => T): T {
  const { TZ } = process.env;
  process.env['TZ'] = zone;
  try {
    return run();
  } finally {
    if (TZ === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = TZ;
    }
  }
}
