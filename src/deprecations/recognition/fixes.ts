/** Replacements that are mechanical and safe: they work in v4 today and mean the same. */

import type { ChangeId } from '../catalogue.ts';
import type { Fix } from './findings.ts';

/** Names that are replaced by another name with the same meaning and values. */
const renamed: Readonly<Partial<Record<ChangeId, string>>> = {
  passwordToApprove: 'require_reauthentication_to_approve',
};

/** A place where a name is sent, with its value if that is a literal. */
export interface Sent {
  readonly change: ChangeId;
  readonly name: { readonly start: number; readonly end: number };
  /** The literal as it stands, quotes included; undefined if it is none. */
  readonly value: { readonly start: number; readonly end: number; readonly text: string } | undefined;
  /** What a text is quoted with where the value stands; empty in a form or query. */
  readonly quote: string;
  /** Whether a name that takes the place of this one is sent along. */
  readonly hasReplacement: boolean;
}

/** The fix for a name in what is sent; undefined if a person has to decide. */
export function fixOfSent({ change, name, value, quote, hasReplacement }: Sent): Fix | undefined {
  if (hasReplacement) {
    return undefined;
  }
  const to = renamed[change];
  if (to !== undefined) {
    return { to, edits: [{ ...name, text: to }] };
  }
  if (!value) {
    return undefined;
  }
  const replace = (newName: string, newValue: string): Fix => ({
    to: newName,
    edits: [
      { ...name, text: newName },
      ...(newValue === value.text ? [] : [{ start: value.start, end: value.end, text: newValue }]),
    ],
  });
  const bare = value.text.replaceAll(/["'`\\]/g, '').replace(/^\$/, '');
  switch (change) {
    case 'runnerActive':
      return /^(?:true|false)$/i.test(bare) ? replace('paused', value.text.replace(bare, negated(bare))) : undefined;
    case 'runnerStatus':
      return replace('paused', value.text.replace(bare, bare === 'paused' ? 'true' : 'false'));
    case 'restrictedVariables':
      return /^false$/i.test(bare)
        ? replace(
            'ci_pipeline_variables_minimum_override_role',
            bare === value.text.replace(/^\$/, '')
              ? `${quote}developer${quote}`
              : value.text.replace(bare, 'developer'),
          )
        : undefined;
    case 'importNamespace':
      return replace(/^\d+$/.test(bare) ? 'namespace_id' : 'namespace_path', value.text);
    default:
      return undefined;
  }
}

/** The other boolean, in the spelling of the first: `False` for `True`. */
export function negated(boolean: string): string {
  const other = boolean.toLowerCase() === 'true' ? 'false' : 'true';
  return /^[A-Z]/.test(boolean) ? `${other[0]?.toUpperCase() ?? ''}${other.slice(1)}` : other;
}

/** The fix for a path of `geo_nodes`; other endpoints answer differently than those that replace them. */
export function fixOfEndpoint(
  change: ChangeId,
  segment: { readonly start: number; readonly end: number },
): Fix | undefined {
  return change === 'geoNodes' ? { to: 'geo_sites', edits: [{ ...segment, text: 'geo_sites' }] } : undefined;
}

/** The fix for a name in what is received; undefined if the replacement has other values. */
export function fixOfReceived(
  change: ChangeId,
  name: { readonly start: number; readonly end: number },
): Fix | undefined {
  const to = change === 'mergedBy' ? 'merge_user' : renamed[change];
  return to === undefined ? undefined : { to, edits: [{ ...name, text: to }] };
}
