/**
 * Waits until everything that needs no simulated time to pass has come to a rest, as far as can be told.
 *
 * @param quietTurns nothing happens any more after so many turns without anything.
 * @param isBusy is told how many milliseconds of the machine's time a turn took, and tells whether something is at work.
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
