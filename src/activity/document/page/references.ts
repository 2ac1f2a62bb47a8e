import { webAddress } from '../../../common/instanceUrl.ts';

/** Where a comment was written, as far as it is known. Addresses are of the web and have no slash at their end. */
export interface Places {
  readonly instanceUrl: string;
  readonly projectUrl?: string | undefined;
  /** The full path of the project. */
  readonly projectPath?: string | undefined;
}

/** A part of a text that leads somewhere. */
export interface FoundLink {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

const longestPath = 255;

const issue = /#(\d{1,10})(?!\w)/y;
const mergeRequest = /!(\d{1,10})(?!\w)/y;
const epic = /&(\d{1,10})(?!\w)/y;
const milestone = /%(?:"([^"\n]{1,255})"|(\d{1,10})(?![\w.])|([a-z][\w.-]{0,254}))/iy;
const mention = /@(\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){0,9})/y;
const commit = /[\da-f]{7,40}(?!\w)/y;
const address = /https?:\/\/[^\s<>]{1,2000}/iy;

/**
 * The reference that has its sign at a place, such as `@user`, `#12`, `group/project!34`, `%"Milestone"` or the id of a commit.
 * Whether there is such a thing is not known: a link leads to where it would be.
 *
 * @param from where the text begins that the path before a sign may stand in.
 * @see https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
export function referenceAt(source: string, at: number, from: number, places: Places): FoundLink | undefined {
  switch (source.charAt(at)) {
    case '@':
      return mentionAt(source, at, from, places);
    case '#':
      return numberAt(issue, 'issues', source, at, from, places);
    case '!':
      return numberAt(mergeRequest, 'merge_requests', source, at, from, places);
    case '&':
      return numberAt(epic, 'epics', source, at, from, places);
    case '%':
      return milestoneAt(source, at, places);
    default:
      return commitAt(source, at, places);
  }
}

/** A web address that stands in a text by itself. */
export function webAddressAt(source: string, at: number): FoundLink | undefined {
  const char = source.charAt(at);
  if ((char !== 'h' && char !== 'H') || isWord(source.charAt(at - 1))) {
    return undefined;
  }
  const match = matchAt(address, source, at)?.[0];
  const text = match && withoutEnd(match);
  return text && webAddress(text) ? { start: at, end: at + text.length, address: text } : undefined;
}

/**
 * What a link leads to: an address of the web or of mail, or an upload of the project.
 *
 * @returns undefined for all else, such as commands, scripts and files.
 */
export function safeAddress(target: string, { instanceUrl, projectUrl }: Places): string | undefined {
  if (target.startsWith('/uploads/')) {
    return projectUrl === undefined ? undefined : webAddress(projectUrl + target);
  }
  if (/^\/(?![/\\])/.test(target)) {
    return webAddress(instanceUrl + target);
  }
  return webAddress(target) ?? (/^mailto:[^\p{Cc}\s]+$/iu.test(target) ? target : undefined);
}

function mentionAt(source: string, at: number, from: number, { instanceUrl }: Places): FoundLink | undefined {
  const path = pathBefore(source, at, from);
  if (path.includes('/')) {
    const id = matchAt(commit, source, at + 1)?.[0];
    return id === undefined
      ? undefined
      : { start: at - path.length, end: at + 1 + id.length, address: `${instanceUrl}/${path}/-/commit/${id}` };
  }
  const name = isInWord(source.charAt(at - 1))
    ? undefined
    : matchAt(mention, source, at)?.[1]?.replace(/[.-]{1,255}$/, '');
  return name === undefined || name === 'all'
    ? undefined
    : { start: at, end: at + 1 + name.length, address: `${instanceUrl}/${name}` };
}

/** A reference by number, of the project of the comment or of that whose path stands before it. */
function numberAt(
  pattern: RegExp,
  folder: string,
  source: string,
  at: number,
  from: number,
  { instanceUrl, projectUrl, projectPath }: Places,
): FoundLink | undefined {
  const match = matchAt(pattern, source, at);
  if (!match) {
    return undefined;
  }
  const path = pathBefore(source, at, from);
  const isFull = path.includes('/');
  if (!isFull && isInWord(source.charAt(at - 1))) {
    return undefined;
  }
  const group = isFull ? path : projectPath?.split('/').slice(0, -1).join('/');
  const ofGroup = group ? `${instanceUrl}/groups/${group}` : undefined;
  const base = folder === 'epics' ? ofGroup : isFull ? `${instanceUrl}/${path}` : projectUrl;
  return base === undefined
    ? undefined
    : {
        start: isFull ? at - path.length : at,
        end: at + match[0].length,
        address: `${base}/-/${folder}/${match[1] ?? ''}`,
      };
}

function milestoneAt(source: string, at: number, { projectUrl }: Places): FoundLink | undefined {
  const match = /[\w%]/.test(source.charAt(at - 1)) ? null : matchAt(milestone, source, at);
  if (!match || projectUrl === undefined) {
    return undefined;
  }
  const [whole, title, number, word] = match;
  const name = word?.replace(/[.-]{1,255}$/, '') ?? title ?? '';
  return {
    start: at,
    end: at + (word === undefined ? whole.length : name.length + 1),
    address: `${projectUrl}/-/milestones${number === undefined ? `?search_title=${encodeURIComponent(name)}` : `/${number}`}`,
  };
}

/** The id of a commit, which has digits and letters: a number or a word is none. */
function commitAt(source: string, at: number, { projectUrl }: Places): FoundLink | undefined {
  if (projectUrl === undefined || !/[\da-f]/.test(source.charAt(at)) || isInWord(source.charAt(at - 1))) {
    return undefined;
  }
  const id = matchAt(commit, source, at)?.[0];
  return id !== undefined && /\d/.test(id) && /[a-f]/.test(id)
    ? { start: at, end: at + id.length, address: `${projectUrl}/-/commit/${id}` }
    : undefined;
}

/** The path that ends at a place, such as `group/project`; empty if none does. */
function pathBefore(source: string, at: number, from: number): string {
  let start = at;
  while (start > from && at - start < longestPath && /[\w./-]/.test(source.charAt(start - 1))) {
    start -= 1;
  }
  const path = source.slice(start, at);
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

function isWord(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char);
}

/** Whether a character is within a word, an address or a path. */
function isInWord(char: string): boolean {
  return /[\p{L}\p{N}_./@#&!$-]/u.test(char);
}

/** What a sticky pattern matches at a place. */
export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
