import { type AnnouncedChange, announcedChanges, type Resource } from './catalogue.ts';

/** A name of the catalogue. */
export interface NameRow {
  readonly change: AnnouncedChange;
  /** As the API spells it. */
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly isDistinctive: boolean;
}

/** A name without its spelling: `merge_status`, `mergeStatus` and `MergeStatus` are the same. */
export function squashed(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

const rows = new Map<string, readonly NameRow[]>();
for (const change of announcedChanges) {
  const { subject } = change;
  const names = subject.kind === 'endpoint' ? [] : subject.kind === 'value' ? [subject.name] : subject.names;
  for (const name of names) {
    const own = subject.kind === 'endpoint' ? [] : subject.of;
    const row = { change, name, resources: own, isDistinctive: change.distinctive.includes(name) };
    rows.set(squashed(name), [...(rows.get(squashed(name)) ?? []), row]);
  }
}
const longest = Math.max(...[...rows.keys()].map((name) => name.length)) + 8;
/** What accessors put before a name: `getMergeStatus`, `withActive`. */
const accessor = /^(?:get|set|with|is|has)(?=[A-Z_])_?/;

/** The rows that a word of a program may mean. */
export function rowsOf(word: string): readonly NameRow[] {
  if (word.length > longest + 6 || word.length < 6) {
    return [];
  }
  const own = rows.get(squashed(word));
  if (own) {
    return own;
  }
  const stem = word.replace(accessor, '');
  return stem === word ? [] : (rows.get(squashed(stem)) ?? []);
}

/** All names of the catalogue as a pattern, as they stand within texts: forms, JSON, filters. */
export const anyName = [...new Set([...rows.values()].flat().map(({ name }) => name))]
  .toSorted((one, other) => other.length - one.length)
  .join('|');

const resourceWords: readonly (readonly [RegExp, Resource])[] = [
  [/approvals?(?:config(?:uration)?|settings?)?$/, 'projectApprovals'],
  [/runners?(?:details?|options|request|response|params|info|dto|values|data|out|schema|entity|model)*$/, 'runner'],
  [
    /(?:mergerequests?|^mrs?|[a-z]mr)(?:details?|options|request|response|params|info|dto|values|data|out|schema|entity|model|listitem)*$/,
    'mergeRequest',
  ],
  [
    /(?:projects?|repo)(?:details?|options|request|response|params|info|dto|values|data|out|schema|entity|model|opts)*$/,
    'project',
  ],
  [/groups?(?:details?|options|request|response|params|info|dto|values|data|out|schema|entity|model|opts)*$/, 'group'],
  [/applicationsettings$/, 'applicationSettings'],
  [/users?(?:options|request|response|params|dto|schema|entity|model)*$/, 'user'],
];

/** The resource that a variable or type is about by its name, such as `runner`, `mrs` or `CreateProjectOptions`. */
export function resourceNamed(name: string): Resource | undefined {
  const plain = squashed(name);
  return plain.length > 60 ? undefined : resourceWords.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Names of the records of a resource, by which a record without any name is known. */
const shapes = new Map<Resource, { readonly names: ReadonlySet<string>; readonly needed: number }>(
  (
    [
      [
        'runner',
        3,
        [
          'runner_type',
          'is_shared',
          'contacted_at',
          'ip_address',
          'tag_list',
          'run_untagged',
          'maximum_timeout',
          'paused',
          'active',
          'online',
          'locked',
          'access_level',
          'architecture',
          'platform',
          'revision',
          'maintenance_note',
        ],
      ],
      [
        'mergeRequest',
        2,
        [
          'source_branch',
          'target_branch',
          'merge_when_pipeline_succeeds',
          'work_in_progress',
          'source_project_id',
          'target_project_id',
          'diff_refs',
          'merge_commit_sha',
          'should_remove_source_branch',
          'has_conflicts',
          'detailed_merge_status',
        ],
      ],
      [
        'project',
        2,
        [
          'path_with_namespace',
          'name_with_namespace',
          'http_url_to_repo',
          'ssh_url_to_repo',
          'visibility',
          'topics',
          'default_branch',
          'readme_url',
          'star_count',
          'forks_count',
          'issues_enabled',
          'snippets_enabled',
          'wiki_enabled',
          'lfs_enabled',
          'builds_access_level',
          'import_url',
          'public_builds',
          'shared_runners_enabled',
          'container_registry_enabled',
        ],
      ],
      [
        'group',
        2,
        [
          'full_path',
          'full_name',
          'parent_id',
          'request_access_enabled',
          'subgroup_creation_level',
          'project_creation_level',
          'share_with_group_lock',
          'require_two_factor_authentication',
        ],
      ],
      [
        'projectApprovals',
        1,
        [
          'reset_approvals_on_push',
          'disable_overriding_approvers_per_merge_request',
          'merge_requests_author_approval',
          'merge_requests_disable_committers_approval',
          'approvals_before_merge',
          'approvals_required',
          'approvals_left',
          'suggested_approvers',
        ],
      ],
    ] as const
  ).map(([resource, needed, names]) => [resource, { names: new Set(names.map(squashed)), needed }]),
);

/** The resources whose record a set of names is. A record of the manager of a runner, which is none, has a `system_id`. */
export function resourcesOfShape(names: ReadonlySet<string>): readonly Resource[] {
  return [...shapes].flatMap(([resource, shape]) => {
    const count = [...shape.names].filter((name) => names.has(name)).length;
    const isOther = resource === 'runner' && (names.has('systemid') || names.has('pathwithnamespace'));
    return count >= shape.needed && !isOther ? [resource] : [];
  });
}

/** Whether a name, squashed, helps to tell a record. */
export function isShapeName(name: string): boolean {
  return name === 'systemid' || [...shapes.values()].some(({ names }) => names.has(name));
}
