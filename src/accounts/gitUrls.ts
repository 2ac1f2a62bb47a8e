/** An entry of a git configuration; git writes keys in lower case except for what stands between the dots. */
type ConfigEntry = { readonly key: string; readonly value: string };

/** So many rules of a repository count: each is compared with each remote, whenever the repository changes. */
const mostRules = 1000;

/** The entries `url.<base>.insteadOf` of a git configuration. */
export function insteadOfRules(configs: readonly ConfigEntry[]): readonly ConfigEntry[] {
  return configs.filter(({ key }) => /^url\..*\.insteadof$/is.test(key)).slice(0, mostRules);
}

/**
 * Applies the rules `url.<base>.insteadOf` of a git configuration as git does: the longest matching beginning is replaced.
 *
 * @param configs entries of the configuration.
 */
export function withInsteadOf(url: string, configs: readonly ConfigEntry[]): string {
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
