import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { EditorDialogs } from '../../../src/accounts/dialogs.ts';
import type { ClientKeyRecord } from '../../../src/api/errorTracking.ts';
import { KeyCommands } from '../../../src/errorTracking/keyCommands.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { type KeyPlaces, UsageSearch } from '../../../src/errorTracking/usages.ts';
import { WorkspaceFiles } from '../../../src/workspace/files.ts';
import { replaced } from '../../support/answeredInputs.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';

interface Git {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

describe('the search for a client key', () => {
  let window: ErrorTrackingWindow;
  let folder: string;
  let usages: UsageSearch;
  let known: ClientKeyRecord;
  /** The key that is looked for. */
  let active: ClientKeyRecord;
  const files = new WorkspaceFiles();
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };

  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
    const found = (await allKeys((await window.connection()).client, 501)).keys.find((key) => key.active);
    assert.ok(found);
    known = found;
    // The editor keeps documents of other tests for a while, whose key is that of the sandbox.
    const own = `glet_${randomUUID().replaceAll('-', '')}`;
    active = { ...found, public_key: own, tracker_dsn: found.tracker_dsn.replace(found.public_key, own) };
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-usages-')));
    const root = vscode.Uri.file(folder);
    const within: Pick<WorkspaceFiles, 'read'> = {
      read: (options) => files.read({ ...options, include: new vscode.RelativePattern(root, '**/*') }),
    };
    usages = new UsageSearch(within, () => [root]);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await window.close();
  });

  const pathsOf = (places: KeyPlaces['byHand']) =>
    places.map(({ uri, line }) => `${uri.fsPath.slice(folder.length + 1)}:${line + 1}`);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  /** The question before the key is deleted, which is answered with no. */
  async function question(): Promise<{ detail: string; keep?: string; instead?: { title: string } }> {
    const project = await window.pin('harbor/tide-table', 501);
    window.dialogs.confirms = false;
    const find: UsageSearch['find'] = (_, signal) => usages.find(active.public_key, signal);
    await new KeyCommands(window.targets, window.states, { find }, window.dialogs).delete({ project, key: known });
    const [asked] = window.dialogs.asked;
    assert.ok(asked);
    return asked;
  }

  /** Files of programs that have the key, but no whole DSN in one piece. */
  function writeInParts(): readonly string[] {
    const { public_key: key, tracker_dsn: dsn } = active;
    const [scheme = '', rest = ''] = dsn.split(`${key}@`);
    const forms: readonly (readonly [path: string, text: string])[] = [
      ['config.py', `class Settings:\n    dsn: str = ("${scheme}${key}"\n                "@${rest}")\n`],
      ['deploy/stack.yml', `environment:\n  TRACKER_KEY: ${key}\n  SENTRY_DSN: ${scheme}\${TRACKER_KEY}@${rest}\n`],
      ['main.js', `const key = '${key}';\ninit({ dsn: '${scheme}' + key + '@${rest}' });\n`],
      ['nginx.conf', `add_header Content-Security-Policy "report-uri ${scheme}${rest}/security/?sentry_key=${key}";\n`],
      ['Release.xcconfig', `SENTRY_DSN = ${dsn.replace('//', '/$()/')}\n`],
      ['nested.json', JSON.stringify({ config: JSON.stringify({ dsn }).replaceAll('/', String.raw`\/`) })],
      ...[0, 1, 2].map(
        (before) => [`secret${before}.yaml`, `data:\n  dsn: ${base64(`${'x'.repeat(before)}${dsn}`)}\n`] as const,
      ),
    ];
    forms.forEach(([path, text]) => write(path, text));
    return forms.map(([path]) => path);
  }

  it('names every file that has it, however its DSN is written', async () => {
    const paths = writeInParts();
    const { dsns, byHand, gaps } = await usages.find(active.public_key);
    assert.deepEqual([dsns, gaps], [[], []]);
    assert.deepEqual([...new Set(pathsOf(byHand).map((path) => path.replace(/:\d+$/, '')))].sort(), [...paths].sort());
    assert.ok(pathsOf(byHand).includes('config.py:2'));
    const { detail, keep, instead } = await question();
    for (const path of paths) {
      assert.ok(detail.includes(`${path}:`), path);
    }
    assert.equal(keep, 'Keep Client Key');
    assert.equal(instead?.title, 'Rotate Instead…');
  });

  it('finds whole DSNs as JSON and properties files escape them, to be replaced', async () => {
    const { public_key: key, tracker_dsn: dsn } = active;
    const json = dsn.replaceAll('/', String.raw`\/`);
    write('page.html', `<script>var settings = {"dsn":"${json}","release":"1"};</script>`);
    write('app.properties', `tracker.dsn=${dsn.replaceAll(':', String.raw`\:`)}\n`);
    write('.env', `A=1\r\nSENTRY_DSN=${dsn}\r\n`);
    const { dsns, byHand } = await usages.find(key);
    assert.deepEqual(byHand, []);
    assert.deepEqual(pathsOf(dsns), ['.env:2', 'app.properties:1', 'page.html:1']);
    assert.deepEqual(dsns[0]?.range, new vscode.Range(1, 11, 1, 11 + dsn.length));
    assert.equal(dsns[2]?.text, json);
  });

  it('finds it in settings that git ignores, in open documents, and in files that are no text', async () => {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
    await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
    const { public_key: key, tracker_dsn: dsn } = active;
    const ignored = ['.env', '.envrc', 'compose.override.yml', 'appsettings.Development.json'];
    write('.gitignore', `${ignored.join('\n')}\ndist/\n`);
    ignored.forEach((path) => write(path, `"${dsn}"`));
    write('dist/main.js', `init("${dsn}")`);
    write('settings.ps1', Buffer.from(`$dsn = '${dsn}'`, 'utf16le'));
    const { dsns, byHand, gaps } = await usages.find(key);
    assert.deepEqual(pathsOf(dsns), ['.env:1', '.envrc:1', 'appsettings.Development.json:1', 'compose.override.yml:1']);
    assert.deepEqual([pathsOf(byHand), gaps], [['settings.ps1:1'], []]);
    const outside = join(realpathSync(mkdtempSync(join(tmpdir(), 'beacon-usages-'))), 'main.py');
    writeFileSync(outside, `key = "${key}"\n`);
    await vscode.window.showTextDocument(vscode.Uri.file(outside));
    assert.ok((await usages.find(key)).byHand.some(({ uri }) => uri.fsPath === outside));
  });

  it('finds it on the disk where it is gone in the editor alone', async () => {
    const { public_key: key, tracker_dsn: dsn } = active;
    write('main.py', `init("${dsn}")\n`);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'main.py')));
    await editor.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
    const { dsns } = await usages.find(key);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.deepEqual(pathsOf(dsns), ['main.py:1']);
  });

  it('says that no file uses the key only where every file was read', async () => {
    write('main.py', 'print()\n');
    symlinkSync('missing', join(folder, 'link-to-nothing'));
    const sound = await question();
    assert.match(sound.detail, /No file of this workspace uses it, but programs elsewhere may\./);
    assert.deepEqual([sound.keep, sound.instead], [undefined, undefined]);
    window.dialogs.asked.length = 0;
    write('large.log', '');
    truncateSync(join(folder, 'large.log'), 16 * 1024 * 1024 + 1);
    const files = vscode.workspace.getConfiguration('files');
    await files.update('exclude', { '**/hidden': true }, vscode.ConfigurationTarget.Global);
    try {
      const { detail, keep } = await question();
      assert.match(detail, /No file that was searched uses it, but programs elsewhere may\./);
      assert.match(detail, /^Not everything was searched:\nFiles that the setting files\.exclude hides\.$/m);
      assert.match(detail, /^Too large: .*large\.log$/m);
      assert.equal(keep, 'Keep Client Key');
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says where nothing can be searched, where a search was cut, and what cannot be read', async () => {
    const none = new UsageSearch(files, () => []);
    assert.deepEqual((await none.find(active.public_key)).gaps, ['No folder is open in this window.']);
    const cut = new UsageSearch(
      {
        read: (options) => {
          options?.onCut?.();
          options?.onSkipped?.(vscode.Uri.file('/x/locked.env'), 'unreadable');
          return files.read({ include: new vscode.RelativePattern(vscode.Uri.file(folder), '*') });
        },
      },
      () => [vscode.Uri.file(folder)],
    );
    assert.deepEqual((await cut.find(active.public_key)).gaps, [
      'There are more files than can be listed here.',
      'Cannot be read: /x/locked.env',
    ]);
  });

  it('names so many files, and how many more there are', async () => {
    Array.from({ length: 23 }, (_, index) => write(`${index}.txt`, active.public_key.concat('\n').repeat(25)));
    const { detail } = await question();
    assert.match(detail, /^It is used in 575 places of this workspace:$/m);
    assert.match(detail, /:1, 2, 3, 4, 5, and 20 more$/m);
    assert.match(detail, /^and 3 more$/m);
  });

  it('has a question whose first button keeps the key, and whose second rotates it', async () => {
    const shown: string[][] = [];
    const answers = ['Keep', undefined, 'Rotate', 'Delete'];
    const said = replaced({
      showWarningMessage: async (_: string, __: object, ...buttons: string[]) => {
        shown.push(buttons);
        return answers.shift();
      },
    });
    let rotated = 0;
    try {
      const dialogs = new EditorDialogs({} as vscode.LogOutputChannel, 'beacon.errorTracking');
      const instead = { title: 'Rotate', run: async () => (rotated += 1) };
      const ask = () => dialogs.confirm({ question: '?', detail: '', verb: 'Delete', keep: 'Keep', instead });
      assert.deepEqual([await ask(), await ask(), await ask(), rotated, await ask()], [false, false, false, 1, true]);
    } finally {
      said.dispose();
    }
    assert.deepEqual(shown[0], ['Keep', 'Rotate', 'Delete']);
  });
});
