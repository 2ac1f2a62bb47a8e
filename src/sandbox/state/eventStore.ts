import type { Event, Project, User } from './model.ts';

/** The events of an instance, in order of id, by what the feeds need. */
export class EventStore {
  readonly #ofProject = new Map<Project, Event[]>();
  #contributions: Event[] = [];

  /** Events must be added in order of id. */
  add(event: Event): void {
    if (event.project) {
      const events = this.#ofProject.get(event.project) ?? [];
      this.#ofProject.set(event.project, events);
      events.push(event);
    }
    if (isContribution(event)) {
      this.#contributions.push(event);
    }
  }

  /** Deletes the events of a project. */
  deleteOf(project: Project): void {
    this.#ofProject.delete(project);
    this.#contributions = this.#contributions.filter((event) => event.project !== project);
  }

  /** All events of a project. */
  ofProject(project: Project): readonly Event[] {
    return this.#ofProject.get(project) ?? [];
  }

  /** The contributions of everyone: what users did, without epics and merge requests. */
  contributions(): readonly Event[] {
    return this.#contributions;
  }

  /** The contributions of a user. */
  contributionsOf(user: User): readonly Event[] {
    return this.#contributions.filter(({ author }) => author === user);
  }
}

/** The feeds of users leave out epics and merge requests, and comments on them. */
function isContribution({ target, note }: Event): boolean {
  return ![target?.type, note?.noteableType].some((type) => type === 'MergeRequest' || type === 'Epic');
}
