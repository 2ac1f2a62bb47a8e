import { endpointOf, type Endpoint, type Segment } from './endpoints.ts';
import { hole } from './tokens.ts';

/** A text with the offset in the source of each of its characters; -1 for what a variable brought. */
export interface PlacedText {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** An address of the API in a text. */
export interface Address {
  readonly endpoint: Endpoint;
  /** Whether the text says itself that it is of API v4. */
  readonly isExplicit: boolean;
  /** Where the path stands in the source. */
  readonly start: number;
  readonly end: number;
  /** Where the segment stands that makes it the endpoint of a change; undefined if a variable brought it. */
  readonly changed: { readonly start: number; readonly end: number } | undefined;
}

const root = /\bapi\/v4\//g;
const pathAt = /(?:[^\s?#"'`\\<>{}|,;)(]|\{\{?[^{}\s]*\}?\}|<[\w -]+>)+/y;
const bare = /^[\s"'(]*(\0*\/?(?:[^\s?#"'`\\<>{}|,;)(]|\{\{?[^{}\s]*\}?\}|<[\w -]+>)+)/;
const firstSegments = /^\/?(?:geo_nodes|merge_requests|projects|groups|runners|users?|application)(?:\/|$)/;

/**
 * The addresses in a text.
 *
 * @param isCommand whether the text is a word of a command, in which a path without a beginning is a file.
 */
export function addressesIn(placed: PlacedText, isCommand: boolean): Address[] {
  const { text } = placed;
  const found: Address[] = [];
  for (const match of text.matchAll(root)) {
    pathAt.lastIndex = match.index + match[0].length;
    const path = pathAt.exec(text);
    if (path) {
      addTo(found, placed, path.index, path[0], true);
    }
  }
  if (found.length > 0 || /:\/\/|\/-\/|\bapi\/(?:v\d|graphql)/.test(text)) {
    return found;
  }
  const path = bare.exec(text)?.[1];
  if (path !== undefined) {
    // What stands for the beginning: a hole, or the placeholder of a format.
    const beginning = /^(?:\0+|%[sv]|\{\w*\})(?=\/[a-z])/.exec(path)?.[0] ?? '';
    if (beginning !== '' || (!isCommand && firstSegments.test(path))) {
      addTo(found, placed, text.indexOf(path) + beginning.length, path.slice(beginning.length), false);
    }
  }
  return found;
}

function addTo(
  found: Address[],
  { text, offsets }: PlacedText,
  index: number,
  path: string,
  isExplicit: boolean,
): void {
  const shift = text.slice(index).indexOf(path);
  const segments: Segment[] = [];
  let at = index + Math.max(shift, 0);
  for (const segment of path.split('/')) {
    if (segment !== '') {
      segments.push({ text: segment, index: at });
    }
    at += segment.length + 1;
  }
  const endpoint = endpointOf(segments, isExplicit);
  if (!endpoint) {
    return;
  }
  const places = segments.flatMap((segment) => {
    const start = offsets[segment.index] ?? -1;
    const last = segment.text.length - 1;
    const end = offsets[segment.index + last] ?? -1;
    return start < 0 || end < 0 || segment.text === hole ? [] : [{ start, end: end + 1 }];
  });
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) {
    return;
  }
  found.push({
    endpoint,
    isExplicit,
    start: first.start,
    end: last.end,
    changed: endpoint.change && placeOf(endpoint.change.segment, offsets),
  });
}

function placeOf(segment: Segment, offsets: readonly number[]): { start: number; end: number } | undefined {
  const length = segment.text.replace(/[\0]+$/, '').length;
  const [start, end] = [offsets[segment.index] ?? -1, offsets[segment.index + length - 1] ?? -1];
  return start < 0 || end < 0 ? undefined : { start, end: end + 1 };
}
