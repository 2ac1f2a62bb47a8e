import type { Event, Project, User } from './model.ts';

/** The events of an instance, in order of id, with the indexes that the feeds need. */
export class EventStore {
  readonly #ofProject = new Map<Project, Event[]>();
  #contributions: Event[] = [];
  readonly #contributionsOf = new Map<User, Event[]>();
  readonly #views = new Map<string, FilteredEvents>();

  /** Events must be added in order of id. */
  add(event: Event): void {
    if (event.project) {
      append(this.#ofProject, event.project, event);
    }
    if (isContribution(event)) {
      this.#contributions.push(event);
      append(this.#contributionsOf, event.author, event);
    }
  }

  /** Deletes the events of a project. */
  deleteOf(project: Project): void {
    const isOther = (event: Event): boolean => event.project !== project;
    this.#ofProject.delete(project);
    this.#contributions = this.#contributions.filter(isOther);
    for (const [user, events] of this.#contributionsOf) {
      this.#contributionsOf.set(user, events.filter(isOther));
    }
    // They tested events one by one, and count on those before to stay.
    this.#views.clear();
  }

  /** All events of a project. */
  ofProject(project: Project): readonly Event[] {
    return this.#ofProject.get(project) ?? [];
  }

  /** The contributions of a user: what the user did, without epics and merge requests. */
  contributionsOf(user: User): readonly Event[] {
    return this.#contributionsOf.get(user) ?? [];
  }

  /**
   * The contributions of one user, or of everyone, that a test accepts. The result of each test is remembered.
   *
   * @param name of the test; the same name must always come with the same test.
   */
  contributionsThat(name: string, user: User | undefined, accepts: (event: Event) => boolean): readonly Event[] {
    const key = `${user?.id ?? ''} ${name}`;
    const source = user ? this.contributionsOf(user) : this.#contributions;
    const view = this.#views.get(key);
    if (view) {
      return view.read(source);
    }
    const created = new FilteredEvents(accepts);
    this.#views.set(key, created);
    return created.read(source);
  }
}

/** Those events of a growing list that a test accepts: every event is tested once, when the list is next read. */
class FilteredEvents {
  readonly #accepts: (event: Event) => boolean;
  readonly #events: Event[] = [];
  #tested = 0;

  constructor(accepts: (event: Event) => boolean) {
    this.#accepts = accepts;
  }

  read(source: readonly Event[]): readonly Event[] {
    for (; this.#tested < source.length; this.#tested += 1) {
      const event = source[this.#tested];
      if (event && this.#accepts(event)) {
        this.#events.push(event);
      }
    }
    return this.#events;
  }
}

/** The feeds of users leave out epics and merge requests, and comments on them. */
function isContribution({ target, note }: Event): boolean {
  return ![target?.type, note?.noteableType].some((type) => type === 'MergeRequest' || type === 'Epic');
}

function append<K>(lists: Map<K, Event[]>, key: K, event: Event): void {
  const list = lists.get(key);
  if (list) {
    list.push(event);
  } else {
    lists.set(key, [event]);
  }
}
