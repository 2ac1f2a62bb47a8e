import { glob, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/** As deep as SSH itself follows `Include`. */
const maxIncludes = 16;
/** So many files are read at most, and so many characters of them in all: files that include each other would not end. */
const mostFiles = 200;
const mostCharacters = 128 * 1024;

/** What may still be read. */
interface Budget {
  files: number;
  characters: number;
}

/**
 * Reads what the user's SSH configuration calls hosts. Nothing is run and nothing is looked up: what depends on a program
 * (`Match exec`) or on DNS (`CanonicalizeHostname`) is left out.
 *
 * @param folder with the file `config`.
 * @returns aliases as they are if there is no configuration that can be read.
 */
export async function readSshConfig(folder = join(homedir(), '.ssh')): Promise<HostNameOf> {
  const text = await readWithIncludes('config', folder, 0, { files: mostFiles, characters: mostCharacters });
  if (text === '') {
    return (alias) => alias;
  }
  const { default: SshConfig } = await import('ssh-config');
  try {
    const config = SshConfig.parse(text);
    const hostNameOf: HostNameOf = (alias) => {
      try {
        const { hostname } = config.compute(alias, { ignoreCase: true, matchExec: false });
        return typeof hostname === 'string'
          ? hostname.replaceAll(/%[h%]/g, (token) => (token === '%h' ? alias : '%'))
          : alias;
      } catch {
        // What the user's own SSH would refuse, too.
        return alias;
      }
    };
    // Cached: few hosts are looked up often, and each look-up reads the whole configuration.
    const known = new Map<string, string>();
    return (alias) => {
      const host = known.get(alias) ?? hostNameOf(alias);
      known.set(alias, host);
      return host;
    };
  } catch {
    return (alias) => alias;
  }
}

async function readWithIncludes(file: string, folder: string, depth: number, budget: Budget): Promise<string> {
  budget.files -= 1;
  const text =
    budget.files < 0 ? '' : await readFile(isAbsolute(file) ? file : join(folder, file), 'utf8').catch(() => '');
  budget.characters -= text.length;
  if (budget.characters < 0) {
    return '';
  }
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, keyword = '', value = ''] = /^\s*(\w+)[\s=]+(.*)/.exec(line) ?? [];
    if (/^include$/i.test(keyword) && depth < maxIncludes) {
      lines.push(await readIncluded(value, folder, depth + 1, budget));
    } else if (!/^canonical/i.test(keyword)) {
      lines.push(line);
    }
  }
  return lines.join('\n');
}

async function readIncluded(patterns: string, folder: string, depth: number, budget: Budget): Promise<string> {
  const texts: string[] = [];
  for (const [, quoted, plain] of patterns.matchAll(/"([^"]*)"|(\S+)/g)) {
    const pattern = (quoted ?? plain ?? '').replace(/^~(?=[/\\])/, () => homedir());
    for await (const file of glob(pattern, { cwd: folder })) {
      if (budget.files <= 0 || budget.characters <= 0) {
        return texts.join('\n');
      }
      texts.push(await readWithIncludes(file, folder, depth, budget));
    }
  }
  return texts.join('\n');
}
