import { endOfNewest, homeFolder } from '#platform/disk.ts';
import type * as vscode from 'vscode';

/** So many lines of the log go into a report. */
const mostLines = 60;
/** So many bytes of its end are read. */
const mostBytes = 64 * 1024;

export interface IssueReportDeps {
  /** Of the diagnosis of the connection, with the versions. */
  readonly doctor: string;
  readonly log: readonly string[];
  /** What must not be in it, wherever it stands. */
  readonly secrets: readonly string[];
}

/** What goes along with an issue, as Markdown: versions, the diagnosis and the end of the log, without secrets. */
export function issueReport({ doctor, log, secrets }: IssueReportDeps): string {
  const block = (text: string): string[] => ['```text', text.trim().replaceAll('```', "'''"), '```', ''];
  return redact(
    [
      '### Connection',
      '',
      ...block(doctor),
      '### Log',
      '',
      ...block(log.slice(-mostLines).join('\n') || 'There is none.'),
    ].join('\n'),
    secrets,
  );
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
 * Removes secrets from a text, and where the home folder is.
 *
 * @param secrets the known ones; short ones are ignored, because they occur within words.
 */
export function redact(text: string, secrets: readonly string[], home = homeFolder): string {
  const known = secrets
    .filter((secret) => secret.length >= 6)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .toSorted((one, other) => other.length - one.length);
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
  const withoutForms = patterns.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), withoutKnown);
  return home.length > 1 ? withoutPath(withoutForms, home, '~') : withoutForms;
}

/** Replaces a path in a text: on Windows with either slash, in any case, and with its drive as in an address. */
function withoutPath(text: string, path: string, instead: string): string {
  if (!/^[a-z]:/i.test(path)) {
    return text.replaceAll(path, instead);
  }
  const drives = [path, path.replace(':', '%3A')];
  const forms = drives.flatMap((one) => ['\\\\', '\\', '/'].map((slash) => one.split(/[\\/]/).join(slash)));
  return forms.reduce((rest, form) => {
    // A text whose length depends on its case has other places then.
    const lower = rest.toLowerCase();
    const parts = lower.length === rest.length ? lower.split(form.toLowerCase()) : [lower];
    let at = 0;
    const kept = parts.map((part) => {
      const original = rest.slice(at, at + part.length);
      at += part.length + form.length;
      return original;
    });
    return parts.length === 1 ? rest.replaceAll(form, instead) : kept.join(instead);
  }, text);
}

/**
 * What the secret store holds that is a secret: of entries in JSON all texts but what names the account.
 *
 * @throws what the store throws.
 */
export async function knownSecrets(secrets: vscode.SecretStorage): Promise<readonly string[]> {
  const values = await Promise.all((await secrets.keys()).map((key) => secrets.get(key)));
  return values.flatMap((value) => (value === undefined ? [] : secretsIn(value)));
}

function secretsIn(value: string): readonly string[] {
  try {
    const { account: _, ...rest } = JSON.parse(value) as Record<string, unknown>;
    return textsIn(rest);
  } catch {
    return [value];
  }
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
}

/**
 * The last lines of the log of this window.
 *
 * @param folder where the editor writes it.
 * @returns nothing if it cannot be read.
 */
export async function lastLogLines(folder: string): Promise<readonly string[]> {
  try {
    const end = await endOfNewest(folder, '.log', mostBytes);
    const lines = end?.text.split(/\r?\n/) ?? [];
    // The first one may be cut.
    return (end?.isCut === true ? lines.slice(1) : lines).filter((line) => line !== '').slice(-mostLines);
  } catch {
    return [];
  }
}
