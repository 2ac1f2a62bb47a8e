import { readSshConfig } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { findGit, foundRepositories, type Repository } from './gitExtension.ts';
import {
  configuredRemotes,
  type HostNameOf,
  insteadOfRules,
  parseFolderUri,
  parseRemoteUrl,
  type RemoteAddress,
  withInsteadOf,
} from './remoteUrl.ts';

/** A repository that is open, or a virtual folder in its place, with where its remotes lead. */
export interface WorkspaceRepository {
  readonly folder: vscode.Uri;
  /** The one that the current branch follows first, then `origin`, then the others. */
  readonly remotes: readonly RemoteAddress[];
}

/** The remotes of this window, as those need them who compare them with accounts. */
export type Remotes = Pick<WorkspaceRemotes, 'repositories' | 'whenKnown' | 'hostNameOf' | 'onDidChange'>;

/** At most this many remotes of a repository count, and at most this many repositories: each is compared with each account, repeatedly. */
const mostRemotes = 50;
const mostRepositories = 200;

/** Knows the remotes of all repositories that the Git extension has open, submodules among them, and where virtual folders lead. */
export class WorkspaceRemotes implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  /** By the address of the root, what reads a repository as it is, and what ends that it is followed. */
  readonly #watched = new Map<string, vscode.Disposable & { readonly read: () => Promise<WorkspaceRepository> }>();
  #repositories: readonly WorkspaceRepository[] = [];
  #hostNameOf: HostNameOf | undefined;
  readonly #sshHosts = new Map<string, string>();
  #reading = Promise.resolve();
  readonly #known = Promise.withResolvers<void>();

  readonly onDidChange = this.#changed.event;

  /** In the order in which the Git extension has them. */
  get repositories(): readonly WorkspaceRepository[] {
    return this.#repositories;
  }

  /** Resolves once those are known that were open with the window, which the Git extension looks for while the window opens. */
  readonly whenKnown = this.#known.promise;

  /** Resolves aliases of SSH as the user's configuration does. */
  get hostNameOf(): HostNameOf {
    return (alias) => {
      const host = this.#hostNameOf?.(alias) ?? alias;
      return this.#sshHosts.get(host) ?? host;
    };
  }

  /** Takes a host for SSH for that of an instance from now on. */
  learnSshHost(host: string, instanceHost: string): void {
    this.#sshHosts.set(host, instanceHost);
    this.#changed.fire();
  }

  /** Begins to follow the workspace and the Git extension; resolves when the repositories that are open now are known. */
  async start(): Promise<void> {
    this.#subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#read()));
    await this.#read()
      .then(() => this.#followGit())
      .finally(this.#known.resolve);
  }

  async #followGit(): Promise<void> {
    const git = await findGit();
    if (!git) {
      // It comes when the workspace is trusted.
      const waiting = vscode.extensions.onDidChange(() => {
        waiting.dispose();
        void this.#followGit();
      });
      this.#subscriptions.push(waiting);
      return;
    }
    git.repositories.forEach((repository) => this.#watch(repository));
    this.#subscriptions.push(
      git.onDidOpenRepository((repository) => {
        this.#watch(repository);
        void this.#read();
      }),
      git.onDidCloseRepository(({ rootUri }) => {
        this.#watched.get(rootUri.toString())?.dispose();
        this.#watched.delete(rootUri.toString());
        void this.#read();
      }),
    );
    await foundRepositories(git);
    await this.#read();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#watched.values(), ...this.#subscriptions).dispose();
  }

  #watch(repository: Repository): void {
    // Repositories change their state with each saved file; git is asked for its configuration once.
    const configured = repository
      .getConfigs()
      .catch(() => [])
      .then((configs) => ({ rules: insteadOfRules(configs), remotes: configuredRemotes(configs) }));
    const subscription = repository.state.onDidChange(() => void this.#read());
    this.#watched.set(repository.rootUri.toString(), {
      read: async () => ({ folder: repository.rootUri, remotes: addressesOf(repository, await configured) }),
      dispose: () => void subscription.dispose(),
    });
  }

  /** Reads one after the other, so that an older state never replaces a newer one. */
  #read(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const repositories = await Promise.all(
        [...this.#watched.values()].slice(0, mostRepositories).map((repository) => repository.read()),
      );
      if (repositories.length > 0) {
        this.#hostNameOf ??= await readSshConfig();
      }
      const folders = vscode.workspace.workspaceFolders ?? [];
      const virtual = folders.flatMap(({ uri }) => {
        const remote = parseFolderUri(uri);
        return remote ? [{ folder: uri, remotes: [remote] }] : [];
      });
      const all = [...repositories, ...virtual];
      if (JSON.stringify(all) !== JSON.stringify(this.#repositories)) {
        this.#repositories = all;
        this.#changed.fire();
      }
    });
    return this.#reading;
  }
}

/** Where the remotes of a repository lead. @param configured what its configuration says. */
function addressesOf(
  { state: { HEAD, remotes } }: Repository,
  configured: { rules: ReturnType<typeof insteadOfRules>; remotes: ReturnType<typeof configuredRemotes> },
): RemoteAddress[] {
  // A repository that is large opens long before its state is known.
  const known: Repository['state']['remotes'] = HEAD || remotes[0] ? remotes : configured.remotes;
  const followed = HEAD?.upstream?.remote;
  const rank = (name: string): number => (name === followed ? 0 : name === 'origin' ? 1 : 2);
  return known
    .toSorted((one, other) => rank(one.name) - rank(other.name))
    .slice(0, mostRemotes)
    .flatMap(({ fetchUrl, pushUrl }) => fetchUrl ?? pushUrl ?? [])
    .flatMap((url) => parseRemoteUrl(withInsteadOf(url, configured.rules)) ?? []);
}
