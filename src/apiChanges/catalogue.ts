/**
 * The changes that the platform announces for version 5 of its REST API, as data, from
 * https://docs.gitlab.com/api/rest/deprecations/ and the pages of the single resources. What users read of them is in
 * changeTexts.ts; this module knows neither the editor nor how programs are read.
 */

/** What a call is about, as far as an announced change concerns it. */
export type Resource =
  | 'applicationSettings'
  | 'group'
  | 'groupDetails'
  | 'mergeRequest'
  | 'project'
  | 'projectApprovals'
  | 'projectImportExport'
  | 'runner'
  | 'user';

/** What of a call changes. */
export type Subject =
  /** The path itself: templates below `/api/v4`, as in endpointsOf. */
  | { readonly kind: 'endpoint'; readonly paths: readonly string[] }
  /** Names in what is sent. */
  | { readonly kind: 'parameter'; readonly names: readonly string[]; readonly of: readonly Resource[] }
  /** Names in what comes back; where they can be sent, too, `sent` says so. */
  | {
      readonly kind: 'field';
      readonly names: readonly string[];
      readonly of: readonly Resource[];
      readonly sent: boolean;
    }
  /** Certain values of a name. `null` stands for the null of JSON and of every language. */
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly values: readonly (string | null)[];
      readonly of: readonly Resource[];
      /** Whether the value comes back, too, and programs compare with it. */
      readonly received: boolean;
    };

/** One row of the announcement. */
export interface AnnouncedChange {
  readonly id: ChangeId;
  /** The API's own name of what changes, as code. */
  readonly item: string;
  readonly subject: Subject;
  /** The release of the platform that announced or made it useless, where the documentation names one. */
  readonly since: string | undefined;
  /** What takes its place, as code; undefined where nothing does. */
  readonly replacement: string | undefined;
  /** What becomes of it in v5. */
  readonly inV5: 'removed' | 'replaced' | 'refused';
  /** The platform's page that says so. */
  readonly page: string;
  /**
   * Names that mean this change wherever a file about the platform has them as a key, member or declared field. Other names
   * need a call, a record or a receiver of the resource around them.
   */
  readonly distinctive: readonly string[];
}

export type ChangeId =
  | 'geoNodes'
  | 'mergedBy'
  | 'mergeStatus'
  | 'nullPrivateProfile'
  | 'mergeRequestChanges'
  | 'managedLicenses'
  | 'approvers'
  | 'runnerActive'
  | 'runnerStatus'
  | 'runnerIpAddress'
  | 'runnerVersion'
  | 'defaultBranchProtection'
  | 'passwordToApprove'
  | 'pullMirroring'
  | 'restrictedVariables'
  | 'importNamespace'
  | 'epics'
  | 'approvalsBeforeMerge'
  | 'groupWithProjects'
  | 'groupProjects'
  | 'markedForDeletion'
  | 'projectTags';

const deprecations = 'https://docs.gitlab.com/api/rest/deprecations/';

/** Every announced change: those of the platform's list of deprecations in its order, then those that single pages announce. */
export const announcedChanges: readonly AnnouncedChange[] = [
  {
    id: 'geoNodes',
    item: '/geo_nodes',
    subject: { kind: 'endpoint', paths: ['geo_nodes', 'geo_nodes/**'] },
    since: undefined,
    replacement: '/geo_sites',
    inV5: 'replaced',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'mergedBy',
    item: 'merged_by',
    subject: { kind: 'field', names: ['merged_by'], of: ['mergeRequest'], sent: false },
    since: undefined,
    replacement: 'merge_user',
    inV5: 'removed',
    page: deprecations,
    distinctive: ['merged_by'],
  },
  {
    id: 'mergeStatus',
    item: 'merge_status',
    subject: { kind: 'field', names: ['merge_status'], of: ['mergeRequest'], sent: false },
    since: undefined,
    replacement: 'detailed_merge_status',
    inV5: 'removed',
    page: deprecations,
    distinctive: ['merge_status'],
  },
  {
    id: 'nullPrivateProfile',
    item: 'private_profile',
    subject: { kind: 'value', name: 'private_profile', values: [null], of: ['user'], received: false },
    since: undefined,
    replacement: undefined,
    inV5: 'refused',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'mergeRequestChanges',
    item: '/projects/:id/merge_requests/:iid/changes',
    subject: { kind: 'endpoint', paths: ['projects/*/merge_requests/*/changes'] },
    since: undefined,
    replacement: '/projects/:id/merge_requests/:iid/diffs',
    inV5: 'removed',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'managedLicenses',
    item: '/projects/:id/managed_licenses',
    subject: { kind: 'endpoint', paths: ['projects/*/managed_licenses', 'projects/*/managed_licenses/**'] },
    since: undefined,
    replacement: undefined,
    inV5: 'removed',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'approvers',
    item: 'approvers, approval_groups',
    // The live platform says approver_groups.
    subject: {
      kind: 'field',
      names: ['approvers', 'approval_groups', 'approver_groups'],
      of: ['projectApprovals'],
      sent: false,
    },
    since: undefined,
    replacement: '/projects/:id/merge_requests/:iid/approval_rules',
    inV5: 'removed',
    page: deprecations,
    distinctive: ['approval_groups', 'approver_groups'],
  },
  {
    id: 'runnerActive',
    item: 'active',
    subject: { kind: 'field', names: ['active'], of: ['runner'], sent: true },
    since: undefined,
    replacement: 'paused',
    inV5: 'replaced',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'runnerStatus',
    item: 'status',
    subject: { kind: 'value', name: 'status', values: ['active', 'paused'], of: ['runner'], received: true },
    since: undefined,
    replacement: 'paused',
    inV5: 'replaced',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'runnerIpAddress',
    item: 'ip_address',
    subject: { kind: 'field', names: ['ip_address'], of: ['runner'], sent: false },
    since: '17.0',
    replacement: undefined,
    inV5: 'removed',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'runnerVersion',
    item: 'version, revision, platform, architecture',
    subject: {
      kind: 'field',
      names: ['version', 'revision', 'platform', 'architecture'],
      of: ['runner'],
      sent: false,
    },
    // Empty strings since 18.0. The platform's list of 18 no longer has this row; its issue of the removal is still open.
    since: '18.0',
    replacement: undefined,
    inV5: 'removed',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'defaultBranchProtection',
    item: 'default_branch_protection',
    subject: {
      kind: 'field',
      names: ['default_branch_protection'],
      of: ['group', 'applicationSettings'],
      sent: true,
    },
    since: '17.0',
    replacement: 'default_branch_protection_defaults',
    inV5: 'removed',
    page: deprecations,
    distinctive: ['default_branch_protection'],
  },
  {
    id: 'passwordToApprove',
    item: 'require_password_to_approve',
    subject: { kind: 'field', names: ['require_password_to_approve'], of: ['projectApprovals'], sent: true },
    since: '16.9',
    replacement: 'require_reauthentication_to_approve',
    inV5: 'removed',
    page: deprecations,
    distinctive: ['require_password_to_approve'],
  },
  {
    id: 'pullMirroring',
    item: 'mirror, mirror_*',
    subject: {
      kind: 'field',
      names: [
        'mirror',
        'mirror_user_id',
        'mirror_trigger_builds',
        'mirror_branch_regex',
        'mirror_overwrites_diverged_branches',
        'only_mirror_protected_branches',
      ],
      of: ['project'],
      sent: true,
    },
    since: '17.6',
    replacement: '/projects/:id/mirror/pull',
    inV5: 'removed',
    page: deprecations,
    distinctive: [
      'mirror_user_id',
      'mirror_trigger_builds',
      'mirror_branch_regex',
      'mirror_overwrites_diverged_branches',
      'only_mirror_protected_branches',
    ],
  },
  {
    id: 'restrictedVariables',
    item: 'restrict_user_defined_variables',
    subject: { kind: 'field', names: ['restrict_user_defined_variables'], of: ['project'], sent: true },
    since: '17.7',
    replacement: 'ci_pipeline_variables_minimum_override_role',
    inV5: 'replaced',
    page: deprecations,
    distinctive: ['restrict_user_defined_variables'],
  },
  {
    id: 'importNamespace',
    item: 'namespace',
    subject: { kind: 'parameter', names: ['namespace'], of: ['projectImportExport'] },
    since: '18.7',
    replacement: 'namespace_id, namespace_path',
    inV5: 'removed',
    page: deprecations,
    distinctive: [],
  },
  {
    id: 'epics',
    item: '/groups/:id/epics',
    subject: {
      kind: 'endpoint',
      paths: ['groups/*/epics', 'groups/*/epics/**', 'groups/*/-/epics', 'groups/*/-/epics/**'],
    },
    since: '17.0',
    replacement: 'workItems (GraphQL)',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/epics/',
    distinctive: [],
  },
  {
    id: 'approvalsBeforeMerge',
    item: 'approvals_before_merge',
    subject: {
      kind: 'field',
      names: ['approvals_before_merge'],
      of: ['project', 'mergeRequest', 'projectApprovals'],
      sent: true,
    },
    since: '16.0',
    replacement: '/projects/:id/approval_rules',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/merge_requests/',
    distinctive: ['approvals_before_merge'],
  },
  {
    id: 'groupWithProjects',
    item: 'with_projects',
    subject: { kind: 'parameter', names: ['with_projects'], of: ['group', 'groupDetails'] },
    since: '13.0',
    replacement: '/groups/:id/projects',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
    distinctive: [],
  },
  {
    id: 'groupProjects',
    item: 'projects, shared_projects',
    subject: { kind: 'field', names: ['projects', 'shared_projects'], of: ['groupDetails'], sent: false },
    since: '13.0',
    replacement: '/groups/:id/projects, /groups/:id/projects/shared',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
    distinctive: [],
  },
  {
    id: 'markedForDeletion',
    item: 'marked_for_deletion_at',
    subject: { kind: 'field', names: ['marked_for_deletion_at'], of: ['project'], sent: false },
    since: '13.0',
    replacement: 'marked_for_deletion_on',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/projects/',
    distinctive: ['marked_for_deletion_at'],
  },
  {
    id: 'projectTags',
    item: 'tag_list',
    subject: { kind: 'field', names: ['tag_list'], of: ['project'], sent: true },
    since: '14.0',
    replacement: 'topics',
    inV5: 'removed',
    page: 'https://docs.gitlab.com/api/projects/',
    distinctive: [],
  },
];

/** The change of an id. */
export function changeOf(id: ChangeId): AnnouncedChange {
  const change = announcedChanges.find((candidate) => candidate.id === id);
  if (!change) {
    throw new Error(`There is no announced change ${id}`);
  }
  return change;
}

/**
 * The endpoints that take or return a resource, as paths below `/api/v4`: `*` is one segment that names something, such
 * as an id, `**` any number of segments.
 */
export const endpointsOf: Readonly<Record<Resource, readonly string[]>> = {
  applicationSettings: ['application/settings'],
  group: ['groups', 'groups/*', 'groups/*/subgroups', 'groups/*/descendant_groups', 'projects/*/groups'],
  groupDetails: ['groups/*'],
  mergeRequest: [
    'merge_requests',
    'groups/*/merge_requests',
    'projects/*/merge_requests',
    'projects/*/merge_requests/*',
    'projects/*/merge_requests/*/merge',
    'projects/*/merge_requests/*/changes',
    'projects/*/merge_requests/*/cancel_merge_when_pipeline_succeeds',
    'projects/*/issues/*/related_merge_requests',
    'projects/*/issues/*/closed_by',
    'projects/*/repository/commits/*/merge_requests',
    'projects/*/deployments/*/merge_requests',
    'projects/*/milestones/*/merge_requests',
    'groups/*/milestones/*/merge_requests',
  ],
  project: [
    'projects',
    'projects/*',
    'groups/*/projects',
    'groups/*/projects/shared',
    'users/*/projects',
    'projects/user/*',
    'projects/*/forks',
    'projects/*/fork',
  ],
  projectApprovals: [
    'projects/*/approvals',
    'projects/*/merge_requests/*/approvals',
    'projects/*/merge_request_approval_setting',
    'projects/*/merge_request_approval_settings',
    'groups/*/merge_request_approval_setting',
    'groups/*/merge_request_approval_settings',
  ],
  projectImportExport: [
    'projects/import',
    'projects/remote-import',
    'projects/remote-import-s3',
    'projects/*/import',
    'projects/*/export',
  ],
  runner: ['runners', 'runners/all', 'runners/*', 'projects/*/runners', 'groups/*/runners'],
  user: ['user', 'users', 'users/*'],
};
