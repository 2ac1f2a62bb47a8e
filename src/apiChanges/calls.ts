/** Calls of the API in programs: paths and addresses, and the methods of known client libraries. */

import { allResources, announcedChanges, type ChangeId, endpointsOf, type Resource, squashed } from './catalogue.ts';
import { nothing, unknown } from './tokenizer.ts';

/** What a path of the API is about. */
export interface Endpoint {
  readonly resources: readonly Resource[];
  /** The change of the path itself, with the range within the text of the segment that is to change. */
  readonly change: { readonly id: ChangeId; readonly start: number; readonly end: number } | undefined;
  /** Whether the text itself names API v4. */
  readonly namesApi: boolean;
  /** Whether the path can be nothing but one of this API. */
  readonly isDistinctive: boolean;
}

interface Template {
  readonly parts: readonly string[];
  readonly resource: Resource | undefined;
  readonly change: ChangeId | undefined;
}

const templates: readonly Template[] = [
  ...announcedChanges.flatMap(({ id, subject }) =>
    subject.kind === 'endpoint'
      ? subject.paths.map((path) => ({ parts: path.split('/'), resource: undefined, change: id }))
      : [],
  ),
  ...Object.entries(endpointsOf).flatMap(([resource, paths]) =>
    paths.map((path) => ({ parts: path.split('/'), resource: resource as Resource, change: undefined })),
  ),
];
/** Templates by the first of their parts that a path begins with; those of projects and groups also without these. */
const templatesByRoot = new Map<string, Template[]>();
for (const template of templates) {
  const below = template.parts.slice(2);
  add(template.parts[0] ?? '', template);
  if (template.parts[1] === '*' && /^(?:merge_requests|managed_licenses|epics|runners)$/.test(below[0] ?? '')) {
    add(below[0] ?? '', { ...template, parts: below });
  }
}
function add(root: string, template: Template): void {
  templatesByRoot.set(root, [...(templatesByRoot.get(root) ?? []), template]);
}

const mostSegments = 14;
/** Texts of more characters are documents, in which paths are looked for line by line. */
const apiAt = /api[/_]v4\b["'\uE001]?|CI_API_V4_URL\}?/i;
const telling =
  /^(?:merge_requests|geo_nodes|managed_licenses|epics|approvals|merge_request_approval_settings?|runners)$/;
/** Segments of paths that have the form of a resource's and are none. */
const reserved = /^(?:reset_\w+|verify|managers)$/;

/** Whether a text can be a path at all; costs little. */
export function mayBePath(text: string): boolean {
  return /(?:projects|groups|runners|users?|merge_requests|geo_nodes|application|epics|managed_licenses)(?:[/?"'\uE000\uE001]|$)/.test(
    text,
  );
}

/**
 * What a text is as a path or address of the API: `https://host/api/v4/runners?active=true`, `/projects/:id/merge_requests`,
 * `GET /runners/all`.
 */
export function endpointOf(text: string): Endpoint | undefined {
  const api = apiAt.exec(text);
  const from = api ? api.index + api[0].length : 0;
  const query = text.slice(from).search(/[?#\s&,;)]/);
  const method = /^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+/.exec(text.slice(from))?.[0].length ?? 0;
  const begin = from + method;
  const after = method > 0 ? text.slice(begin).search(/[?#\s]/) : query - method;
  const end = after < 0 ? text.length : begin + after;
  const segments: { readonly text: string; readonly start: number; readonly end: number }[] = [];
  for (let at = begin; at <= end && segments.length < mostSegments;) {
    const slash = text.indexOf('/', at);
    const stop = slash === -1 || slash > end ? end : slash;
    const part = text.slice(at, stop).replaceAll(nothing, '');
    if (part !== '') {
      const lead = text.startsWith(nothing, at) ? 1 : 0;
      const tail = text.slice(at, stop).endsWith(nothing) ? 1 : 0;
      segments.push({ text: part, start: at + lead, end: stop - tail });
    }
    at = stop + 1;
  }
  for (let first = 0; first < segments.length; first += 1) {
    const root = segments[first]?.text ?? '';
    const own = templatesByRoot.get(root);
    const before = segments[first - 1]?.text;
    const isRooted = before === undefined || api !== null || before.includes(unknown) || /[.:{}%<]/.test(before);
    if (!own || !isRooted || (first > 1 && api !== null && !/^(?:merge_requests|epics|managed_licenses)$/.test(root))) {
      continue;
    }
    const path = segments.slice(first);
    const isAlone =
      path.length === 1 && first === 0 && api === null && /^(?:merge_requests|managed_licenses|epics)$/.test(root);
    const fitting = isAlone
      ? []
      : own.filter(({ parts }) =>
          fits(
            parts,
            path.map((segment) => segment.text),
          ),
        );
    if (fitting.length === 0 || reserved.test(path[1]?.text ?? '') || reserved.test(path[2]?.text ?? '')) {
      continue;
    }
    const changing = fitting.find(({ change }) => change !== undefined);
    const key = changing ? changing.parts.findLastIndex((part) => !part.startsWith('*')) : -1;
    const segment = path[key];
    return {
      resources: fitting.flatMap(({ resource }) => resource ?? []),
      change:
        changing?.change === undefined || !segment
          ? undefined
          : { id: changing.change, start: segment.start, end: segment.end },
      namesApi: api !== null,
      isDistinctive: path.some((part) => telling.test(part.text)) && path.length > 1,
    };
  }
  return undefined;
}

function fits(parts: readonly string[], path: readonly string[]): boolean {
  if (parts.at(-1) === '**' ? path.length < parts.length : path.length !== parts.length) {
    return false;
  }
  return parts.every((part, index) =>
    part === '**' ? true : part === '*' ? isValue(path[index] ?? '') : part === path[index],
  );
}

/** Whether a segment can stand for a value, rather than being a word of the path. */
function isValue(segment: string): boolean {
  return segment.includes(unknown) || !/^(?:all|import|export|user|shared|merge_requests|issues)$/.test(segment);
}

/** What a call of a client library is about. */
export interface ClientCall {
  readonly resources: readonly Resource[];
  readonly change: ChangeId | undefined;
}

/** A library that calls the API, by the names that its users write. */
interface Client {
  readonly name: string;
  /** Matches a source that uses the library. */
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

/** Known clients. To add one, name what its users import and, where they differ from the services above, its calls. */
const clients: readonly Client[] = [
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

/** The clients that a source uses, as a look-up of their calls; undefined if it uses none. */
export function clientsOf(source: string): ClientCalls | undefined {
  const used = clients.filter((client) => client.used.test(source));
  return used.length === 0 ? undefined : new ClientCalls(used.flatMap(({ calls }) => calls));
}

const resourceNames: ReadonlySet<string> = new Set(allResources);

/** The calls of the clients that a source uses. */
export class ClientCalls {
  readonly #byCall = new Map<string, ClientCall>();

  constructor(calls: Client['calls']) {
    for (const [call, about] of calls) {
      const [receiver = '', methods = ''] = call.split('.');
      const isResource = typeof about !== 'string' || resourceNames.has(about);
      const meaning: ClientCall = {
        resources: typeof about === 'string' ? (isResource ? [about as Resource] : []) : about,
        change: isResource ? undefined : (about as ChangeId),
      };
      for (const method of methods.split('|')) {
        const key = `${squashed(receiver)}.${squashed(method)}`;
        if (!this.#byCall.has(key)) {
          this.#byCall.set(key, meaning);
        }
      }
    }
  }

  /** What `receiver.method(…)` is about. */
  meaningOf(receiver: string, method: string): ClientCall | undefined {
    const [own, called] = [squashed(receiver), squashed(method)];
    return this.#byCall.get(`${own}.${called}`) ?? this.#byCall.get(`*.${called}`) ?? this.#byCall.get(`${own}.*`);
  }
}
