import { announcedChanges, type ChangeId, endpointsOf, type Resource } from '../catalogue.ts';
import { hole } from './tokens.ts';

/** A part of a path between slashes, with its place in the text that it was found in. */
export interface Segment {
  readonly text: string;
  readonly index: number;
}

/** What a path below `/api/v4` leads to. */
export interface Endpoint {
  readonly resource: Resource | undefined;
  /** The change of the endpoint itself, with the segment that makes it that endpoint. */
  readonly change: { readonly id: ChangeId; readonly segment: Segment } | undefined;
  /** Whether the path could hardly be that of another API. */
  readonly distinctive: boolean;
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

const telling =
  /^(?:geo_nodes|managed_licenses|merge_requests|remote-import(?:-s3)?|merge_request_approval_settings?|related_merge_requests)$/;

/** What names something in a path: a hole or placeholder, a number, an encoded path, a name in capitals. */
const naming =
  /^(?:\d+|:\w+|\{\{?[^{}]*\}?\}|\{\}|<[^<>]+>|\[[^[\]]+\]|(?:%[sdvqi@]|%\{\w+\}|%<\w+>\w)+|@\w+|\$\w+|[A-Z][A-Z0-9_]*|\w*_id|\w*I[dD])$/;

function namesSomething(segment: string): boolean {
  return segment.includes(hole) || /%2f/i.test(segment) || naming.test(segment);
}

/** A literal segment with what may follow it: a hole with the query, or a format. */
function literalOf(segment: string): string {
  return segment.replace(/(?:\.json)?[\0]*$/, '');
}

function fits(parts: readonly string[], segments: readonly Segment[], from: number): boolean {
  const open = parts.at(-1) === '**';
  const count = open ? parts.length - 1 : parts.length;
  if (open ? segments.length <= from + count : segments.length !== from + count) {
    return false;
  }
  return parts.slice(0, count).every((part, index) => {
    const segment = segments[from + index]?.text ?? '';
    if (part === '*') {
      return namesSomething(segment);
    }
    // `${kind}/${id}/runners` stands for projects and groups alike.
    return literalOf(segment) === part || (index === 0 && /^(?:projects|groups)$/.test(part) && segment === hole);
  });
}

/**
 * What a path leads to.
 *
 * @param segments the path below `/api/v4`, or a part of it; a hole as the first segment may stand for an unknown beginning.
 * @param isWhole whether the path is known to begin with the segments.
 */
export function endpointOf(segments: readonly Segment[], isWhole: boolean): Endpoint | undefined {
  const found: Endpoint = { resource: undefined, change: undefined, distinctive: false };
  let result: Endpoint | undefined;
  const from = !isWhole && segments[0]?.text === hole ? 1 : 0;
  for (const { parts, resource, change } of templates) {
    // More may stand before it, in a hole or elsewhere: `${project}/merge_requests`.
    const rest = parts.slice(2);
    const below = !isWhole && parts[1] === '*' && telling.test(rest[0] ?? '');
    const shift = fits(parts, segments, from) ? 0 : below && fits(rest, segments, from) ? 2 : undefined;
    if (shift === undefined) {
      continue;
    }
    const key = parts.findLastIndex((part) => !part.startsWith('*'));
    const segment = segments[from + key - shift];
    result = {
      ...(result ?? found),
      ...(resource === undefined || result?.resource !== undefined ? {} : { resource }),
      ...(change === undefined || segment === undefined ? {} : { change: { id: change, segment } }),
      distinctive: parts.some((part) => telling.test(part)),
    };
  }
  return result && reserved(segments.slice(from)) ? undefined : result;
}

/** Paths that have the form of a resource's and are none. */
function reserved(segments: readonly Segment[]): boolean {
  return segments.length === 2 && segments[0]?.text === 'runners' && /^reset_|^verify$/.test(segments[1]?.text ?? '');
}
