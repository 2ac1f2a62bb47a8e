import type { ChangeId } from '../../../src/apiChanges/catalogue.ts';

/** Programs of one language around one announced change; `⟦…⟧` marks what is found. */
export interface Row {
  readonly change: ChangeId;
  readonly language: string;
  readonly positive: readonly string[];
  /** Programs that look alike and rely on nothing that changes. */
  readonly negative: readonly string[];
}

/** Every announced change in at least three languages. */
export const rows: readonly Row[] = [
  {
    change: 'geoNodes',
    language: 'typescript',
    positive: [
      'await fetch(`${host}/api/v4/⟦geo_nodes/${id}/status⟧`);',
      "const api = 'https://gitlab.example.com/api/v4';\nawait got(api + '/⟦geo_nodes⟧');",
    ],
    negative: [
      'await fetch(`${host}/api/v4/geo_sites/${id}/status`);',
      '// GET /api/v4/geo_nodes is gone\nconst geo_nodes = await sites();',
    ],
  },
  {
    change: 'geoNodes',
    language: 'python',
    positive: ['requests.get(f"{base}/api/v4/⟦geo_nodes/{node}/failures⟧", headers=h)'],
    negative: [
      'def status():\n    """Was GET /api/v4/geo_nodes/status."""\n    return requests.get(f"{base}/api/v4/geo_sites/status")',
      'geo_nodes = {"geo_nodes": load("geo_nodes.yml")}',
    ],
  },
  {
    change: 'geoNodes',
    language: 'shellscript',
    positive: [
      'curl --header "PRIVATE-TOKEN: $TOKEN" "https://primary.example.com/api/v4/⟦geo_nodes/2/repair⟧" -X POST',
    ],
    negative: ['# curl https://primary.example.com/api/v4/geo_nodes', 'cat /etc/gitlab/geo_nodes/primary.yml'],
  },
  {
    change: 'mergedBy',
    language: 'javascript',
    positive: [
      'const mr = await (await fetch(`${CI_API_V4_URL}/projects/${id}/merge_requests/${iid}`)).json();\nsay(mr.⟦merged_by⟧.name);',
      'const { data } = await axios.get(`/api/v4/groups/${id}/merge_requests`);\nfor (const { title, ⟦merged_by⟧: by } of data) report(title, by);',
    ],
    negative: [
      "const pull = await (await fetch('https://api.github.com/repos/o/r/pulls/1')).json();\nsay(pull.merged_by.login);",
      'const mr = await (await fetch(`${base}/api/v4/projects/1/merge_requests/2`)).json();\nconst pull = cache.get("pull");\nsay(mr.merge_user.name, pull.merged_by);',
    ],
  },
  {
    change: 'mergedBy',
    language: 'ruby',
    positive: [
      "mrs = JSON.parse(Net::HTTP.get(URI(\"#{base}/api/v4/merge_requests?state=merged\")))\nmrs.each { |mr| puts mr['⟦merged_by⟧']['name'] }",
    ],
    negative: [
      "mrs = JSON.parse(Net::HTTP.get(URI(\"#{base}/api/v4/merge_requests\")))\nmrs.each { |mr| puts mr['merge_user']['name'] }",
      'class Branch < ApplicationRecord\n  belongs_to :merged_by\n  scope :recent, -> { includes(:merged_by) }\nend',
    ],
  },
  {
    change: 'mergedBy',
    language: 'go',
    positive: [
      'type MergeRequest struct {\n\tSourceBranch string `json:"source_branch"`\n\tMergedBy *User `json:"⟦merged_by⟧"`\n}\nfunc get(id int) {\n\tresp, _ := http.Get(fmt.Sprintf("%s/api/v4/projects/%d/merge_requests", base, id))\n}',
    ],
    negative: [
      'type PullRequest struct {\n\tMergedBy *User `json:"merged_by"`\n}\nfunc get(id int) {\n\tresp, _ := http.Get(fmt.Sprintf("%s/api/v4/projects/%d/merge_requests", base, id))\n}',
      'type MergeRequest struct {\n\tMergedBy *User `json:"merged_by"`\n}\nfunc get() {\n\tresp, _ := http.Get("https://bitbucket.example.com/rest/pulls")\n}',
    ],
  },
  {
    change: 'mergeStatus',
    language: 'perl',
    positive: [
      'my $mr = decode_json($ua->get("$base/api/v4/projects/1/merge_requests/$iid")->content);\nprint $mr->{⟦merge_status⟧}, $mr->{\'⟦merge_status⟧\'};',
    ],
    negative: [
      'my $mr = decode_json($ua->get("$base/api/v4/projects/1/merge_requests/$iid")->content);\nprint $mr->{detailed_merge_status}, merge_status();',
      'my $issues = decode_json($ua->get("$base/api/v4/projects/1/issues")->content);\nprint $job->{status}, { merge_status };',
    ],
  },
  {
    change: 'mergeStatus',
    language: 'python',
    positive: [
      'mr = requests.get(f"{api}/api/v4/projects/{pid}/merge_requests/{iid}").json()\nwhile mr["⟦merge_status⟧"] == "checking":\n    wait()',
      'import gitlab\ngl = gitlab.Gitlab()\nmr = gl.projects.get(1).mergerequests.get(2)\nprint(mr.⟦merge_status⟧)',
    ],
    negative: [
      'mr = requests.get(f"{api}/api/v4/projects/{pid}/merge_requests/{iid}").json()\nwhile mr["detailed_merge_status"] == "checking":\n    merge_status = "waiting"',
      'issues = requests.get(f"{api}/api/v4/projects/{pid}/issues").json()\nrow = db.one("select merge_status from jobs")\nprint(row["merge_status"])',
    ],
  },
  {
    change: 'mergeStatus',
    language: 'shellscript',
    positive: [
      'STATUS=$(curl -s "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$IID" | jq -r .⟦merge_status⟧)',
      'curl -s "$API/api/v4/merge_requests" > mrs.json\njq \'.[] | select(.⟦merge_status⟧ == "can_be_merged") | .iid\' mrs.json',
    ],
    negative: [
      'STATUS=$(curl -s "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$IID" | jq -r .detailed_merge_status)',
      'merge_status=$(git merge --no-commit "$BRANCH" && echo clean)\necho "$merge_status"',
    ],
  },
  {
    change: 'mergeStatus',
    language: 'java',
    positive: [
      'class A { void f() throws Exception {\nHttpRequest request = HttpRequest.newBuilder(URI.create(base + "/api/v4/projects/" + id + "/merge_requests/" + iid)).build();\nJsonNode mr = mapper.readTree(client.send(request, BodyHandlers.ofString()).body());\nreturn mr.get("⟦merge_status⟧").asText();\n} }',
    ],
    negative: [
      'class A { String f(ResultSet rows) throws Exception {\n// mr.get("merge_status") of /api/v4/merge_requests\nreturn rows.getString("merge_status");\n} }',
      'class A { void f() throws Exception {\nString url = base + "/api/v4/projects/" + id + "/merge_requests";\nJsonNode mrs = mapper.readTree(get(url));\nJsonNode build = jenkins.lastBuild();\nreturn build.get("merge_status").asText();\n} }',
    ],
  },
  {
    change: 'nullPrivateProfile',
    language: 'typescript',
    positive: [
      "await fetch(`${host}/api/v4/users/${id}`, { method: 'PUT', body: JSON.stringify({ ⟦private_profile⟧: null }) });",
      "const body = { name, ⟦private_profile⟧: null };\nawait axios.post('https://gitlab.example.com/api/v4/users', body);",
    ],
    negative: [
      "await fetch(`${host}/api/v4/users/${id}`, { method: 'PUT', body: JSON.stringify({ private_profile: false }) });",
      'await fetch(`${host}/api/v4/users/${id}`);\nconst defaults = { private_profile: null };',
    ],
  },
  {
    change: 'nullPrivateProfile',
    language: 'python',
    positive: ['requests.post(f"{base}/api/v4/users", json={"email": mail, "⟦private_profile⟧": None})'],
    negative: [
      'requests.post(f"{base}/api/v4/users", json={"email": mail, "private_profile": True, "note": None})',
      'User.objects.create(private_profile=None)\nrequests.get(f"{base}/api/v4/users")',
    ],
  },
  {
    change: 'nullPrivateProfile',
    language: 'http',
    positive: [
      'PUT https://gitlab.example.com/api/v4/users/7\nContent-Type: application/json\n\n{ "⟦private_profile⟧": null }',
    ],
    negative: [
      'PUT https://gitlab.example.com/api/v4/users/7\nContent-Type: application/json\n\n{ "private_profile": true, "bio": null }',
      'PUT https://people.example.com/users/7\nContent-Type: application/json\n\n{ "private_profile": null }',
    ],
  },
  {
    change: 'mergeRequestChanges',
    language: 'javascript',
    positive: [
      'const { changes } = await gitlab.get(`/api/v4/⟦projects/${encodeURIComponent(path)}/merge_requests/${iid}/changes⟧`);',
      "const url = API_V4 + '/⟦projects/' + id + '/merge_requests/' + iid + '/changes⟧?unidiff=true';\nrequest(url);",
    ],
    negative: [
      'const diffs = await gitlab.get(`/api/v4/projects/${id}/merge_requests/${iid}/diffs`);',
      "const log = await gerrit.get('/projects/' + id + '/changes');\nsee('/api/v4/projects/1/merge_requests/1/versions');",
    ],
  },
  {
    change: 'mergeRequestChanges',
    language: 'php',
    positive: ['<?php $diff = $client->get("$api/api/v4/⟦projects/{$id}/merge_requests/$iid/changes⟧");'],
    negative: [
      '<?php $diff = $client->get("$api/api/v4/projects/{$id}/merge_requests/$iid/diffs"); # not /changes',
      "<?php Route::get('/projects/{id}/merge_requests/{iid}/changes', [Mirror::class, 'show']);",
    ],
  },
  {
    change: 'mergeRequestChanges',
    language: 'yaml',
    positive: [
      'diff:\n  script:\n    - curl --header "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/⟦projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/changes⟧" -o changes.json',
    ],
    negative: [
      'diff:\n  rules:\n    - changes: ["src/**"]\n  script:\n    - curl "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/diffs"',
      'diff:\n  # - curl "$CI_API_V4_URL/projects/1/merge_requests/2/changes"\n  script: git diff',
    ],
  },
  {
    change: 'managedLicenses',
    language: 'ruby',
    positive: ['HTTParty.get("#{endpoint}/api/v4/⟦projects/#{project_id}/managed_licenses⟧", headers: headers)'],
    negative: [
      'HTTParty.get("#{endpoint}/api/v4/projects/#{project_id}/license_approval_policies")',
      'managed_licenses = License.where(managed: true)\nrender json: managed_licenses',
    ],
  },
  {
    change: 'managedLicenses',
    language: 'csharp',
    positive: [
      'var licenses = await http.GetStringAsync($"{baseUrl}/api/v4/⟦projects/{projectId}/managed_licenses⟧/{licenseId}");',
    ],
    negative: [
      'var licenses = await http.GetStringAsync($"{baseUrl}/api/v4/projects/{projectId}/licenses");',
      'var file = Path.Combine(root, "managed_licenses", "licenses.json"); /* api/v4/projects/1/managed_licenses */',
    ],
  },
  {
    change: 'managedLicenses',
    language: 'go',
    positive: [
      'resp, err := http.Get(fmt.Sprintf("%s/api/v4/⟦projects/%s/managed_licenses⟧", host, url.PathEscape(path)))',
    ],
    negative: [
      '// GET /api/v4/projects/1/managed_licenses\nresp, err := http.Get(host + "/api/v4/projects")',
      'resp, err := http.Get("https://licenses.example.com/projects/1/managed_licenses")',
    ],
  },
  {
    change: 'approvers',
    language: 'python',
    positive: [
      'config = requests.get(f"{url}/api/v4/projects/{pid}/approvals").json()\nnames = [a["user"]["name"] for a in config["⟦approvers⟧"]] + config.get("⟦approval_groups⟧", [])',
    ],
    negative: [
      'rules = requests.get(f"{url}/api/v4/projects/{pid}/approval_rules").json()\nfor rule in rules:\n    print(rule["eligible_approvers"])',
      'config = requests.get(f"{url}/api/v4/projects/{pid}/approvals").json()\nteam = yaml.safe_load(open("team.yml"))\nprint(team["approvers"], config["approvals_before_merge"])',
    ],
  },
  {
    change: 'approvers',
    language: 'typescript',
    positive: [
      'const response = await fetch(`${base}/api/v4/projects/${id}/approvals`);\nconst { ⟦approvers⟧, approvals_before_merge } = await response.json();',
    ],
    negative: [
      'const response = await fetch(`${base}/api/v4/projects/${id}/merge_requests/${iid}/approvals`);\nconst { approved_by } = await response.json();\nconst approvers = approved_by.length;',
      "const workflow = load('workflow.json');\nfor (const approver of workflow.approvers) notify(approver);",
    ],
  },
  {
    change: 'approvers',
    language: 'shellscript',
    positive: ['curl -s "$CI_API_V4_URL/projects/42/approvals" | jq \'.⟦approvers⟧ | length\''],
    negative: [
      'curl -s "$CI_API_V4_URL/projects/42/approval_rules" | jq \'.[].approvers\'',
      "jq '.approvers' OWNERS.json",
    ],
  },
  {
    change: 'runnerActive',
    language: 'python',
    positive: [
      'requests.put(f"{base}/api/v4/runners/{rid}", data={"⟦active⟧": False})',
      'for runner in requests.get(f"{base}/api/v4/runners/all").json():\n    if not runner["⟦active⟧"]:\n        print(runner["id"])',
      'r = requests.get(f"{base}/api/v4/runners/all")\nids = [x["id"] for x in r.json() if not x["⟦active⟧"]]',
    ],
    negative: [
      'requests.put(f"{base}/api/v4/runners/{rid}", data={"paused": True})\nsession.active = True',
      'runners = requests.get(f"{base}/api/v4/runners").json()\nusers = requests.get(f"{base}/api/v4/users").json()\nprint([u for u in users if u["active"]], len(runners))',
      'for x in requests.get(f"{base}/api/v4/runners").json():\n    print(x["id"])\nfor x in load_users():\n    print(x["active"])',
      'send(user, url=f"{base}/api/v4/runners/{rid}")\nprint(user["active"])',
    ],
  },
  {
    change: 'runnerActive',
    language: 'javascript',
    positive: [
      "await fetch(`${api}/api/v4/runners/${id}`, { method: 'PUT', body: new URLSearchParams({ ⟦active⟧: 'false' }) });",
      'const runners = await (await fetch(`${api}/api/v4/projects/${id}/runners`)).json();\nconst idle = runners.filter((runner) => !runner.⟦active⟧);',
    ],
    negative: [
      "await fetch(`${api}/api/v4/runners/${id}`, { method: 'PUT', body: new URLSearchParams({ paused: 'true' }) });\nmenu.setState({ active: true });",
      'const runners = await (await fetch(`${api}/api/v4/runners`)).json();\nconst owner = await load(runners[0].id);\nif (owner.active) show(runners);',
    ],
  },
  {
    change: 'runnerActive',
    language: 'shellscript',
    positive: [
      'curl --request PUT --form "⟦active⟧=false" "https://gitlab.example.com/api/v4/runners/6"',
      'glab api runners/6 --method PUT -f ⟦active⟧=true',
    ],
    negative: [
      'curl --request PUT --form "paused=true" "https://gitlab.example.com/api/v4/runners/6"',
      'curl --request PUT --data "active=false" "https://gitlab.example.com/api/v4/projects/6/hooks/1"\nsystemctl is-active gitlab-runner',
    ],
  },
  {
    change: 'runnerStatus',
    language: 'javascript',
    positive: [
      'await fetch(`${api}/api/v4/runners/all?⟦status⟧=paused`);',
      "const runner = await (await fetch(`${api}/api/v4/runners/${id}`)).json();\nif (runner.status === '⟦active⟧') use(runner);",
    ],
    negative: [
      'await fetch(`${api}/api/v4/runners/all?status=online&paused=false`);',
      "const runner = await (await fetch(`${api}/api/v4/runners/${id}`)).json();\nif (runner.status === 'online' || timer.status === 'paused') use(runner);",
    ],
  },
  {
    change: 'runnerStatus',
    language: 'python',
    positive: [
      'requests.get(f"{base}/api/v4/runners", params={"⟦status⟧": "active"})',
      'runner = requests.get(f"{base}/api/v4/runners/{rid}").json()\nif runner["status"] in ("⟦paused⟧", "offline"):\n    skip()',
    ],
    negative: [
      'requests.get(f"{base}/api/v4/runners", params={"status": "offline"})',
      'requests.get(f"{base}/api/v4/runners")\nrequests.get(f"{base}/api/v4/deployments", params={"status": "active"})',
    ],
  },
  {
    change: 'runnerStatus',
    language: 'shellscript',
    positive: [
      'curl -s "$CI_API_V4_URL/groups/9/runners?type=group_type&⟦status⟧=active"',
      'state=$(curl -s "$CI_API_V4_URL/runners/3" | jq -r .status)\nif [ "$state" = "⟦paused⟧" ]; then exit 0; fi',
    ],
    negative: [
      'curl -s "$CI_API_V4_URL/groups/9/runners?status=online"',
      'curl -s "$CI_API_V4_URL/runners/3" > /dev/null\nstate=$(systemctl is-active nginx)\nif [ "$state" = "active" ]; then exit 0; fi',
    ],
  },
  {
    change: 'runnerIpAddress',
    language: 'ruby',
    positive: [
      'runners = JSON.parse(RestClient.get("#{host}/api/v4/groups/#{group}/runners").body)\nrunners.each do |runner|\n  puts runner[\'⟦ip_address⟧\']\nend',
    ],
    negative: [
      "runners = JSON.parse(RestClient.get(\"#{host}/api/v4/groups/#{group}/runners\").body)\nhosts = YAML.load_file('hosts.yml')\nhosts.each { |h| puts h['ip_address'], runners.size }",
      'managers = JSON.parse(RestClient.get("#{host}/api/v4/runners/#{id}/managers").body)\nmanagers.each { |manager| puts manager[\'ip_address\'] }',
    ],
  },
  {
    change: 'runnerIpAddress',
    language: 'go',
    positive: [
      'type Runner struct {\n\tID int `json:"id"`\n\tAddress string `json:"⟦ip_address⟧"`\n}\nvar path = "/api/v4/runners/all"',
      'import gitlab "gitlab.com/gitlab-org/api/client-go"\nfunc main() {\n\tgit, _ := gitlab.NewClient(token)\n\tfound, _, err := git.Runners.ListRunners(nil)\n\tfor _, one := range found {\n\t\tfmt.Println(one.⟦IPAddress⟧)\n\t}\n}',
      'var runner map[string]any\nresp, err := http.Get(base + "/api/v4/runners/7")\njson.NewDecoder(resp.Body).Decode(&runner)\nfmt.Println(runner["⟦ip_address⟧"])',
    ],
    negative: [
      'type Host struct {\n\tAddress string `json:"ip_address"`\n}\nvar path = "/api/v4/runners/all"',
      'var manager map[string]any\nresp, err := http.Get(base + "/api/v4/runners/7/managers")\njson.NewDecoder(resp.Body).Decode(&manager)\nfmt.Println(manager["ip_address"])',
    ],
  },
  {
    change: 'runnerIpAddress',
    language: 'powershell',
    positive: [
      '$runners = Invoke-RestMethod -Uri "$Url/api/v4/runners" -Headers $headers\nforeach ($runner in $runners) { Write-Host $runner.⟦ip_address⟧ }',
    ],
    negative: [
      '$runners = Invoke-RestMethod -Uri "$Url/api/v4/runners" -Headers $headers\n$machine = Get-Content machine.json | ConvertFrom-Json\nWrite-Host $machine.ip_address $runners.Count',
      '# $runner.ip_address of "$Url/api/v4/runners"\n$runners = Invoke-RestMethod -Uri "$Url/api/v4/runners"',
    ],
  },
  {
    change: 'runnerVersion',
    language: 'typescript',
    positive: [
      'const details = await client.get(`/api/v4/runners/${id}`).json();\nconsole.table({ version: details.⟦version⟧, arch: details.⟦architecture⟧ });',
    ],
    negative: [
      'const { version } = await client.get(`/api/v4/metadata`).json();\nawait client.get(`/api/v4/runners/${id}`);',
      "const runner = await client.get(`/api/v4/runners/${id}`).json();\nconst pkg = JSON.parse(read('package.json'));\nconsole.log(runner.id, pkg.version, process.platform);",
    ],
  },
  {
    change: 'runnerVersion',
    language: 'python',
    positive: [
      'r = session.get(f"{url}/api/v4/runners/{i}")\ninfo = r.json()\nprint(info["⟦platform⟧"], info.get("⟦revision⟧"))',
    ],
    negative: [
      'managers = session.get(f"{url}/api/v4/runners/{i}/managers").json()\nprint([m["version"] for m in managers])',
      'import platform\nr = session.get(f"{url}/api/v4/runners/{i}")\nprint(platform.version, sys.platform, r.json()["id"])',
    ],
  },
  {
    change: 'runnerVersion',
    language: 'csharp',
    positive: [
      'using var document = JsonDocument.Parse(await http.GetStringAsync($"{url}/api/v4/runners/{id}"));\nConsole.WriteLine(document.RootElement.GetProperty("⟦version⟧"));',
    ],
    negative: [
      'using var document = JsonDocument.Parse(await http.GetStringAsync($"{url}/api/v4/version"));\nConsole.WriteLine(document.RootElement.GetProperty("version"));',
      'await http.GetStringAsync($"{url}/api/v4/runners/{id}");\nConsole.WriteLine(assembly.GetProperty("version"));',
    ],
  },
  {
    change: 'defaultBranchProtection',
    language: 'shellscript',
    positive: ['curl --request PUT "$GITLAB/api/v4/groups/5?⟦default_branch_protection⟧=2"'],
    negative: [
      'curl --request PUT "$GITLAB/api/v4/groups/5" --json \'{"default_branch_protection_defaults": {"allow_force_push": false}}\'',
      'default_branch_protection=2\ncurl "$GITLAB/api/v4/groups/5"',
    ],
  },
  {
    change: 'defaultBranchProtection',
    language: 'python',
    positive: [
      'payload = {"name": name, "⟦default_branch_protection⟧": 1}\nrequests.post(f"{url}/api/v4/groups", json=payload)',
      'settings = requests.get(f"{url}/api/v4/application/settings").json()\nprint(settings["⟦default_branch_protection⟧"])',
    ],
    negative: [
      'payload = {"name": name, "default_branch_protection_defaults": {}}\nrequests.post(f"{url}/api/v4/groups", json=payload)',
      'policy = {"default_branch_protection": True}\nrequests.get(f"{url}/api/v4/groups")\naudit(policy)',
    ],
  },
  {
    change: 'defaultBranchProtection',
    language: 'kotlin',
    positive: ['client.put("$base/api/v4/groups/$id") {\n  parameter("⟦default_branch_protection⟧", 2)\n}'],
    negative: [
      'client.put("$base/api/v4/groups/$id") {\n  parameter("visibility", "private")\n}',
      'terraform.set("default_branch_protection", 2)\nclient.get("$base/api/v4/groups/$id")',
    ],
  },
  {
    change: 'passwordToApprove',
    language: 'http',
    positive: [
      'POST {{host}}/api/v4/projects/1/approvals\nContent-Type: application/json\n\n{"⟦require_password_to_approve⟧": true}',
    ],
    negative: [
      'POST {{host}}/api/v4/projects/1/approvals\nContent-Type: application/json\n\n{"require_reauthentication_to_approve": true}',
      'POST {{host}}/policies\nContent-Type: application/json\n\n{"require_password_to_approve": true}',
    ],
  },
  {
    change: 'passwordToApprove',
    language: 'ruby',
    positive: [
      "uri = URI(\"#{base}/api/v4/projects/#{id}/approvals\")\nrequest = Net::HTTP::Post.new(uri)\nrequest.set_form_data('⟦require_password_to_approve⟧' => 'true')",
    ],
    negative: [
      "uri = URI(\"#{base}/api/v4/projects/#{id}/approvals\")\nrequest = Net::HTTP::Post.new(uri)\nrequest.set_form_data('require_reauthentication_to_approve' => 'true')",
      'setting.require_password_to_approve = params[:require_password_to_approve]\nURI("#{base}/api/v4/projects/#{id}/approvals")',
    ],
  },
  {
    change: 'passwordToApprove',
    language: 'javascript',
    positive: [
      'const settings = await gitlab.get(`/api/v4/projects/${id}/approvals`);\nif (!settings.⟦require_password_to_approve⟧) warn(id);',
    ],
    negative: [
      'const settings = await gitlab.get(`/api/v4/projects/${id}/approvals`);\nif (!settings.require_reauthentication_to_approve) warn(id);',
      'const form = { require_password_to_approve: true };\nstore.save(form);\nawait gitlab.get(`/api/v4/projects/${id}/approvals`);',
    ],
  },
  {
    change: 'pullMirroring',
    language: 'python',
    positive: [
      'requests.put(f"{api}/api/v4/projects/{pid}", data={"⟦mirror⟧": True, "⟦mirror_trigger_builds⟧": False, "import_url": source})',
    ],
    negative: [
      'requests.put(f"{api}/api/v4/projects/{pid}/mirror/pull", json={"enabled": True, "url": source})',
      'requests.post(f"{api}/api/v4/projects/{pid}/remote_mirrors", data={"mirror": True, "only_protected_branches": True})',
    ],
  },
  {
    change: 'pullMirroring',
    language: 'php',
    positive: [
      "<?php $client->request('PUT', \"$host/api/v4/projects/$id\", ['json' => ['⟦mirror⟧' => true, '⟦only_mirror_protected_branches⟧' => true]]);",
    ],
    negative: [
      "<?php $client->request('PUT', \"$host/api/v4/projects/$id\", ['json' => ['visibility' => 'private']]);",
      "<?php $image = ['mirror' => true]; $client->request('GET', \"$host/api/v4/projects/$id\"); draw($image);",
    ],
  },
  {
    change: 'pullMirroring',
    language: 'yaml',
    positive: [
      'mirror:\n  script:\n    - >\n      curl --request PUT --header "PRIVATE-TOKEN: $TOKEN"\n      --data "⟦mirror⟧=true" --data "⟦mirror_user_id⟧=3"\n      "$CI_API_V4_URL/projects/$ID"',
    ],
    negative: [
      'mirror:\n  script:\n    - git push --mirror "$TARGET"\n    - curl "$CI_API_V4_URL/projects/$ID"',
      'mirror:\n  variables:\n    mirror: "true"\n  script:\n    - curl --request POST "$CI_API_V4_URL/projects/$ID/mirror/pull"',
    ],
  },
  {
    change: 'restrictedVariables',
    language: 'typescript',
    positive: ['await ky.put(`${url}/api/v4/projects/${id}`, { json: { ⟦restrict_user_defined_variables⟧: true } });'],
    negative: [
      "await ky.put(`${url}/api/v4/projects/${id}`, { json: { ci_pipeline_variables_minimum_override_role: 'developer' } });",
      'const rule = { restrict_user_defined_variables: true };\nlint(rule);\nawait ky.get(`${url}/api/v4/projects/${id}`);',
    ],
  },
  {
    change: 'restrictedVariables',
    language: 'java',
    positive: [
      'class A { void f() {\nMap<String, Object> body = Map.of("name", name, "⟦restrict_user_defined_variables⟧", false);\nrest.put(base + "/api/v4/projects/" + id, body);\n} }',
    ],
    negative: [
      'class A { void f() {\nMap<String, Object> body = Map.of("name", name);\nrest.put(base + "/api/v4/projects/" + id, body);\nlog.info("restrict_user_defined_variables");\n} }',
      'class A { void f() {\nMap<String, Object> policy = Map.of("restrict_user_defined_variables", false);\nrest.put(base + "/policies", policy);\nrest.get(base + "/api/v4/projects");\n} }',
    ],
  },
  {
    change: 'restrictedVariables',
    language: 'shellscript',
    positive: [
      'curl --request PUT --data \'{"⟦restrict_user_defined_variables⟧": false}\' "https://gitlab.example.com/api/v4/projects/group%2Fproject"',
    ],
    negative: [
      'curl --request PUT --data "ci_pipeline_variables_minimum_override_role=developer" "https://gitlab.example.com/api/v4/projects/1"',
      'echo "restrict_user_defined_variables=false" >> settings.env\ncurl "https://gitlab.example.com/api/v4/projects/1"',
    ],
  },
  {
    change: 'importNamespace',
    language: 'shellscript',
    positive: [
      'curl --request POST --form "path=api" --form "⟦namespace⟧=team" --form "file=@export.tar.gz" "https://gitlab.example.com/api/v4/projects/import"',
    ],
    negative: [
      'curl --request POST --form "path=api" --form "namespace_path=team" --form "file=@export.tar.gz" "https://gitlab.example.com/api/v4/projects/import"',
      'curl --request POST --data "namespace=team" "https://gitlab.example.com/api/v4/projects/7/fork"\nkubectl --namespace=review get pods',
    ],
  },
  {
    change: 'importNamespace',
    language: 'python',
    positive: [
      'requests.post(f"{url}/api/v4/projects/remote-import", json={"url": archive, "path": "api", "⟦namespace⟧": 42})',
      'import gitlab\ngl = gitlab.Gitlab()\ngl.projects.import_project(data, path="api", ⟦namespace⟧="team")',
    ],
    negative: [
      'requests.post(f"{url}/api/v4/projects/remote-import", json={"url": archive, "path": "api", "namespace_id": 42})',
      'requests.post(f"{url}/api/v4/projects", json={"name": "api"})\ncluster.create(namespace="team")',
    ],
  },
  {
    change: 'importNamespace',
    language: 'javascript',
    positive: [
      "const form = new FormData();\nform.append('path', 'api');\nform.append('⟦namespace⟧', 'team');\nawait fetch(`${url}/api/v4/projects/import`, { method: 'POST', body: form });",
    ],
    negative: [
      "const form = new FormData();\nform.append('namespace_id', '42');\nawait fetch(`${url}/api/v4/projects/import`, { method: 'POST', body: form });",
      "const filter = new URLSearchParams();\nfilter.append('namespace', 'team');\nawait fetch(`${url}/api/v4/projects/import`, { method: 'POST', body: form });\nawait k8s.list(filter);",
    ],
  },
  {
    change: 'epics',
    language: 'python',
    positive: [
      'requests.get(f"{base}/api/v4/groups/{gid}/⟦epics⟧", headers=h)',
      'import gitlab\ngroup = gitlab.Gitlab(url).groups.get(4)\nfor epic in group.⟦epics⟧.list():\n    print(epic.title)',
    ],
    negative: [
      'requests.get(f"{base}/api/v4/groups/{gid}/issues")\nepics = board.epics',
      '# gitlab\nrequests.get("https://jira.example.com/rest/agile/1.0/board/1/epic")',
    ],
  },
  {
    change: 'epics',
    language: 'shellscript',
    positive: ['curl -s "$CI_API_V4_URL/groups/9/⟦epics⟧/4/issues"', 'glab api groups/:group/⟦epics⟧'],
    negative: ['curl -s "$CI_API_V4_URL/groups/9/iterations" # /epics', 'ls gitlab/epics'],
  },
  {
    change: 'epics',
    language: 'ruby',
    positive: ['HTTParty.post("#{host}/api/v4/groups/#{id}/⟦epics⟧", body: { title: name })'],
    negative: ['HTTParty.get("#{host}/api/v4/groups/#{id}/milestones")\nputs epics', 'gitlab = 1\nget "/epics"'],
  },
  {
    change: 'approvalsBeforeMerge',
    language: 'python',
    positive: [
      'requests.put(f"{base}/api/v4/projects/{pid}", json={"⟦approvals_before_merge⟧": 2})',
      'mr = requests.get(f"{base}/api/v4/projects/1/merge_requests/2").json()\nprint(mr["⟦approvals_before_merge⟧"])',
    ],
    negative: [
      'requests.post(f"{base}/api/v4/projects/{pid}/approval_rules", json={"approvals_required": 2})',
      '# gitlab: approvals_before_merge was here\napprovals_before_merge = 2',
    ],
  },
  {
    change: 'approvalsBeforeMerge',
    language: 'typescript',
    positive: [
      "import { Gitlab } from '@gitbeaker/rest';\nawait new Gitlab({}).Projects.edit(1, { ⟦approvalsBeforeMerge⟧: 2 });",
    ],
    negative: [
      "import { Gitlab } from '@gitbeaker/rest';\nawait new Gitlab({}).Projects.edit(1, { approvalsRequired: 2 });",
      'const approvalsBeforeMerge = await fetch(`${base}/api/v4/projects/1`);',
    ],
  },
  {
    change: 'approvalsBeforeMerge',
    language: 'shellscript',
    positive: ['curl -X POST -F ⟦approvals_before_merge⟧=1 "$CI_API_V4_URL/projects/1/approvals"'],
    negative: [
      'curl -X POST -F approvals_required=1 "$CI_API_V4_URL/projects/1/approval_rules"',
      'approvals_before_merge=1\ncurl "$CI_API_V4_URL/projects/1"',
    ],
  },
  {
    change: 'groupWithProjects',
    language: 'javascript',
    positive: ['await fetch(`${host}/api/v4/groups/${id}?⟦with_projects⟧=false`);'],
    negative: [
      'await fetch(`${host}/api/v4/groups/${id}?with_custom_attributes=false`);',
      'await fetch(`${host}/api/v4/users?with_projects=false`);',
    ],
  },
  {
    change: 'groupWithProjects',
    language: 'python',
    positive: ['requests.get(f"{base}/api/v4/groups/{gid}", params={"⟦with_projects⟧": False})'],
    negative: [
      'requests.get(f"{base}/api/v4/groups/{gid}")\nteams = get_for_user(user, with_projects=False)',
      'requests.get(f"{base}/api/v4/topics", params={"without_projects": True})',
    ],
  },
  {
    change: 'groupWithProjects',
    language: 'shellscript',
    positive: [
      'curl "$CI_API_V4_URL/groups/4?⟦with_projects⟧=true"',
      'curl -G -d ⟦with_projects⟧=true https://h/api/v4/groups/4',
    ],
    negative: ['curl "$CI_API_V4_URL/groups/4/projects"', 'curl "$CI_API_V4_URL/projects?with_issues_enabled=true"'],
  },
  {
    change: 'groupProjects',
    language: 'python',
    positive: [
      'group = requests.get(f"{base}/api/v4/groups/{gid}").json()\nfor p in group["⟦projects⟧"] + group["⟦shared_projects⟧"]:\n    print(p)',
    ],
    negative: [
      'project = requests.get(f"{base}/api/v4/projects/{pid}").json()\nprint(project["projects"])',
      'import gitlab\ngroup = gitlab.Gitlab(url).groups.get(4)\nprint(group.projects.list())',
    ],
  },
  {
    change: 'groupProjects',
    language: 'javascript',
    positive: [
      'const group = await (await fetch(`${host}/api/v4/groups/${id}`)).json();\nuse(group.⟦projects⟧.length);',
    ],
    negative: [
      'const group = await (await fetch(`${host}/api/v4/groups/${id}`)).json();\nuse(state.projects.length);',
      'const projects = await (await fetch(`${host}/api/v4/groups/${id}/projects`)).json();\nuse(projects.length);',
    ],
  },
  {
    change: 'groupProjects',
    language: 'shellscript',
    positive: ['curl -s "$CI_API_V4_URL/groups/4" | jq -r ".⟦projects⟧[].id"'],
    negative: ['curl -s "$CI_API_V4_URL/groups/4/projects" | jq -r ".[].id"', 'jq .projects state.json # gitlab'],
  },
  {
    change: 'markedForDeletion',
    language: 'python',
    positive: [
      'project = requests.get(f"{base}/api/v4/projects/{pid}").json()\nif project["⟦marked_for_deletion_at⟧"]:\n    skip()',
    ],
    negative: [
      'project = requests.get(f"{base}/api/v4/projects/{pid}").json()\nprint(project["marked_for_deletion_on"])',
      'marked_for_deletion_at = now()\nrequests.get(f"{base}/api/v4/projects/{pid}")',
    ],
  },
  {
    change: 'markedForDeletion',
    language: 'go',
    positive: [
      'type Project struct {\n\tPathWithNamespace string `json:"path_with_namespace"`\n\tMarkedForDeletionAt string `json:"⟦marked_for_deletion_at⟧"`\n}\nvar path = "/api/v4/projects/1"',
    ],
    negative: [
      'type Project struct {\n\tMarkedForDeletionOn string `json:"marked_for_deletion_on"`\n}\nvar path = "/api/v4/projects/1"',
      '// marked_for_deletion_at\nvar path = "/api/v4/projects/1"',
    ],
  },
  {
    change: 'markedForDeletion',
    language: 'shellscript',
    positive: ['curl -s "$CI_API_V4_URL/projects" | jq ".[] | select(.⟦marked_for_deletion_at⟧ == null)"'],
    negative: [
      'curl -s "$CI_API_V4_URL/projects" | jq ".[] | select(.marked_for_deletion_on == null)"',
      'marked_for_deletion_at=1\ncurl -s "$CI_API_V4_URL/projects"',
    ],
  },
  {
    change: 'projectTags',
    language: 'python',
    positive: [
      'requests.put(f"{base}/api/v4/projects/{pid}", json={"⟦tag_list⟧": "a,b"})',
      'project = requests.get(f"{base}/api/v4/projects/{pid}").json()\nprint(project["⟦tag_list⟧"])',
    ],
    negative: [
      'requests.put(f"{base}/api/v4/runners/{rid}", json={"tag_list": "a,b"})',
      'job = requests.get(f"{base}/api/v4/projects/{pid}/jobs/1").json()\nprint(job["tag_list"])',
    ],
  },
  {
    change: 'projectTags',
    language: 'shellscript',
    positive: ['curl -X POST -d "name=a&⟦tag_list⟧=x" "$CI_API_V4_URL/projects"'],
    negative: [
      'curl -X POST -d "token=a&tag_list=x" "$CI_API_V4_URL/runners"',
      'gitlab-runner register --tag-list a --url "$CI_SERVER_URL"',
    ],
  },
  {
    change: 'projectTags',
    language: 'csharp',
    positive: [
      'using GitLabApiClient;\nclass Project {\n[JsonProperty("path_with_namespace")] public string Path { get; set; }\n[JsonProperty("⟦tag_list⟧")]\npublic List<string> Tags { get; set; }\n[JsonProperty("visibility")] public string V { get; set; }\n}',
    ],
    negative: [
      'using GitLabApiClient;\nclass Runner {\n[JsonProperty("run_untagged")] public bool R { get; set; }\n[JsonProperty("tag_list")]\npublic List<string> Tags { get; set; }\n}',
      'using GitLabApiClient;\nclass Job {\n[JsonProperty("tag_list")]\npublic List<string> Tags { get; set; }\n}',
    ],
  },
];
