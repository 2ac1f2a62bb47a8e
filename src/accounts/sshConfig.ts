import { glob, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { HostNameOf } from './remoteUrl.ts';

/** As deep as SSH itself follows `Include`. */
const maxIncludes = 16;

/**
 * Reads what the person's SSH configuration calls hosts. Nothing is run and nothing is looked up: what depends on a program
 * (`Match exec`) or on DNS (`CanonicalizeHostname`) is left out.
 *
 * @param folder with the file `config`.
 * @returns aliases as they are if there is no configuration that can be read.
 */
export async function readSshConfig(folder = join(homedir(), '.ssh')): Promise<HostNameOf> {
  const text = await readWithIncludes('config', folder, 0);
  if (text === '') {
    return (alias) => alias;
  }
  const { default: SshConfig } = await import('ssh-config');
  try {
    const config = SshConfig.parse(text);
    return (alias) => {
      try {
        const { hostname } = config.compute(alias, { ignoreCase: true, matchExec: false });
        return typeof hostname === 'string'
          ? hostname.replaceAll(/%[h%]/g, (token) => (token === '%h' ? alias : '%'))
          : alias;
      } catch {
        // What the person's own SSH would refuse, too.
        return alias;
      }
    };
  } catch {
    return (alias) => alias;
  }
}

async function readWithIncludes(file: string, folder: string, depth: number): Promise<string> {
  const text = await readFile(isAbsolute(file) ? file : join(folder, file), 'utf8').catch(() => '');
  const lines = await Promise.all(
    text.split(/\r?\n/).map(async (line) => {
      const [, keyword = '', value = ''] = /^\s*(\w+)[\s=]+(.*)$/.exec(line) ?? [];
      if (/^canonical/i.test(keyword)) {
        return '';
      }
      return /^include$/i.test(keyword) && depth < maxIncludes ? readIncluded(value, folder, depth + 1) : line;
    }),
  );
  return lines.join('\n');
}

async function readIncluded(patterns: string, folder: string, depth: number): Promise<string> {
  const texts: string[] = [];
  for (const [, quoted, plain] of patterns.matchAll(/"([^"]*)"|(\S+)/g)) {
    const pattern = (quoted ?? plain ?? '').replace(/^~(?=\/)/, homedir());
    for await (const file of glob(pattern, { cwd: folder })) {
      texts.push(await readWithIncludes(file, folder, depth));
    }
  }
  return texts.join('\n');
}
