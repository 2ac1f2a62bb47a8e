import type { ErrorTrackingStore } from './errorTracking.ts';
import {
  type Event,
  type Group,
  groupPath,
  type Project,
  projectPath,
  type Role,
  roles,
  type AccessToken,
  type User,
} from './model.ts';
import { NotificationSettingStore } from './notificationSettings.ts';

/** The state of one sandbox instance, with the indexes that its answers need. */
export class World {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
  #projects: readonly Project[];
  readonly #tokens: Map<string, AccessToken>;
  readonly #members: Map<Group | Project, ReadonlyMap<User, Role>>;
  /** What the instance says of its version; tests change it. */
  version = { version: '18.7.0-ee', revision: '5a4db0c1e22' };
  readonly events = new EventStore();
  readonly notificationSettings = new NotificationSettingStore();
  readonly errorTracking: ErrorTrackingStore;
  readonly #projectsByIdOrPath: Map<string, Project>;
  readonly #groupsByIdOrPath: ReadonlyMap<string, Group>;
  readonly #usersByIdOrName: ReadonlyMap<string, User>;
  readonly #membersOfProject = new Map<Project, readonly User[]>();
  readonly #movedProjects: Map<string, Project>;
  readonly #movedGroups: ReadonlyMap<string, Group>;

  constructor(content: {
    users: readonly User[];
    groups: readonly Group[];
    projects: readonly Project[];
    tokens: readonly AccessToken[];
    errorTracking: ErrorTrackingStore;
    members: ReadonlyMap<Group | Project, ReadonlyMap<User, Role>>;
    /** By the full paths where they were before. */
    movedProjects: ReadonlyMap<string, Project>;
    /** By the full paths where they were before. */
    movedGroups: ReadonlyMap<string, Group>;
  }) {
    this.users = content.users;
    this.groups = content.groups;
    this.#projects = content.projects;
    this.#tokens = new Map(content.tokens.map((token) => [token.value, token]));
    this.#members = new Map(content.members);
    this.errorTracking = content.errorTracking;
    this.#projectsByIdOrPath = index(content.projects, projectPath);
    this.#groupsByIdOrPath = index(content.groups, groupPath);
    this.#usersByIdOrName = index(content.users, ({ username }) => username);
    this.#movedProjects = new Map(content.movedProjects);
    this.#movedGroups = content.movedGroups;
  }

  get projects(): readonly Project[] {
    return this.#projects;
  }

  /** Gives a project another path in its group; the one before leads to it. */
  moveProject(project: Project, path: string): void {
    const before = projectPath(project);
    this.#projectsByIdOrPath.delete(before);
    this.#movedProjects.set(before, project);
    project.path = path;
    this.#projectsByIdOrPath.set(projectPath(project), project);
  }

  /** Deletes a project with its events. */
  deleteProject(project: Project): void {
    this.#projects = this.#projects.filter((other) => other !== project);
    this.#projectsByIdOrPath.delete(String(project.id));
    this.#projectsByIdOrPath.delete(projectPath(project));
    for (const [path, moved] of this.#movedProjects) {
      if (moved === project) {
        this.#movedProjects.delete(path);
      }
    }
    this.events.deleteOf(project);
  }

  token(value: string): AccessToken | undefined {
    return this.#tokens.get(value);
  }

  /** All tokens, those that are not valid included. */
  tokens(): readonly AccessToken[] {
    return [...this.#tokens.values()];
  }

  /** An id that no token has. */
  nextTokenId(): number {
    return Math.max(...this.tokens().map(({ id }) => id)) + 1;
  }

  /** Lets a token be used from now on. */
  addToken(token: AccessToken): void {
    this.#tokens.set(token.value, token);
  }

  /** A project by its id or full path. */
  project(idOrPath: string): Project | undefined {
    return this.#projectsByIdOrPath.get(idOrPath);
  }

  /** A project by a full path that was its own before it moved. */
  movedProject(oldPath: string): Project | undefined {
    return this.#movedProjects.get(oldPath);
  }

  /** A group by its id or full path. */
  group(idOrPath: string): Group | undefined {
    return this.#groupsByIdOrPath.get(idOrPath);
  }

  /** A group by a full path that was its own before it moved. */
  movedGroup(oldPath: string): Group | undefined {
    return this.#movedGroups.get(oldPath);
  }

  /** A user by id or username. */
  user(idOrUsername: string): User | undefined {
    return this.#usersByIdOrName.get(idOrUsername);
  }

  /** The highest role that a user has in a group or project, by membership there or in a group above; 0 without one. */
  accessLevel(user: User, place: Group | Project): number {
    const role = this.#members.get(place)?.get(user);
    const above = 'group' in place ? place.group : place.parent;
    return Math.max(role === undefined ? 0 : roles[role], above ? this.accessLevel(user, above) : 0);
  }

  /** The users with a role in a project or in a group above it. */
  membersOf(project: Project): readonly User[] {
    const known = this.#membersOfProject.get(project);
    const members = known ?? this.users.filter((user) => this.accessLevel(user, project) > 0);
    this.#membersOfProject.set(project, members);
    return members;
  }

  /** @param user undefined for an anonymous request. */
  canSee(user: User | undefined, place: Group | Project): boolean {
    return place.visibility === 'public' || (user !== undefined && this.accessLevel(user, place) > 0);
  }
}

/** The events of an instance, in order of id, by what the feeds need. */
class EventStore {
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

function index<T extends { readonly id: number }>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  return new Map(items.flatMap((item) => [[String(item.id), item] as const, [nameOf(item), item] as const]));
}
