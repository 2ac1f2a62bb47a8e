/** Calls of the API in programs: paths and addresses, and the methods of known client libraries. */

import {
  allResources,
  announcedChanges,
  type ChangeId,
  endpointsOf,
  type Resource,
  normalizedName,
} from './catalogue.ts';

/** What a path of the API is about. */
export interface Endpoint {
  readonly resources: readonly Resource[];
  /** The change of the path itself, with the range within the text of the segment that is to change. */
  readonly change: { readonly id: ChangeId; readonly start: number; readonly end: number } | undefined;
  /** Whether the text itself names API v4. */
  readonly namesApi: boolean;
  /** Whether it is a single word. */
  readonly isBare: boolean;
}

interface Shape {
  readonly resources: Resource[];
  /** The segment that says what it is about. */
  readonly at: number;
  change?: ChangeId;
}

/** Paths below `/api/v4`, in which `*` is a value and `**` whatever follows; those below projects and groups also without these. */
const shapes = new Map<string, Shape>();
const words = new Set<string>();
for (const [about, paths] of [
  ...Object.entries(endpointsOf),
  ...announcedChanges.map(({ id, subject }) => [id, subject.kind === 'endpoint' ? subject.paths : []] as const),
]) {
  for (const path of paths) {
    path.split('/').forEach((part) => words.add(part));
    const below = path.replace(/^(?:projects|groups)\/\*\/(?=(?:merge_requests|managed_licenses|epics)\/)/, '');
    for (const own of new Set([path, below])) {
      const at = own.split('/').findLastIndex((part) => !part.startsWith('*'));
      const shape = shapes.get(own) ?? { resources: [], at };
      shapes.set(own, shape);
      if (isResource(about)) {
        shape.resources.push(about);
      } else {
        shape.change = about as ChangeId;
      }
    }
  }
}
['*', '**'].forEach((part) => words.delete(part));

const mostSegments = 14;
const apiAt = /api[/_]v4\b["']?|CI_API_V4_URL\}?["']?/i;
/** What stands before a path: a host, a variable or a placeholder. */
const rooting = /[.:{}%<$\uE000]/;

/** Whether a text can be a path at all; costs little. */
export function mayBePath(text: string): boolean {
  return /(?:projects|groups|runners|users?|merge_requests|geo_nodes|application|epics|managed_licenses)(?:[/?\uE000]|$)/.test(
    text,
  );
}

/**
 * What a text is as a path or address of the API: `https://host/api/v4/runners?active=true`, `/projects/:id/merge_requests`.
 */
export function endpointOf(text: string): Endpoint | undefined {
  const api = apiAt.exec(text);
  const from = api ? api.index + api[0].length : 0;
  const segments = [...(/^[^?#&,;)]*/.exec(text.slice(from))?.[0] ?? '').matchAll(/[^/]+/g)].slice(0, mostSegments);
  for (const first of segments.keys()) {
    const before = segments[first - 1]?.[0];
    if (before !== undefined && !rooting.test(before)) {
      continue;
    }
    const parts = segments.slice(first).map(([part]) => (words.has(part) ? part : '*'));
    const known = shapeOf(parts);
    if (known) {
      const changing = segments[first + known.at];
      return {
        resources: known.resources,
        change:
          known.change && changing
            ? { id: known.change, start: from + changing.index, end: from + changing.index + changing[0].length }
            : undefined,
        namesApi: api !== null,
        isBare: parts.length === 1 && !/[/\uE000]/.test(text),
      };
    }
  }
  return undefined;
}

function shapeOf(parts: readonly string[]): Shape | undefined {
  const own = shapes.get(parts.join('/'));
  return (
    own ??
    parts
      .slice(0, -1)
      .map((_, at) => shapes.get(`${parts.slice(0, at + 1).join('/')}/**`))
      .find((shape) => shape)
  );
}

function isResource(about: string): about is Resource {
  return (allResources as readonly string[]).includes(about);
}

/** What a call of a client library is about. */
export interface ClientCall {
  readonly resources: readonly Resource[];
  readonly change: ChangeId | undefined;
}

/** A library that calls the API, by the names that its users write. */
export interface Client {
  readonly name: string;
  /** Matches a line of a source that uses the library. */
  readonly used: RegExp;
  /**
   * Calls as `receiver.method`, written as in any of the library's spellings; `*` stands for any name. Several methods are
   * separated by `|`.
   */
  readonly calls: readonly (readonly [call: string, about: Resource | ChangeId | readonly Resource[]])[];
}

const services: Client['calls'] = [
  ['MergeRequests.showChanges|changes|getMergeRequestChanges|merge_request_changes', 'mergeRequestChanges'],
  ['MergeRequests.show|all|create|edit|accept|merge|get|list|update', 'mergeRequest'],
  ['MergeRequests.GetMergeRequest|ListMergeRequests|ListProjectMergeRequests|ListGroupMergeRequests', 'mergeRequest'],
  ['Runners.all|allOwned|show|edit|create|register|add|get|list|update|remove', 'runner'],
  [
    'Runners.ListRunners|ListAllRunners|GetRunnerDetails|UpdateRunnerDetails|ListProjectRunners|ListGroupsRunners',
    'runner',
  ],
  ['Groups.show|GetGroup', ['group', 'groupDetails']],
  ['Groups.all|create|edit|get|list|update|ListGroups|CreateGroup|UpdateGroup', 'group'],
  ['Projects.show|all|create|edit|get|list|update|GetProject|ListProjects|CreateProject|EditProject', 'project'],
  ['Projects.import_project|remote_import|remote_import_s3', 'projectImportExport'],
  ['ProjectImportExports.import|importRemote|importRemoteS3|scheduleExport', 'projectImportExport'],
  ['ProjectImportExport.ImportFile|ImportFromFile|ScheduleExport', 'projectImportExport'],
  ['Approvals.get|update|showConfiguration|editConfiguration', 'projectApprovals'],
  ['MergeRequestApprovals.showConfiguration|editConfiguration|GetConfiguration', 'projectApprovals'],
  ['Projects.GetApprovalConfiguration|ChangeApprovalConfiguration', 'projectApprovals'],
  ['Epics.*', 'epics'],
  ['EpicIssues.*', 'epics'],
  ['EpicLinks.*', 'epics'],
  ['GroupsEpics.*', 'epics'],
  ['GeoNodes.*', 'geoNodes'],
  ['ApplicationSettings.show|edit|update', 'applicationSettings'],
  ['Settings.GetSettings|UpdateSettings', 'applicationSettings'],
  ['Users.create|edit|update|CreateUser|ModifyUser', 'user'],
];

/** To add one, name what its users import and, where they differ from the services above, its calls. */
export const knownClients: readonly Client[] = [
  {
    name: 'gitbeaker (JavaScript)',
    used: /@gitbeaker\/|from ['"](?:node-)?gitlab['"]|require\(['"](?:node-)?gitlab['"]\)/,
    calls: services,
  },
  {
    name: 'python-gitlab',
    used: /^[ \t]*(?:import gitlab\b|from gitlab\b)/m,
    calls: [
      ...services,
      ['mr.changes', 'mergeRequestChanges'],
      ['merge_request.changes', 'mergeRequestChanges'],
      ['runners_all.list', 'runner'],
    ],
  },
  { name: 'client-go', used: /xanzy\/go-gitlab|gitlab-org\/api\/client-go/, calls: services },
  {
    name: 'gitlab4j',
    used: /org\.gitlab4j\b/,
    calls: [
      ['*.getMergeRequestChanges', 'mergeRequestChanges'],
      ['*.getEpicsApi', 'epics'],
      ['*.getRunners|getAllRunners|getRunnerDetail|updateRunner|getProjectRunners|getGroupRunners', 'runner'],
      ['*.getGroup', ['group', 'groupDetails']],
      ['*.getApprovalsConfiguration|setApprovalsConfiguration|getApprovalsConfig', 'projectApprovals'],
    ],
  },
  {
    name: 'gitlab (Ruby)',
    used: /require ['"]gitlab['"]|\bGitlab\.(?:client|endpoint|configure|private_token|[a-z_]+[ (])|\bgitlab\.api\b/,
    calls: [
      ['*.merge_request_changes', 'mergeRequestChanges'],
      ['*.merge_request|merge_requests|create_merge_request|update_merge_request', 'mergeRequest'],
      ['*.epics|epic|create_epic|edit_epic|delete_epic|epic_issues', 'epics'],
      ['*.runners|all_runners|runner|update_runner|register_runner|project_runners|group_runners', 'runner'],
      ['*.group', ['group', 'groupDetails']],
      ['*.create_group|edit_group', 'group'],
      ['*.edit_application_settings|application_settings', 'applicationSettings'],
      ['*.project_merge_request_approvals|edit_project_merge_request_approvals', 'projectApprovals'],
      ['*.import_project_from_file|project_import', 'projectImportExport'],
    ],
  },
  { name: 'php-gitlab-api', used: /\bGitlab\\(?:Client|Api)\b|m4tthumphrey/, calls: services },
  {
    name: 'NGitLab (C#)',
    used: /\busing NGitLab\b/,
    calls: [['*.GetMergeRequestChanges', 'mergeRequestChanges'], ['Changes.*', 'mergeRequestChanges'], ...services],
  },
  { name: 'GitLabApiClient (C#)', used: /\busing GitLabApiClient\b/, calls: services },
  {
    name: 'gitlab (Rust)',
    used: /\buse gitlab::|\bgitlab::api\b/,
    calls: [['MergeRequestChanges.builder', 'mergeRequestChanges']],
  },
];

/** The calls of the clients that a source uses. */
export class ClientCalls {
  readonly #byCall = new Map<string, ClientCall>();

  constructor(clients: readonly Client[]) {
    for (const [call, about] of clients.flatMap(({ calls }) => calls)) {
      const [receiver = '', methods = ''] = call.split('.');
      const abouts = typeof about === 'string' ? [about] : about;
      const meaning = {
        resources: abouts.filter(isResource),
        change: abouts.find((id): id is ChangeId => !isResource(id)),
      };
      for (const method of methods.split('|')) {
        const key = `${normalizedName(receiver)}.${normalizedName(method)}`;
        if (!this.#byCall.has(key)) {
          this.#byCall.set(key, meaning);
        }
      }
    }
  }

  /** What `receiver.method(…)` is about. */
  meaningOf(receiver: string, method: string): ClientCall | undefined {
    const [own, called] = [normalizedName(receiver), normalizedName(method)];
    return this.#byCall.get(`${own}.${called}`) ?? this.#byCall.get(`*.${called}`) ?? this.#byCall.get(`${own}.*`);
  }
}
