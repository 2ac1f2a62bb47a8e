import { Random } from '../../../src/sandbox/state/random.ts';
import { currentAction } from '../actors/action.ts';
import { SimulatedTime } from './simulatedTime.ts';

/**
 * What stands in for the globals of the same names in all modules of the product, see `productBundle`: the time is that of the
 * simulated day, and chance depends on the seed.
 */

/** Monday morning, by the clock of the machine. */
export const dayStart = new globalThis.Date(2026, 10, 23, 8, 0).getTime();

/** The one time of the simulated day: globals are one for all, and so is what stands in for them. */
export const time = new SimulatedTime(dayStart, currentAction);

/** Made when it is needed: its module belongs to the product, too, and gets these globals, so that either may be loaded first. */
let chance: Random | undefined;

/** Dates are the platform's own; only those of now come from the simulated day, by its clock. The time that passes does not follow it. */
export const { Date, performance } = time.globals;

export const Math: typeof globalThis.Math = Object.create(globalThis.Math, {
  random: { value: () => (chance ??= new Random(Number(process.env['BEACON_SOAK_SEED'] ?? 1))).next() },
}) as typeof globalThis.Math;

export const setTimeout = (run: () => void, milliseconds?: number): unknown => time.setTimeout(run, milliseconds);

export const setInterval = (run: () => void, milliseconds: number): unknown => time.setInterval(run, milliseconds);

export const clearTimeout = (timer: unknown): void => time.clear(timer);

export const clearInterval = (timer: unknown): void => time.clear(timer);

/** What stands in for `globalThis` where it is handed on as a whole. */
export const simulated = { Date, performance, setTimeout, clearTimeout };
