import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clientOf } from '../support/clientSamples.ts';
import { projectRoot } from '../../scripts/project.ts';

interface Announcement {
  readonly url: string;
  readonly tokens: Readonly<Record<'owner' | 'developer' | 'readUser', string>>;
}

/** @param command as after `npm run`. */
function start(command: string, args: readonly string[], home = projectRoot): ChildProcess {
  return spawn(process.execPath, [join(projectRoot, 'scripts', 'run.mjs'), command, ...args], {
    cwd: home,
    env: { ...process.env, ...(home === projectRoot ? {} : { TMPDIR: home, HOME: home }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('npm run sandbox', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`prints one line of JSON, serves what it says, stops on ${signal} and leaves no file behind`, async () => {
      const home = await mkdtemp(join(tmpdir(), 'sandbox-'));
      const child = start('sandbox', ['--port', '0'], home);
      assert.ok(child.stdout);
      const lines: string[] = [];
      const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      await once(reader, 'line');
      const { url, tokens } = JSON.parse(lines[0] ?? '') as Announcement;
      const client = clientOf(url, { token: tokens.owner });
      assert.equal((await client.directory.currentUser()).username, 'marta');
      const control = (action: string, headers = {}) =>
        fetch(`${url}/-/sandbox/${action}`, { method: 'POST', body: '[{"count":2}]', headers });
      assert.equal(((await (await control('addEvents')).json()) as unknown[]).length, 2);
      assert.equal((await control('addEvents', { origin: 'https://evil.example' })).status, 403);
      assert.equal((await control('constructor')).status, 400);
      await client.close();

      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      assert.equal(code, 0);
      assert.equal(lines.length, 1);
      await assert.rejects(fetch(url));
      assert.deepEqual(await readdir(home), []);
      await rm(home, { recursive: true });
    });
  }

  it('says what is wrong with what it was given', async () => {
    const { code, output } = await outcomeOf('sandbox', '--port', 'abc', '--tier', 'gold');
    assert.equal(code, 2);
    assert.match(output, /expected number[^]*at port[^]*"ultimate"\|"premium"\|"free"[^]*at tier/);
  });
});

describe('a command of the project', () => {
  it('says what it takes, also where that was not given to it', async () => {
    const [asked, mistaken] = [await outcomeOf('test', '--help'), await outcomeOf('test', '--nonsense')];
    assert.equal(asked.code, 0);
    assert.match(asked.output, /^Usage: npm /);
    assert.equal(mistaken.code, 2);
    assert.match(mistaken.output, /nonsense/);
    assert.ok(mistaken.output.endsWith(`\n\n${asked.output}`));
  });
});

/** What comes of a command that ends by itself. */
async function outcomeOf(command: string, ...args: readonly string[]) {
  const child = start(command, args);
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
