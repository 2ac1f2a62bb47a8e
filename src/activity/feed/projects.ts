import type { Connections } from '../../accounts/connections.ts';
import type { Client } from '../../api/client.ts';
import type { ProjectRecord } from '../../api/directory.ts';
import { plainText } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';

/** What the view needs of a project, which events name by number alone. */
export interface ProjectFacts {
  readonly path: string;
  /** Without a slash at its end. */
  readonly webUrl?: string | undefined;
  readonly defaultBranch?: string | undefined;
}

/** From this many unknown projects on, the list of the user's projects is asked for instead of each of them. */
const manyProjects = 4;
/** The pages of that list that are read. */
const list = { perPage: 100, maxPages: 5 };
/** Projects that are then asked for one by one: the others are when they are next wanted. */
const mostAlone = 100;
const atOnce = 6;

export class Projects {
  readonly #connections: Connections;
  readonly #known = new Map<string, ProjectFacts>();
  /** The projects that were looked up, by client: with another token, or by another route, others may be found. */
  #asked = new WeakMap<Client, Set<number>>();
  /** The clients whose list was read: what it left out is asked for one by one. */
  #listed = new WeakSet<Client>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  get(accountId: string, projectId: number | null | undefined): ProjectFacts | undefined {
    return this.#known.get(`${accountId}/${projectId ?? ''}`);
  }

  among(accountId: string, projectIds: Iterable<number>): Record<number, ProjectFacts> {
    const found = [...projectIds].flatMap((id) => {
      const facts = this.get(accountId, id);
      return facts ? [[id, facts] as const] : [];
    });
    return Object.fromEntries(found);
  }

  /** Takes facts that were remembered; they are asked for again when their projects are next seen. */
  restore(accountId: string, facts: Readonly<Record<number, ProjectFacts>>): void {
    for (const [id, project] of Object.entries(facts)) {
      if (!this.get(accountId, Number(id))) {
        this.#keep(accountId, Number(id), project);
      }
    }
  }

  /**
   * Looks up the projects that were not looked up with the present token since they were last forgotten. What cannot be found
   * stays unknown: a project that is deleted or hidden, or a token without the scope.
   */
  async learn(accountId: string, projectIds: Iterable<number>): Promise<void> {
    // Without an account, the feed itself shows that failure.
    const { client } = (await this.#connections.of(accountId).catch(() => undefined)) ?? {};
    if (!client) {
      return;
    }
    const asked = this.#asked.get(client) ?? new Set<number>();
    this.#asked.set(client, asked);
    const left = new Set([...projectIds].filter((id) => !asked.has(id)));
    const learn = ({ id, path_with_namespace: path, web_url: webUrl, default_branch: branch }: ProjectRecord): void => {
      this.#keep(accountId, id, { path, webUrl: webUrl ?? undefined, defaultBranch: branch ?? undefined });
      asked.add(id);
      left.delete(id);
    };
    try {
      if (left.size >= manyProjects && !this.#listed.has(client)) {
        for await (const { items } of client.directory.projects(
          { parameters: { membership: true, simple: true } },
          list,
        )) {
          items.forEach(learn);
          if (left.size === 0) {
            break;
          }
        }
        if (left.size > 0) {
          this.#listed.add(client);
        }
      }
      const alone = [...left].slice(0, mostAlone);
      while (alone.length > 0) {
        const batch = alone.splice(0, atOnce);
        await Promise.allSettled(batch.map(async (id) => learn(await client.directory.project(id))));
        batch.forEach((id) => asked.add(id));
      }
    } catch {
      // When the instance is unreachable: the feed itself shows that failure.
    }
  }

  /** Lets what is known be asked for again, because it may have changed. It stays until it is. */
  expire(): void {
    this.#asked = new WeakMap();
    this.#listed = new WeakSet();
  }

  #keep(accountId: string, id: number, { path, webUrl, defaultBranch }: ProjectFacts): void {
    this.#known.set(`${accountId}/${id}`, {
      path: plainText(path),
      webUrl: webAddress(webUrl?.replace(/(?<!\/)\/+$/, '')),
      defaultBranch,
    });
  }
}
