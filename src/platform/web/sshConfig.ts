import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/** What the user's SSH configuration calls hosts: a browser has none, so that aliases stay as they are. */
export async function readSshConfig(): Promise<HostNameOf> {
  return (alias) => alias;
}
