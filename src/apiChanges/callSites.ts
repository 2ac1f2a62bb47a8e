import { announcedChanges, type ChangeId, endpointsOf, type Resource } from './catalogue.ts';
import { nothing, unknown } from './tokenizer.ts';

/** What a path of the API is about. */
export interface Endpoint {
  readonly resources: readonly Resource[];
  /** The change of the path itself, with the range within the text of the segment that is to change. */
  readonly change: { readonly id: ChangeId; readonly start: number; readonly end: number } | undefined;
  /** Whether the text itself names API v4. */
  readonly namesApi: boolean;
  /** Whether the path can be nothing but one of this API. */
  readonly isDistinctive: boolean;
}

interface Template {
  readonly parts: readonly string[];
  readonly resource: Resource | undefined;
  readonly change: ChangeId | undefined;
}

const templates: readonly Template[] = [
  ...announcedChanges.flatMap(({ id, subject }) =>
    subject.kind === 'endpoint'
      ? subject.paths.map((path) => ({ parts: path.split('/'), resource: undefined, change: id }))
      : [],
  ),
  ...Object.entries(endpointsOf).flatMap(([resource, paths]) =>
    paths.map((path) => ({ parts: path.split('/'), resource: resource as Resource, change: undefined })),
  ),
];
/** Templates by the first of their parts that a path begins with; those of projects and groups also without these. */
const templatesByRoot = new Map<string, Template[]>();
for (const template of templates) {
  const below = template.parts.slice(2);
  add(template.parts[0] ?? '', template);
  if (template.parts[1] === '*' && /^(?:merge_requests|managed_licenses|epics|runners)$/.test(below[0] ?? '')) {
    add(below[0] ?? '', { ...template, parts: below });
  }
}
function add(root: string, template: Template): void {
  templatesByRoot.set(root, [...(templatesByRoot.get(root) ?? []), template]);
}

const mostSegments = 14;
/** Texts of more characters are documents, in which paths are looked for line by line. */
const apiAt = /api[/_]v4\b["'\uE001]?|CI_API_V4_URL\}?/i;
const telling =
  /^(?:merge_requests|geo_nodes|managed_licenses|epics|approvals|merge_request_approval_settings?|runners)$/;
/** Segments of paths that have the form of a resource's and are none. */
const reserved = /^(?:reset_\w+|verify|managers)$/;

/** Whether a text can be a path at all; costs little. */
export function mayBePath(text: string): boolean {
  return /(?:projects|groups|runners|users?|merge_requests|geo_nodes|application|epics|managed_licenses)(?:[/?"'\uE000\uE001]|$)/.test(
    text,
  );
}

/**
 * What a text is as a path or address of the API: `https://host/api/v4/runners?active=true`, `/projects/:id/merge_requests`,
 * `GET /runners/all`.
 */
export function endpointOf(text: string): Endpoint | undefined {
  const api = apiAt.exec(text);
  const from = api ? api.index + api[0].length : 0;
  const query = text.slice(from).search(/[?#\s&,;)]/);
  const method = /^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+/.exec(text.slice(from))?.[0].length ?? 0;
  const begin = from + method;
  const after = method > 0 ? text.slice(begin).search(/[?#\s]/) : query - method;
  const end = after < 0 ? text.length : begin + after;
  const segments: { readonly text: string; readonly start: number; readonly end: number }[] = [];
  for (let at = begin; at <= end && segments.length < mostSegments;) {
    const slash = text.indexOf('/', at);
    const stop = slash === -1 || slash > end ? end : slash;
    const part = text.slice(at, stop).replaceAll(nothing, '');
    if (part !== '') {
      const lead = text.startsWith(nothing, at) ? 1 : 0;
      const tail = text.slice(at, stop).endsWith(nothing) ? 1 : 0;
      segments.push({ text: part, start: at + lead, end: stop - tail });
    }
    at = stop + 1;
  }
  for (let first = 0; first < segments.length; first += 1) {
    const root = segments[first]?.text ?? '';
    const own = templatesByRoot.get(root);
    const before = segments[first - 1]?.text;
    const isRooted = before === undefined || api !== null || before.includes(unknown) || /[.:{}%<]/.test(before);
    if (!own || !isRooted || (first > 1 && api !== null && !/^(?:merge_requests|epics|managed_licenses)$/.test(root))) {
      continue;
    }
    const path = segments.slice(first);
    const isAlone =
      path.length === 1 && first === 0 && api === null && /^(?:merge_requests|managed_licenses|epics)$/.test(root);
    const fitting = isAlone
      ? []
      : own.filter(({ parts }) =>
          fits(
            parts,
            path.map((segment) => segment.text),
          ),
        );
    if (fitting.length === 0 || reserved.test(path[1]?.text ?? '') || reserved.test(path[2]?.text ?? '')) {
      continue;
    }
    const changing = fitting.find(({ change }) => change !== undefined);
    const key = changing ? changing.parts.findLastIndex((part) => !part.startsWith('*')) : -1;
    const segment = path[key];
    return {
      resources: fitting.flatMap(({ resource }) => resource ?? []),
      change:
        changing?.change === undefined || !segment
          ? undefined
          : { id: changing.change, start: segment.start, end: segment.end },
      namesApi: api !== null,
      isDistinctive: path.some((part) => telling.test(part.text)) && path.length > 1,
    };
  }
  return undefined;
}

function fits(parts: readonly string[], path: readonly string[]): boolean {
  if (parts.at(-1) === '**' ? path.length < parts.length : path.length !== parts.length) {
    return false;
  }
  return parts.every((part, index) =>
    part === '**' ? true : part === '*' ? isValue(path[index] ?? '') : part === path[index],
  );
}

/** Whether a segment can stand for a value, rather than being a word of the path. */
function isValue(segment: string): boolean {
  return segment.includes(unknown) || !/^(?:all|import|export|user|shared|merge_requests|issues)$/.test(segment);
}
