import type * as vscode from 'vscode';
import { parseRemoteUrl, type RemoteAddress } from './remoteUrl.ts';
import type { WorkspaceRepository } from './remotes.ts';

/**
 * Reads the URI of a virtual folder that GitLab's own extension shows, such as `gitlab-remote://host/label?project=group/project&ref=main`.
 *
 * @returns undefined for any other folder, and for a project that is named by its number alone.
 * @see https://docs.gitlab.com/editor_extensions/visual_studio_code/remote_urls/
 */
export function parseFolderUri(uri: {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}): RemoteAddress | undefined {
  const project = uri.scheme === 'gitlab-remote' ? (new URLSearchParams(uri.query).get('project') ?? '') : '';
  // Before the label stands the path of the instance.
  const root = uri.path.replace(/\/[^/]*\/?$/, '');
  return project.includes('/')
    ? parseRemoteUrl(`https://${uri.authority}${root}/${project.split('/').map(encodeURIComponent).join('/')}`)
    : undefined;
}

/** The folders of which the URI says where they lead. */
export function remotesOf(folders: readonly vscode.WorkspaceFolder[]): WorkspaceRepository[] {
  return folders.flatMap(({ uri }) => {
    const remote = parseFolderUri(uri);
    return remote ? { folder: uri, remotes: [remote] } : [];
  });
}
