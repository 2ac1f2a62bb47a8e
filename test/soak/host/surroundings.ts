import { appendFileSync } from 'node:fs';
import { Answers } from '../actors/answers.ts';
import { ActiveKeys } from '../invariants/activeKeys.ts';
import { Budget } from '../invariants/budget.ts';
import { Memory } from '../invariants/memory.ts';
import { Outputs } from '../invariants/outputs.ts';
import { Violations } from '../invariants/violations.ts';
import { WriteLedger } from '../invariants/writes.ts';
import { dayStart, time } from '../time/globals.ts';
import type { Instance } from './instance.ts';

/** What the day depends on, by the environment of the extension host. */
export const seed = Number(process.env['BEACON_SOAK_SEED'] ?? 1);
export const port = Number(process.env['BEACON_SOAK_PORT'] ?? 0);
export const resultsFile = process.env['BEACON_SOAK_RESULTS'] ?? '';

/** The step of the day that was the last one. */
export const moment = { step: 0, instance: undefined as Instance | undefined };

/** What is watched all day. One for the process, because the product finds its editor by import. */
export const violations = new Violations(() => ({
  step: moment.step,
  at: new Date(time.now).toTimeString().slice(0, 8),
}));
export const outputs = new Outputs(violations);
export const activeKeys = new ActiveKeys();
export const elsewhere = new Set<string>();
export const ledger = new WriteLedger(violations, activeKeys, () => time.now, elsewhere);
export const budget = new Budget(violations, () => time.now);
export const memory = new Memory(violations);
export const answers = new Answers(time, seed, {
  tokenOf: (username) => moment.instance?.tokenOf(username) ?? '',
  url: () => moment.instance?.url ?? '',
});

/** Writes a trace, if one was requested. */
export function trace(text: string): void {
  const file = process.env['BEACON_SOAK_TRACE'] ?? '';
  if (file !== '') {
    appendFileSync(file, `${seed} ${new Date(time.now).toTimeString().slice(0, 8)} #${moment.step} ${text}\n`);
  }
}

/** How long the day has been, in hours. */
export function simulatedHours(): number {
  return (time.now - dayStart) / 3_600_000;
}
