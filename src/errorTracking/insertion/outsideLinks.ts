import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { isInside } from '../../common/isInside.ts';
import type { Dialogs } from '../dialogs.ts';

/**
 * Asks before something is written to files that are links to a place outside of their folder of the workspace: a repository
 * can hold such a link without anybody having looked at it.
 *
 * @param files that may not be there yet.
 * @returns whether they may be written.
 */
export async function mayFollowLinks(files: readonly vscode.Uri[], dialogs: Dialogs): Promise<boolean> {
  for (const file of files) {
    const target = await targetOutside(file);
    if (target !== undefined) {
      const isMeant = await dialogs.confirm({
        question: vscode.l10n.t('Write outside of the workspace?'),
        detail: vscode.l10n.t('{0} is a link to {1}.', vscode.workspace.asRelativePath(file), target),
        verb: vscode.l10n.t('Write'),
      });
      if (!isMeant) {
        return false;
      }
    }
  }
  return true;
}

/** Where a file really is, if that is not below its folder of the workspace; undefined for files that are not on this disk. */
export async function targetOutside(file: vscode.Uri): Promise<string | undefined> {
  if (file.scheme !== 'file') {
    return undefined;
  }
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? dirname(file.fsPath);
  const [home, target] = await Promise.all([realPathOf(root), realPathOf(file.fsPath)]);
  return isInside(home, target) ? undefined : target;
}

/** The path without links, also of a file that is not there yet or whose link leads to one that is not. */
async function realPathOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path || links > 40) {
      return path;
    }
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    return isLink
      ? await realPathOf(resolve(above, await readlink(path)), links + 1)
      : join(await realPathOf(above, links), path.slice(above.length).replace(/^[/\\]/, ''));
  }
}
