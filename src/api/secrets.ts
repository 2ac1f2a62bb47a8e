import { visibleText } from '../common/inertText.ts';
import type { Answer } from './transport.ts';

/** Makes a text of others fit to be shown or logged: what cannot be seen goes, then secrets, and then what is too long. */
export type Clean = (text: string, most?: number) => string;

/** More than anybody reads. */
const longestText = 2000;

/** What may stand between the letters of a secret without being seen. */
const gap = String.raw`[\p{M}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]*`;

/** Finds a secret wherever it stands: with whatever is not seen between its letters, encoded for URLs, in escapes of JSON, in Base64. */
function secretPattern(secret: string): RegExp {
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
    const letters = Array.from(text.slice(Math.ceil((before * 4) / 3)), (letter) =>
      letter === '+' ? '[+-]' : letter === '/' ? '[/_]' : letter,
    );
    return letters.join(gap);
  });
  return secret.length < shortestToken ? [] : encoded;
}

/** Fewer characters are no token, and may stand anywhere. */
const shortestToken = 16;

/** Characters that are not seen, as code units. */
const invisible = String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uDB40-\uDB43\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB`;
/** Where a token may be hidden: in those, and in escapes of JSON other than those that the platform itself writes. */
const hiding = new RegExp(String.raw`[${invisible}]|\\u(?!00(?:26|3[cCeE]|[01]))`);
/** What stands for nothing that is seen, as it is or in escapes. */
const unseen = new RegExp(
  String.raw`(?:[\uDB40-\uDB43][\uDC00-\uDFFF]|[${invisible}]|(?<!\\)\\u(?:00ad|034f|061c|1(?:15f|160|7b[45]|80[b-f])|20[0-6]\w|2800|3164|db4[0-3]\\ud[c-f]\w\w|fe0\w|feff|ff(?:a0|f\w)))+`,
  'gi',
);
/** An escape of a character that need not be escaped and of which tokens are made. */
const needlessEscape = /(?<!\\)\\u00(2[d-f]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/gi;

/** An answer that does not repeat the token: what an instance says is kept and shown. Takes no longer for a token that repeats itself. */
export function withoutToken(answer: Answer, token: string | undefined): Answer {
  if (token === undefined || token.length < shortestToken) {
    return answer;
  }
  const decoded = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
  const { text } = answer;
  const bare = hiding.test(text) ? text.replaceAll(unseen, '').replaceAll(needlessEscape, decoded) : text;
  return bare.includes(token) ? { ...answer, text: bare.replaceAll(token, '[token]') } : answer;
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
