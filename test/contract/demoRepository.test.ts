import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoRepository } from '../../scripts/demoRepository.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { calendarDate } from '../../src/common/dates.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { inZone } from '../support/zone.ts';
import { call } from './sandbox/caller.ts';

describe('the repository that npm start opens', () => {
  const now = new Date('2026-03-29T00:05:00Z');
  let home: string;
  let demo: DemoRepository;
  let sandbox: Sandbox;
  let events: EventRecord[];
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', demo.folder, ...args], { encoding: 'utf8' }).trim();

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'beacon-demo-'));
    // A machine whose git signs, has hooks and knows nobody.
    const config = join(home, 'config');
    await writeFile(
      config,
      '[commit]\n\tgpgSign = true\n[core]\n\thooksPath = /nowhere\n[init]\n\tdefaultBranch = trunk\n',
    );
    const odd = {
      ...{ GIT_DIR: '/nowhere', GIT_AUTHOR_NAME: 'Somebody', GIT_CONFIG_GLOBAL: config },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.bare', GIT_CONFIG_VALUE_0: 'true' },
    };
    const before = Object.keys(odd).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, odd);
    try {
      demo = new DemoRepository(join(home, 'demo'));
      sandbox = await startSandbox({ now: () => now, timeZone: 'UTC', pushCommits: demo.push });
      await demo.finish(sandbox);
    } finally {
      for (const [name, value] of before) {
        delete process.env[name];
        Object.assign(process.env, value === undefined ? {} : { [name]: value });
      }
    }
    const { records } = await call(sandbox, '/projects/harbor%2Ftide-table/events?per_page=50&action=pushed');
    events = records as unknown as EventRecord[];
  });
  after(() => sandbox.close());

  it('has the commits of what the feed says was pushed today and yesterday', () => {
    const pushes = events.filter(
      ({ created_at: time, push_data }) => (time ?? '') >= '2026-03-28' && push_data?.ref === 'main',
    );
    assert.deepEqual(
      new Set(pushes.map(({ created_at }) => inZone('UTC', () => calendarDate(new Date(created_at ?? ''))))),
      new Set(['2026-03-29', '2026-03-28']),
    );
    for (const { push_data, author } of pushes) {
      const { commit_from, commit_to, commit_title, commit_count } = push_data ?? {};
      const range = `${String(commit_from)}..${String(commit_to)}`;
      assert.equal(git('log', '-1', '--format=%s|%an', String(commit_to)), `${commit_title}|${author?.name}`);
      assert.equal(git('rev-list', '--count', range), String(commit_count));
      assert.notEqual(git('diff', '--stat', range), '');
    }
  });
});
