import { Pace } from '../workspaceFiles/pace.ts';
import { type Finding, recognizing, type Source } from './recognize.ts';
import { Work } from './tokenizer.ts';

/**
 * Recognizes without holding up others: in slices of a few milliseconds, between which they get their turn.
 *
 * @param maxSteps steps that the source may cost.
 * @param isCancelled asked between slices; the work ends as soon as it says so.
 * @returns the findings; none if it was cancelled.
 * @throws OverBudgetError if the source costs more.
 */
export async function recognizeInSlices(
  source: Source,
  maxSteps: number,
  isCancelled: () => boolean,
  work = new Work(maxSteps),
): Promise<readonly Finding[]> {
  const pace = new Pace();
  const slices = recognizing(source, work);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) {
      return slice.value;
    }
    await pace.rest();
    if (isCancelled()) {
      return [];
    }
  }
}
