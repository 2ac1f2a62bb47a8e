import type { Connections } from '../../accounts/connections.ts';
import type { Client } from '../../api/client.ts';
import type { ProjectRecord } from '../../api/directory.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { plainText } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';

/** What the view needs of a project, which events name by number alone. */
export interface ProjectFacts {
  readonly path: string;
  readonly webUrl: string | undefined;
  readonly defaultBranch?: string | undefined;
}

/** From this many unknown projects on, the list of the user's projects is asked for instead of each of them. */
const manyProjects = 4;
/** Pages of that list that are read, of 100 projects each. */
const mostPages = 5;
/** Projects that are then asked for one by one: the others are when they are next wanted. */
const mostAlone = 100;
const atOnce = 6;

export class Projects {
  readonly #connections: Connections;
  /** The look-up of a project, and with which client: with another token, or by another route, it may be found. */
  readonly #asked = new Map<string, { readonly client: Client; readonly lookUp: Promise<void> }>();
  readonly #known = new Map<string, ProjectFacts>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  get(accountId: string, projectId: number | null | undefined): ProjectFacts | undefined {
    return this.#known.get(keyOf(accountId, projectId));
  }

  among(accountId: string, projectIds: Iterable<number>): Record<number, ProjectFacts> {
    const found = [...new Set(projectIds)].flatMap((id) => {
      const facts = this.get(accountId, id);
      return facts ? [[id, facts] as const] : [];
    });
    return Object.fromEntries(found);
  }

  /** Takes facts that were remembered; they are asked for again when their projects are next seen. */
  restore(accountId: string, facts: Readonly<Record<number, ProjectFacts>>): void {
    for (const [id, project] of Object.entries(facts)) {
      const key = keyOf(accountId, Number(id));
      if (!this.#known.has(key)) {
        const { path, webUrl, defaultBranch } = project;
        this.#known.set(key, { path: plainText(path), webUrl: webAddress(webUrl), defaultBranch });
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
    const wanted = [...new Set(projectIds)];
    const unknown = wanted.filter((id) => this.#asked.get(keyOf(accountId, id))?.client !== client);
    const lookUp = this.#lookUp(accountId, client, unknown);
    unknown.forEach((id) => this.#asked.set(keyOf(accountId, id), { client, lookUp }));
    // Concurrent look-ups of a project share one request.
    await Promise.all([lookUp, ...new Set(wanted.map((id) => this.#asked.get(keyOf(accountId, id))?.lookUp))]);
  }

  async #lookUp(accountId: string, client: Client, unknown: readonly number[]): Promise<void> {
    try {
      const left = new Set(unknown);
      if (unknown.length >= manyProjects) {
        (await this.#learnFromList(accountId, client, unknown)).forEach((id) => left.delete(id));
      }
      const [alone, later] = [[...left].slice(0, mostAlone), [...left].slice(mostAlone)];
      later.forEach((id) => this.#asked.delete(keyOf(accountId, id)));
      for (let next = 0; next < alone.length; next += atOnce) {
        const batch = alone.slice(next, next + atOnce);
        await Promise.allSettled(batch.map(async (id) => this.#add(accountId, await client.directory.project(id))));
      }
    } catch {
      // When the instance is unreachable: the feed itself shows that failure.
      unknown.forEach((id) => this.#asked.delete(keyOf(accountId, id)));
    }
  }

  /** Lets what is known be asked for again, because it may have changed. It stays until it is. */
  expire(): void {
    this.#asked.clear();
  }

  async #learnFromList(accountId: string, client: Client, wanted: readonly number[]): Promise<Set<number>> {
    const found = new Set<number>();
    let pages = 0;
    const parameters = { membership: true, simple: true };
    for await (const { items } of client.directory.projects({ parameters }, { perPage: 100 })) {
      for (const project of items) {
        if (!isUnrecognized(project)) {
          this.#asked.set(keyOf(accountId, project.id), { client, lookUp: Promise.resolve() });
          this.#add(accountId, project);
          found.add(project.id);
        }
      }
      pages += 1;
      if (pages === mostPages || wanted.every((id) => found.has(id))) {
        break;
      }
    }
    return found;
  }

  #add(accountId: string, { id, path_with_namespace: path, web_url, default_branch }: ProjectRecord): void {
    const facts = { path: plainText(path), webUrl: webAddress(web_url), defaultBranch: default_branch ?? undefined };
    this.#known.set(keyOf(accountId, id), facts);
  }
}

function keyOf(accountId: string, projectId: number | null | undefined): string {
  return `${accountId}/${projectId ?? ''}`;
}
