import * as z from 'zod';
import { accountRefusals } from '../refusals.ts';

/** Which requests a fault meets. */
const target = {
  /** A path of the API without its prefix, such as `/projects/501/events`; `*` stands for anything. All paths if absent. */
  path: z.string().max(1000).optional(),
  method: z.string().max(20).optional(),
  /** How many requests it meets before it is over; for ever if absent. */
  times: z.int().min(1).optional(),
};

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...target, kind: z.literal('latency'), milliseconds: z.int().min(0).max(600_000) }),
  z.strictObject({
    ...target,
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    body: z.string().optional(),
    headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).optional(),
  }),
  z.strictObject({ ...target, kind: z.literal('tooManyRequests'), retryAfter: z.int().min(0).optional() }),
  /** The connection ends without an answer. */
  z.strictObject({ ...target, kind: z.literal('drop') }),
  /** The connection ends in the middle of the body. */
  z.strictObject({ ...target, kind: z.literal('truncate') }),
  /** The second half of the body comes later. */
  z.strictObject({ ...target, kind: z.literal('slowBody'), milliseconds: z.int().min(0).max(600_000) }),
  /** The page lacks its last records. */
  z.strictObject({ ...target, kind: z.literal('shortPage'), missing: z.int().min(1).default(1) }),
  z.strictObject({ ...target, kind: z.literal('missingHeaders'), names: z.array(z.string()).min(1) }),
  /** Every record has a field that no client knows. */
  z.strictObject({ ...target, kind: z.literal('unknownFields') }),
  /** Every record has these values, by paths such as `push_data.commit_to`: the worst that a hostile instance may send. */
  z.strictObject({
    ...target,
    kind: z.literal('fields'),
    fields: z.record(z.string().regex(/^\w{1,50}(?:\.\w{1,50}){0,3}$/), z.json()),
  }),
  /** Every page names a next one, by rising numbers or ever new cursors. */
  z.strictObject({ ...target, kind: z.literal('endlessNext'), by: z.enum(['page', 'cursor']).default('page') }),
  /** A small answer that unpacks to a huge one. */
  z.strictObject({
    ...target,
    kind: z.literal('bomb'),
    of: z.enum(['bytes', 'records', 'nesting', 'values']).default('records'),
  }),
  /** The account or its token is refused, for a reason that is neither role nor expiry. */
  z.strictObject({ ...target, kind: z.literal('refusal'), as: z.enum(accountRefusals) }),
  /** The answer is in the live platform's words. */
  z.strictObject({ ...target, kind: z.literal('liveNames') }),
]);

/** A list of faults, as the control address takes it. */
export const faultsSchema = z.array(faultSchema).max(100);

/** Something that goes wrong on demand. */
export type Fault = z.output<typeof faultSchema>;

/** The faults that are on. */
export class Faults {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** Takes the place of all faults before. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The faults that still have requests to meet. */
  list(): Fault[] {
    return this.#faults.map(({ fault, left }) => ({ ...fault, ...(Number.isFinite(left) && { times: left }) }));
  }

  /** The faults that meet a request; each of them has one request less to meet. */
  meet(method: string, path: string): Fault[] {
    const met = this.#faults.filter(({ fault }) => concerns(fault, method, path));
    for (const entry of met) {
      entry.left -= 1;
    }
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return met.map(({ fault }) => fault);
  }
}

function concerns(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) {
    return false;
  }
  const parts = fault.path?.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return parts === undefined || new RegExp(`^${parts.join('.*')}$`).test(path);
}
