import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';

/** What no line of the editor may hold. */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\uFEFF\u{E0000}-\u{E0FFF}]/u;
const longestLine = 1000;

export function assertLine(line: unknown, what: string): void {
  assert.ok(line === undefined || typeof line === 'string', what);
  assert.doesNotMatch(line ?? '', harmful, what);
  assert.ok((line ?? '').length <= longestLine, `${what}: ${(line ?? '').length}`);
}

/** What Markdown becomes where HTML in it is HTML. */
export function rendered(markdown: string): string {
  return new MarkdownIt({ html: true }).render(markdown);
}

/** Nothing of what others wrote is an element, and no link is of anything but the web or, in a report, a file of the workspace. */
export function assertInert(html: string, schemes = /^(?:https?|mailto):/i): void {
  for (const [tag, name] of html.matchAll(/<([a-z][a-z0-9-]*)\b[^>]*>/gi)) {
    assert.match(
      name ?? '',
      /^(?:h[1-6]|p|ul|ol|li|a|em|strong|code|table|thead|tbody|tr|th|td|hr|br|pre|span)$/i,
      tag,
    );
  }
  for (const [, address = ''] of html.matchAll(/\b(?:href|src|data-href)="([^"]*)"/gi)) {
    assert.match(address, schemes);
  }
}
