/** What the view needs of a project, which events name by number alone. */
export interface ProjectFacts {
  /** The full path, such as `group/project`. */
  readonly path: string;
  /** The project's address on the web, if the instance tells it. */
  readonly webUrl: string | undefined;
}

/** The projects of the events that were seen. */
export class Projects {
  readonly #lookUp: (id: number) => Promise<ProjectFacts>;
  #asked = new Set<number>();
  #known = new Map<number, ProjectFacts>();

  /** @param lookUp the facts about the project with an id. */
  constructor(lookUp: (id: number) => Promise<ProjectFacts>) {
    this.#lookUp = lookUp;
  }

  /** A project if it is known by now. */
  get(projectId: number | null | undefined): ProjectFacts | undefined {
    return this.#known.get(projectId ?? Number.NaN);
  }

  /**
   * Looks up the projects that were not looked up before.
   *
   * @returns whether one has become known.
   */
  async learn(projectIds: Iterable<number>): Promise<boolean> {
    const known = this.#known;
    const unknown = [...new Set(projectIds)].filter((id) => !this.#asked.has(id));
    unknown.forEach((id) => this.#asked.add(id));
    // A project that is deleted or hidden, or a token without the scope: the event shows without its project.
    const found = await Promise.allSettled(unknown.map(async (id) => known.set(id, await this.#lookUp(id))));
    return found.some(({ status }) => status === 'fulfilled');
  }

  /** Forgets all, such as for another instance. */
  clear(): void {
    this.#asked = new Set();
    this.#known = new Map();
  }
}
