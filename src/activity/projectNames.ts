/** The namespace paths of projects, which events name by number alone. */
export class ProjectNames {
  readonly #lookUp: (id: number) => Promise<string>;
  #asked = new Set<number>();
  #paths = new Map<number, string>();

  /** @param lookUp the namespace path of the project with an id. */
  constructor(lookUp: (id: number) => Promise<string>) {
    this.#lookUp = lookUp;
  }

  /** The namespace path of a project if it is known by now. */
  get(projectId: number | null | undefined): string | undefined {
    return this.#paths.get(projectId ?? Number.NaN);
  }

  /**
   * Looks up the projects that were not looked up before.
   *
   * @returns whether a name was learnt.
   */
  async learn(projectIds: Iterable<number>): Promise<boolean> {
    const paths = this.#paths;
    const unknown = [...new Set(projectIds)].filter((id) => !this.#asked.has(id));
    unknown.forEach((id) => this.#asked.add(id));
    // A project that is deleted or hidden, or a token without the scope: the event shows without the project's name.
    const found = await Promise.allSettled(unknown.map(async (id) => paths.set(id, await this.#lookUp(id))));
    return found.some(({ status }) => status === 'fulfilled');
  }

  /** Forgets all, such as for another instance. */
  clear(): void {
    this.#asked = new Set();
    this.#paths = new Map();
  }
}
