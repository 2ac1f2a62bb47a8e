import assert from 'node:assert/strict';
import { edited, findingsOf } from './marked.ts';

/** The source after all its fixes, applied one by one. */
function fixed(source: string, language: string): string {
  const fix = findingsOf(source, language).find((finding) => finding.fix)?.fix;
  return fix ? fixed(edited(source, fix.edits), language) : source;
}

const runner = 'const runner = await (await fetch(`${api}/api/v4/runners/1`)).json();\n';
const pythonRunner = 'runner = requests.get(f"{api}/api/v4/runners/1").json()\n';

const fixes: readonly [what: string, language: string, before: string, after: string][] = [
  ['geo_nodes', 'typescript', 'get(`${h}/api/v4/geo_nodes/${id}/repair`)', 'get(`${h}/api/v4/geo_sites/${id}/repair`)'],
  [
    'geo_nodes, joined',
    'java',
    'var a = base + "/api/v4/geo_nodes/" + id + "/status";',
    'var a = base + "/api/v4/geo_sites/" + id + "/status";',
  ],
  [
    'merged_by',
    'python',
    'mr = requests.get(f"{a}/api/v4/projects/1/merge_requests/2").json()\nprint(mr["merged_by"]["name"])',
    'mr = requests.get(f"{a}/api/v4/projects/1/merge_requests/2").json()\nprint(mr["merge_user"]["name"])',
  ],
  [
    'merged_by in a filter',
    'shellscript',
    'curl "$CI_API_V4_URL/projects/1/merge_requests/2" | jq -r .merged_by.name',
    'curl "$CI_API_V4_URL/projects/1/merge_requests/2" | jq -r .merge_user.name',
  ],
  [
    'merged_by under another name',
    'javascript',
    'const { merged_by: by } = await (await fetch(`${a}/api/v4/projects/1/merge_requests/2`)).json();',
    'const { merge_user: by } = await (await fetch(`${a}/api/v4/projects/1/merge_requests/2`)).json();',
  ],
  [
    'active, sent',
    'python',
    'requests.put(f"{a}/api/v4/runners/1", json={"active": True})',
    'requests.put(f"{a}/api/v4/runners/1", json={"paused": False})',
  ],
  [
    'active, in a form',
    'shellscript',
    'curl -X PUT -F "active=false" "$CI_API_V4_URL/runners/1"',
    'curl -X PUT -F "paused=true" "$CI_API_V4_URL/runners/1"',
  ],
  [
    'active, as a text',
    'ruby',
    'HTTParty.put("#{a}/api/v4/runners/1", body: { active: \'true\' })',
    'HTTParty.put("#{a}/api/v4/runners/1", body: { paused: \'false\' })',
  ],
  [
    'active, read',
    'javascript',
    `${runner}if (runner.active) use(runner);`,
    `${runner}if (!runner.paused) use(runner);`,
  ],
  ['active, negated', 'javascript', `${runner}if (!runner.active) skip();`, `${runner}if (runner.paused) skip();`],
  [
    'active, read in Python',
    'python',
    `${pythonRunner}ok = runner["active"] and x`,
    `${pythonRunner}ok = (not runner["paused"]) and x`,
  ],
];

/** Where the user has to decide, nothing is offered. */
const undecided: readonly [what: string, language: string, source: string][] = [
  ['diffs answer otherwise than changes', 'javascript', 'fetch(`${a}/api/v4/projects/1/merge_requests/2/changes`)'],
  [
    'a variable is named by the field',
    'javascript',
    'const { merged_by } = await (await fetch(`${a}/api/v4/projects/1/merge_requests/2`)).json();\nuse(merged_by);',
  ],
  [
    'the value is a part of another',
    'javascript',
    "fetch(`${a}/api/v4/runners/1`, { method: 'PUT', body: JSON.stringify({ active: true && wanted }) })",
  ],
  ['the value is not known', 'python', 'requests.put(f"{a}/api/v4/runners/1", json={"active": wanted})'],
  ['the value of a shell is not known', 'shellscript', 'curl -X PUT -F "active=$WANTED" "$CI_API_V4_URL/runners/1"'],
  ['a runner is compared', 'javascript', `${runner}if (runner.active === false) skip();`],
  ['a runner is changed', 'javascript', `${runner}runner.active = wanted;`],
  [
    'a type has the field, too',
    'typescript',
    'import { object_attributes } from "./gitlab";\ntype Info = { iid: number; merged_by: User };\nasync function f() {\n  const info: Info = await (await fetch(`${a}/api/v4/projects/1/merge_requests/2`)).json();\n  return info.merged_by.name;\n}',
  ],
  ['nothing takes the place of ip_address', 'python', `${pythonRunner}print(runner["ip_address"])`],
  ['levels have become settings', 'shellscript', 'curl -X PUT "$CI_API_V4_URL/groups/1?default_branch_protection=2"'],
];

describe('quick fixes of announced changes', () => {
  for (const [what, language, before, after] of fixes) {
    it(`${what} in ${language}`, () => {
      assert.equal(fixed(before, language), after);
    });
  }

  for (const [what, language, source] of undecided) {
    it(`none where ${what}`, () => {
      const findings = findingsOf(source, language);
      assert.ok(findings.length > 0);
      assert.deepEqual(
        findings.map(({ fix }) => fix),
        findings.map(() => undefined),
      );
    });
  }
});
