import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/**
 * How one can sign in here besides by a token and by the browser. A browser has no files of the GitLab CLI, and may not begin the
 * sign-in of a device: instances give web pages no permission for that.
 */
export const signInOffers: { readonly cli: boolean; readonly device: boolean } = { cli: false, device: false };

/** What decides where the GitLab CLI keeps its configuration: nothing here. */
export type CliEnvironment = object;

/** What the user's SSH configuration calls hosts: a browser has none, so that aliases stay as they are. */
export async function readSshConfig(): Promise<HostNameOf> {
  return (alias) => alias;
}

/** The configuration of the GitLab CLI, of which a browser has none. */
export async function readCliConfiguration(_environment?: CliEnvironment): Promise<string | undefined> {
  return undefined;
}
