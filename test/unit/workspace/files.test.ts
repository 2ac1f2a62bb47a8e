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
  let root: string;
  const paths = Array.from({ length: 60 }, (_, index) => `src/part ${index}/möwe.ts`);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const include = (pattern = '**/*') => new vscode.RelativePattern(vscode.Uri.file(root), pattern);

  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-files-')));
    execFileSync('git', ['init', '-q'], { cwd: root });
    write('.gitignore', 'build/\n*.log\n');
    paths.forEach((path) => write(path, 'export {};'));
    write('src/.gitignore', '/local.ts\n');
    write('src/local.ts', 'needle');
    write('local.ts', 'Needle');
    write('src/build/out.ts', 'needle');
    write('build/tracked.ts', 'needle');
    write('build/other.ts', 'needle');
    write('run.log', 'needle');
    write('node_modules/other/index.js', 'of someone else');
    write('logo.png', Buffer.concat([Buffer.from([0, 1]), Buffer.from('needle')]));
    write('large.txt', 'x'.repeat(3000));
    write('utf8.txt', '\uFEFFgrüße');
    write('latin1.txt', Buffer.from('a\xe9b', 'latin1'));
    symlinkSync('missing', join(root, 'broken'));
    execFileSync('git', ['add', '-f', 'build/tracked.ts', 'src/part 1/möwe.ts'], { cwd: root });
    write('nested/.gitignore', 'mine.ts\n');
    write('nested/mine.ts', 'needle');
    write('nested/theirs.ts', 'needle');
    execFileSync('git', ['init', '-q'], { cwd: join(root, 'nested') });
  });
  beforeEach(() => [root, join(root, 'nested')].forEach(openRepository));

  it('come without what git ignores by any rule, what is binary, large or of someone else', async () => {
    const read: Record<string, string> = {};
    for await (const { uri, text } of readFiles({ include: include(), maxBytes: 2000 })) {
      read[relative(root, uri.fsPath)] = text;
    }
    assert.deepEqual(
      Object.keys(read)
        .filter((path) => !paths.includes(path))
        .sort(),
      [
        ...['.gitignore', 'build/tracked.ts', 'latin1.txt', 'local.ts', 'nested/.gitignore', 'nested/theirs.ts'],
        ...['src/.gitignore', 'utf8.txt'],
      ],
    );
    assert.equal(Object.keys(read).length, paths.length + 8);
    assert.deepEqual([read['local.ts'], read['utf8.txt'], read['latin1.txt']], ['Needle', 'grüße', 'a\uFFFDb']);
  });

  it('come as the editor shows them, saved or not', async () => {
    const document = await vscode.workspace.openTextDocument(join(root, 'local.ts'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'await ');
    await vscode.workspace.applyEdit(edit);
    const read: [string, string][] = [];
    for await (const { uri, text } of readFiles({ include: include('local.ts') })) {
      read.push([uri.toString(), text]);
    }
    assert.deepEqual(read, [[document.uri.toString(), 'await Needle']]);
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
    assert.ok(total >= paths.length);
    assert.deepEqual(reported.at(-1), [total, total]);
  });

  it('are searched by git: tracked or not, in each repository, whatever the case', async () => {
    const find = async (pattern: string, folder = '') =>
      (await searchByGit(vscode.Uri.file(join(root, folder)), pattern))
        ?.map(({ fsPath }) => relative(root, fsPath))
        .sort();
    assert.deepEqual(await find('need.?le'), ['build/tracked.ts', 'local.ts', 'logo.png', 'nested/theirs.ts']);
    assert.deepEqual(await find('not to be found'), []);
    assert.deepEqual(await find('needle', 'build'), ['build/tracked.ts']);
  });

  it('are not searched by git where it does not know the folder', async () => {
    assert.equal(await searchByGit(vscode.Uri.file(tmpdir()), 'needle'), undefined);
  });

  it('can be asked for one by one', async () => {
    assert.equal(await isIgnored(vscode.Uri.file(join(root, 'run.log'))), true);
    assert.equal(await isIgnored(vscode.Uri.file(join(root, 'local.ts'))), false);
    assert.equal(await isIgnored(vscode.Uri.parse('untitled:Untitled-1')), undefined);
  });
});
