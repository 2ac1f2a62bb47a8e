/** Replacements that are mechanical and safe: they work in v4 today and mean the same. */

import type { ChangeId } from './catalogue.ts';

/** A replacement of a range of a source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A replacement that means the same. */
export interface Fix {
  /** The name that takes the place. */
  readonly to: string;
  readonly edits: readonly Edit[];
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What stands between a name and the value that it is given, and a value that is a literal word. */
const assignmentAt = /^\\?["']?\]?\s*(=>|==?|:|,)[\s\\]*(["']?)/;
const valueAt = /^([\w./-]+)(?=["']?(?:\s*[,})\];#\n]|\s*$))/;
const argumentAt = /^([\w./-]+)(?=[,})\];&"'|#\s\\]|$)/;

/**
 * The fix for a name that is sent, by the literal after it; undefined if a user has to decide.
 *
 * @param isInText whether it stands within a text, such as a form, where words need no quotes.
 */
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
  const isBoolean = /^(?:true|false)$/i.test(value);
  const isWord = /^\d+$/.test(value) || isInText || quote !== '';
  if (change === 'runnerActive' && isBoolean) {
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
export function negated(boolean: string): string {
  const other = boolean.toLowerCase() === 'true' ? 'false' : 'true';
  return /^[A-Z]/.test(boolean) ? `${other[0]?.toUpperCase() ?? ''}${other.slice(1)}` : other;
}

/** The fix for a path; all others but that of Geo answer differently than those that replace them. */
export function fixOfEndpoint(change: ChangeId, segment: Range): Fix | undefined {
  return change === 'geoNodes' ? renamed(segment, 'geo_sites') : undefined;
}

/** The fix for a name in what is received; undefined if the replacement has other values. */
export function fixOfReceived(change: ChangeId, name: Range): Fix | undefined {
  switch (change) {
    case 'mergedBy':
      return renamed(name, 'merge_user');
    case 'markedForDeletion':
      return renamed(name, 'marked_for_deletion_on');
    case 'passwordToApprove':
      return renamed(name, 'require_reauthentication_to_approve');
    default:
      return undefined;
  }
}

function renamed(name: Range, to: string): Fix {
  return { to, edits: [{ ...name, text: to }] };
}

/** `select(.active)` of jq is `select((.paused | not))`; `rest` is what stands after the name. */
export function fixOfFilter({ start, end }: Range, rest: string): Fix | undefined {
  return /^\s*(?:[|)\],}]|$|'|")/.test(rest)
    ? { to: 'paused', edits: [{ start: start - 1, end, text: '(.paused | not)' }] }
    : undefined;
}
