import type { GroupRecord, ProjectRecord, TokenRecord, UserRecord } from '../api/directory.ts';
import type { EventNote, EventPush, EventRecord } from '../api/events.ts';
import { liveActionName, liveTarget, specActionName } from './state/eventTemplates.ts';
import {
  type Dialect,
  type Event,
  type Group,
  groupPath,
  type Note,
  type Project,
  projectPath,
  type Push,
  type AccessToken,
  type User,
} from './state/model.ts';

/** Makes the records of the API of what the instance holds; the schemas in `src/api` link their documentation. */
export class Records {
  readonly #url: string;
  readonly #dialect: Dialect;

  /** @param url of the instance, for web addresses. */
  constructor(url: string, dialect: Dialect) {
    this.#url = url;
    this.#dialect = dialect;
  }

  author(user: User): UserRecord {
    const { id, username, name, state } = user;
    return {
      name,
      username,
      id,
      state,
      avatar_url: avatarUrl(this.#url, user),
      web_url: `${this.#url}/${username}`,
    };
  }

  /** The authenticated user's own record. */
  currentUser(user: User): UserRecord {
    return { ...this.author(user), email: user.email, commit_email: user.email, bot: false };
  }

  group(group: Group): GroupRecord {
    const { id, name, path, parent, visibility } = group;
    return {
      id,
      name,
      path,
      visibility,
      full_name: groupName(group),
      full_path: groupPath(group),
      web_url: `${this.#url}/groups/${groupPath(group)}`,
      avatar_url: null,
      parent_id: parent?.id ?? null,
    };
  }

  /** What a token says of itself; never its value. */
  token(token: AccessToken, now: Date): TokenRecord {
    const { id, name, revoked, createdAt, scopes, permissions, user, expiresAt } = token;
    return {
      id,
      name,
      revoked,
      created_at: createdAt.toISOString(),
      description: null,
      scopes: [...scopes],
      user_id: user.id,
      last_used_at: now.toISOString(),
      active: !revoked,
      expires_at: expiresAt?.toISOString().slice(0, 10) ?? null,
      ...(permissions ? { granular: true } : {}),
    };
  }

  /** Few fields, for lists with `simple`. */
  simpleProject(project: Project): ProjectRecord {
    const { visibility: _visibility, ...simple } = this.project(project);
    return simple;
  }

  project(project: Project): ProjectRecord {
    const { id, name, path, description, visibility, defaultBranch, group } = project;
    const fullPath = projectPath(project);
    return {
      id,
      description,
      name,
      name_with_namespace: `${groupName(group)} / ${name}`,
      path,
      path_with_namespace: fullPath,
      default_branch: defaultBranch,
      visibility,
      web_url: `${this.#url}/${fullPath}`,
      avatar_url: null,
      archived: false,
      namespace: { id: group.id, name: group.name, path: group.path, kind: 'group', full_path: groupPath(group) },
    };
  }

  /** @param isInProjectList project lists show more of a comment. */
  event(event: Event, isInProjectList: boolean): EventRecord {
    const { id, project, author, note, push, wikiPage, importedFrom } = event;
    const spec = this.#dialect === 'spec';
    const target = spec ? event.target : liveTarget(event);
    // The live platform no longer knows the author whose account is deleted.
    const isAuthorKnown = spec || !author.deleted;
    return {
      id,
      ...(spec ? { title: null } : {}),
      project_id: project?.id ?? null,
      action_name: spec ? specActionName(event) : liveActionName(event),
      target_id: target?.id ?? null,
      target_iid: target?.iid ?? null,
      target_type: target?.type ?? null,
      author_id: author.id,
      target_title: target?.title || null,
      created_at: this.#timestamp(event),
      ...(isAuthorKnown ? { author: this.author(author) } : {}),
      imported: importedFrom !== undefined,
      imported_from: importedFrom ?? 'none',
      author_username: isAuthorKnown ? author.username : null,
      ...(spec && note && isInProjectList ? { data: null } : {}),
      ...(note ? { note: this.#note(note, event) } : {}),
      ...(push ? { push_data: this.#push(push) } : {}),
      ...(wikiPage
        ? { wiki_page: { format: 'markdown', ...wikiPage, ...(spec ? {} : { wiki_page_meta_id: target?.id ?? null }) } }
        : {}),
    };
  }

  #note(note: Note, event: Event): EventNote {
    const { id, body, noteableId, noteableType, noteableIid, system } = note;
    const record = {
      id,
      body,
      attachment: null,
      author: this.author(event.author),
      created_at: this.#timestamp(event),
      system,
      noteable_id: noteableId,
      noteable_type: noteableType,
      noteable_iid: noteableIid,
    };
    return this.#dialect === 'spec' ? record : { ...record, ...this.#liveNoteFields(note, event) };
  }

  /** What a note has besides on the live platform. */
  #liveNoteFields({ position, noteableType }: Note, event: Event) {
    const type = event.target?.type ?? null;
    const resolvable = position !== undefined && noteableType !== 'Commit';
    return {
      type: type === 'Note' ? null : type,
      updated_at: this.#timestamp(event),
      project_id: event.project?.id ?? null,
      resolvable,
      ...(resolvable ? { resolved: false, resolved_by: null, resolved_at: null } : {}),
      confidential: false,
      internal: false,
      imported: event.importedFrom !== undefined,
      imported_from: event.importedFrom ?? 'none',
      commands_changes: {},
      ...(position && {
        suggestions: [],
        position: {
          base_sha: 'b'.repeat(40),
          start_sha: 'b'.repeat(40),
          head_sha: position.headSha ?? 'a'.repeat(40),
          position_type: 'text',
          old_path: position.path,
          new_path: position.path,
          old_line: null,
          new_line: position.line,
          line_range: null,
        },
      }),
    };
  }

  #push(push: Push): EventPush {
    return {
      commit_count: push.commitCount,
      action: push.action,
      ref_type: push.refType,
      commit_from: push.commitFrom,
      commit_to: push.commitTo,
      ref: push.ref,
      commit_title: push.commitTitle,
      // In the API documentation bulk pushes alone have it.
      ...(this.#dialect === 'live' || push.refCount !== null ? { ref_count: push.refCount } : {}),
    };
  }

  /** In UTC; on the live platform some come with an offset. */
  #timestamp({ id, createdAt }: Event): string {
    return this.#dialect === 'live' && id % 5 === 0
      ? new Date(createdAt.getTime() + 3_600_000).toISOString().replace('Z', '+01:00')
      : createdAt.toISOString();
  }
}

/** The names of a group and those above it. */
function groupName({ name, parent }: Group): string {
  return parent ? `${groupName(parent)} / ${name}` : name;
}

/** What an instance says of a user's picture: some have uploaded one, some have one elsewhere, some have none. */
function avatarUrl(url: string, { id }: User): string | null {
  switch (id % 4) {
    case 2:
      return null;
    case 3:
      return `https://gravatar.example/avatar/${id}?s=80&d=identicon`;
    default:
      return `${url}/uploads/-/system/user/avatar/${id}/avatar.gif`;
  }
}
