import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/project.ts';

describe('npm start', () => {
  it('leads to a workbench that is signed in to the sandbox and shows its events of today and yesterday', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(projectRoot, 'scripts', 'run.mjs'),
      'start',
      '--check',
    ]);
    assert.match(stdout, /^Checked: the Activity view has events: ([1-9]\d* of today, )?[1-9]\d* of yesterday\.$/m);
    assert.match(stdout, /^Checked: tools\/nightly_report\.py has problems and hints \(Warnings: 1, Infos: 4\)\.$/m);
  });
});
