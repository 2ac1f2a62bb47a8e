import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';

const program = `const api = 'https://gitlab.example.com/api/v4';
const runner = await (await fetch(\`\${api}/runners/7\`)).json();
if (!runner.active) {
  report(runner.ip_address);
}
await fetch(\`\${api}/geo_nodes\`);
`;
const files = {
  'client.ts': program,
  'clean.ts': program.replaceAll(/active|ip_address|geo_nodes/g, 'other'),
  'scripts/mirror.sh': 'curl -X PUT -d mirror=true "$CI_API_V4_URL/projects/1"\n',
  'scripts/a [b] ~c~.py': 'import requests\nrequests.get(f"{base}/api/v4/geo_nodes") # `<img>`\n',
  'gitlab/merge.py': 'def ready(mr):\n    return mr["merge_status"]\n',
  'bundle.js': `fetch("https://gitlab.example.com/api/v4/geo_nodes");${'x();'.repeat(6000)}\n`,
  'large.sh': 'curl "$CI_API_V4_URL/geo_nodes"\n'.padEnd(1024 * 1024 + 1, '#'),
  'list.sh': 'curl "$CI_API_V4_URL/geo_nodes"\n'.repeat(5002),
};

describe('API v5 hints in a window', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  const own = (path: string) => window.problems(path).filter((line) => line.includes('API v5'));
  const hints = (path: string, count: number) =>
    window.until(() => (own(path).length === count ? own(path) : undefined));

  it('stand in open documents, say since when and what to do, and follow what is typed', async () => {
    window = await TestWindow.open({ sandbox: false, files });
    await window.show('client.ts');
    const [active = '', address = ''] = await hints('client.ts', 3);
    assert.match(
      active,
      /The property “active” of a runner is replaced by “paused”\. Use “paused”, which is the opposite/,
    );
    assert.match(address, /Since release 17\.0\./);
    window.type('client.ts', 'geo_sites', 'geo_nodes');
    await hints('client.ts', 2);
  });

  it('quote names as the language of the editor does', async () => {
    window = await TestWindow.open({ sandbox: false, files, language: 'de' });
    await window.show('client.ts');
    const [active = ''] = await hints('client.ts', 3);
    assert.match(active, /Die Eigenschaft „active“ eines Runners wird durch „paused“ ersetzt/);
  });

  it('offer fixes that are safe, and change all places of a value or none', async () => {
    window = await TestWindow.open({ sandbox: false, files });
    await window.show('client.ts');
    await hints('client.ts', 3);
    assert.deepEqual(await window.fixes('client.ts', 'ip_address'), ['Turn off API v5 hints in this workspace']);
    await window.fix('client.ts', 'Use “paused”, the opposite of “active”', 'active');
    await hints('client.ts', 2);
    await window.fix('client.ts', 'Use “geo_sites”', 'geo_nodes');
    assert.match(window.text('client.ts'), /if \(runner\.paused\) \{[^]*geo_sites/);
    await hints('client.ts', 1);
  });

  it('can be switched off and on, and have the severity of the setting', async () => {
    window = await TestWindow.open({ sandbox: false, files });
    await window.show('client.ts');
    await hints('client.ts', 3);
    await window.run('beacon.apiHints.toggle');
    await hints('client.ts', 0);
    await window.run('beacon.apiHints.toggle');
    await window.setting('beacon.apiHints.severity', 'error');
    await window.until(() => own('client.ts').every((line) => /error/i.test(line)));
  });

  it('are none of what is only possible; the list of the workspace has it apart, with what was skipped', async () => {
    window = await TestWindow.open({ sandbox: false, files });
    await window.show('gitlab/merge.py');
    await window.run('beacon.apiHints.check');
    assert.deepEqual(own('gitlab/merge.py'), []);
    const report = window.document().getText();
    assert.match(
      report,
      /^# API v5 Hints\n\nPlaces that rely on .*: 5 sure, 1 possible\. Files with such places: 4 of \d\./,
    );
    assert.match(report, /## Sure\n[^]*### `\/geo_nodes`\n\nThe `geo_nodes` endpoints are replaced by `geo_sites`\./);
    assert.match(
      report,
      /\n- \[`scripts\/a \[b\] ~c~\.py:2`\]\(\/scripts\/a%20%5Bb%5D%20%7Ec%7E\.py#L2,30\): `` .*# `<img>` `` \(quick fix\)\n/,
    );
    assert.doesNotMatch(report, /file:|\\/);
    assert.match(report, /## Possible\n[^]*merge\.py:2`\][^]*## Files that were not checked\n/);
    assert.match(report, /`bundle\.js`: generated/);
    assert.match(report, /`large\.sh`: larger than 1 MiB/);
    assert.match(report, /`list\.sh`: could not be understood/);
  });

  it('leave no space between sentences in the list where the language has none', async () => {
    window = await TestWindow.open({ sandbox: false, files, language: 'ja' });
    await window.run('beacon.apiHints.check');
    assert.match(window.document().getText(), /置き換えられます。\S/);
    assert.doesNotMatch(window.document().getText(), /。 /);
  });

  it('say where nothing is found, or where files may not be checked', async () => {
    window = await TestWindow.open({ sandbox: false, files: { 'clean.ts': files['clean.ts'] } });
    await window.run('beacon.apiHints.check');
    await window.message(/Nothing was found in saved files that v5 will change\. Files checked: 1/);
    await window.dispose();
    window = await TestWindow.open({ sandbox: false, files, isTrusted: false });
    window.closeMessages();
    await window.run('beacon.apiHints.check');
    await window.message(/Files are checked in trusted workspaces only\./);
  });
});
