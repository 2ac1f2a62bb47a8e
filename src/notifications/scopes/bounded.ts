/**
 * Runs something for each of the items, a few at a time.
 *
 * @param limit how many may be under way at once.
 * @returns the results in the order of the items; rejects with the first failure, after which nothing new is begun.
 */
export async function mapBounded<T, R>(items: readonly T[], limit: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let failed = false;
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failed) {
        return;
      }
      try {
        results[index] = await run(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
