/** A change of a text: so many characters from an offset on give way to others. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** The name that SDKs know. */
export const defaultVariable = 'SENTRY_DSN';

/** A line of an env file, without its end. The value must hold no quotes, spaces or line ends, as is so with a DSN. */
export function envLine(name: string, value: string): string {
  return `${name}=${value}`;
}

/**
 * The change that gives a variable of an env file a value: in its place if it is there, at the end otherwise. Quotes,
 * `export`, comments and the kind of line ends stay. Of several lines for the variable the last counts.
 */
export function setVariable(text: string, name: string, value: string): TextChange {
  const line = new RegExp(
    String.raw`^([^\S\r\n]*(?:export[^\S\r\n]+)?${name}[^\S\r\n]*=[^\S\r\n]*)("[^"\r\n]*"|'[^'\r\n]*'|[^\s#]*)`,
    'gm',
  );
  const last = [...text.matchAll(line)].at(-1);
  if (last) {
    const [, before = '', old = ''] = last;
    const quote = /^["']/.exec(old)?.[0] ?? '';
    return { offset: last.index + before.length, length: old.length, newText: `${quote}${value}${quote}` };
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return { offset: text.length, length: 0, newText: `${start}${envLine(name, value)}${end}` };
}

/** Whether a file is an env file by its name, such as `.env`, `.env.local` or `production.env`. */
export function isEnvFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^\.env(?:\.|$)|\.env$|^\.envrc$/.test(name);
}

/** Whether an env file is a pattern for others, kept in the repository, where no value belongs. */
export function isEnvExample(path: string): boolean {
  return /\.(?:example|sample|template|dist|defaults)$/.test(path);
}
