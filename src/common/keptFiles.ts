import { join, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from '#platform/storage.ts';
import type * as z from 'zod/mini';
import { parseBounded } from './boundedJson.ts';

/** Counted up with the form of anything that is kept: what was kept in another one is as if it were not there. */
const version = 2;
/** Longer files are none that were written here. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Values in a folder that all windows share, a file each: what one window has kept, the others can read at any time, whole. A memento
 * would write all that its window knows, and lose what another one has written since.
 */
export class KeptFiles<Key, T extends object> {
  readonly folder: string;
  readonly #nameOf: (key: Key) => string;
  readonly #schema: () => z.ZodMiniType<T>;
  readonly #log: { warn(sentence: string): void };

  /** @param folder made when something is kept first. @param nameOf gives a name that files can have. */
  constructor(
    folder: string,
    nameOf: (key: Key) => string,
    schema: () => z.ZodMiniType<T>,
    log: { warn(sentence: string): void },
  ) {
    this.folder = folder;
    this.#nameOf = nameOf;
    this.#schema = schema;
    this.#log = log;
  }

  path(key: Key): string {
    return join(this.folder, `${this.#nameOf(key)}.json`);
  }

  async read(key: Key): Promise<T | undefined> {
    return await this.#read(this.path(key));
  }

  async all(): Promise<readonly T[]> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const kept = await Promise.all(names.map(async (name) => await this.#read(join(this.folder, name))));
    return kept.filter((value) => value !== undefined);
  }

  /** Puts a value into its place whole, whatever happens meanwhile. @param time at which it was so, if that is not now. */
  async write(key: Key, value: T, time?: Date): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const path = this.path(key);
    const draft = `${path}.${crypto.randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ version, ...value }), { mode: 0o600 });
      await (time && utimes(draft, time, time));
      await rename(draft, path);
    } catch (error) {
      // Windows replaces no file that another program has open, such as a scanner for viruses.
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** When a value was last so; undefined if there is none. */
  async timeOf(key: Key): Promise<Date | undefined> {
    return (await stat(this.path(key)).catch(() => undefined))?.mtime;
  }

  async touch(key: Key, time: Date): Promise<void> {
    await utimes(this.path(key), time, time);
  }

  async remove(key: Key): Promise<void> {
    await rm(this.path(key), { force: true });
  }

  /** What has another form is removed. */
  async #read(path: string): Promise<T | undefined> {
    try {
      const text = (await stat(path)).size > mostBytes ? '' : await readFile(path, 'utf8');
      const read = parseBounded(text);
      const kept = ('json' in read ? read.json : {}) as { readonly version?: unknown };
      const { version: written, ...value } = kept;
      return this.#schema().parse(written === version ? value : undefined);
    } catch (error) {
      const { code, name } = error as Error & { readonly code?: string };
      if (code !== 'ENOENT') {
        // Without the message, which may quote the file.
        this.#log.warn(`What is kept in a file cannot be read and is left out: ${path} (${code ?? name})`);
        await (code === undefined ? rm(path, { force: true }).catch(() => undefined) : undefined);
      }
      return undefined;
    }
  }
}
