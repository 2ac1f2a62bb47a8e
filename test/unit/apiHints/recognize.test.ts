import assert from 'node:assert/strict';
import { announcedChanges } from '../../../src/apiHints/catalogue.ts';
import { languageOfPath } from '../../../src/workspace/languages.ts';
import { findingsOf, marked, recognize, unmarked } from './marked.ts';
import { otherMeanings, sureTies } from './otherMeanings.ts';
import { programs } from './programs.ts';

/** Asserts that what is found is what is marked. */
function finds(language: string, program: string): void {
  const { source } = unmarked(program);
  assert.equal(marked(source, findingsOf(source, language)), program);
}

describe('recognition of announced changes', () => {
  it('reads the code blocks of Markdown in their languages', () => {
    finds(
      'markdown',
      'Use `/api/v4/geo_nodes`:\n\n```sh\ncurl "$CI_API_V4_URL/⟦geo_nodes⟧"\n```\n\n    /api/v4/geo_nodes\n',
    );
  });

  it('reads languages that it does not know by the rules that most share', () => {
    finds('lua', 'http.get("https://gitlab.example.com/api/v4/⟦geo_nodes⟧") -- not here');
    finds('plaintext', '# curl /api/v4/geo_nodes\nGET("https://gitlab.example.com/api/v4/⟦geo_nodes⟧")');
  });

  it('has two tiers: what the function or a record type ties to the API, and what is only named like it', () => {
    const tiersOf = (text: string, path = 'a.py') =>
      recognize({ text, languageId: 'python', path }).map(({ tier }) => tier);
    assert.deepEqual(tiersOf('get("https://host/api/v4/geo_nodes")'), ['sure']);
    assert.deepEqual(tiersOf('import gitlab\nclient.get("/geo_nodes")'), ['sure']);
    assert.deepEqual(tiersOf('class MergeRequest:\n    source_branch: str\n    merge_status: str', 'gitlab/mr.py'), [
      'sure',
    ]);
    assert.deepEqual(tiersOf('mr["merge_status"]', 'tools/gitlab/mr.py'), ['possible']);
    assert.deepEqual(tiersOf('x["merge_status"]', 'tools/gitlab/mr.py'), []);
    const own = 'return self.get("source_branch"), self.get("target_branch"), self.get("merge_status")';
    assert.deepEqual(tiersOf(`def status(self):\n    ${own}`, 'tools/gitlab/mr.py'), []);
    const client = 'import gitlab\nmrs = gl.mergerequests.list()\n';
    assert.deepEqual(tiersOf(`${client}columns = ["merge_status", "merged_by.name"]`), ['possible', 'possible']);
  });

  it('is not sure of fields in the spelling of the program, which may be those of its own records', () => {
    const tiersOf = (languageId: string, text: string) =>
      recognize({ text, languageId, path: 'gitlab/details' }).map(({ tier }) => tier);
    const read = 'void show(MergeRequest mr) { print(mr.sourceBranch(), mr.targetBranch(), mr.mergeStatus()); }';
    assert.deepEqual(tiersOf('java', `class Details { ${read} }`), ['possible']);
    assert.deepEqual(tiersOf('java', `import org.gitlab4j.api.models.MergeRequest;\n${read}`), ['sure']);
    const saved = 'fn save(mr: &Saved) { write(mr.source_branch, mr.target_branch, mr.merge_status); }';
    assert.deepEqual(tiersOf('rust', saved), ['possible']);
    assert.deepEqual(tiersOf('rust', `use gitlab::api::Query;\n${saved}`), ['sure']);
    const record = 'data class Group(val fullPath: String, val defaultBranchProtection: Int)';
    assert.deepEqual(tiersOf('kotlin', record), ['possible']);
    assert.deepEqual(tiersOf('kotlin', `@JsonNaming(SnakeCaseStrategy::class)\n${record}`), ['sure']);
    assert.deepEqual(tiersOf('kotlin', record.replace('fullPath', '@SerialName("full_path") val fullPath')), ['sure']);
  });

  it('is not sure of records in a file that does not talk to the API', () => {
    const page = 'const isMine = (mr) => mr.source_branch && mr.target_branch && mr.merged_by.name === me;';
    const tiersOf = (text: string) =>
      recognize({ text, languageId: 'javascriptreact', path: 'src/App.jsx' }).map(({ tier }) => tier);
    assert.deepEqual(tiersOf(`const title = 'GitLab';\n${page}`), ['possible']);
    assert.deepEqual(tiersOf(`import { load } from './gitlab';\n${page}`), ['sure']);
  });

  it('takes the first statement of a block for none of its head', () => {
    finds(
      'python',
      'def runners():\n    query = {"⟦active⟧": "true"}\n    return requests.get(f"{API}/api/v4/runners", params=query).json()\n',
    );
  });

  it("finds the README's example in a script, however it is written", () => {
    for (const call of [
      'curl https://gitlab.example.com/api/v4/runners?⟦active⟧=true',
      'curl "https://gitlab.example.com/api/v4/runners?⟦active⟧=true"',
      'curl --header "PRIVATE-TOKEN: $TOKEN" \\\n  --url ${GITLAB}/api/v4/runners?⟦active⟧=true',
      'curl -G -d ⟦active⟧=true "$CI_API_V4_URL/runners"',
      'curl --get --data-urlencode "⟦active⟧=true" --url "$CI_API_V4_URL"/runners',
      'glab api "runners?⟦active⟧=true"',
      'http GET https://gitlab.example.com/api/v4/runners ⟦active⟧==true',
      'url="$GITLAB/api/v4/runners"\ncurl "$url?⟦active⟧=true"',
      'API=https://gitlab.example.com/api/v4\ncurl "$API/runners?⟦active⟧=true"',
      'API="${GITLAB}/api/v4"\ncurl -sS --url "${API}/runners?⟦active⟧=true" --header "PRIVATE-TOKEN: ${TOKEN}"',
      "curl -H 'PRIVATE-TOKEN: x' 'https://gitlab.example.com/api/v4/runners'?⟦active⟧=true",
      'curl --silent \\\n  --header "PRIVATE-TOKEN: $TOKEN" \\\n  "https://$HOST/api/v4/runners?\\\n⟦active⟧=true"',
      'curl -G \\\n  -d ⟦active⟧=true \\\n  -d per_page=100 \\\n  "$CI_API_V4_URL/runners"',
      'curl -G "$CI_API_V4_URL/runners" --data-urlencode ⟦active⟧=true',
    ]) {
      finds('shellscript', `#!/bin/sh\n${call}\n`);
    }
    finds('yaml', 'job:\n  script:\n    - |\n      url="$CI_API_V4_URL/runners"\n      curl "$url?⟦active⟧=true"\n');
    finds('yaml', 'job:\n  script:\n    - curl -G\n      -d ⟦active⟧=true\n      "$CI_API_V4_URL/runners"\n');
    finds('yaml', "job:\n  note: don't\n  script: 'curl \"$CI_API_V4_URL/runners?⟦active⟧=true\"'\n");
    finds('makefile', 'list:\n\t@curl "$(CI_API_V4_URL)/runners?⟦active⟧=true"\n');
    finds('groovy', 'sh """curl ${URL}/api/v4/runners?⟦active⟧=true"""');
    finds('shellscript', 'curl -X PUT "$CI_API_V4_URL/runners/1" -d @- <<EOF\n{"⟦active⟧": false}\nEOF\n');
    finds('python', 'query = dict(⟦active⟧=True)\nrequests.get(base + "/api/v4/runners", params=query)\n');
    finds('python', 'API = "https://gitlab.example.com/api/v4"\nurl = f"{API}/runners?⟦active⟧=true"\n');
    finds('python', 'API = os.environ["CI_API_V4_URL"]\nurl = f"{API}/runners?⟦active⟧=true"\n');
    finds('python', 'url = "%s/api/v4/runners?⟦active⟧=true" % host\n');
    finds('python', 'url = f"{GITLAB_URL}/runners?⟦active⟧=true"\n');
    finds('ruby', 'api = "#{host}/api/v4"\nget("#{api}/runners?⟦active⟧=true")\n');
    finds('go', 'url := fmt.Sprintf("%s/api/v4/runners?⟦active⟧=true", host)\n');
    finds('powershell', 'Invoke-RestMethod -Uri "$Api/api/v4/runners?⟦active⟧=true"\n');
    finds('markdown', '```sh\ncurl "$CI_API_V4_URL/runners?⟦active⟧=true"\n```\n');
  });

  it('knows the calls and options of clients', () => {
    finds(
      'typescript',
      "import { Gitlab } from '@gitbeaker/rest';\nconst { changes } = await new Gitlab(o).MergeRequests.⟦showChanges⟧(1, 2);",
    );
    finds('python', 'import gitlab\nmr = project.mergerequests.get(1)\nmr.⟦changes⟧()\nmr.⟦merge_status⟧');
    finds(
      'go',
      'import "gitlab.com/gitlab-org/api/client-go"\nfunc f() { c.Projects.EditProject(1, &gitlab.EditProjectOptions{⟦ApprovalsBeforeMerge⟧: gitlab.Ptr(1)}) }',
    );
    finds(
      'java',
      'import org.gitlab4j.api.GitLabApi;\nclass A { void f() { api.getMergeRequestApi().⟦getMergeRequestChanges⟧(1, 2L); mr.⟦getMergeStatus⟧(); } }',
    );
    finds(
      'java',
      'import org.gitlab4j.api.GitLabApi;\nclass A { void f() { MergeRequest mr = api.getMergeRequestApi().⟦getMergeRequestChanges⟧(1, 2L); mr.getChanges(); } }',
    );
    finds('ruby', "require 'gitlab'\nGitlab.⟦merge_request_changes⟧(1, 2)\nGitlab.update_runner(1, ⟦active⟧: false)");
  });

  it('knows annotations, and texts of a method and a path', () => {
    finds(
      'kotlin',
      'package com.gitlab.api\ninterface Api { @GET("projects/{id}/merge_requests/{iid}/⟦changes⟧") fun f(): Call }',
    );
    finds('javascript', "const gitlabApi = 1; request('GET /projects/:id/merge_requests/:iid/⟦changes⟧');");
  });

  it('leaves what webhooks send and what other forges have alone', () => {
    for (const path of ['src/gitlab/webhook.go', 'scm/github/pr.go']) {
      const text =
        'type MergeRequest struct {\n\tMergedBy string `json:"merged_by"`\n\tSource string `json:"source_branch"`\n}\n// gitlab';
      assert.deepEqual(recognize({ text, languageId: 'go', path }), [], path);
    }
  });

  it('knows other APIs with the same paths', () => {
    finds('javascript', 'fetch("https://api.example.com/runners?status=active"); const gitlab = 1;');
    finds(
      'javascript',
      'fetch("https://gitlab.example.com/api/v3/geo_nodes"); fetch("https://gitlab.example.com/api/v5/geo_nodes");',
    );
    finds('python', '# gitlab\nclient.get("/runners", params={"status": "active"})');
  });

  it('leaves comments alone, in every way that they are written', () => {
    for (const [language, comment] of [
      ['typescript', '/* fetch("/api/v4/geo_nodes") */ // "/api/v4/geo_nodes"'],
      ['python', '# get("/api/v4/geo_nodes")'],
      ['ruby', 'x = 1\n=begin\nget("/api/v4/geo_nodes")\n=end\n'],
      ['php', '<?php # "/api/v4/geo_nodes"\n// "/api/v4/geo_nodes"'],
      ['csharp', '/// <see href="/api/v4/geo_nodes"/>'],
      ['rust', '//! "/api/v4/geo_nodes"'],
      ['yaml', 'a: b # "$CI_API_V4_URL/geo_nodes"'],
      ['powershell', '<# "/api/v4/geo_nodes" #>'],
      ['http', '# GET https://host/api/v4/geo_nodes\n// https://host/api/v4/geo_nodes'],
    ] as const) {
      finds(language, comment);
    }
  });

  it('knows the language of a file by its name or its first line', () => {
    for (const [path, language] of [
      ['/a/b.ts', 'typescript'],
      ['/a/.gitlab-ci.yml', 'yaml'],
      ['/a/Dockerfile', 'dockerfile'],
      ['/a/Dockerfile.prod', 'dockerfile'],
      ['/a/Jenkinsfile', 'groovy'],
      ['/a/run', 'python'],
      ['/a/notes.txt', 'python'],
    ] as const) {
      assert.equal(languageOfPath(path, '#!/usr/bin/env python3\n'), language, path);
    }
    assert.equal(languageOfPath('/a/notes.txt', 'text'), 'plaintext');
  });

  for (const { id } of announcedChanges) {
    for (const [, language, ...texts] of programs.filter(([change]) => change === id)) {
      texts.forEach((program, index) => {
        it(`${program.includes('⟦') ? 'finds' : 'sees no'} ${id} in ${language}, ${index + 1}`, () => {
          const { source, places } = unmarked(program);
          const findings = findingsOf(source, language).filter(({ change, tier }) => change === id && tier === 'sure');
          const isAt = ({ start, end }: (typeof places)[number], finding: (typeof findings)[number]): boolean =>
            finding.start < end && start < finding.end;
          const missed = places.filter((place) => !findings.some((finding) => isAt(place, finding)));
          assert.deepEqual(missed, []);
          assert.deepEqual(
            findings.filter((finding) => !places.some((place) => isAt(place, finding))),
            [],
          );
        });
      });
    }
  }

  for (const [kind, path, ...lines] of otherMeanings) {
    it(`leaves names in other meanings alone in ${kind}, ${path}`, () => {
      const text = `${lines.join('\n')}\n`;
      const findings = recognize({ text, path, languageId: languageOfPath(path, text) });
      assert.deepEqual(
        findings.filter(({ tier }) => tier === 'sure'),
        [],
      );
    });
  }

  for (const [what, language, ...lines] of sureTies) {
    it(`is sure of ${what}, in ${language}`, () => {
      const program = lines.join('\n');
      finds(language, program);
      assert.ok(findingsOf(unmarked(program).source, language).every(({ tier }) => tier === 'sure'));
    });
  }
});
