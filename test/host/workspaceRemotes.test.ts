import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { findGit, foundRepositories } from '../../src/workspace/gitExtension.ts';
import { WorkspaceRemotes } from '../../src/workspace/remotes.ts';

describe('the remotes of the workspace', () => {
  let folder: string;
  let remotes: WorkspaceRemotes;

  before(async () => {
    // Inside of the workspace: other repositories are not opened by every version of the Git extension.
    folder = await mkdtemp(join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'repository-'));
    remotes = new WorkspaceRemotes();
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'url.ssh://git@gitlab.example.com:2222/.insteadOf', 'work:');
    await git('remote', 'add', 'fork', 'https://gitlab.example.com/ada/project.git');
    await git('remote', 'add', 'origin', 'work:group/project.git');
    await remotes.start();
  });
  after(async () => {
    remotes.dispose();
  });

  async function git(...args: string[]): Promise<void> {
    await promisify(execFile)('git', args, { cwd: folder });
  }

  function pathsOfFolder(): string[] {
    const found = remotes.repositories.find((repository) => repository.folder.fsPath === folder);
    return (found?.remotes ?? []).map(({ protocol, host, path }) => `${protocol} ${host} ${path}`);
  }

  /** Resolves when the remotes of the folder are as wanted. */
  async function shows(...wanted: string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const subscription = remotes.onDidChange(look);
      function look(): void {
        if (JSON.stringify(pathsOfFolder()) === JSON.stringify(wanted)) {
          subscription.dispose();
          resolve();
        }
      }
      look();
    });
  }

  it('follow the Git extension: a repository opens, gets another remote, and closes', async () => {
    const api = (await findGit()) as { openRepository?: (uri: vscode.Uri) => Promise<unknown> } | undefined;
    await api?.openRepository?.(vscode.Uri.file(folder));
    await shows('ssh gitlab.example.com group/project', 'https gitlab.example.com ada/project');
    await git('remote', 'add', 'other', 'git@other.example:group/project.git');
    await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(folder));
    await shows(
      'ssh gitlab.example.com group/project',
      'https gitlab.example.com ada/project',
      'ssh other.example group/project',
    );
    await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder));
    await shows();
  });

  it('are known once the Git extension has looked through the workspace', async () => {
    await remotes.whenKnown;
    const changed = new vscode.EventEmitter<'initialized'>();
    let isKnown = false;
    const known = foundRepositories({ state: 'uninitialized', onDidChangeState: changed.event }).then(() => {
      isKnown = true;
    });
    await foundRepositories({ state: 'initialized', onDidChangeState: changed.event });
    assert.equal(isKnown, false);
    changed.fire('initialized');
    await known;
    changed.dispose();
  });
});
