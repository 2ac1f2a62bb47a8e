import type { EventAuthor, EventNote, EventPush, EventRecord } from '../api/events.ts';
import type { ProjectRecord, UserRecord } from '../api/directory.ts';
import type { Dialect } from './dialect.ts';
import { type Event, groupPath, type Note, type Project, projectPath, type Push, type User } from './state/model.ts';

/** Makes the API's records (section 2) of what the instance holds. */
export class Records {
  readonly #url: string;
  readonly #dialect: Dialect;

  /** @param url of the instance, for web addresses. */
  constructor(url: string, dialect: Dialect) {
    this.#url = url;
    this.#dialect = dialect;
  }

  author({ id, username, name, state }: User): EventAuthor {
    return {
      name,
      username,
      id,
      state,
      avatar_url: `${this.#url}/-/avatars/${username}.png`,
      web_url: `${this.#url}/${username}`,
    };
  }

  /** The authenticated user's own record. */
  currentUser(user: User): UserRecord {
    return { ...this.author(user), email: user.email, commit_email: user.email, bot: false };
  }

  project(project: Project): ProjectRecord {
    const { id, name, path, description, visibility, defaultBranch, group } = project;
    const fullPath = projectPath(project);
    return {
      id,
      description,
      name,
      name_with_namespace: `${group.parent ? `${group.parent.name} / ` : ''}${group.name} / ${name}`,
      path,
      path_with_namespace: fullPath,
      default_branch: defaultBranch,
      visibility,
      web_url: `${this.#url}/${fullPath}`,
      avatar_url: null,
      namespace: { id: group.id, name: group.name, path: group.path, kind: 'group', full_path: groupPath(group) },
    };
  }

  event(event: Event): EventRecord {
    const { id, project, author, action, target, createdAt, note, push, wikiPage } = event;
    const spec = this.#dialect === 'spec';
    return {
      id,
      ...(spec ? { title: null } : {}),
      project_id: project?.id ?? null,
      action_name: spec && push ? 'pushed' : action,
      target_id: target?.id ?? null,
      target_iid: target?.iid ?? null,
      target_type: target?.type ?? null,
      author_id: author.id,
      target_title: target?.title ?? null,
      created_at: createdAt.toISOString(),
      author: this.author(author),
      imported: false,
      imported_from: 'none',
      author_username: author.username,
      ...(spec && note ? { data: null } : {}),
      ...(note ? { note: this.#note(note, author, createdAt) } : {}),
      ...(push ? { push_data: pushRecord(push) } : {}),
      ...(wikiPage ? { wiki_page: { format: 'markdown', ...wikiPage } } : {}),
    };
  }

  #note({ id, body, noteableId, noteableType, noteableIid, system }: Note, author: User, createdAt: Date): EventNote {
    return {
      id,
      body,
      attachment: null,
      author: this.author(author),
      created_at: createdAt.toISOString(),
      system,
      noteable_id: noteableId,
      noteable_type: noteableType,
      noteable_iid: noteableIid,
    };
  }
}

function pushRecord(push: Push): EventPush {
  return {
    commit_count: push.commitCount,
    action: push.action,
    ref_type: push.refType,
    commit_from: push.commitFrom,
    commit_to: push.commitTo,
    ref: push.ref,
    commit_title: push.commitTitle,
    ref_count: push.refCount,
  };
}
