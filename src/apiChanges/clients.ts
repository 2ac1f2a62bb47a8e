import { allResources, type ChangeId, type Resource, squashed } from './catalogue.ts';

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
