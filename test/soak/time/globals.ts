import { Random } from '../../../src/sandbox/state/random.ts';
import { currentAction } from '../actors/action.ts';
import { SimulatedTime, type TimerHandle } from './simulatedTime.ts';

/**
 * What stands in for the globals of the same names in all modules of the product, see `productBundle`: the time is that of the
 * simulated day, and chance depends on the seed.
 */

/** Monday morning, by the clock of the machine. */
export const dayStart = new globalThis.Date(2026, 10, 23, 8, 0).getTime();

/** The one time of the simulated day: globals are one for all, and so is what stands in for them. */
export const time = new SimulatedTime(dayStart, currentAction);

const chance = new Random(Number(process.env['BEACON_SOAK_SEED'] ?? 1));

/** Dates are the platform's own; only those of now come from the simulated day, by its clock. */
export const Date = new Proxy(globalThis.Date, {
  construct: (target, args: unknown[]) =>
    args.length === 0 ? new target(time.date) : (Reflect.construct(target, args) as Date),
  get: (target, name, receiver) =>
    name === 'now' ? () => time.date : (Reflect.get(target, name, receiver) as unknown),
});

/** The time that passes, whatever the clock is set to. */
export const performance = { now: (): number => time.now - dayStart };

export const Math: typeof globalThis.Math = Object.create(globalThis.Math, {
  random: { value: () => chance.next() },
}) as typeof globalThis.Math;

export const setTimeout = (run: () => void, milliseconds?: number): TimerHandle => time.setTimeout(run, milliseconds);

export const setInterval = (run: () => void, milliseconds: number): TimerHandle => time.setInterval(run, milliseconds);

export const clearTimeout = (handle: TimerHandle | undefined): void => time.clear(handle);

export const clearInterval = (handle: TimerHandle | undefined): void => time.clear(handle);
