import { visibleText } from '../common/inertText.ts';
import type { Answer } from './transport.ts';

/** Makes a text of others fit to be shown or logged: what cannot be seen goes, then secrets, and then what is too long. */
export type Clean = (text: string, most?: number) => string;

/** More than anybody reads. */
const longestText = 2000;

/** Finds a secret wherever it stands: with whatever is not seen between its letters, encoded for URLs, in escapes of JSON, in Base64. */
export function secretPattern(secret: string): RegExp {
  const gap = String.raw`[\p{M}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]*`;
  const letters = Array.from(secret, (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16);
    const bytes = Array.from(
      new TextEncoder().encode(letter),
      (byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`,
    );
    return String.raw`(?:\u{${code}}|${bytes.join('')}|\\{1,4}u${code.padStart(4, '0')})`;
  });
  return new RegExp([letters.join(gap), ...base64Of(secret)].join('|'), 'giu');
}

/** What of a secret in Base64 is the same whatever stands before and behind it, for each place where it may begin. */
function base64Of(secret: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  const encoded = [0, 1, 2].map((before) => {
    const text = btoa(' '.repeat(before) + bytes).replace(/[^=]?=+$/, '');
    return text
      .slice(Math.ceil((before * 4) / 3))
      .replaceAll(/[+-]/g, '[+-]')
      .replaceAll(/[/_]/g, '[/_]');
  });
  return secret.length < shortestToken ? [] : encoded;
}

/** Fewer characters are no token, and may stand anywhere. */
const shortestToken = 16;

/** An escape of a character that JSON need not escape, and of which tokens are made; the platform itself escapes `&`, `<` and `>` alone. */
const needlessEscape = /\\u00(?:2[d-f]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/i;

/** An answer that does not repeat the token: what an instance says is kept and shown. */
export function withoutToken(answer: Answer, token: string | undefined): Answer {
  if (token === undefined || token.length < shortestToken) {
    return answer;
  }
  const { text } = answer;
  if (needlessEscape.test(text)) {
    return { ...answer, text: text.replaceAll(secretPattern(token), '[token]') };
  }
  return text.includes(token) ? { ...answer, text: text.replaceAll(token, '[token]') } : answer;
}

/** @param secrets are blotted out. */
export function cleaning(...secrets: readonly (string | undefined)[]): Clean {
  let patterns: RegExp[] | undefined;
  return (text, most = longestText) => {
    // Most answers have nothing to clean.
    patterns ??= secrets.flatMap((secret) => (secret ? [secretPattern(secret)] : []));
    const clean = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, '[token]'), text);
    return visibleText(clean).slice(0, most).toWellFormed();
  };
}
