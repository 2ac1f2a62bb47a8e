/** A change of a text: replaces `length` characters from an offset on. */
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
 *
 * @param isShell whether a shell reads the file, which needs `export` to pass a variable on; a file all of whose variables
 *   have it gets one more such line anyway.
 */
export function setVariable(text: string, name: string, value: string, isShell = false): TextChange {
  const last = lastAssignment(text, name);
  if (last) {
    const { offset, value: former } = last;
    const quote = /^["']/.exec(former)?.[0] ?? '';
    // To most programs, what follows without a space is a part of the value.
    const space = text.charAt(offset + former.length) === '#' ? ' ' : '';
    return { offset, length: former.length, newText: `${quote}${value}${quote}${space}` };
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  const isExported = isShell || (/^[ \t]*export\s/m.test(text) && !/^[ \t]*\w+[ \t]*=/m.test(text));
  const line = `${isExported ? 'export ' : ''}${envLine(name, value)}`;
  return { offset: text.length, length: 0, newText: `${start}${line}${end}` };
}

/** The value of a variable in an env file, without its quotes; undefined if the file does not have it. */
export function variableOf(text: string, name: string): string | undefined {
  return lastAssignment(text, name)?.value.replace(/^(["'])(.*)\1$/, '$2');
}

/** Where the last value of a variable is, with its quotes. One without quotes may have spaces, but where a shell would read on. */
function lastAssignment(text: string, name: string): { readonly offset: number; readonly value: string } | undefined {
  const quoted = String.raw`(["'\x60])(?:(?!\4)[^\\\r\n]|\\.)*\4`;
  const words = String.raw`[^\s#;]+(?:[ \t]+(?![&|]|\w+=)[^\s#;]+)*`;
  const line = new RegExp(String.raw`^([ \t]*(?:export[ \t]+)?${name}[ \t]*=)(?:([ \t]*)(${quoted}|${words}))?`, 'gm');
  const last = [...text.matchAll(line)].at(-1);
  if (!last) {
    return undefined;
  }
  const [, before = '', space = '', value = ''] = last;
  return { offset: last.index + before.length + space.length, value };
}

/** Whether an env file is run by a shell, as those of direnv are. */
export function isShellScript(path: string): boolean {
  return path.endsWith('/.envrc');
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
