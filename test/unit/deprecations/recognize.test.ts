import assert from 'node:assert/strict';
import { languageOfPath, recognize } from '../../../src/deprecations/recognition/recognize.ts';
import { marked, unmarked } from './marked.ts';

/** Asserts that what is found is what is marked. */
function finds(language: string, program: string): void {
  const { source } = unmarked(program);
  assert.equal(marked(source, recognize(source, language)), program);
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

  it('is certain where the call says that it is about API v4, and else says that it is likely', () => {
    const [certain] = recognize('get("https://host/api/v4/geo_nodes")', 'python');
    const [likely] = recognize('gitlab = connect()\ngitlab.get("/geo_nodes")', 'python');
    assert.deepEqual([certain?.confidence, likely?.confidence], ['certain', 'likely']);
  });

  it('follows an address through variables, functions and classes', () => {
    finds(
      'typescript',
      'class A {\n  base = `${host}/api/v4`;\n  url(id) { return `${this.base}/runners/${id}`; }\n  async one(id) { return (await fetch(this.url(id))).json(); }\n}\nconst it = await new A().one(1);\nit.⟦active⟧;\nother.active;',
    );
  });

  it('tells variables of the same name in two functions apart', () => {
    finds(
      'python',
      'def a():\n    data = requests.get(f"{u}/api/v4/runners/1").json()\n    return data["⟦active⟧"]\n\ndef b():\n    data = requests.get(f"{u}/api/v4/users/1").json()\n    return data["active"]',
    );
  });

  it('knows a record from what is in it', () => {
    finds(
      'javascript',
      'const runner = await (await fetch(`${u}/api/v4/runners/1`)).json();\nrunner.projects[0].active;\nrunner.owner.active;\nrunner.⟦active⟧;',
    );
  });

  it('knows other APIs with the same paths', () => {
    finds('javascript', 'fetch("https://api.example.com/runners?status=active"); const gitlab = 1;');
    finds(
      'javascript',
      'fetch("https://gitlab.example.com/api/v3/geo_nodes"); fetch("https://gitlab.example.com/api/v5/geo_nodes");',
    );
    finds('python', '# gitlab\nclient.get("/runners", params={"status": "active"})');
  });

  it('knows the pages of the web from the API', () => {
    finds('shellscript', 'open "https://gitlab.example.com/group/project/-/merge_requests/1/changes"');
    finds('javascript', 'link(`${gitlab}/group/project/-/merge_requests/${iid}/changes`)');
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

  it('tells the language of a file by its name or its first line', () => {
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
});
