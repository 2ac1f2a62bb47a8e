import { normalizeInstanceUrl } from '../common/instanceUrl.ts';

/** What an address of the editor leads to: something of a project or group on an instance. */
export interface Link {
  readonly target: 'activity' | 'errorTracking' | 'notificationSettings';
  /** Without a slash at its end. */
  readonly instanceUrl: string;
  /** Absent for the global notification settings. */
  readonly place?: {
    readonly kind: 'project' | 'group';
    /** The numeric id or the full path. */
    readonly idOrPath: number | string;
  };
}

const targets: Readonly<Record<string, Link['target']>> = {
  '/activity': 'activity',
  '/error-tracking': 'errorTracking',
  '/notification-settings': 'notificationSettings',
};

/** Names that groups and projects can have, one after the other. */
const fullPath = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,254}(\/[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,254}){0,20}$/u;
const longest = 2000;

/**
 * Reads an address of the editor. It comes from anywhere, so it has to be exactly what is known.
 *
 * @param path such as `/activity`.
 * @param query such as `instance=https%3A%2F%2Fgitlab.com&project=group%2Fproject`, still encoded.
 * @returns undefined if it leads nowhere.
 */
export function readLink(path: string, query: string): Link | undefined {
  const target = Object.hasOwn(targets, path) ? targets[path] : undefined;
  if (target === undefined || query.length > longest) {
    return undefined;
  }
  const given = new URLSearchParams(query);
  const names = [...given.keys()];
  const known = ['instance', 'project', ...(target === 'notificationSettings' ? ['group'] : [])];
  if (new Set(names).size !== names.length || names.some((name) => !known.includes(name))) {
    return undefined;
  }
  const instanceUrl = normalizeInstanceUrl(given.get('instance') ?? '');
  const [project, group] = [given.get('project'), given.get('group')];
  if (instanceUrl === undefined || (project !== null && group !== null)) {
    return undefined;
  }
  const named = project ?? group;
  if (named === null) {
    return target === 'notificationSettings' ? { target, instanceUrl } : undefined;
  }
  const idOrPath = readIdOrPath(named);
  const kind = project === null ? 'group' : 'project';
  return idOrPath === undefined ? undefined : { target, instanceUrl, place: { kind, idOrPath } };
}

function readIdOrPath(text: string): number | string | undefined {
  if (/^\d+$/.test(text)) {
    const id = Number(text);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  }
  return fullPath.test(text) ? text : undefined;
}
