/** Calls of the API in programs: paths and addresses, and the methods of known client libraries. */
import { announcedChanges, type ChangeId, endpointsOf, normalizedName, type Resource } from './catalogue.ts';
import { hole } from './code.ts';

/** What a call is about, and the change of the call itself. */
export interface Call {
  readonly of: readonly Resource[];
  readonly change?: ChangeId | undefined;
}

/** What a path of the API is about, and where in the text the segment stands that is to change. */
export interface Endpoint extends Call {
  readonly start: number;
  readonly end: number;
  /** Whether the text itself names API v4. */
  readonly namesApi: boolean;
  /** Whether it is a single word. */
  readonly isBare: boolean;
}

interface Shape {
  readonly of: Resource[];
  /** The segment that says what it is about. */
  readonly at: number;
  change?: ChangeId;
}

/** Paths in which `*` is a value and `**` whatever follows; those below projects and groups also without these. */
const shapes = new Map<string, Shape>();
for (const [about, paths] of [
  ...Object.entries(endpointsOf).map(([of, text]) => [of, text.split(/\s+/)] as const),
  ...announcedChanges.map(({ id, subject }) => [id, subject.kind === 'endpoint' ? subject.paths : []] as const),
]) {
  for (const path of paths) {
    const below = path.replace(/^(?:projects|groups)\/\*\/(?=(?:merge_requests|managed_licenses|epics)\/)/, '');
    for (const own of new Set([path, below])) {
      const at = own.split('/').findLastIndex((part) => !part.startsWith('*'));
      const shape = shapes.get(own) ?? { of: [], at };
      shapes.set(own, shape);
      if (about in endpointsOf) {
        shape.of.push(about as Resource);
      } else {
        shape.change = about as ChangeId;
      }
    }
  }
}
const words = new Set([...shapes.keys()].flatMap((path) => path.split('/')));

const apiAt = /api[/_]v4\b["']?|CI_API_V4_URL\}?["']?/i;
/** What stands before a path: a host, a variable or a placeholder. */
const rooting = new RegExp(`[.:{}%<$${hole}]`);

/** What a text is as a path or address of the API: `https://host/api/v4/runners?active=true`, `/projects/:id/merge_requests`. */
export function endpointOf(text: string): Endpoint | undefined {
  const api = apiAt.exec(text);
  const from = api ? api.index + api[0].length : 0;
  const segments = [...(/^[^?#&,;)]*/.exec(text.slice(from))?.[0] ?? '').matchAll(/[^/]+/g)].slice(0, 14);
  for (const first of segments.keys()) {
    const before = segments[first - 1]?.[0];
    if (before !== undefined && !rooting.test(before)) {
      continue;
    }
    const parts = segments.slice(first).map(([part]) => (words.has(part) ? part : '*'));
    const known =
      shapes.get(parts.join('/')) ??
      parts.map((_, at) => shapes.get(`${parts.slice(0, at + 1).join('/')}/**`)).find((shape) => shape);
    const segment = segments[first + (known?.at ?? 0)];
    if (known && segment) {
      const start = from + segment.index;
      const isBare = parts.length === 1 && !text.includes('/') && !text.includes(hole);
      return { ...known, start, end: start + segment[0].length, namesApi: api !== null, isBare };
    }
  }
  return undefined;
}

/** Calls of client libraries as `receiver.method|method`, by what they are about; `*` is any name. */
type ClientCalls = Readonly<Record<string, string>>;

/** The services of the packages of JavaScript, Python, Go and PHP, and of GitLabApiClient for C#. */
const services: ClientCalls = {
  mergeRequestChanges: `MergeRequests.showChanges|changes|getMergeRequestChanges|merge_request_changes mr.changes
    merge_request.changes`,
  mergeRequest: `MergeRequests.show|all|create|edit|accept|merge|get|list|update|GetMergeRequest|ListMergeRequests
    MergeRequests.ListProjectMergeRequests|ListGroupMergeRequests|CreateMergeRequest|UpdateMergeRequest|AcceptMergeRequest`,
  runner: `Runners.all|allOwned|show|edit|create|register|add|get|list|update|remove|ListRunners|ListAllRunners
    Runners.GetRunnerDetails|UpdateRunnerDetails|ListProjectRunners|ListGroupsRunners|RegisterNewRunner runners_all.list`,
  'group groupDetails': 'Groups.show|GetGroup|get',
  group: 'Groups.all|create|edit|list|update|ListGroups|CreateGroup|UpdateGroup',
  project: `Projects.show|all|create|edit|get|list|update|GetProject|ListProjects|CreateProject|EditProject
    Groups.ListGroupProjects|allProjects|projects`,
  projectImportExport: `Projects.import_project|remote_import|remote_import_s3 ProjectImportExport.ImportFile|ImportFromFile
    ProjectImportExports.import|importRemote|importRemoteS3|scheduleExport ProjectImportExport.ScheduleExport`,
  projectApprovals: `Approvals.get|update|showConfiguration|editConfiguration
    MergeRequestApprovals.showConfiguration|editConfiguration|GetConfiguration
    Projects.GetApprovalConfiguration|ChangeApprovalConfiguration`,
  epics: 'Epics.* EpicIssues.* EpicLinks.* GroupsEpics.*',
  geoNodes: 'GeoNodes.*',
  applicationSettings: 'ApplicationSettings.show|edit|update Settings.GetSettings|UpdateSettings',
  user: 'Users.create|edit|update|CreateUser|ModifyUser',
};

/** The known clients: what their users write, and their calls. */
const clients: readonly (readonly [used: RegExp, calls: ClientCalls])[] = [
  [
    /@gitbeaker\/|['"](?:node-)?gitlab['"]|xanzy\/go-gitlab|gitlab-org\/api\/client-go|\bGitlab\\(?:Client|Api)\b|\busing GitLabApiClient\b|^[ \t]*(?:import|from) gitlab\b/m,
    services,
  ],
  [
    /org\.gitlab4j\b/,
    {
      mergeRequestChanges: '*.getMergeRequestChanges',
      mergeRequest: '*.getMergeRequest|getMergeRequests|createMergeRequest|updateMergeRequest|acceptMergeRequest',
      epics: '*.getEpicsApi',
      runner: '*.getRunners|getAllRunners|getRunnerDetail|updateRunner|getProjectRunners|getGroupRunners',
      'group groupDetails': '*.getGroup',
      project: '*.getProject|getProjects|createProject|updateProject',
      projectApprovals: '*.getApprovalsConfiguration|setApprovalsConfiguration|getApprovalsConfig',
    },
  ],
  [
    /require ['"]gitlab['"]|\bGitlab\.(?:client|endpoint|configure|private_token|[a-z_]{1,60}[ (])|\bgitlab\.api\b/,
    {
      mergeRequestChanges: '*.merge_request_changes',
      mergeRequest: '*.merge_request|merge_requests|create_merge_request|update_merge_request',
      epics: '*.epics|epic|create_epic|edit_epic|delete_epic|epic_issues',
      runner: '*.runners|all_runners|runner|update_runner|register_runner|project_runners|group_runners',
      'group groupDetails': '*.group',
      group: '*.create_group|edit_group',
      project: '*.project|projects|create_project|edit_project',
      applicationSettings: '*.edit_application_settings|application_settings',
      projectApprovals: '*.project_merge_request_approvals|edit_project_merge_request_approvals',
      projectImportExport: '*.import_project_from_file|project_import',
    },
  ],
  [/\busing NGitLab\b/, { ...services, mergeRequestChanges: '*.GetMergeRequestChanges Changes.*' }],
  [/\buse gitlab::|\bgitlab::api\b/, { mergeRequestChanges: 'MergeRequestChanges.builder' }],
];

/** The calls of the clients that a source uses; undefined if it uses none. */
export function clientCallsOf(source: string): ((receiver: string, method: string) => Call | undefined) | undefined {
  const used = clients.filter(([pattern]) => pattern.test(source));
  const known = new Map<string, Call>();
  for (const [about, text] of used.flatMap(([, calls]) => Object.entries(calls))) {
    const abouts = about.split(' ');
    const isChange = !((abouts[0] as string) in endpointsOf);
    const call = isChange ? { of: [], change: about as ChangeId } : { of: abouts as Resource[] };
    for (const part of text.split(/\s+/)) {
      const [receiver = '', methods = ''] = part.split('.');
      for (const method of methods.split('|')) {
        known.set(`${normalizedName(receiver)}.${normalizedName(method)}`, call);
      }
    }
  }
  if (used.length === 0) {
    return undefined;
  }
  return (receiver, method) => {
    const [own, called] = [normalizedName(receiver), normalizedName(method)];
    return known.get(`${own}.${called}`) ?? known.get(`*.${called}`) ?? known.get(`${own}.*`);
  };
}
