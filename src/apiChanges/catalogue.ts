/**
 * The changes that the platform announces for version 5 of its REST API, as data, from
 * https://docs.gitlab.com/api/rest/deprecations/ and the pages of the single resources; with the endpoints, and the names of
 * variables, types and fields, by which a resource is known in programs.
 */

/** What a call is about, as far as an announced change concerns it. */
export const allResources = [
  'applicationSettings',
  'group',
  'groupDetails',
  'mergeRequest',
  'project',
  'projectApprovals',
  'projectImportExport',
  'runner',
  'user',
] as const;
export type Resource = (typeof allResources)[number];

/** What of a call changes. */
export type ResourceSubject =
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

/** What users read of an announced change. Code stands between backquotes. */
export interface ChangeLabels {
  /** One sentence that says what changes. */
  readonly title: string;
  /** What v5 does. */
  readonly inV5: string;
  /** What can be done today, within v4. */
  readonly today: string;
}

/** Translates a text, with `{0}`, `{1}` and so on for what is filled in, as `vscode.l10n.t` does. */
export type Translate = (text: string, ...values: (string | number)[]) => string;

interface Row {
  readonly id: string;
  /** The API's own name of what changes, as code. */
  readonly item: string;
  readonly subject: ResourceSubject;
  /** The release of the platform that announced or made it useless, where the documentation names one. */
  readonly since?: string;
  /** The platform's page that says so; the list of deprecations by default. */
  readonly page?: string;
  /**
   * Whether names of two words and more mean this change wherever a file about the platform has them. Other names need a call,
   * a type or a variable of the resource around them.
   */
  readonly distinctive?: true;
  /** The name that takes the place in records of the API. */
  readonly replacement?: string;
  /** What is shown of it, by a function that translates. */
  readonly labels: (t: Translate) => ChangeLabels;
}

const rows = [
  {
    id: 'geoNodes',
    labels: (t) => ({
      title: t('The `geo_nodes` endpoints are replaced by `geo_sites`.'),
      inV5: t('The `geo_nodes` endpoints are replaced.'),
      today: t('Use `geo_sites`: the functionality is the same.'),
    }),
    item: '/geo_nodes',
    subject: { kind: 'endpoint', paths: ['geo_nodes', 'geo_nodes/**'] },
  },
  {
    id: 'mergedBy',
    labels: (t) => ({
      title: t('The field `merged_by` of a merge request is replaced by `merge_user`.'),
      inV5: t('The field is removed.'),
      today: t('Read `merge_user`.'),
    }),
    item: 'merged_by',
    replacement: 'merge_user',
    subject: { kind: 'field', names: ['merged_by'], of: ['mergeRequest'], sent: false },
    distinctive: true,
  },
  {
    id: 'mergeStatus',
    labels: (t) => ({
      title: t('The field `merge_status` of a merge request is replaced by `detailed_merge_status`.'),
      inV5: t('The field is removed.'),
      today: t('Read `detailed_merge_status`. It has other and more values: revise your comparisons.'),
    }),
    item: 'merge_status',
    replacement: 'detailed_merge_status',
    subject: { kind: 'field', names: ['merge_status'], of: ['mergeRequest'], sent: false },
    distinctive: true,
  },
  {
    id: 'nullPrivateProfile',
    labels: (t) => ({
      title: t('`private_profile` of a user may no longer be null.'),
      inV5: t('Only true and false are accepted; null is answered with status 400.'),
      today: t('Send true or false, or leave `private_profile` out; null is converted to the default.'),
    }),
    item: 'private_profile',
    subject: { kind: 'value', name: 'private_profile', values: [null], of: ['user'], received: false },
  },
  {
    id: 'mergeRequestChanges',
    labels: (t) => ({
      title: t('The endpoint with the changes of a merge request is replaced by the one that lists its diffs.'),
      inV5: t('The endpoint is removed.'),
      today: t('List `/projects/:id/merge_requests/:iid/diffs`: a paginated list of what `changes` contained.'),
    }),
    item: '/projects/:id/merge_requests/:iid/changes',
    subject: { kind: 'endpoint', paths: ['projects/*/merge_requests/*/changes'] },
  },
  {
    id: 'managedLicenses',
    labels: (t) => ({
      title: t('The endpoint for the managed licenses of a project is replaced by license approval policies.'),
      inV5: t('The endpoint is removed.'),
      today: t('Use license approval policies.'),
    }),
    item: '/projects/:id/managed_licenses',
    subject: { kind: 'endpoint', paths: ['projects/*/managed_licenses', 'projects/*/managed_licenses/**'] },
  },
  {
    id: 'approvers',
    labels: (t) => ({
      title: t('`approvers` and `approval_groups` of the approvals configuration of a project are always empty.'),
      inV5: t('Both fields are removed.'),
      today: t('List the approval rules of the merge request: `/projects/:id/merge_requests/:iid/approval_rules`.'),
    }),
    item: 'approvers, approval_groups',
    // The live platform says approver_groups.
    subject: {
      kind: 'field',
      names: ['approvers', 'approval_groups', 'approver_groups'],
      of: ['projectApprovals'],
      sent: false,
    },
    distinctive: true,
  },
  {
    id: 'runnerActive',
    labels: (t) => ({
      title: t('The property `active` of a runner is replaced by `paused`.'),
      inV5: t('Endpoints accept and return `paused` instead of `active`.'),
      today: t('Use `paused`, which is the opposite: `paused` true means `active` false.'),
    }),
    item: 'active',
    subject: { kind: 'field', names: ['active'], of: ['runner'], sent: true },
  },
  {
    id: 'runnerStatus',
    labels: (t) => ({
      title: t('The status of a runner no longer says whether it is active or paused.'),
      inV5: t('The status only says whether the runner is in contact: `online`, `offline` or `not_connected`.'),
      today: t('Use the boolean `paused`: true means paused, false means active.'),
    }),
    item: 'status',
    subject: { kind: 'value', name: 'status', values: ['active', 'paused'], of: ['runner'], received: true },
  },
  {
    id: 'runnerIpAddress',
    labels: (t) => ({
      title: t('`ip_address` of a runner is an empty string.'),
      inV5: t('The field is removed.'),
      today: t('Do without it: there is no replacement.'),
    }),
    item: 'ip_address',
    subject: { kind: 'field', names: ['ip_address'], of: ['runner'], sent: false },
    since: '17.0',
  },
  {
    id: 'runnerVersion',
    labels: (t) => ({
      title: t('`version`, `revision`, `platform` and `architecture` of a runner are empty strings.'),
      inV5: t('The fields are removed.'),
      today: t('Do without them: there is no replacement.'),
    }),
    item: 'version, revision, platform, architecture',
    subject: {
      kind: 'field',
      names: ['version', 'revision', 'platform', 'architecture'],
      of: ['runner'],
      sent: false,
    },
    // Empty strings since 18.0. The platform's list of 18 no longer has this row; its issue of the removal is still open.
    since: '18.0',
  },
  {
    id: 'defaultBranchProtection',
    labels: (t) => ({
      title: t('`default_branch_protection` is replaced by `default_branch_protection_defaults`.'),
      inV5: t('The property is removed.'),
      today: t('Use `default_branch_protection_defaults`, which contains settings instead of a level.'),
    }),
    item: 'default_branch_protection',
    replacement: 'default_branch_protection_defaults',
    subject: {
      kind: 'field',
      names: ['default_branch_protection'],
      of: ['group', 'applicationSettings'],
      sent: true,
    },
    since: '17.0',
    distinctive: true,
  },
  {
    id: 'passwordToApprove',
    labels: (t) => ({
      title: t('`require_password_to_approve` is replaced by `require_reauthentication_to_approve`.'),
      inV5: t('The property is removed.'),
      today: t('Use `require_reauthentication_to_approve`, which takes precedence when both are given.'),
    }),
    item: 'require_password_to_approve',
    replacement: 'require_reauthentication_to_approve',
    subject: { kind: 'field', names: ['require_password_to_approve'], of: ['projectApprovals'], sent: true },
    since: '16.9',
    distinctive: true,
  },
  {
    id: 'pullMirroring',
    labels: (t) => ({
      title: t('Pull mirroring is no longer configured in the projects API.'),
      inV5: t('The properties are removed.'),
      today: t('Use the endpoint `/projects/:id/mirror/pull`.'),
    }),
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
    distinctive: true,
  },
  {
    id: 'restrictedVariables',
    labels: (t) => ({
      title: t('`restrict_user_defined_variables` is replaced by `ci_pipeline_variables_minimum_override_role`.'),
      inV5: t('The property is replaced.'),
      today: t('Use `ci_pipeline_variables_minimum_override_role`; `developer` means the same as false.'),
    }),
    item: 'restrict_user_defined_variables',
    replacement: 'ci_pipeline_variables_minimum_override_role',
    subject: { kind: 'field', names: ['restrict_user_defined_variables'], of: ['project'], sent: true },
    since: '17.7',
    distinctive: true,
  },
  {
    id: 'importNamespace',
    labels: (t) => ({
      title: t('The parameter `namespace` of project import and export is replaced by two.'),
      inV5: t('The parameter is removed.'),
      today: t('Use `namespace_id` for a numeric ID, `namespace_path` for a path.'),
    }),
    item: 'namespace',
    subject: { kind: 'parameter', names: ['namespace'], of: ['projectImportExport'] },
    since: '18.7',
  },
  {
    id: 'epics',
    labels: (t) => ({
      title: t('The REST API for epics is replaced by work items, which GraphQL alone has.'),
      inV5: t('The endpoints are removed.'),
      today: t('Use the `workItem` queries and mutations of the GraphQL API; epics are work items of the type `EPIC`.'),
    }),
    item: '/groups/:id/epics',
    subject: {
      kind: 'endpoint',
      paths: ['groups/*/epics', 'groups/*/epics/**', 'groups/*/-/epics', 'groups/*/-/epics/**'],
    },
    since: '17.0',
    page: 'https://docs.gitlab.com/api/epics/',
  },
  {
    id: 'approvalsBeforeMerge',
    labels: (t) => ({
      title: t('`approvals_before_merge` is replaced by approval rules.'),
      inV5: t('The property is removed.'),
      today: t('Use the approval rules of the project or merge request, such as `/projects/:id/approval_rules`.'),
    }),
    item: 'approvals_before_merge',
    subject: {
      kind: 'field',
      names: ['approvals_before_merge'],
      of: ['project', 'mergeRequest', 'projectApprovals'],
      sent: true,
    },
    since: '16.0',
    page: 'https://docs.gitlab.com/api/merge_requests/',
    distinctive: true,
  },
  {
    id: 'groupWithProjects',
    labels: (t) => ({
      title: t('The parameter `with_projects` of a group is no longer needed.'),
      inV5: t('The parameter is removed, and a group comes without its projects.'),
      today: t(
        'List the projects of the group: `/groups/:id/projects`. Until v5, `with_projects=false` still saves time.',
      ),
    }),
    item: 'with_projects',
    subject: { kind: 'parameter', names: ['with_projects'], of: ['group', 'groupDetails'] },
    since: '13.0',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
  },
  {
    id: 'groupProjects',
    labels: (t) => ({
      title: t('`projects` and `shared_projects` of a group are replaced by endpoints of their own.'),
      inV5: t('Both fields are removed.'),
      today: t('List `/groups/:id/projects` and `/groups/:id/projects/shared`.'),
    }),
    item: 'projects, shared_projects',
    subject: { kind: 'field', names: ['projects', 'shared_projects'], of: ['groupDetails'], sent: false },
    since: '13.0',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
  },
  {
    id: 'markedForDeletion',
    labels: (t) => ({
      title: t('`marked_for_deletion_at` of a project is replaced by `marked_for_deletion_on`.'),
      inV5: t('The field is removed.'),
      today: t('Read `marked_for_deletion_on`, which is the same date.'),
    }),
    item: 'marked_for_deletion_at',
    replacement: 'marked_for_deletion_on',
    subject: { kind: 'field', names: ['marked_for_deletion_at'], of: ['project'], sent: false },
    since: '13.0',
    page: 'https://docs.gitlab.com/api/projects/',
    distinctive: true,
  },
  {
    id: 'projectTags',
    labels: (t) => ({
      title: t('`tag_list` of a project is replaced by `topics`.'),
      inV5: t('The property is removed.'),
      today: t('Use `topics`. The `tag_list` of runners and jobs stays.'),
    }),
    item: 'tag_list',
    subject: { kind: 'field', names: ['tag_list'], of: ['project'], sent: true },
    since: '14.0',
    page: 'https://docs.gitlab.com/api/projects/',
  },
] as const satisfies readonly Row[];

export type ChangeId = (typeof rows)[number]['id'];

/** One row of the announcement. */
export interface AnnouncedChange extends Row {
  readonly id: ChangeId;
  readonly page: string;
}

/** The list of announced changes in the platform's documentation. */
export const announcement = 'https://docs.gitlab.com/api/rest/deprecations/';

/** Every announced change: those of the platform's list of deprecations in its order, then those that single pages announce. */
export const announcedChanges: readonly AnnouncedChange[] = rows.map((row) => ({ page: announcement, ...row }));

/** The change of an id. */
export function announcedChangeOf(id: ChangeId): AnnouncedChange {
  const change = announcedChanges.find((candidate) => candidate.id === id);
  if (!change) {
    throw new Error(`There is no announced change ${id}`);
  }
  return change;
}

/** The entry of a change, as paragraphs in Markdown that hold nothing but the catalogue's own text. */
export function entryOf(id: ChangeId, t: Translate): string[] {
  const { labels, since, page } = announcedChangeOf(id);
  const { title, inV5, today } = labels(t);
  return [
    since === undefined ? title : `${title} ${t('Since release {0}.', since)}`,
    t('**In v5:** {0}', inV5),
    t('**Today:** {0}', today),
    `[${t('Announcement')}](${page})`,
  ];
}

/** What changes and what to do, without Markdown. */
export function plainEntryOf(id: ChangeId, t: Translate): { readonly title: string; readonly today: string } {
  const { title, today } = announcedChangeOf(id).labels(t);
  const plain = (text: string): string => text.replaceAll(/`([^`]*)`/g, '“$1”');
  return { title: plain(title), today: plain(today) };
}

/** How sure a finding is. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** What the tiers mean, in sentences. */
export function tierLabels(t: Translate): Readonly<Record<Confidence, string>> {
  return {
    certain: t('Certain: the call itself names API v4, or is one of a known client.'),
    likely: t('Likely: a path or a record that only this API has; the function itself does not say so.'),
    possible: t(
      'Possible: the name, in what is called after the resource. Such places are listed here and not marked in their files.',
    ),
  };
}

/** A name of the catalogue. */
export interface NameRow {
  readonly change: AnnouncedChange;
  /** As the API spells it. */
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly isDistinctive: boolean;
  /** Whether programs send it, rather than only reading it. */
  readonly isSent: boolean;
}

/** A name without its spelling: `merge_status`, `mergeStatus` and `MergeStatus` are the same. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

const nameRows = new Map<string, readonly NameRow[]>();
for (const change of announcedChanges) {
  const { subject } = change;
  for (const name of subject.kind === 'endpoint' ? [] : subject.kind === 'value' ? [subject.name] : subject.names) {
    const resources = subject.kind === 'endpoint' ? [] : subject.of;
    const isDistinctive = change.distinctive === true && name.includes('_');
    const row = { change, name, resources, isDistinctive, isSent: subject.kind !== 'field' || subject.sent };
    nameRows.set(normalizedName(name), [...(nameRows.get(normalizedName(name)) ?? []), row]);
  }
}
const longestName = 60;

/** The rows that a word of a program may mean, also as an accessor: `getMergeStatus`. */
export function rowsOf(word: string): readonly NameRow[] {
  if (word.length < 6 || word.length > longestName) {
    return [];
  }
  return (
    nameRows.get(normalizedName(word)) ??
    nameRows.get(normalizedName(word.replace(/^(?:get|set|with|is|has)(?=[A-Z_])_?/, ''))) ??
    []
  );
}

/** All names of the catalogue as a pattern, as they stand within texts: forms, JSON, filters. */
export const anyName = [...new Set([...nameRows.values()].flat().map(({ name }) => name))]
  .toSorted((one, other) => other.length - one.length)
  .join('|');

/** The names of variables and types that hold a resource: `runner`, `mrs`, `CreateProjectOptions`. */
const suffixes =
  '(?:details?|options|opts|request|response|params|info|dto|values|data|schema|entity|model|listitem)*$';
const resourcePatterns: readonly (readonly [RegExp, Resource])[] = (
  [
    ['approvals?(?:config(?:uration)?|settings?)?$', 'projectApprovals'],
    ['runners?', 'runner'],
    ['(?:mergerequests?|^mrs?|[a-z]mr)', 'mergeRequest'],
    ['projects?', 'project'],
    ['groups?', 'group'],
    ['applicationsettings', 'applicationSettings'],
    ['users?', 'user'],
  ] as const
).map(([pattern, resource]) => [new RegExp(`${pattern}${suffixes}`), resource]);

/** The resource that a variable or type is about by its name. */
export function resourceNamed(name: string | undefined): Resource | undefined {
  if (name === undefined || name.length > longestName) {
    return undefined;
  }
  const plain = normalizedName(name);
  return resourcePatterns.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Fields that only the record of one resource has, by their squashed names. */
const fieldResources = new Map(
  Object.entries({
    runner: 'runner_type is_shared contacted_at run_untagged maximum_timeout ip_address access_level maintenance_note',
    mergeRequest:
      'source_branch target_branch merge_when_pipeline_succeeds work_in_progress source_project_id diff_refs has_conflicts',
    project:
      'path_with_namespace name_with_namespace http_url_to_repo ssh_url_to_repo topics default_branch readme_url visibility import_url',
    group:
      'full_path full_name request_access_enabled subgroup_creation_level project_creation_level share_with_group_lock',
    projectApprovals:
      'reset_approvals_on_push merge_requests_author_approval approvals_before_merge approvals_required approvals_left',
  }).flatMap(([resource, names]) =>
    names.split(' ').map((name) => [normalizedName(name), resource as Resource] as const),
  ),
);

/** The resource whose record has a field of this name. */
export function resourceOfField(name: string): Resource | undefined {
  return name.length > longestName || name.length < 6 ? undefined : fieldResources.get(normalizedName(name));
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
