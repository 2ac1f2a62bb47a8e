/**
 * Waits until everything that does not wait for simulated time is idle, as far as can be detected.
 *
 * @param quietTurns nothing happens any more after so many turns without anything.
 * @param isBusy called with the real milliseconds that a turn took; returns whether something is at work.
 */
export async function settled(quietTurns: number, isBusy: (milliseconds: number) => boolean): Promise<void> {
  for (let quiet = 0; quiet < quietTurns;) {
    const before = performance.now();
    await turn();
    quiet = isBusy(performance.now() - before) ? 0 : quiet + 1;
  }
}

/** A turn of the machine's own event loop, and a millisecond of its time. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
}
