/**
 * Text as one line of Markdown that means nothing but itself, at the start of a line too.
 *
 * The slashes of an address are escaped by its colon: a renderer that makes links of plain addresses takes a backslash after one for
 * a part of it, and what that was to escape would be HTML.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&$]|:(?=\/\/)/g, String.raw`\$&`)
    .replace(/^( ?)([=-])/, String.raw`$1\$2`)
    .replace(/^( ?\d+)\./, String.raw`$1\.`);
}
