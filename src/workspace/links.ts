import { isOnDisk, linkTarget } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { confirm } from '../common/inertWindow.ts';

type Target = NonNullable<Awaited<ReturnType<typeof linkTarget>>>;

/** Where a file really is, if it is a link or below one; undefined for files that are not on this disk. */
export async function linkTargetOf(file: vscode.Uri): Promise<Target | undefined> {
  return isOnDisk(file) ? await linkTarget(vscode.workspace.getWorkspaceFolder(file)?.uri, file) : undefined;
}

/** Asks before something is written to what a link leads to: a repository can hold one that nobody has looked at. */
export async function isLinkMeant(file: vscode.Uri, { path, isOutside }: Target): Promise<boolean> {
  return await confirm(
    isOutside ? vscode.l10n.t('Write outside of the workspace?') : vscode.l10n.t('Write to the target of a link?'),
    vscode.l10n.t('{0} leads to {1}', oneLine(vscode.workspace.asRelativePath(file)), oneLine(path)),
    vscode.l10n.t('Write'),
  );
}

/** Whether a file may be written that the user has chosen: one that is no link, or one whose target they were shown. */
export async function mayWriteTo(file: vscode.Uri): Promise<boolean> {
  const target = await linkTargetOf(file);
  return !target || ((await isLinkMeant(file, target)) && (await linkTargetOf(file))?.path === target.path);
}

/** A whole path, however long, in which no spaces push the end out of sight. */
export function oneLine(path: string): string {
  return plainText(path, 4096).replaceAll(/\s+/g, ' ');
}
