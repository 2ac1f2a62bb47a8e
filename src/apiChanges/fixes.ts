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

/** A place where a name is sent, with its value if that is a literal. */
export interface Sent {
  readonly change: ChangeId;
  readonly name: Range;
  /** The literal as it stands, quotes included; undefined if it is none. */
  readonly value: (Range & { readonly text: string }) | undefined;
  /** What a text is quoted with where the value stands; empty in a form or query. */
  readonly quote: string;
}

/** The fix for a name in what is sent; undefined if a user has to decide. */
export function fixOfSent({ change, name, value, quote }: Sent): Fix | undefined {
  if (change === 'passwordToApprove') {
    return renamed(name, 'require_reauthentication_to_approve');
  }
  if (!value) {
    return undefined;
  }
  const replace = (to: string, text: string): Fix => ({
    to,
    edits: [{ ...name, text: to }, ...(text === value.text ? [] : [{ start: value.start, end: value.end, text }])],
  });
  const bare = value.text.replaceAll(/["'`\\]/g, '');
  switch (change) {
    case 'runnerActive':
      return /^(?:true|false)$/i.test(bare) ? replace('paused', value.text.replace(bare, negated(bare))) : undefined;
    case 'runnerStatus':
      return /^(?:active|paused)$/.test(bare)
        ? replace('paused', value.text.replace(bare, bare === 'paused' ? 'true' : 'false'))
        : undefined;
    case 'restrictedVariables':
      return /^false$/i.test(bare)
        ? replace(
            'ci_pipeline_variables_minimum_override_role',
            bare === value.text ? `${quote}developer${quote}` : value.text.replace(bare, 'developer'),
          )
        : undefined;
    case 'importNamespace':
      return /^[\w./-]+$/.test(bare)
        ? replace(/^\d+$/.test(bare) ? 'namespace_id' : 'namespace_path', value.text)
        : undefined;
    default:
      return undefined;
  }
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
