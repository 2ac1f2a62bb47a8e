export const ignoresCase = false;

/** Describes a value for the log: an error with its stack, its fields and its causes. */
export function inspect(value: unknown, causes = 5): string {
  if (!(value instanceof Error)) {
    return typeof value === 'string' ? value : jsonOf(value);
  }
  const { cause, stack, message: _, ...fields } = value;
  const lines = [stack ?? String(value)];
  if (Object.keys(fields).length > 0) {
    lines.push(jsonOf(fields));
  }
  if (cause !== undefined && causes > 0) {
    lines.push(`[cause]: ${inspect(cause, causes - 1)}`);
  }
  return lines.join('\n');
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value); // It contains itself.
  }
}

/** Whether two values are equal as JSON is: by their elements, their own fields, or as primitive values. A set or map has an order. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other);
  }
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) {
    return false;
  }
  if (one instanceof Date) {
    return one.getTime() === (other as Date).getTime();
  }
  if (one instanceof Set || one instanceof Map) {
    return isDeepStrictEqual([...one], [...(other as Iterable<unknown>)]);
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepStrictEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

/** Lets other tasks of the worker run. Not by a timer: browsers let those of hidden pages wait for a second. */
export async function yieldThread(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}
