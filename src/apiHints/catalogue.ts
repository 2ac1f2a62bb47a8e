import { inSequence } from '../common/inertText.ts';

/**
 * The changes that the platform announces for version 5 of its REST API, from
 * https://docs.gitlab.com/api/rest/deprecations/ and the pages of the single resources, and the endpoints and names by which a
 * resource is known in programs.
 */

/** What a call is about, as far as an announced change concerns it. */
export type Resource = keyof typeof endpointsOf;

/** Translates a text, with `{0}`, `{1}` and so on for what is filled in, as `vscode.l10n.t` does. */
export type Translate = (text: string, ...values: (string | number)[]) => string;

/** What changes: paths below `/api/v4`, names that are only sent, names of records, or single values of a name. */
interface Subject {
  readonly paths: readonly string[];
  readonly names: readonly string[];
  readonly of: readonly Resource[];
  /** Whether the API answers with it, and whether programs can send it. */
  readonly isRead: boolean;
  readonly isSent: boolean;
  /** The values that change, if not all do; `null` stands for the null of every language. */
  readonly values?: readonly (string | null)[];
}

function endpoint(...paths: readonly string[]): Subject {
  return { paths, names: [], of: [], isRead: false, isSent: false };
}

/** Fields that are only received, by their names with spaces between. */
function field(names: string, ...of: readonly Resource[]): Subject {
  return { paths: [], names: names.split(/\s+/), of, isRead: true, isSent: false };
}

function sentField(names: string, ...of: readonly Resource[]): Subject {
  return { ...field(names, ...of), isSent: true };
}

function parameter(name: string, ...of: readonly Resource[]): Subject {
  return { ...sentField(name, ...of), isRead: false };
}

function value(name: string, values: readonly (string | null)[], of: Resource): Subject {
  return { ...parameter(name, of), values };
}

interface Row {
  readonly subject: Subject;
  /** The release that announced it or made it useless, where the documentation names one. */
  readonly since?: string;
  /** The platform's page that says so; the list of deprecations by default. */
  readonly page?: string;
  /** The name that takes its place in records of the API. */
  readonly replacement?: string;
  /** What changes, and what to do today, within v4: sentences with code between backquotes. */
  readonly title: (t: Translate) => string;
  readonly today: (t: Translate) => string;
}

const rows = {
  geoNodes: {
    subject: endpoint('geo_nodes', 'geo_nodes/**'),
    replacement: 'geo_sites',
    title: (t) => t('The `geo_nodes` endpoints are replaced by `geo_sites`.'),
    today: (t) => t('Use `geo_sites`: the functionality is the same.'),
  },
  mergedBy: {
    subject: field('merged_by', 'mergeRequest'),
    replacement: 'merge_user',
    title: (t) => t('The field `merged_by` of a merge request is replaced by `merge_user`.'),
    today: (t) => t('Read `merge_user`.'),
  },
  mergeStatus: {
    subject: field('merge_status', 'mergeRequest'),
    replacement: 'detailed_merge_status',
    title: (t) => t('The field `merge_status` of a merge request is replaced by `detailed_merge_status`.'),
    today: (t) => t('Read `detailed_merge_status`. It has other and more values: revise your comparisons.'),
  },
  nullPrivateProfile: {
    subject: value('private_profile', [null], 'user'),
    title: (t) => t('`private_profile` of a user may no longer be null.'),
    today: (t) => t('Send true or false, or leave `private_profile` out; null is converted to the default.'),
  },
  mergeRequestChanges: {
    subject: endpoint('projects/*/merge_requests/*/changes'),
    title: (t) => t('The endpoint with the changes of a merge request is replaced by the one that lists its diffs.'),
    today: (t) => t('List `/projects/:id/merge_requests/:iid/diffs`: a paginated list of what `changes` contained.'),
  },
  managedLicenses: {
    subject: endpoint('projects/*/managed_licenses', 'projects/*/managed_licenses/**'),
    title: (t) => t('The endpoint for the managed licenses of a project is replaced by license approval policies.'),
    today: (t) => t('Use license approval policies.'),
  },
  approvers: {
    // The live platform says approver_groups.
    subject: field('approvers approval_groups approver_groups', 'projectApprovals'),
    title: (t) => t('`approvers` and `approval_groups` of the approvals configuration of a project are always empty.'),
    today: (t) =>
      t('List the approval rules of the merge request: `/projects/:id/merge_requests/:iid/approval_rules`.'),
  },
  runnerActive: {
    subject: sentField('active', 'runner'),
    title: (t) => t('The property `active` of a runner is replaced by `paused`.'),
    today: (t) => t('Use `paused`, which is the opposite: `paused` true means `active` false.'),
  },
  runnerStatus: {
    subject: value('status', ['active', 'paused'], 'runner'),
    title: (t) => t('The status of a runner no longer says whether it is active or paused.'),
    today: (t) => t('Use the boolean `paused`: true means paused, false means active.'),
  },
  runnerIpAddress: {
    subject: field('ip_address', 'runner'),
    since: '17.0',
    title: (t) => t('`ip_address` of a runner is an empty string.'),
    today: (t) => t('Do without it: there is no replacement.'),
  },
  runnerVersion: {
    subject: field('version revision platform architecture', 'runner'),
    // The platform's list of 18 no longer has this row; its issue of the removal is still open.
    since: '18.0',
    title: (t) => t('`version`, `revision`, `platform` and `architecture` of a runner are empty strings.'),
    today: (t) => t('Do without them: there is no replacement.'),
  },
  defaultBranchProtection: {
    subject: sentField('default_branch_protection', 'group', 'applicationSettings'),
    replacement: 'default_branch_protection_defaults',
    since: '17.0',
    title: (t) => t('`default_branch_protection` is replaced by `default_branch_protection_defaults`.'),
    today: (t) => t('Use `default_branch_protection_defaults`, which contains settings instead of a level.'),
  },
  passwordToApprove: {
    subject: sentField('require_password_to_approve', 'projectApprovals'),
    replacement: 'require_reauthentication_to_approve',
    since: '16.9',
    title: (t) => t('`require_password_to_approve` is replaced by `require_reauthentication_to_approve`.'),
    today: (t) => t('Use `require_reauthentication_to_approve`, which takes precedence when both are given.'),
  },
  pullMirroring: {
    subject: sentField(
      `mirror mirror_user_id mirror_trigger_builds mirror_branch_regex mirror_overwrites_diverged_branches
       only_mirror_protected_branches`,
      'project',
    ),
    since: '17.6',
    title: (t) => t('Pull mirroring is no longer configured in the projects API.'),
    today: (t) => t('Use the endpoint `/projects/:id/mirror/pull`.'),
  },
  restrictedVariables: {
    subject: sentField('restrict_user_defined_variables', 'project'),
    replacement: 'ci_pipeline_variables_minimum_override_role',
    since: '17.7',
    title: (t) => t('`restrict_user_defined_variables` is replaced by `ci_pipeline_variables_minimum_override_role`.'),
    today: (t) => t('Use `ci_pipeline_variables_minimum_override_role`; `developer` means the same as false.'),
  },
  importNamespace: {
    subject: parameter('namespace', 'projectImportExport'),
    since: '18.7',
    title: (t) => t('The parameter `namespace` of project import and export is replaced by two.'),
    today: (t) => t('Use `namespace_id` for a numeric ID, `namespace_path` for a path.'),
  },
  epics: {
    subject: endpoint('groups/*/epics', 'groups/*/epics/**', 'groups/*/-/epics', 'groups/*/-/epics/**'),
    since: '17.0',
    page: 'https://docs.gitlab.com/api/epics/',
    title: (t) => t('The REST API for epics is replaced by work items, which GraphQL alone has.'),
    today: (t) =>
      t('Use the `workItem` queries and mutations of the GraphQL API; epics are work items of the type `EPIC`.'),
  },
  approvalsBeforeMerge: {
    subject: sentField('approvals_before_merge', 'project', 'mergeRequest', 'projectApprovals'),
    since: '16.0',
    page: 'https://docs.gitlab.com/api/merge_requests/',
    title: (t) => t('`approvals_before_merge` is replaced by approval rules.'),
    today: (t) => t('Use the approval rules of the project or merge request, such as `/projects/:id/approval_rules`.'),
  },
  groupWithProjects: {
    subject: parameter('with_projects', 'group', 'groupDetails'),
    since: '13.0',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
    title: (t) => t('The parameter `with_projects` of a group is no longer needed.'),
    today: (t) =>
      t('List the projects of the group: `/groups/:id/projects`. Until v5, `with_projects=false` still saves time.'),
  },
  groupProjects: {
    subject: field('projects shared_projects', 'groupDetails'),
    since: '13.0',
    page: 'https://docs.gitlab.com/api/groups/#retrieve-a-group',
    title: (t) => t('`projects` and `shared_projects` of a group are replaced by endpoints of their own.'),
    today: (t) => t('List `/groups/:id/projects` and `/groups/:id/projects/shared`.'),
  },
  markedForDeletion: {
    subject: field('marked_for_deletion_at', 'project'),
    replacement: 'marked_for_deletion_on',
    since: '13.0',
    page: 'https://docs.gitlab.com/api/projects/',
    title: (t) => t('`marked_for_deletion_at` of a project is replaced by `marked_for_deletion_on`.'),
    today: (t) => t('Read `marked_for_deletion_on`, which is the same date.'),
  },
  projectTags: {
    subject: sentField('tag_list', 'project'),
    since: '14.0',
    page: 'https://docs.gitlab.com/api/projects/',
    title: (t) => t('`tag_list` of a project is replaced by `topics`.'),
    today: (t) => t('Use `topics`. The `tag_list` of runners and jobs stays.'),
  },
} as const satisfies Readonly<Record<string, Row>>;

export type ChangeId = keyof typeof rows;

/** The list of announced changes in the platform's documentation. */
export const announcement = 'https://docs.gitlab.com/api/rest/deprecations/';

export interface AnnouncedChange extends Row {
  readonly id: ChangeId;
  readonly page: string;
  /** The API's own names of what changes. */
  readonly items: readonly string[];
}

/** Every announced change: those of the platform's list in its order, then those that single pages announce. */
export const announcedChanges: readonly AnnouncedChange[] = Object.entries<Row>(rows).map(([id, row]) => ({
  id: id as ChangeId,
  page: announcement,
  ...row,
  items: [...row.subject.paths.slice(0, 1).map((path) => `/${path.replaceAll('*', ':id')}`), ...row.subject.names],
}));

/** The change of an id. */
export function announcedChange(id: ChangeId): AnnouncedChange {
  return announcedChanges.find((change) => change.id === id) as AnnouncedChange;
}

/** The entry of a change, as paragraphs in Markdown that hold nothing but the catalogue's own text. */
export function entryOf(id: ChangeId, t: Translate): string[] {
  const { title, today, since, page } = announcedChange(id);
  const first = since === undefined ? title(t) : inSequence(title(t), t('Since release {0}.', since));
  return [first, today(t), `[${t('Announcement')}](${page})`];
}

/** The same without Markdown, in one line. */
export function plainEntryOf(id: ChangeId, t: Translate): string {
  return inSequence(...entryOf(id, t).slice(0, 2)).replaceAll(/`([^`]*)`/g, (_, code: string) => t('“{0}”', code));
}

/** A name without its spelling: `merge_status`, `mergeStatus` and `MergeStatus` are the same. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

const changesByName = Map.groupBy(
  announcedChanges.flatMap((change) => change.subject.names.map((name) => ({ change, name }))),
  ({ name }) => normalizedName(name),
);

/** The changes that a word of a program may mean, also as an accessor: `getMergeStatus`. */
export function changesNamed(word: string): readonly { readonly change: AnnouncedChange; readonly name: string }[] {
  const plain = word.replace(/^(?:get|set|with|is|has)(?=[A-Z_])_?/i, '');
  return changesByName.get(normalizedName(word)) ?? changesByName.get(normalizedName(plain)) ?? [];
}

/** The endpoints that take or return a resource, below `/api/v4`: `*` is one segment, such as an id, `**` any number. */
export const endpointsOf = {
  applicationSettings: 'application/settings',
  group: 'groups groups/* groups/*/subgroups groups/*/descendant_groups projects/*/groups',
  groupDetails: 'groups/*',
  mergeRequest: `merge_requests groups/*/merge_requests projects/*/merge_requests projects/*/merge_requests/*
    projects/*/merge_requests/*/merge projects/*/merge_requests/*/changes projects/*/issues/*/related_merge_requests
    projects/*/merge_requests/*/cancel_merge_when_pipeline_succeeds projects/*/issues/*/closed_by
    projects/*/repository/commits/*/merge_requests projects/*/deployments/*/merge_requests
    projects/*/milestones/*/merge_requests groups/*/milestones/*/merge_requests`,
  project: `projects projects/* groups/*/projects groups/*/projects/shared users/*/projects projects/user/* projects/*/forks
    projects/*/fork`,
  projectApprovals: `projects/*/approvals projects/*/merge_requests/*/approvals projects/*/merge_request_approval_setting
    projects/*/merge_request_approval_settings groups/*/merge_request_approval_setting
    groups/*/merge_request_approval_settings`,
  projectImportExport:
    'projects/import projects/remote-import projects/remote-import-s3 projects/*/import projects/*/export',
  runner: 'runners runners/all runners/* projects/*/runners groups/*/runners',
  user: 'user users users/*',
};

/** Fields that only the record of one resource has. */
export const fieldsOf: Partial<Record<Resource, string>> = {
  runner: 'runner_type is_shared contacted_at run_untagged maximum_timeout ip_address access_level maintenance_note',
  mergeRequest: `source_branch target_branch merge_when_pipeline_succeeds work_in_progress source_project_id diff_refs
    has_conflicts target_project_id merge_commit_sha merged_at merge_error merge_status merged_by merge_user
    detailed_merge_status blocking_discussions_resolved`,
  project: `path_with_namespace name_with_namespace http_url_to_repo ssh_url_to_repo topics default_branch readme_url visibility
    import_url last_activity_at merge_requests_enabled shared_runners_enabled star_count tag_list`,
  group:
    'full_path full_name request_access_enabled subgroup_creation_level project_creation_level share_with_group_lock',
  projectApprovals: `reset_approvals_on_push merge_requests_author_approval approvals_before_merge approvals_required
    approvals_left suggested_approvers user_has_approved approver_groups`,
};

/** The names of variables and types that hold a resource: `runner`, `mrs`, `CreateProjectOptions`. */
const suffixes =
  /_?(?:create|update|register|edit|details?|options|opts|request|response|res|params|info|dto|data|schema|entity|model|item|json|obj|attributes|list)$/i;
const resourcePatterns: readonly (readonly [RegExp, Resource])[] = [
  [/approvals?_?(?:config(?:uration)?|settings?)?$/i, 'projectApprovals'],
  [/runners?$/i, 'runner'],
  [/(?:merge_?requests?|(?:^|_)mrs?|[a-z]M[Rr]s?)$/i, 'mergeRequest'],
  [/^(?:import|export)(?:file|project)?$/i, 'projectImportExport'],
  [/projects?$/i, 'project'],
  [/groups?$/i, 'group'],
  [/(?:application_?|^)settings$/i, 'applicationSettings'],
  [/^users?$/i, 'user'],
];

/** The resource that a variable or type is about by its name. */
export function resourceNamed(name: string): Resource | undefined {
  const plain = name.slice(-60);
  const short = plain.replace(suffixes, '');
  return resourcePatterns.find(([pattern]) => pattern.test(plain) || pattern.test(short))?.[1];
}
