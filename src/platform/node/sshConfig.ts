import { glob, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/** As deep as SSH itself follows `Include`. */
const maxIncludes = 16;
/** The most files that are read, and characters of them in all: files that include each other would not end. */
const mostFiles = 200;
const mostCharacters = 128 * 1024;

/** What a file calls hosts whose alias fits. */
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
  await readFileOf('config', () => true, 0);
  return (alias) => {
    const hostName = rules.find(({ fits }) => fits(alias))?.hostName;
    return hostName?.replaceAll(/%[h%]/g, (token) => (token === '%h' ? alias : '%')) ?? alias;
  };

  async function readFileOf(file: string, outer: Rule['fits'], depth: number): Promise<void> {
    left.files -= 1;
    const path = isAbsolute(file) ? file : join(folder, file);
    const text = left.files < 0 ? '' : await readFile(path, 'utf8').catch(() => '');
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
          await (depth < maxIncludes ? include(words, fits, depth + 1) : undefined);
      }
    }
  }

  async function include(patterns: readonly string[], fits: Rule['fits'], depth: number): Promise<void> {
    for (const pattern of patterns) {
      const path = pattern.replace(/^~(?=[/\\])/, () => homedir());
      for await (const file of glob(path, { cwd: folder })) {
        if (left.files <= 0 || left.characters <= 0) {
          return;
        }
        await readFileOf(file, fits, depth);
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
