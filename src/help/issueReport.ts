import { homeFolder } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { secretPattern } from '../api/secrets.ts';
import { visibleText } from '../common/inertText.ts';

const mostLines = 60;
const mostBytes = 64 * 1024;

/**
 * What goes along with an issue, as Markdown: versions, the diagnosis and the end of the log, without secrets.
 *
 * @param diagnosis of the connection, with the versions.
 * @param secrets what must not be in it, wherever it stands.
 */
export function issueReport(diagnosis: string, log: readonly string[], secrets: readonly string[]): string {
  // What is not seen goes first: it may stand within what would end the block.
  const block = (text: string): string[] => [
    '```text',
    redact(text, secrets).trim().replaceAll('```', "'''"),
    '```',
    '',
  ];
  const logged = log.slice(-mostLines).join('\n') || 'There is none.';
  return ['### Connection', '', ...block(diagnosis), '### Log', '', ...block(logged)].join('\n');
}

/**
 * Patterns of secrets that a text may contain although Beacon does not store them: tokens of the platform, headers,
 * credentials and queries of URLs.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bgl[a-z]{2,10}-[\w.-]{8,}/g, '[token]'],
  [
    /\b(private-token|job-token|deploy-token|(?:proxy-)?authorization|cookie)(["']?\s*[:=]\s*).{1,2000}/gi,
    '$1$2[removed]',
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [token]'],
  [/(:\/\/)[^\s/?#@]{1,500}@/g, '$1[removed]@'],
  [/([?&][\w%[\]-]{1,100}=)[^\s&#"')]{1,2000}/g, '$1[removed]'],
  [/-----BEGIN [^-]{1,100}-----[^-]{1,20000}-----END [^-]{1,100}-----/g, '[removed]'],
];

/**
 * Removes secrets from a text, and where the home folder is. What is not seen between the letters of one, and marks on them, do not
 * hide it.
 *
 * @param secrets the known ones; short ones are ignored, because they occur within words.
 */
export function redact(text: string, secrets: readonly string[], home = homeFolder): string {
  const known = secrets.filter((secret) => secret.length >= 6).toSorted((one, other) => other.length - one.length);
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secretPattern(secret), '[removed]'), text);
  const seen = withoutKnown
    .split(/\r?\n/)
    .map((line) => visibleText(line).replaceAll(/(?<=[ -~])\p{M}+/gu, ''))
    .join('\n');
  const withoutForms = patterns.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), seen);
  return home.length > 1 ? withoutForms.replaceAll(pathPattern(home), '~') : withoutForms;
}

/** Finds a path: of Windows with either slash, in any case, and with its drive as in an address. */
function pathPattern(path: string): RegExp {
  const isOfWindows = /^[a-z]:/i.test(path);
  const literal = (part: string): string =>
    part.replaceAll(/[^\w:]/gu, (character) => String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const parts = path.split(isOfWindows ? /[\\/]/ : '/').map((part) => literal(part));
  const slash = isOfWindows ? String.raw`(?:\\{1,2}|/)` : '/';
  return new RegExp(parts.join(slash).replace(':', '(?::|%3A)'), isOfWindows ? 'giu' : 'gu');
}

/** What the secret store holds that is a secret, as far as it can be read: of entries in JSON all texts but what names the account. */
export async function knownSecrets(secrets: vscode.SecretStorage): Promise<readonly string[]> {
  try {
    const values = await Promise.allSettled((await secrets.keys()).map(async (key) => await secrets.get(key)));
    return values.flatMap((read) => (read.status === 'fulfilled' && read.value ? secretsIn(read.value) : []));
  } catch {
    return [];
  }
}

function secretsIn(value: string): readonly string[] {
  try {
    const { account: _, ...rest } = JSON.parse(value) as Record<string, unknown>;
    const texts: string[] = [];
    JSON.stringify(rest, (_key, one: unknown) => {
      texts.push(...(typeof one === 'string' ? [one] : []));
      return one;
    });
    return texts;
  } catch {
    return [value];
  }
}

/**
 * The last lines of the log of this window.
 *
 * @param folder where the editor writes it.
 * @returns nothing if it cannot be read.
 */
export async function lastLogLines(folder: vscode.Uri): Promise<readonly string[]> {
  const { fs } = vscode.workspace;
  try {
    const entries = await fs.readDirectory(folder);
    const uris = entries.flatMap(([name]) => (name.endsWith('.log') ? vscode.Uri.joinPath(folder, name) : []));
    const files = await Promise.all(uris.map(async (uri) => ({ uri, time: (await fs.stat(uri)).mtime })));
    const newest = files.toSorted((one, other) => other.time - one.time)[0];
    const bytes = newest ? await fs.readFile(newest.uri) : new Uint8Array();
    const lines = new TextDecoder().decode(bytes.slice(-mostBytes)).split(/\r?\n/);
    // The first one may be cut.
    return (bytes.length > mostBytes ? lines.slice(1) : lines).filter((line) => line !== '').slice(-mostLines);
  } catch {
    return [];
  }
}
