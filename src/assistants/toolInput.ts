import * as z from 'zod/mini';
import { ToolInputError } from './toolInputError.ts';

/**
 * Reads what a model wrote.
 *
 * @throws ToolInputError that names what is wrong.
 */
export function readInput<Schema extends z.core.$ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const read = z.safeParse(schema, input ?? {});
  if (!read.success) {
    throw new ToolInputError(`The input cannot be used. ${z.prettifyError(read.error)}`);
  }
  return read.data;
}
