import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { isIgnored, searchByGit } from '../../../src/platform/node/git.ts';
import { readFiles } from '../../../src/workspace/files.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const inside = insideWindow(import.meta.filename);
/** Opens a repository in the Git extension of the window. */
const openRepository = (root: string): void =>
  inside.window.repositories.open({ folder: vscode.Uri.file(root), remotes: {} });

describe('the files of a workspace', () => {
  let folder: string;
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const include = () => new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-files-')));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    write('.gitignore', 'build/\n*.log\n');
    write('client.ts', 'fetch()');
    write('scripts/run.sh', 'curl');
    write('build/client.js', 'built');
    write('run.log', 'ignored');
    write('node_modules/other/index.js', 'of someone else');
    write('logo.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
    write('large.txt', 'x'.repeat(3000));
    symlinkSync('missing', join(folder, 'broken'));
  });
  beforeEach(() => openRepository(folder));

  it('come without what git ignores, what is binary, large or of someone else', async () => {
    const read: Record<string, string> = {};
    for await (const { uri, text } of readFiles({ include: include(), maxBytes: 2000 })) {
      read[relative(folder, uri.fsPath)] = text;
    }
    assert.deepEqual(Object.keys(read).sort(), ['.gitignore', 'client.ts', 'scripts/run.sh']);
    assert.equal(read['client.ts'], 'fetch()');
  });

  it('come as the editor shows them, saved or not', async () => {
    const document = await vscode.workspace.openTextDocument(join(folder, 'client.ts'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'await ');
    await vscode.workspace.applyEdit(edit);
    const texts: string[] = [];
    for await (const { uri, text } of readFiles({
      include: new vscode.RelativePattern(vscode.Uri.file(folder), 'client.ts'),
    })) {
      assert.equal(uri.toString(), document.uri.toString());
      texts.push(text);
    }
    assert.deepEqual(texts, ['await fetch()']);
  });

  it('end when the reader cancels', async () => {
    const cancellation = new vscode.CancellationTokenSource();
    let count = 0;
    for await (const { uri } of readFiles({ include: include(), token: cancellation.token })) {
      assert.ok(uri);
      count += 1;
      cancellation.cancel();
    }
    assert.equal(count, 1);
  });

  it('report the progress of reading', async () => {
    const reported: [number, number][] = [];
    for await (const { uri } of readFiles({ include: include(), onProgress: (...counts) => reported.push(counts) })) {
      assert.ok(uri);
    }
    const total = reported.at(-1)?.[1] ?? 0;
    assert.ok(total >= 5);
    assert.deepEqual(reported.at(-1), [total, total]);
  });

  describe('in a repository of many files', () => {
    let root: string;
    const paths = Array.from({ length: 60 }, (_, index) => `src/part ${index}/möwe.ts`);
    const make = (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    };

    before(async () => {
      root = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-many-')));
      execFileSync('git', ['init', '-q'], { cwd: root });
      make('.gitignore', 'build/\n*.log\n');
      paths.forEach((path) => make(path, 'export {};'));
      make('src/.gitignore', '/local.ts\n');
      make('src/local.ts', 'needle');
      make('local.ts', 'Needle');
      make('src/build/out.ts', 'needle');
      make('build/tracked.ts', 'needle');
      make('build/other.ts', 'needle');
      make('run.log', 'needle');
      make('logo.png', Buffer.concat([Buffer.from([0, 1]), Buffer.from('needle')]));
      execFileSync('git', ['add', '-f', 'build/tracked.ts', 'src/part 1/möwe.ts'], { cwd: root });
      make('nested/.gitignore', 'mine.ts\n');
      make('nested/mine.ts', 'needle');
      make('nested/theirs.ts', 'needle');
      execFileSync('git', ['init', '-q'], { cwd: join(root, 'nested') });
    });
    beforeEach(() => [root, join(root, 'nested')].forEach(openRepository));

    it('leave out what git ignores by any rule', async () => {
      const read: string[] = [];
      for await (const { uri } of readFiles({ include: new vscode.RelativePattern(vscode.Uri.file(root), '**/*') })) {
        read.push(relative(root, uri.fsPath));
      }
      assert.deepEqual(read.filter((path) => !paths.includes(path)).sort(), [
        ...['.gitignore', 'build/tracked.ts', 'local.ts', 'nested/.gitignore', 'nested/theirs.ts', 'src/.gitignore'],
      ]);
      assert.equal(read.length, paths.length + 6);
    });

    it('are searched by git: tracked or not, in each repository, whatever the case', async () => {
      const found = await searchByGit(vscode.Uri.file(root), 'need.?le');
      assert.deepEqual(found?.map(({ fsPath }) => relative(root, fsPath)).sort(), [
        'build/tracked.ts',
        'local.ts',
        'logo.png',
        'nested/theirs.ts',
      ]);
      assert.deepEqual(await searchByGit(vscode.Uri.file(root), 'not to be found'), []);
      const below = await searchByGit(vscode.Uri.file(join(root, 'build')), 'needle');
      assert.deepEqual(
        below?.map(({ fsPath }) => relative(root, fsPath)),
        ['build/tracked.ts'],
      );
    });

    it('are not searched by git where it does not know the folder', async () => {
      assert.equal(await searchByGit(vscode.Uri.file(tmpdir()), 'needle'), undefined);
    });
  });

  it('can be asked for one by one', async () => {
    assert.equal(await isIgnored(vscode.Uri.file(join(folder, 'run.log'))), true);
    assert.equal(await isIgnored(vscode.Uri.file(join(folder, 'client.ts'))), false);
    assert.equal(await isIgnored(vscode.Uri.parse('untitled:Untitled-1')), undefined);
  });
});
