import type { ChangeId } from '../../../src/apiHints/catalogue.ts';

/** Programs around one announced change, by their language: `⟦…⟧` marks what is found; those without marks rely on nothing that changes. */
export const programs: readonly (readonly [change: ChangeId, language: string, ...programs: string[]])[] = [
  ['geoNodes', 'typescript', 'await fetch(`${host}/api/v4/⟦geo_nodes/${id}/status⟧`);'],
  [
    'mergedBy',
    'ruby',
    "mrs = JSON.parse(Net::HTTP.get(URI(\"#{base}/api/v4/merge_requests?state=merged\")))\nmrs.each { |mr| puts mr['⟦merged_by⟧']['name'] }",
    'class Branch < ApplicationRecord\n  belongs_to :merged_by\n  scope :recent, -> { includes(:merged_by) }\nend',
  ],
  [
    'mergedBy',
    'go',
    'type MergeRequest struct {\n\tSourceBranch string `json:"source_branch"`\n\tMergedBy *User `json:"⟦merged_by⟧"`\n}\nfunc get(id int) {\n\tresp, _ := http.Get(fmt.Sprintf("%s/api/v4/projects/%d/merge_requests", base, id))\n}',
    'type MergeRequest struct {\n\tMergedBy *User `json:"merged_by"`\n}\nfunc get() {\n\tresp, _ := http.Get("https://bitbucket.example.com/rest/pulls")\n}',
  ],
  [
    'mergeStatus',
    'java',
    'class A { void f() throws Exception {\nHttpRequest request = HttpRequest.newBuilder(URI.create(base + "/api/v4/projects/" + id + "/merge_requests/" + iid)).build();\nJsonNode mr = mapper.readTree(client.send(request, BodyHandlers.ofString()).body());\nreturn mr.get("⟦merge_status⟧").asText();\n} }',
  ],
  [
    'mergeStatus',
    'go',
    'type legacy struct {\n\tgitlab.MergeRequest\n\tMergeStatus string `json:"⟦merge_status⟧"`\n}\nfunc get(c *gitlab.Client) string {\n\tfound := &legacy{}\n\tc.Do(nil, found)\n\treturn found.⟦MergeStatus⟧\n}',
  ],
  [
    'approvers',
    'kotlin',
    '@SerialName("approvals_left")\n@Serializable\ndata class GitlabApproval(\n    @SerialName("approvals_left")\n    val approvalsLeft: Int,\n    val ⟦approvers⟧: List<User>,\n)\nval none = GitlabApproval(approvalsLeft = 0, approvers = listOf())',
  ],
  [
    'nullPrivateProfile',
    'typescript',
    "await fetch(`${host}/api/v4/users/${id}`, { method: 'PUT', body: JSON.stringify({ ⟦private_profile⟧: null }) });",
  ],
  [
    'nullPrivateProfile',
    'http',
    'PUT https://gitlab.example.com/api/v4/users/7\nContent-Type: application/json\n\n{ "⟦private_profile⟧": null }',
  ],
  [
    'mergeRequestChanges',
    'php',
    '<?php $diff = $client->get("$api/api/v4/⟦projects/{$id}/merge_requests/$iid/changes⟧");',
  ],
  [
    'managedLicenses',
    'csharp',
    'var licenses = await http.GetStringAsync($"{baseUrl}/api/v4/⟦projects/{projectId}/managed_licenses⟧/{licenseId}");',
  ],
  [
    'runnerActive',
    'python',
    'requests.put(f"{base}/api/v4/runners/{rid}", data={"⟦active⟧": False})',
    'r = requests.get(f"{base}/api/v4/runners/all")\nids = [x["id"] for x in r.json() if not x["⟦active⟧"]]',
  ],
  [
    'runnerActive',
    'javascript',
    "await fetch(`${api}/api/v4/runners/${id}`, { method: 'PUT', body: new URLSearchParams({ ⟦active⟧: 'false' }) });",
    'const runners = await (await fetch(`${api}/api/v4/projects/${id}/runners`)).json();\nconst idle = runners.filter((runner) => !runner.⟦active⟧);',
    'const runners = await (await fetch(`${api}/api/v4/runners`)).json();\nconst owner = await load(runners[0].id);\nif (owner.active) show(runners);',
  ],
  [
    'runnerStatus',
    'javascript',
    'await fetch(`${api}/api/v4/runners/all?⟦status⟧=paused`);',
    'await fetch(`${api}/api/v4/runners/all?status=online&paused=false`);',
  ],
  [
    'runnerIpAddress',
    'ruby',
    'runners = JSON.parse(RestClient.get("#{host}/api/v4/groups/#{group}/runners").body)\nrunners.each do |runner|\n  puts runner[\'⟦ip_address⟧\']\nend',
  ],
  [
    'runnerIpAddress',
    'powershell',
    '$runners = Invoke-RestMethod -Uri "$Url/api/v4/runners" -Headers $headers\nforeach ($runner in $runners) { Write-Host $runner.⟦ip_address⟧ }',
  ],
  [
    'runnerVersion',
    'csharp',
    'using var document = JsonDocument.Parse(await http.GetStringAsync($"{url}/api/v4/runners/{id}"));\nConsole.WriteLine(document.RootElement.GetProperty("⟦version⟧"));',
  ],
  [
    'defaultBranchProtection',
    'python',
    'payload = {"name": name, "⟦default_branch_protection⟧": 1}\nrequests.post(f"{url}/api/v4/groups", json=payload)',
  ],
  [
    'passwordToApprove',
    'http',
    'POST {{host}}/api/v4/projects/1/approvals\nContent-Type: application/json\n\n{"⟦require_password_to_approve⟧": true}',
  ],
  [
    'pullMirroring',
    'php',
    "<?php $client->request('PUT', \"$host/api/v4/projects/$id\", ['json' => ['⟦mirror⟧' => true, '⟦only_mirror_protected_branches⟧' => true]]);",
    "<?php $image = ['mirror' => true]; $client->request('GET', \"$host/api/v4/projects/$id\"); draw($image);",
  ],
  [
    'pullMirroring',
    'yaml',
    'mirror:\n  script:\n    - >\n      curl --request PUT --header "PRIVATE-TOKEN: $TOKEN"\n      --data "⟦mirror⟧=true" --data "⟦mirror_user_id⟧=3"\n      "$CI_API_V4_URL/projects/$ID"',
  ],
  [
    'restrictedVariables',
    'typescript',
    'await ky.put(`${url}/api/v4/projects/${id}`, { json: { ⟦restrict_user_defined_variables⟧: true } });',
  ],
  [
    'importNamespace',
    'python',
    'requests.post(f"{url}/api/v4/projects/remote-import", json={"url": archive, "path": "api", "⟦namespace⟧": 42})',
    'import gitlab\ngl = gitlab.Gitlab()\ngl.projects.import_project(data, path="api", ⟦namespace⟧="team")',
  ],
  [
    'importNamespace',
    'javascript',
    "const form = new FormData();\nform.append('path', 'api');\nform.append('⟦namespace⟧', 'team');\nawait fetch(`${url}/api/v4/projects/import`, { method: 'POST', body: form });",
  ],
  ['epics', 'shellscript', 'curl -s "$CI_API_V4_URL/groups/9/⟦epics⟧/4/issues"', 'glab api groups/:group/⟦epics⟧'],
  [
    'approvalsBeforeMerge',
    'python',
    'requests.put(f"{base}/api/v4/projects/{pid}", json={"⟦approvals_before_merge⟧": 2})',
  ],
  [
    'groupWithProjects',
    'javascript',
    'await fetch(`${host}/api/v4/groups/${id}?⟦with_projects⟧=false`);',
    'await fetch(`${host}/api/v4/groups/${id}?with_custom_attributes=false`);',
  ],
  [
    'groupProjects',
    'javascript',
    'const group = await (await fetch(`${host}/api/v4/groups/${id}`)).json();\nuse(group.⟦projects⟧.length);',
  ],
  [
    'markedForDeletion',
    'go',
    'type Project struct {\n\tPathWithNamespace string `json:"path_with_namespace"`\n\tMarkedForDeletionAt string `json:"⟦marked_for_deletion_at⟧"`\n}\nvar path = "/api/v4/projects/1"',
  ],
  ['projectTags', 'python', 'requests.put(f"{base}/api/v4/projects/{pid}", json={"⟦tag_list⟧": "a,b"})'],
  [
    'projectTags',
    'csharp',
    'using GitLabApiClient;\nclass Project {\n[JsonProperty("path_with_namespace")] public string Path { get; set; }\n[JsonProperty("⟦tag_list⟧")]\npublic List<string> Tags { get; set; }\n[JsonProperty("visibility")] public string V { get; set; }\n}',
  ],
];
