import {
  type Event,
  type Group,
  groupPath,
  type Project,
  projectPath,
  type Role,
  roles,
  type Token,
  type User,
} from './model.ts';

/** The state of one sandbox instance, with the indexes that its answers need. */
export class World {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
  readonly projects: readonly Project[];
  readonly #tokens: Map<string, Token>;
  readonly #members: ReadonlyMap<Group | Project, ReadonlyMap<User, Role>>;
  // In order of id, the oldest first.
  readonly #eventsOfProject = new Map<Project, Event[]>();
  readonly #eventsOfUser = new Map<User, Event[]>();

  constructor(content: {
    users: readonly User[];
    groups: readonly Group[];
    projects: readonly Project[];
    tokens: readonly Token[];
    members: ReadonlyMap<Group | Project, ReadonlyMap<User, Role>>;
  }) {
    this.users = content.users;
    this.groups = content.groups;
    this.projects = content.projects;
    this.#tokens = new Map(content.tokens.map((token) => [token.value, token]));
    this.#members = content.members;
  }

  token(value: string): Token | undefined {
    return this.#tokens.get(value);
  }

  /** A project by its id or full path. */
  project(idOrPath: string): Project | undefined {
    return this.projects.find((project) => String(project.id) === idOrPath || projectPath(project) === idOrPath);
  }

  /** A group by its id or full path. */
  group(idOrPath: string): Group | undefined {
    return this.groups.find((group) => String(group.id) === idOrPath || groupPath(group) === idOrPath);
  }

  /** A user by id or username. */
  user(idOrUsername: string): User | undefined {
    return this.users.find(({ id, username }) => String(id) === idOrUsername || username === idOrUsername);
  }

  /** The highest role that a user has in a group or project, by membership there or in a group above; 0 without one. */
  accessLevel(user: User, place: Group | Project): number {
    const role = this.#members.get(place)?.get(user);
    const above = 'group' in place ? place.group : place.parent;
    return Math.max(role === undefined ? 0 : roles[role], above ? this.accessLevel(user, above) : 0);
  }

  canSee(user: User | undefined, project: Project): boolean {
    return project.visibility === 'public' || (user !== undefined && this.accessLevel(user, project) > 0);
  }

  /** Events must be added in order of id. */
  addEvent(event: Event): void {
    append(this.#eventsOfUser, event.author, event);
    if (event.project) {
      append(this.#eventsOfProject, event.project, event);
    }
  }

  /** The events of a project in order of id, the oldest first. */
  eventsOfProject(project: Project): readonly Event[] {
    return this.#eventsOfProject.get(project) ?? [];
  }

  /** The events by a user in order of id, the oldest first. */
  eventsOfUser(user: User): readonly Event[] {
    return this.#eventsOfUser.get(user) ?? [];
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) {
    list.push(value);
  } else {
    lists.set(key, [value]);
  }
}
