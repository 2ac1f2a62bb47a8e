/** A DSN: the URL by which a program reports its errors to a project (section 2.7). */
export interface Dsn {
  /** As it stands in the text. */
  readonly text: string;
  readonly publicKey: string;
  /** Scheme, host and port of where errors are sent. */
  readonly origin: string;
  /** The number of the project on its instance. */
  readonly projectId: number;
  /** Where an SDK posts envelopes. */
  readonly envelopeUrl: string;
}

/** A DSN with its place in a text. */
export interface FoundDsn {
  readonly dsn: Dsn;
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
}

/** Paths that instances take errors at: the current one and that of the older collector. */
const ends = String.raw`(?:errortracking\/api\/v1\/projects|api\/v4\/error_tracking\/collector)\/\d{1,15}`;
const pattern = String.raw`https?:\/\/[\w-]{1,128}(?::[\w-]*)?@[\w.:[\]-]{1,255}(?:\/[\w.~%-]+){0,8}?\/${ends}(?![\w%])`;
const anywhere = new RegExp(pattern, 'gi');
const whole = new RegExp(`^${pattern}$`, 'i');
/** What each DSN contains, whatever the case of its letters, to leave most texts after a quick look. */
export const dsnHint = 'error_?tracking/';
const hint = new RegExp(dsnHint, 'i');

/** The DSNs in a text, in their order. Takes next to no time for a text without any. */
export function findDsns(text: string): readonly FoundDsn[] {
  if (!hint.test(text)) {
    return [];
  }
  return [...text.matchAll(anywhere)].flatMap((match) => {
    const dsn = read(match[0]);
    return dsn ? [{ dsn, offset: match.index }] : [];
  });
}

/** The DSN that a text is; undefined if it is none. */
export function parseDsn(text: string): Dsn | undefined {
  const trimmed = text.trim();
  return whole.test(trimmed) ? read(trimmed) : undefined;
}

/** A public key short enough for a label, its ends still telling: `glet_1a2b…9f0e`. */
export function shortKey(publicKey: string): string {
  return publicKey.length <= 14 ? publicKey : `${publicKey.slice(0, 9)}…${publicKey.slice(-4)}`;
}

function read(text: string): Dsn | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const [, base = '', id = ''] = /^(.*)\/(\d+)$/.exec(url.pathname) ?? [];
  const projectId = Number(id);
  return {
    text,
    publicKey: decodeURIComponent(url.username),
    origin: url.origin,
    projectId,
    envelopeUrl: `${url.origin}${base}/api/${projectId}/envelope/`,
  };
}
