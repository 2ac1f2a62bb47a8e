/** A request with another method than GET, and what the instance answered. */
export interface Write {
  readonly method: string;
  /** Without `/api/v4`. */
  readonly path: string;
  /** The value of the token; undefined without one that is known. */
  readonly token: string | undefined;
  /** The username of the author; undefined without a token that is known. */
  readonly username: string | undefined;
  /** As text. */
  readonly body: string;
  readonly status: number;
  /** As text. */
  readonly answer: string;
}

interface KeyRecord {
  readonly id: number;
  readonly active: boolean;
}

/** The active client keys of all projects, by the writes that the instance reports. */
export class ActiveKeys {
  readonly #ofProject = new Map<string, Set<number>>();
  /** Projects of which the instance may have made a key by itself, as it does when it is switched on without one. */
  readonly #uncertain = new Set<string>();

  /** Takes in the keys that a project has. */
  set(projectId: string, keys: readonly KeyRecord[]): void {
    this.#ofProject.set(projectId, new Set(keys.filter(({ active }) => active).map(({ id }) => id)));
    this.#uncertain.delete(projectId);
  }

  take({ method, path, answer }: Write): void {
    const [, projectId = '', rest = ''] = /^\/projects\/(\d+)\/error_tracking\/(.*)$/.exec(path) ?? [];
    const keys = this.#ofProject.get(projectId);
    if (rest.startsWith('settings')) {
      this.#uncertain.add(projectId);
    } else if (keys && method === 'POST') {
      keys.add((JSON.parse(answer) as KeyRecord).id);
    } else if (keys && method === 'DELETE') {
      keys.delete(Number(rest.split('/')[1]));
    }
  }

  /** Whether a project has an active key, as far as is known. @param path of a request about its error tracking. */
  hasActive(path: string): boolean {
    const projectId = path.split('/')[2] ?? '';
    return this.#uncertain.has(projectId) || (this.#ofProject.get(projectId)?.size ?? 1) > 0;
  }
}
