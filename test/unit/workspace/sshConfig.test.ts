import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSshConfig } from '../../../src/platform/node/disk.ts';

describe('the aliases of the SSH configuration', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-ssh-'));
  });

  async function hostNames(config: string, ...aliases: string[]): Promise<string[]> {
    await writeFile(join(folder, 'config'), config);
    return aliases.map(await readSshConfig(folder));
  }

  it('are as they are without a configuration', async () => {
    assert.equal((await readSshConfig(folder))('work'), 'work');
  });

  it('lead to their HostName, in any case of letters, by patterns, the first one winning', async () => {
    const config = [
      'Host work job',
      '  hostname gitlab.example.com',
      'host gl-*',
      '  HostName=gitlab.com',
      'Host work',
      '  HostName other.example',
      'Host *',
      '  User git',
    ].join('\r\n');
    assert.deepEqual(await hostNames(config, 'work', 'job', 'gl-mine', 'plain.example'), [
      'gitlab.example.com',
      'gitlab.example.com',
      'gitlab.com',
      'plain.example',
    ]);
  });

  it('are read from included files, relative and by pattern, also where one includes itself', async () => {
    await mkdir(join(folder, 'conf.d'));
    await writeFile(join(folder, 'conf.d', 'a.conf'), 'Host a\n  HostName a.example\n');
    await writeFile(join(folder, 'conf.d', 'b.conf'), 'Host b\n  HostName b.example\n');
    assert.deepEqual(await hostNames('Include config conf.d/*.conf\nHost c\n  HostName c.example\n', 'a', 'b', 'c'), [
      'a.example',
      'b.example',
      'c.example',
    ]);
  });

  it('run no program', async () => {
    const trace = join(folder, 'trace');
    const config = `Match exec "touch ${trace}"\n  HostName evil.example\nHost a\n  HostName a.example\n`;
    assert.deepEqual(await hostNames(config, 'a'), ['a.example']);
    assert.equal(existsSync(trace), false);
  });
});
