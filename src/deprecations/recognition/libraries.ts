import type { ChangeId, Resource } from '../catalogue.ts';

/** A call of a well-known client library that says by its name which resource it is about. */
export interface LibraryCall {
  readonly resource: Resource | undefined;
  readonly change: ChangeId | undefined;
}

interface Rule {
  /** Matches the last two names of a call, such as `MergeRequests.show`. */
  readonly call: RegExp;
  readonly resource?: Resource;
  readonly change?: ChangeId;
}

interface Library {
  /** Matches the source of a program that uses the library. */
  readonly used: RegExp;
  readonly calls: readonly Rule[];
}

const libraries: readonly Library[] = [
  {
    // python-gitlab
    used: /^\s*(?:import gitlab\b|from gitlab\b)/m,
    calls: [
      { call: /^geonodes\.\w+$/, change: 'geoNodes' },
      { call: /^mergerequests\.(?:get|list|create)$/, resource: 'mergeRequest' },
      { call: /^(?:mr|merge_request)\.changes$/, resource: 'mergeRequest', change: 'mergeRequestChanges' },
      { call: /^runners(?:_all)?\.(?:get|list|all|update)$/, resource: 'runner' },
      { call: /^approvals\.(?:get|update)$/, resource: 'projectApprovals' },
      { call: /^projects\.(?:import_project|remote_import|remote_import_s3)$/, resource: 'projectImportExport' },
      { call: /^projects\.(?:get|list|create|update)$/, resource: 'project' },
      { call: /^groups\.(?:get|list|create|update)$/, resource: 'group' },
      { call: /^settings\.(?:get|update)$/, resource: 'applicationSettings' },
      { call: /^users\.(?:get|list|create|update)$/, resource: 'user' },
    ],
  },
  {
    // gitbeaker
    used: /@gitbeaker\//,
    calls: [
      { call: /^GeoNodes\.\w+$/, change: 'geoNodes' },
      { call: /^MergeRequests\.(?:showChanges|changes)$/, resource: 'mergeRequest', change: 'mergeRequestChanges' },
      { call: /^MergeRequests\.(?:all|show|create|edit|merge|accept)$/, resource: 'mergeRequest' },
      { call: /^Runners\.(?:all|allRunners|show|edit|enable)$/, resource: 'runner' },
      { call: /^MergeRequestApprovals\.(?:showConfiguration|editConfiguration)$/, resource: 'projectApprovals' },
      { call: /^Projects\.(?:all|show|create|edit)$/, resource: 'project' },
      { call: /^(?:ProjectImportExports?|ProjectImportExport)\.\w+$/, resource: 'projectImportExport' },
      { call: /^Groups\.(?:all|show|create|edit)$/, resource: 'group' },
      { call: /^ApplicationSettings\.(?:show|edit)$/, resource: 'applicationSettings' },
      { call: /^Users\.(?:all|show|create|edit)$/, resource: 'user' },
    ],
  },
  {
    // the Go client
    used: /"(?:github\.com\/xanzy\/go-gitlab|gitlab\.com\/gitlab-org\/api\/client-go)/,
    calls: [
      { call: /^GeoNodes\.\w+$/, change: 'geoNodes' },
      { call: /^ManagedLicenses\.\w+$/, change: 'managedLicenses' },
      { call: /^MergeRequests\.GetMergeRequestChanges$/, resource: 'mergeRequest', change: 'mergeRequestChanges' },
      {
        call: /^MergeRequests\.(?:GetMergeRequest|List(?:Project|Group)?MergeRequests|(?:Create|Update|Accept)MergeRequest)$/,
        resource: 'mergeRequest',
      },
      { call: /^Runners\.(?:List\w*Runners|GetRunnerDetails|UpdateRunnerDetails)$/, resource: 'runner' },
      { call: /^Projects\.(?:Get|Change)(?:Project)?ApprovalConfiguration$/, resource: 'projectApprovals' },
      { call: /^Projects\.(?:Get|List|Create|Edit)\w*Projects?$/, resource: 'project' },
      { call: /^ProjectImportExport\.\w+$/, resource: 'projectImportExport' },
      { call: /^Groups\.(?:Get|List|Create|Update)\w*Groups?$/, resource: 'group' },
      { call: /^Settings\.(?:Get|Update)Settings$/, resource: 'applicationSettings' },
      { call: /^Users\.(?:Get|List|Create|Modify)\w*Users?$/, resource: 'user' },
    ],
  },
  {
    // the Ruby gem
    used: /\brequire ['"]gitlab['"]|\bgem ['"]gitlab['"]|\bGitlab\.(?:client|configure|endpoint)\b/,
    calls: [
      { call: /\.merge_request_changes$/, resource: 'mergeRequest', change: 'mergeRequestChanges' },
      {
        call: /\.(?:merge_requests?|user_merge_requests|create_merge_request|accept_merge_request)$/,
        resource: 'mergeRequest',
      },
      { call: /\.(?:runners|all_runners|runner|update_runner|project_runners|group_runners)$/, resource: 'runner' },
      {
        call: /\.(?:project_merge_request_approvals|edit_project_merge_request_approvals)$/,
        resource: 'projectApprovals',
      },
      { call: /^(?:Gitlab|gitlab|client|gl)\.(?:project|projects|create_project|edit_project)$/, resource: 'project' },
      { call: /\.(?:import_project_file|project_import)$/, resource: 'projectImportExport' },
      { call: /^(?:Gitlab|gitlab|client|gl)\.(?:group|groups|create_group|edit_group)$/, resource: 'group' },
      { call: /\.(?:application_settings|edit_application_settings)$/, resource: 'applicationSettings' },
      { call: /^(?:Gitlab|gitlab|client|gl)\.(?:create_user|edit_user)$/, resource: 'user' },
    ],
  },
];

/** What the calls of the libraries that a program uses are about; undefined if it uses none. */
export function libraryCalls(source: string): ((call: string) => LibraryCall | undefined) | undefined {
  const used = libraries.filter((library) => library.used.test(source));
  if (used.length === 0) {
    return undefined;
  }
  const rules = used.flatMap(({ calls }) => calls);
  return (call) => {
    const rule = rules.find((candidate) => candidate.call.test(call));
    return rule && { resource: rule.resource, change: rule.change };
  };
}
