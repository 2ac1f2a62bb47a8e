/** What of this client's own calls API v5 is announced to change (section 9 of the API documentation). */

import type { Call } from './calls.ts';

const projectNames: readonly string[] = [
  'mirror',
  'mirror_branch_regex',
  'mirror_overwrites_diverged_branches',
  'mirror_trigger_builds',
  'mirror_user_id',
  'only_mirror_protected_branches',
  'restrict_user_defined_variables',
];

/** Names of fields and parameters by the last part of a path template that names something of its own. */
const changing: readonly (readonly [template: RegExp, names: readonly string[]])[] = [
  [/^(?:\/(?:groups|users)\/:\w+)?\/projects(?:\/:\w+)?$/, projectNames],
  [/^\/groups(?:\/:\w+(?:\/(?:subgroups|descendant_groups))?)?$/, ['default_branch_protection']],
  [/\/merge_requests(?:\/:\w+)?$/, ['merged_by', 'merge_status']],
  [/\/runners(?:\/(?:all|:\w+))?$/, ['active', 'ip_address', 'version', 'revision', 'platform', 'architecture']],
  [/^\/projects\/:\w+\/approvals$/, ['approvers', 'approval_groups', 'require_password_to_approve']],
];

/** The names that a call sends, or reads from its answer, and that are announced to change. It ought to have none. */
export function changingNamesOf({ path, query, body, reads }: Call): string[] {
  const names = changing.find(([template]) => template.test(path.template))?.[1] ?? [];
  const used = new Set([...Object.keys({ ...query, ...body }), ...(reads ?? [])]);
  return names.filter((name) => used.has(name));
}
