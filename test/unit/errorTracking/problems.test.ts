import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import * as vscode from 'vscode';
import type { TestWindow, WindowOptions } from '../../support/testWindow.ts';
import {
  type KeyRecord,
  makeRepository,
  openProject,
  openTracking,
  shortName,
  trackingView,
} from './trackingWindow.ts';

describe('DSNs in files', () => {
  let window: TestWindow;
  let key: KeyRecord;
  let inactive: KeyRecord;
  let deleted: Omit<KeyRecord, 'id'>;

  async function open(options: WindowOptions = {}): Promise<void> {
    [window, key, inactive] = await openTracking(options);
    // One that was never there is no other to the instance.
    const gone = `glet_${'0'.repeat(32)}`;
    deleted = { active: true, public_key: gone, tracker_dsn: key.tracker_dsn.replace(key.public_key, gone) };
  }

  beforeEach(() => open());
  afterEach(() => window.dispose());

  async function refresh(): Promise<void> {
    await window.run('beacon.errorTracking.refresh');
  }

  /** Waits until a file has so many problems. */
  async function problems(path: string, count = 1): Promise<readonly string[]> {
    await window.until(() => window.problems(path).length === count, `${count} problems of ${path}`);
    return window.problems(path);
  }

  it('of deleted and inactive keys are problems, in env files that git ignores most of all, and are fixed there', async () => {
    makeRepository(window);
    window.write('.gitignore', '.env\n');
    window.write('.env', `SENTRY_DSN=${deleted.tracker_dsn}\n`);
    window.write('config.json', JSON.stringify({ dsn: inactive.tracker_dsn }).replaceAll('/', '\\/'));
    await refresh();
    assert.deepEqual(await problems('.env'), [
      `1:12 error Client key ${shortName(deleted)} is deleted: errors that are sent with it are lost.`,
    ]);
    assert.match((await problems('config.json'))[0] ?? '', /^1:9 warning Client key glet_.* \(ID \d+\) is inactive/);
    await window.show('.env');
    const fix = `Use the DSN of client key ${shortName(key)} of harbor/tide-table`;
    await window.fix('.env', fix);
    assert.equal(window.text('.env'), `SENTRY_DSN=${key.tracker_dsn}\n`);
    await problems('.env', 0);
    await window.show('config.json');
    await window.fix('config.json', fix);
    assert.deepEqual(JSON.parse(window.text('config.json')), { dsn: key.tracker_dsn });
    assert.match(window.text('config.json'), /\\\/errortracking/);
  });

  it('are found in UTF-16, too, where git takes it for binary', async () => {
    makeRepository(window);
    const text = `\uFEFFdsn=${deleted.tracker_dsn}\r\n`;
    window.write('app.txt', Buffer.from(text, 'utf16le'));
    window.write('other.txt', Buffer.from(text, 'utf16le').swap16());
    await refresh();
    assert.match((await problems('app.txt'))[0] ?? '', /^1:5 error/);
    await problems('other.txt');
  });

  it('follow what is typed, and the disk where changes are dropped', async () => {
    makeRepository(window);
    window.write('.gitignore', '.env\n');
    window.write('.env', `SENTRY_DSN=${deleted.tracker_dsn}\n`);
    await window.show('.env');
    await problems('.env');
    window.type('.env', 'A=1\n');
    await problems('.env', 0);
    window.type('.env', `A=1\n\nSENTRY_DSN=${deleted.tracker_dsn}\n`);
    assert.match((await problems('.env'))[0] ?? '', /^3:12 /);
  });

  it('are replaced in the cells of a notebook, which are no files', async () => {
    window.write('run.ipynb', '{}');
    const cell = window.path('run.ipynb').with({ scheme: 'vscode-notebook-cell', fragment: 'W0' });
    const text = `init("${deleted.tracker_dsn}")\n`;
    const range = new vscode.Range(0, 6, 0, text.length - 3);
    const changed = await window.within(async () => {
      vscode.workspace.registerTextDocumentContentProvider(cell.scheme, { provideTextDocumentContent: () => text });
      await vscode.commands.executeCommand('beacon.errorTracking.replaceDsn', cell, range, key.tracker_dsn);
      return (await vscode.workspace.openTextDocument(cell)).getText();
    });
    assert.equal(changed, `init("${key.tracker_dsn}")\n`);
  });

  it('of code are read from the environment instead', async () => {
    window.write('app.py', `import os\ninit("${key.tracker_dsn}")\n`);
    await window.show('app.py');
    assert.match(
      (await problems('app.py'))[0] ?? '',
      /^2:7 information A DSN in code cannot be changed without a release/,
    );
    await window.fix('app.py', 'Read the DSN from the environment');
    assert.equal(window.read('app.py'), 'import os\ninit(os.environ["SENTRY_DSN"])\n');
    assert.equal(window.read('.env'), `SENTRY_DSN=${key.tracker_dsn}\n`);
  });

  it('of another project than that of the repository are problems', async () => {
    await openProject(window, 'harbor/berth-planner');
    window.write('.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
    await window.show('.env');
    assert.match(
      (await problems('.env'))[0] ?? '',
      /warning This DSN sends errors to harbor\/tide-table, but this is the repository of harbor\/berth-planner\.$/,
    );
  });

  it('say under the pointer what they are, and what can be done with their key', async () => {
    window.write(
      '.env',
      `SENTRY_DSN=${key.tracker_dsn}\nOTHER=https://glet_1@elsewhere.example/errortracking/api/v1/projects/1\n`,
    );
    await window.show('.env');
    const hover = await window.hover('.env', key.public_key);
    assert.match(
      hover.replaceAll('\\', ''),
      /DSN of project harbor\/tide-table at 127\.0\.0\.1:\d+\. Client key .* is active\./,
    );
    assert.match(hover, /\[Replace Key…\]\(command:beacon\.errorTracking\.replaceKey\?/);
    assert.match(await window.hover('.env', 'glet_1@elsewhere'), /You are not signed in to that instance/);
    assert.equal(await window.hover('.env', 'OTHER'), '');
  });

  it('are shown unless a setting says otherwise', async () => {
    window.write('.env', `SENTRY_DSN=${deleted.tracker_dsn}\n`);
    await window.show('.env');
    await problems('.env');
    await window.setting('beacon.errorTracking.problems', false);
    await problems('.env', 0);
  });

  it('are looked for in no workspace that is not trusted, and by nobody who is not signed in', async () => {
    await window.dispose();
    await open({ isTrusted: false });
    window.write('.env', `SENTRY_DSN=${deleted.tracker_dsn}\n`);
    await refresh();
    await window.show('.env');
    await window.row(trackingView, 'harbor/tide-table');
    assert.deepEqual(window.problems('.env'), []);
  });

  it('are read within bounds, whatever the files hold: the view says that some were not', async () => {
    for (let file = 0; file < 70; file += 1) {
      window.write(`data/${file}.txt`, 'no address '.repeat(95_000));
    }
    await refresh();
    await window.until(async () => ((await window.view(trackingView)).message ?? '').includes('Not all files'));
    assert.doesNotMatch((await window.row(trackingView, shortName(key))).description, /DSN in no file/);
  });

  it('make no more requests than there may be projects', async () => {
    const dsns = Array.from({ length: 150 }, (_, index) => key.tracker_dsn.replace(/\d+$/, String(9000 + index)));
    window.write('.env', dsns.join('\n'));
    await window.show('.env');
    const asked = (): number =>
      new Set(window.requests.filter(({ path }) => /^\/projects\/9\d+/.test(path)).map(({ path }) => path)).size;
    await window.until(() => asked() >= 30);
    assert.deepEqual(await problems('.env', 0), []);
    assert.ok(asked() <= 40, String(asked()));
  });

  describe('are looked for when nobody types', () => {
    const use = async (path: string): Promise<boolean> =>
      (await window.row(trackingView, shortName(key))).description === `in ${path}`;

    beforeEach(async () => {
      await window.dispose();
      await open({ time: '2026-05-04T09:00:00Z', files: { 'notes.md': '' } });
      makeRepository(window);
      await window.show('notes.md');
      window.write('a.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
    });

    it('for a moment, and as the files are then; a refresh right after a letter is waited with', async () => {
      await window.advance(1000);
      window.type('notes.md', 'a');
      await refresh();
      await window.advance(200);
      window.type('notes.md', 'ab');
      await refresh();
      await window.advance(200);
      renameSync(window.path('a.env').fsPath, window.path('b.env').fsPath);
      await window.advance(200);
      await window.until(() => use('b.env'));
    });

    it('or after ten seconds, if somebody types on', async () => {
      window.type('notes.md', '1');
      await refresh();
      for (let letter = 0; letter < 50; letter += 1) {
        window.type('notes.md', '1'.repeat(letter));
        await window.advance(201);
      }
      window.type('notes.md', 'now');
      await window.until(() => use('a.env'));
    });
  });
});
