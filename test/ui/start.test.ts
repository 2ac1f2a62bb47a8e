import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/project.ts';

describe('npm start', () => {
  it('leads to a workbench that is signed in to the sandbox and shows its events', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(projectRoot, 'scripts', 'run.mjs'),
      'start',
      '--check',
    ]);
    assert.ok(Number(/shows (\d+) events/.exec(stdout)?.[1]) >= 10, stdout);
  }).timeout(120_000);
});
