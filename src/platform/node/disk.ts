import { glob, lstat, open, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type * as vscode from 'vscode';
import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/** At most this many files are read without being asked for: of those on this disk all. */
export const mostUnasked: number | undefined = undefined;

/** Whether a file is on this disk. If the extension host is remote, `vscode.workspace.fs` goes through the window for each. */
export function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file';
}

export async function bytesOnDisk({ fsPath }: vscode.Uri, maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  const facts = await stat(fsPath);
  // A link to a folder or in a circle, or a pipe, is not read.
  if (!facts.isFile()) {
    return undefined;
  }
  if (facts.size > maxBytes) {
    return 'large';
  }
  await using file = await open(fsPath);
  const buffer = Buffer.allocUnsafe(facts.size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    ({ bytesRead: read } = await file.read(buffer, length));
  }
  // One that grows meanwhile, or of which the system says no size, as of those of its processes, may have no end.
  return length > facts.size ? 'large' : buffer.subarray(0, length);
}

/** Where a file on this disk really is, if it is a link or below one in its folder. */
export async function linkTarget(
  folder: Pick<vscode.Uri, 'fsPath'> | undefined,
  { fsPath }: Pick<vscode.Uri, 'fsPath'>,
): Promise<{ readonly path: string; readonly isOutside: boolean } | undefined> {
  const home = folder?.fsPath ?? dirname(fsPath);
  for (let path = fsPath; path !== home && isInside(home, path); path = dirname(path)) {
    if (await isLink(path)) {
      const target = await realPathOf(fsPath);
      return { path: target, isOutside: !isInside(await realPathOf(home), target) };
    }
  }
  return undefined;
}

async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

/** Also of a file that is not there yet, or whose link leads to one that is not. */
async function realPathOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path || links > 40) {
      return path;
    }
    return (await isLink(path))
      ? await realPathOf(resolve(above, await readlink(path)), links + 1)
      : join(await realPathOf(above, links), path.slice(above.length).replace(/^[/\\]/, ''));
  }
}

/** @param path how paths are written: as here, or as on another platform. */
export function isInside(folder: string, file: string, path = { isAbsolute, relative }): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative);
}

/** More than any configuration file of the GitLab CLI has. */
const longestCliFile = 256 * 1024;

/** The configuration of the GitLab CLI; undefined if none can be read. @see https://docs.gitlab.com/cli/#configuration */
export async function readCliConfiguration(): Promise<string | undefined> {
  const { GLAB_CONFIG_DIR, XDG_CONFIG_HOME, LOCALAPPDATA } = process.env;
  const parents = [XDG_CONFIG_HOME, join(homedir(), 'Library', 'Application Support'), LOCALAPPDATA];
  const folders = [...parents, join(homedir(), '.config')].flatMap((parent) =>
    parent ? join(parent, 'glab-cli') : [],
  );
  for (const folder of GLAB_CONFIG_DIR ? [GLAB_CONFIG_DIR] : folders) {
    const path = join(folder, 'config.yml');
    try {
      const file = await stat(path);
      if (file.isFile() && file.size <= longestCliFile) {
        return await readFile(path, 'utf8');
      }
    } catch {
      // It is not there, or not for this user to read.
    }
  }
  return undefined;
}

/** As deep as SSH itself follows `Include`. */
const maxIncludes = 16;
/** Files that include each other would not end. */
const mostFiles = 200;
const mostCharacters = 128 * 1024;

interface Rule {
  readonly fits: (alias: string) => boolean;
  readonly hostName: string;
}

/**
 * Reads what the user's SSH configuration calls hosts: `HostName` below `Host`, with `Include`. Nothing is run and nothing is looked up:
 * what stands below `Match` is left out.
 *
 * @param folder with the file `config`.
 * @returns aliases as they are where it says nothing.
 */
export async function readSshConfig(folder = join(homedir(), '.ssh')): Promise<HostNameOf> {
  const rules: Rule[] = [];
  const left = { files: mostFiles, characters: mostCharacters };
  await readRules('config', () => true, 0);
  return (alias) => {
    const hostName = rules.find(({ fits }) => fits(alias))?.hostName;
    return hostName?.replaceAll(/%[h%]/g, (token) => (token === '%h' ? alias : '%')) ?? alias;
  };

  async function readRules(file: string, outer: Rule['fits'], depth: number): Promise<void> {
    left.files -= 1;
    const text = left.files < 0 ? '' : await readFile(resolve(folder, file), 'utf8').catch(() => '');
    left.characters -= text.length;
    let fits = outer;
    for (const line of left.characters < 0 ? [] : text.split(/\r?\n/)) {
      const [, keyword = '', rest = ''] = /^\s*(\w+)[\s=]+(.*)/.exec(line) ?? [];
      const words = Array.from(rest.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
      switch (keyword.toLowerCase()) {
        case 'host': {
          const fitsHere = fitsPatterns(words);
          fits = (alias) => outer(alias) && fitsHere(alias);
          break;
        }
        case 'match':
          fits = () => false;
          break;
        case 'hostname':
          rules.push({ fits, hostName: words[0] ?? '' });
          break;
        case 'include':
          for (const pattern of depth < maxIncludes ? words : []) {
            for await (const included of glob(
              pattern.replace(/^~(?=[/\\])/, () => homedir()),
              { cwd: folder },
            )) {
              await (left.files > 0 && left.characters > 0 ? readRules(included, fits, depth + 1) : undefined);
            }
          }
      }
    }
  }
}

/** Whether an alias fits one of the patterns, and none that begins with an exclamation mark. */
function fitsPatterns(patterns: readonly string[]): Rule['fits'] {
  const isLike = (alias: string, pattern: string): boolean => {
    const source = pattern.replaceAll(/[\\^$.+()[\]{}|]/g, String.raw`\$&`).replaceAll('?', '.');
    return new RegExp(`^${source.replaceAll(/\*+/g, '.*')}$`, 'is').test(alias);
  };
  return (alias) =>
    patterns.some((pattern) => isLike(alias, pattern)) &&
    !patterns.some((pattern) => pattern.startsWith('!') && isLike(alias, pattern.slice(1)));
}
