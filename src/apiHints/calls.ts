/** Calls of the API in programs: paths and addresses, and the methods of known client libraries. */
import {
  announcedChanges,
  type ChangeId,
  endpointsOf,
  normalizedName,
  type Resource,
  resourceNamed,
} from './catalogue.ts';
import { hole } from './code.ts';

/** What a call is about, and the change of the call itself. */
export interface Call {
  readonly of: readonly Resource[];
  readonly change?: ChangeId | undefined;
}

/** What a path of the API is about, and where in the text the segment stands that is to change. */
export interface Endpoint extends Call {
  readonly start: number;
  readonly end: number;
  /** Whether the text itself names API v4. */
  readonly namesApi: boolean;
  /** Whether it is a single word. */
  readonly isBare: boolean;
  /** Whether it is the address of a page, or of a host that is not named for the platform. */
  readonly isElsewhere: boolean;
}

interface Shape {
  readonly of: Resource[];
  /** The segment that says what it is about. */
  readonly at: number;
  change?: ChangeId;
}

/** Paths in which `*` is a value and `**` whatever follows; those below projects and groups also without these. */
const shapes = new Map<string, Shape>();
for (const [about, paths] of [
  ...Object.entries(endpointsOf).map(([of, text]) => [of, text.split(/\s+/)] as const),
  ...announcedChanges.map(({ id, subject }) => [id, subject.paths] as const),
]) {
  for (const path of paths) {
    const below = path.replace(/^(?:projects|groups)\/\*\/(?=(?:merge_requests|managed_licenses|epics)\/)/, '');
    for (const own of new Set([path, below])) {
      const at = own.split('/').findLastIndex((part) => !part.startsWith('*'));
      const shape = shapes.get(own) ?? { of: [], at };
      shapes.set(own, shape);
      if (about in endpointsOf) {
        shape.of.push(about as Resource);
      } else {
        shape.change = about as ChangeId;
      }
    }
  }
}
const words = new Set([...shapes.keys()].flatMap((path) => path.split('/')));

const apiAt = /api[/_]v4\b["']?|CI_API_V4_URL\}?["']?/i;
/** What may follow a path without a mark of its own: a query in a variable. */
const afterPath = new RegExp(`(?<=[a-z_])(?:${hole}+|\\$\\{?\\w+\\}?)$`);
/** What stands before a path: a host, a variable or a placeholder. */
const rooting = new RegExp(`[.:{}%<$${hole}]`);

/** What a text is as a path or address of the API: `https://host/api/v4/runners?active=true`, `/projects/:id/merge_requests`. */
export function endpointOf(text: string): Endpoint | undefined {
  const api = apiAt.exec(text);
  const from = api ? api.index + api[0].length : 0;
  const segments = [...(/^[^?#&,;)]*/.exec(text.slice(from))?.[0] ?? '').matchAll(/[^/]+/g)].slice(0, 14);
  for (const first of segments.keys()) {
    const before = segments[first - 1]?.[0];
    if (before !== undefined && !rooting.test(before)) {
      continue;
    }
    const parts = segments.slice(first).map(([part]) => {
      const plain = part.replace(afterPath, '');
      return words.has(plain) ? plain : '*';
    });
    const known =
      shapes.get(parts.join('/')) ??
      parts.map((_, at) => shapes.get(`${parts.slice(0, at + 1).join('/')}/**`)).find((shape) => shape);
    const segment = segments[first + (known?.at ?? 0)];
    if (known && segment) {
      const start = from + segment.index;
      const host = /^https?:\/\/\w[^/]*/.exec(text)?.[0] ?? '';
      const isPage = !/[{%$<\uE000]/.test(text.slice(0, start));
      return {
        ...known,
        start,
        end: start + segment[0].replace(afterPath, '').length,
        namesApi: api !== null,
        isBare: parts.length === 1 && !text.includes('/') && !text.includes(hole),
        isElsewhere: (host !== '' && (isPage || !/gitlab/i.test(host))) || (!api && parts.includes('-')),
      };
    }
  }
  return undefined;
}

/** What the users of known clients write. */
const clients =
  /@gitbeaker\/|\b(?:from|require|import|gem)\b[ (]{0,3}['"](?:node-)?gitlab['"]|xanzy\/go-gitlab|gitlab-org\/api\/client-go|\bGitlab\\(?:Client|Api)\b|\busing (?:GitLabApiClient|NGitLab)\b|^[ \t]*(?:import|from) gitlab\b|org\.gitlab4j\b|\bGitlab\.(?:client|endpoint|configure|private_token|[a-z_]{1,60}[ (])|\bgitlab\.api\b|\buse gitlab::|\bgitlab::api\b/m;
/** The methods of a client's services, and the verbs of methods that name what they are about. */
const ofService = /^(?:all|allOwned|list|show|get|create|edit|update|register|accept|merge|import|save)$/i;
const verb = /^(?:get|list|show|all|create|edit|update|modify|register|accept|change|set)_?(?:all_?)?(?=[A-Z_]|$)_?/i;

/** Whether a source uses a known client. */
export function usesClient(source: string): boolean {
  return clients.test(source);
}

/** The call of a known client that a method of a receiver is. */
export function clientCall(receiver: string, method: string): Call | undefined {
  const [service, plain] = [normalizedName(receiver).replace(/^get|api$/g, ''), normalizedName(method)];
  const isOfService = ofService.test(method);
  // Services that programs write themselves have methods of the same names.
  const isChanges = /^(?:(?:get)?mergerequest|show)?changes$/.test(plain) && resourceNamed(service) === 'mergeRequest';
  if (isChanges || plain === 'mergerequestchanges') {
    return { of: [], change: 'mergeRequestChanges' };
  }
  const isEpics = (isOfService || /epics?$/.test(plain)) && /^(?:groups?)?epics$|^epic(?:issue|link)s$/.test(service);
  if (isEpics || /^(?:get|list|create|edit|update|delete)?(?:group)?epics?$/.test(plain)) {
    return { of: [], change: 'epics' };
  }
  if (/import|export/.test(plain) && /project/.test(service + plain)) {
    return { of: ['projectImportExport'] };
  }
  const called = method.replace(verb, '');
  const about = isOfService ? receiver.replace(/Api$/, '') : called === method ? '' : called;
  const named = resourceNamed(about);
  return named && { of: ofRecord(named) };
}

/** What a record of a resource has: that of a single group has more than those of lists. */
export function ofRecord(resource: Resource): readonly Resource[] {
  return resource === 'group' ? ['group', 'groupDetails'] : [resource];
}
