/**
 * Takes the place of packages that markdown-it loads, in the bundle (see scripts/bundle.ts): its search for addresses in plain text, which
 * is off here, and tables of all characters and all names of HTML, 38 KB of them.
 */
export function LinkifyIt(): void {}

export const P = /\p{P}/u;
export const S = /\p{S}/u;

/** The characters that people write by their names; other names stay as they are. */
const named = new Map(
  'amp& lt< gt> quot" apos\' copy© reg® trade™ deg° sect§ para¶ middot· bull• hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» times× divide÷ plusmn± ne≠ le≤ ge≥ asymp≈ infin∞ larr← uarr↑ rarr→ darr↓ harr↔ check✓ cross✗ euro€ pound£ yen¥ cent¢ microµ auml\u00e4 ouml\u00f6 uuml\u00fc Auml\u00c4 Ouml\u00d6 Uuml\u00dc szlig\u00df'
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const),
);

export function decodeHTMLStrict(text: string): string {
  const name = text.slice(1, -1);
  return name === 'nbsp' ? '\u00a0' : (named.get(name) ?? text);
}
