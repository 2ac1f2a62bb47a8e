/**
 * Applies the rules `url.<base>.insteadOf` of a git configuration as git does: the longest matching beginning is replaced.
 *
 * @param configs entries of the configuration; git writes keys in lower case except for what stands between the dots.
 */
export function withInsteadOf(
  url: string,
  configs: readonly { readonly key: string; readonly value: string }[],
): string {
  let longest = '';
  let base = '';
  for (const { key, value } of configs) {
    const rule = /^url\.(.*)\.insteadof$/is.exec(key);
    if (rule && url.startsWith(value) && value.length > longest.length) {
      longest = value;
      base = rule[1] ?? '';
    }
  }
  return base + url.slice(longest.length);
}
