import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { areRelated, parseRemoteUrl, repositoryOf } from '../workspace/remoteUrl.ts';

/** At most this many remotes of a window are asked about. */
const mostAsked = 20;

/**
 * Finds out which instance a remote by SSH leads to where that is reached by another host than its pages: an instance that has a
 * project with the path of the remote says by which address it is cloned. Only hosts of the same domain are asked about.
 */
export function findSshHosts({ accounts, remotes, connections, log }: App): vscode.Disposable {
  const asked = new Set<string>();
  const look = async (): Promise<void> => {
    for (const remote of remotes.repositories.flatMap((repository) => repository.remotes)) {
      const host = remotes.hostNameOf(remote.host);
      const path = repositoryOf(remote.path);
      for (const { id, instanceUrl } of remote.protocol === 'ssh' && path !== undefined ? accounts.all : []) {
        const { hostname } = new URL(instanceUrl);
        const question = `${id} ${host} ${path}`;
        if (!areRelated(host, hostname) || asked.has(question) || asked.size >= mostAsked) {
          continue;
        }
        asked.add(question);
        const { client } = await connections.of(id);
        // Not every project is visible to every account.
        const record = await client.directory.project(path ?? '').catch(() => undefined);
        if (parseRemoteUrl(record?.ssh_url_to_repo ?? '')?.host === host) {
          remotes.learnSshHost(host, hostname);
        }
      }
    }
  };
  const start = (): void => {
    look().catch((error: unknown) => log.warn(`Hosts of SSH were not found out: ${inspect(error)}`));
  };
  start();
  return vscode.Disposable.from(remotes.onDidChange(start), accounts.onDidChange(start));
}
