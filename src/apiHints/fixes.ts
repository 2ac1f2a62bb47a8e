/** Replacements that are mechanical and safe: they work in v4 today and mean the same. */
import { announcedChange, type ChangeId } from './catalogue.ts';
import type { Range } from './code.ts';

/** A replacement of a range of a source. */
export interface Edit extends Range {
  readonly text: string;
}

/** A replacement that means the same. */
export interface Fix {
  /** The name that takes the place. */
  readonly to: string;
  readonly edits: readonly Edit[];
}

/** A literal boolean that a name is given. */
const booleanAt = /^\\?["']?\]?\s*(?:=>|==?|:|,)[\s\\]*["']?(true|false)(?=["']?(?:\s*[,})\];#\n]|\s*$))/i;
const argumentAt = /^\\?["']?\s*(?:==?|:)[\s\\]*["']?(true|false)(?=[,})\];&"'|#\s\\]|$)/i;

/** The fix for a name that is sent, by the literal after it; undefined if a user has to decide. */
export function fixOfSent(source: string, change: ChangeId, name: Range, isInText: boolean): Fix | undefined {
  const after = source.slice(name.end, name.end + 40);
  const [all = '', value = ''] = (isInText ? argumentAt : booleanAt).exec(after) ?? [];
  const end = name.end + all.length;
  return change === 'runnerActive' && value !== ''
    ? {
        to: 'paused',
        edits: [
          { ...name, text: 'paused' },
          { start: end - value.length, end, text: negated(value) },
        ],
      }
    : undefined;
}

/** The other boolean, in the spelling of the first: `False` for `True`. */
function negated(boolean: string): string {
  const other = boolean.toLowerCase() === 'true' ? 'false' : 'true';
  return /^[A-Z]/.test(boolean) ? `${other[0]?.toUpperCase() ?? ''}${other.slice(1)}` : other;
}

/** The fix for a path; all others but that of Geo answer differently than those that replace them. */
export function fixOfEndpoint(change: ChangeId, segment: Range): Fix | undefined {
  return change === 'geoNodes' ? renamed(segment, 'geo_sites') : undefined;
}

/** The fix for a name in what is received; undefined if the replacement has other values. */
export function fixOfRead(change: ChangeId, name: Range): Fix | undefined {
  const to = announcedChange(change).replacement;
  return to !== undefined && (change === 'mergedBy' || change === 'markedForDeletion') ? renamed(name, to) : undefined;
}

function renamed(name: Range, to: string): Fix {
  return { to, edits: [{ ...name, text: to }] };
}

/** `runner.active` is `!runner.paused`; `whole` is the expression with its receiver. */
export function fixOfActive(source: string, name: Range, whole: Range, isPython: boolean): Fix | undefined {
  if (/^\s*(?:[=!]==?|is\b|[+*/-]?=|[([]|\??\.)/.test(source.slice(whole.end, whole.end + 20))) {
    return undefined;
  }
  const edit = { ...name, text: 'paused' };
  const negation = /(?:!|\bnot\s+)$/.exec(source.slice(Math.max(0, whole.start - 8), whole.start))?.[0];
  if (negation !== undefined) {
    return { to: 'paused', edits: [{ start: whole.start - negation.length, end: whole.start, text: '' }, edit] };
  }
  const [opening, closing] = isPython ? ['(not ', ')'] : ['!', ''];
  return {
    to: 'paused',
    edits: [
      { start: whole.start, end: whole.start, text: opening },
      edit,
      { start: whole.end, end: whole.end, text: closing },
    ],
  };
}
