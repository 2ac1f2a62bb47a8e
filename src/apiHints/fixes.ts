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

/** What stands between a name and the value that it is given, and a value that is a literal word. */
const assignmentAt = /^\\?["']?\]?\s*(=>|==?|:|,)[\s\\]*(["']?)/;
const valueAt = /^([\w./-]+)(?=["']?(?:\s*[,})\];#\n]|\s*$))/;
const argumentAt = /^([\w./-]+)(?=[,})\];&"'|#\s\\]|$)/;

/** The fix for a name that is sent, by the literal after it; undefined if a user has to decide. */
export function fixOfSent(source: string, change: ChangeId, name: Range, isInText: boolean): Fix | undefined {
  if (change === 'passwordToApprove') {
    return renamed(name, 'require_reauthentication_to_approve');
  }
  const [between = '', mark = '', quote = ''] = assignmentAt.exec(source.slice(name.end, name.end + 20)) ?? [];
  const start = name.end + between.length;
  const value = (isInText ? argumentAt : valueAt).exec(source.slice(start, start + 200))?.[1] ?? '';
  const replace = (to: string, text: string): Fix => {
    const edit = text === value ? [] : [{ start, end: start + value.length, text }];
    return { to, edits: [{ ...name, text: to }, ...edit] };
  };
  const isWord = /^\d+$/.test(value) || isInText || quote !== '';
  if (change === 'runnerActive' && /^(?:true|false)$/i.test(value)) {
    return replace('paused', negated(value));
  }
  if (change === 'runnerStatus' && /^(?:active|paused)$/.test(value)) {
    return replace('paused', value === 'paused' ? 'true' : 'false');
  }
  if (change === 'restrictedVariables' && /^false$/i.test(value)) {
    const isQuoted = quote !== '' || (isInText && mark === '=');
    return replace('ci_pipeline_variables_minimum_override_role', isQuoted ? 'developer' : '"developer"');
  }
  if (change === 'importNamespace' && isWord && value !== '') {
    return replace(/^\d+$/.test(value) ? 'namespace_id' : 'namespace_path', value);
  }
  return undefined;
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
  return to !== undefined && ['mergedBy', 'markedForDeletion', 'passwordToApprove'].includes(change)
    ? renamed(name, to)
    : undefined;
}

function renamed(name: Range, to: string): Fix {
  return { to, edits: [{ ...name, text: to }] };
}

/** `runner.active` is `!runner.paused`; `whole` is the expression with its receiver. */
export function fixOfActive(source: string, name: Range, whole: Range, isPython: boolean): Fix | undefined {
  const edit = { ...name, text: 'paused' };
  const [after = '', mark = '', literal = ''] =
    /^\s*(===?|!==?|is\b)?\s*(true\b|false\b)?/i.exec(source.slice(whole.end, whole.end + 20)) ?? [];
  if (mark !== '') {
    const start = whole.end + after.length - literal.length;
    return literal === ''
      ? undefined
      : { to: 'paused', edits: [edit, { start, end: start + literal.length, text: negated(literal) }] };
  }
  if (/^\s*(?:[+*/-]?=|[([]|\??\.)/.test(source.slice(whole.end, whole.end + 20))) {
    return undefined;
  }
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

/** `select(.active)` of jq is `select((.paused | not))`. */
export function fixOfFilter(source: string, { start, end }: Range): Fix | undefined {
  return /^\s*(?:[|)\],}]|$|'|")/.test(source.slice(end, end + 20))
    ? { to: 'paused', edits: [{ start: start - 1, end, text: '(.paused | not)' }] }
    : undefined;
}
