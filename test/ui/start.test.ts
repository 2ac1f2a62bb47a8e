import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/project.ts';
import { oldestCodeServer } from '../../scripts/workbench/codeServer.ts';

describe('npm start', () => {
  it('leads to a workbench that is signed in to the sandbox, also in the oldest VS Code that the manifest claims', async () => {
    const script = join(projectRoot, 'scripts', 'run.mjs');
    const env = { ...process.env, BEACON_CODE_SERVER: oldestCodeServer };
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'start', '--check'], { env });
    assert.match(stdout, /^Checked: the Activity view has events \((Today|Yesterday), [1-9]\d* events\)\.$/m);
    assert.match(stdout, /^Checked: nightly_report\.py has problems and hints \(Warnings: 1, Infos: 4\)\.$/m);
    assert.match(stdout, /^Checked: the Error Tracking view has a client key\.$/m);
    assert.match(stdout, /^Checked: there are notification settings of harbor\/tide-table\.$/m);
  });
});
