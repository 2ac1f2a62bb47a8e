/** Text that others wrote, made fit for a place where the editor shows one line. */

/** Characters that end lines, ring bells or start escape sequences. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Characters that are not seen, and the third and further marks on a letter. What emoji and scripts are joined by, between two
 * characters that are seen, is kept as the first group, and so is what gives an emoji its colours.
 */
const unseen =
  /((?<=[^\p{ASCII}\p{Default_Ignorable_Code_Point}]\uFE0F?)[\u200C\u200D](?=[^\p{ASCII}\p{Default_Ignorable_Code_Point}])|(?<=[^\p{ASCII}\p{Default_Ignorable_Code_Point}])\uFE0F|(?<=[#*\d])\uFE0F(?=\u20E3))|[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]|(?<=\p{M}{2})\p{M}/gu;

/** Leaves of a text what can be seen, in one line. It is not cut. */
export function visibleText(text: string): string {
  return text.replaceAll(controls, ' ').replaceAll(unseen, '$1').toWellFormed();
}

/** @param most how many UTF-16 code units are left, at most. */
export function plainText(text: string, most = 300): string {
  // What is cut off anyway need not be looked at.
  const [start, isCut] = text.length > 4 * most ? [text.slice(0, 4 * most), true] : [text, false];
  return cut(visibleText(start), most, isCut);
}

/** The same for several lines, which stay. */
export function plainLines(text: string, most = 1000): string {
  const lines = text.slice(0, 4 * most).split(/\r?\n/);
  const plain = lines.map((line) => plainText(line, most)).join('\n');
  return cut(plain, most, text.length > 4 * most);
}

/** Never in the middle of a character. */
function cut(text: string, most: number, isCut: boolean): string {
  return text.length > most || isCut ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** Sentences one after the other: of some languages they have no space between them. */
export function inSequence(...sentences: readonly string[]): string {
  return sentences
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /g, '');
}

/**
 * A template with texts in the places of `{0}`, `{1}`, and so on. Japanese has no space between two of its own characters: a text for
 * which the template leaves one may begin or end with them.
 */
export function filled(template: string, texts: readonly string[]): string {
  const parts = template.split(/\{(\d)\}/).map((part, index) => (index % 2 === 1 ? (texts[Number(part)] ?? '') : part));
  return parts.reduce((left, right) => {
    const [end, begin] = [left.trimEnd(), right.trimStart()];
    return japanese.test(end.slice(-1)) && japanese.test(begin.slice(0, 1)) ? end + begin : left + right;
  });
}

const japanese = /[\u3000-\uffef]/;

/** Text as one line where the editor makes icons of `$(name)` and links of `[text](address)`: both are kept apart by a character that is not seen. */
export function inertText(text: string, most?: number): string {
  return plainText(text, most).replaceAll('$(', '$\u2060(').replaceAll('](', ']\u2060(');
}

/**
 * Text as one line of Markdown that means nothing but itself, at the start of a line too.
 *
 * The slashes of an address are escaped by what comes before them, its colon or the first of them: a renderer that makes links of
 * plain addresses takes a backslash after one as part of the link, so that what the backslash escapes would become HTML. Renderers
 * make links of e-mail addresses, such as the names of accounts look, and of what begins with `www.` as well.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&$@]|:(?=\/\/)|(?<!:)\/(?=\/)|(?<=www)\./gi, String.raw`\$&`)
    .replace(/^( ?)([=-])/, String.raw`$1\$2`)
    .replace(/^( ?\d+)\./, String.raw`$1\.`);
}
