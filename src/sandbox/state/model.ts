/** Which names the instance uses: those of the API documentation, or those of the live platform where they differ. */
export type Dialect = 'spec' | 'live';

/** What the sandbox instance holds. Records of the API are made from it when they are asked for. */

export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Other addresses that the user has verified. */
  readonly secondaryEmails?: readonly string[];
  readonly state: 'active' | 'blocked';
  /** Whether others see none of the user's events. */
  readonly privateProfile: boolean;
  /** What the user did is still there, the account is not. */
  readonly deleted: boolean;
}

/** Private: for members alone. */
export type Visibility = 'public' | 'private';

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly parent: Group | undefined;
  readonly visibility: Visibility;
  /** Whether classic personal access tokens are refused there; a top-level group decides for what is in it. */
  requiresFineGrainedTokens?: boolean;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  /** Another one after it was moved. */
  path: string;
  readonly group: Group;
  readonly description: string;
  readonly visibility: Visibility;
  readonly defaultBranch: string;
}

/** The levels of access, as the platform numbers them. */
export const roles = { guest: 10, planner: 15, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type Role = keyof typeof roles;

export interface AccessToken {
  readonly id: number;
  readonly value: string;
  readonly name: string;
  readonly user: User;
  readonly scopes: readonly string[];
  /** The permissions of a fine-grained token, such as `Event: Read`; undefined of a classic one. */
  readonly permissions?: readonly string[] | undefined;
  /** Whether an application got it, rather than the user made it. */
  readonly isOAuth?: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  revoked: boolean;
}

export interface Note {
  readonly id: number;
  readonly body: string;
  /** Null for notes on commits. */
  readonly noteableId: number | null;
  readonly noteableType: string;
  /** Null for notes on commits and snippets. */
  readonly noteableIid: number | null;
  readonly system: boolean;
  /** The line of a diff that the note is about. */
  readonly position?: { readonly path: string; readonly line: number; readonly headSha?: string };
}

export interface Push {
  readonly action: 'created' | 'removed' | 'pushed';
  readonly refType: 'branch' | 'tag';
  /** Null in a bulk push, like the commits and the title. */
  readonly ref: string | null;
  readonly commitCount: number;
  readonly commitFrom: string | null;
  readonly commitTo: string | null;
  readonly commitTitle: string | null;
  /** Set in a bulk push alone. */
  readonly refCount: number | null;
}

export interface WikiPage {
  readonly slug: string;
  readonly title: string;
}

/**
 * An event. `action` is the value by which events are filtered, such as `created` or `pushed`; records have other names for
 * it. It may be one that no client knows.
 */
export interface Event {
  readonly id: number;
  readonly project: Project | undefined;
  readonly author: User;
  readonly action: string;
  readonly createdAt: Date;
  readonly target: EventTarget | undefined;
  readonly note?: Note;
  readonly push?: Push;
  readonly wikiPage?: WikiPage;
  /** The platform it was imported from, such as `github`. */
  readonly importedFrom?: string;
}

export interface EventTarget {
  readonly id: number;
  readonly iid: number | null;
  /** A class name of the platform, such as `MergeRequest`. */
  readonly type: string;
  readonly title: string;
}

/** The addresses to which the platform may send e-mails for a user. */
export function verifiedEmails({ email, secondaryEmails = [] }: User): readonly string[] {
  return [email, ...secondaryEmails];
}

/** The full path of a group, such as `harbor/tools`. */
export function groupPath({ parent, path }: Group): string {
  return parent ? `${groupPath(parent)}/${path}` : path;
}

/** The full path of a project, such as `harbor/tools/winch`. */
export function projectPath({ group, path }: Project): string {
  return `${groupPath(group)}/${path}`;
}
