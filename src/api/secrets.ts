import { visibleText } from '../common/inertText.ts';
import type { Answer } from './transport.ts';

/** Makes a text of others fit to be shown or logged: what cannot be seen goes, then secrets, and then what is too long. */
export type Clean = (text: string, most?: number) => string;

/** More than anybody reads. */
const longestText = 2000;

/** What may stand between the letters of a secret without being seen. */
const unseen = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB`;
const gap = String.raw`[\p{M}${unseen}]*`;

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

/** Where a token may be hidden: among other letters than Latin ones, and in escapes of JSON that the platform itself seldom writes. */
const hiding = /[\x7F-\x9F\u00AD\u0250-\uFFFF]|\\(?:[bf]|u(?!00(?:26|3[cCeE])))/;
const allUnseen = new RegExp(`[${unseen}]+`, 'gu');
/** An escape of JSON; a backslash that is escaped itself begins none. */
const escape = /\\u(?<=(?<!\\)(?:\\\\)*\\u)([\da-f]{4})/gi;
const escapedControl = /\\(?=[bfu])(?<=(?<!\\)(?:\\\\)*\\)(?:[bf]|u00(?:[0189][\da-f]|7f))/gi;

/** An answer that does not repeat the token: what an instance says is kept and shown. Takes no longer for a token that repeats itself. */
export function withoutToken(answer: Answer, token: string | undefined): Answer {
  if (token === undefined || token.length < shortestToken) {
    return answer;
  }
  const { text } = answer;
  // A link to the next page that repeats the token would be requested and logged with it.
  const header = (name: string) => answer.header(name)?.replaceAll(token, '[token]');
  const seen = (): string =>
    text.replaceAll(escapedControl, '').replaceAll(escape, unescaped).replaceAll(allUnseen, '');
  const bare = hiding.test(text) ? seen() : text;
  return { ...answer, header, text: bare.includes(token) ? bare.replaceAll(token, '[token]') : text };
}

/** The character that an escape stands for, unless JSON holds it in no other way. */
function unescaped(written: string, code: string): string {
  const character = String.fromCharCode(Number.parseInt(code, 16));
  return character === '"' || character === '\\' ? written : character;
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
