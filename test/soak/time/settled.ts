/**
 * Waits until everything that does not wait for simulated time is idle, as far as can be detected.
 *
 * @param quietTurns nothing happens any more after so many turns without anything.
 * @param isBusy called with the real milliseconds that a turn took; returns whether something is at work.
 */
export async function settled(quietTurns: number, isBusy: (milliseconds: number) => boolean): Promise<void> {
  for (let quiet = 0; quiet < quietTurns;) {
    const before = performance.now();
    // A turn of the machine's own event loop, and a millisecond of its time.
    await new Promise((resolve) => setTimeout(resolve, 1));
    quiet = isBusy(performance.now() - before) ? 0 : quiet + 1;
  }
}
