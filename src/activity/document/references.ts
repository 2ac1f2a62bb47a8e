import { webAddress } from '../../common/instanceUrl.ts';

/** Where a comment was written, as far as it is known. Addresses are of the web and have no slash at their end. */
export interface Places {
  readonly instanceUrl: string;
  readonly projectUrl?: string | undefined;
}

/** A part of a text that leads somewhere. */
export interface FoundLink {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

const longestPath = 255;
const number = /\d{1,10}(?!\w)/y;
const mention = /\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){0,9}/y;
const address = /https?:\/\/[^\s<>]{1,2000}/iy;

/**
 * The addresses and references in a text: `https://…`, `@user`, `#12`, `!34`, with the path of another project before them. Whether
 * there is such a thing is not known: a link leads to where it would be.
 *
 * @see https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
export function linksIn(text: string, places: Places): FoundLink[] {
  const links: FoundLink[] = [];
  for (const { index } of text.matchAll(/https?:\/\/|[@#!]/gi)) {
    const end = links.at(-1)?.end ?? 0;
    const link = index < end ? undefined : linkAt(text, index, end, places);
    links.push(...(link ? [link] : []));
  }
  return links;
}

/** @param from where the text begins that the path before a sign may stand in. */
function linkAt(text: string, at: number, from: number, places: Places): FoundLink | undefined {
  switch (text.charAt(at)) {
    case '@':
      return mentionAt(text, at, places);
    case '#':
      return numberAt('issues', text, at, from, places);
    case '!':
      return numberAt('merge_requests', text, at, from, places);
    default:
      return webAddressAt(text, at);
  }
}

function webAddressAt(text: string, at: number): FoundLink | undefined {
  const found = /[\p{L}\p{N}_]/u.test(text.charAt(at - 1)) ? undefined : matchAt(address, text, at)?.[0];
  const whole = found && withoutEnd(found);
  return whole && webAddress(whole) ? { start: at, end: at + whole.length, address: whole } : undefined;
}

function mentionAt(text: string, at: number, { instanceUrl }: Places): FoundLink | undefined {
  const found = isInWord(text.charAt(at - 1)) ? undefined : matchAt(mention, text, at + 1)?.[0];
  const name = found?.replace(/[.-]{1,255}$/, '');
  return name === undefined || name === 'all'
    ? undefined
    : { start: at, end: at + 1 + name.length, address: `${instanceUrl}/${name}` };
}

/** A reference by number, of the project of the comment or of that whose path stands before it. */
function numberAt(
  folder: string,
  text: string,
  at: number,
  from: number,
  { instanceUrl, projectUrl }: Places,
): FoundLink | undefined {
  const found = matchAt(number, text, at + 1)?.[0];
  if (found === undefined) {
    return undefined;
  }
  const path = pathBefore(text, at, from);
  const isFull = path.includes('/');
  const base = isFull ? `${instanceUrl}/${path}` : isInWord(text.charAt(at - 1)) ? undefined : projectUrl;
  const start = isFull ? at - path.length : at;
  return base === undefined
    ? undefined
    : { start, end: at + 1 + found.length, address: `${base}/-/${folder}/${found}` };
}

/** The path that ends at a place, such as `group/project`; empty if none does. */
function pathBefore(text: string, at: number, from: number): string {
  let start = at;
  while (start > from && at - start < longestPath && /[\w./-]/.test(text.charAt(start - 1))) {
    start -= 1;
  }
  const path = text.slice(start, at);
  // Neither what begins or ends with a slash nor what leads up is the path of a project.
  return /^\w/.test(path) && /[^/.]$/.test(path) && !/\/\.{0,2}\//.test(path) ? path : '';
}

/** Without the punctuation after an address, and a parenthesis that was opened before it. */
function withoutEnd(text: string): string {
  let surplus = 0;
  for (const char of text) {
    surplus += char === ')' ? 1 : char === '(' ? -1 : 0;
  }
  let end = text.length;
  for (; end > 0; end -= 1) {
    const char = text.charAt(end - 1);
    if (char === ')' && surplus > 0) {
      surplus -= 1;
    } else if (!/[.,:;!?'"*_~\]]/.test(char)) {
      break;
    }
  }
  return text.slice(0, end);
}

/** Whether a character is within a word, an address or a path. */
function isInWord(char: string): boolean {
  return /[\p{L}\p{N}_./@#&!$-]/u.test(char);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
