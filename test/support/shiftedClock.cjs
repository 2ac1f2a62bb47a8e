// Loaded by Node (--require) and by browser pages before anything else in a test run: shifts the wall clock by
// BEACON_CLOCK_OFFSET milliseconds, so that tests, the sandbox and the editor agree on a moment that is not now. Timers and
// the monotonic clock stay as they are. CommonJS without imports, because an old Node and a browser have to run it, too.
{
  const offset = Number(globalThis.process?.env['BEACON_CLOCK_OFFSET'] ?? globalThis.beaconClockOffset ?? 0);
  const RealDate = globalThis.Date;
  const realNow = RealDate.now.bind(RealDate);
  if (offset !== 0) {
    RealDate.now = () => realNow() + offset;
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
      apply: (target) => new target(target.now()).toString(),
    });
  }
}
