import { sha256 } from '../common/bytes.ts';
import { join, mkdir, readdir, readFile, rename, rm, writeFile } from '#platform/storage.ts';
import type * as z from 'zod/mini';
import { type NotificationScope, scopeKey } from './scope.ts';

/** Counted up with the form of what is kept: what was kept in another one is as if it were not there. */
const version = 2;

/**
 * Keeps something of scopes in a folder that all windows share, a file each. A memento would write all that its window knows, and
 * lose what another one has written since.
 */
export class ScopeFiles<T extends { readonly scope: NotificationScope }> {
  readonly folder: string;
  readonly #schema: () => z.ZodMiniType<T>;
  readonly #log: { warn(sentence: string): void };

  /** @param folder made when something is kept first. */
  constructor(folder: string, schema: () => z.ZodMiniType<T>, log: { warn(sentence: string): void }) {
    this.folder = folder;
    this.#schema = schema;
    this.#log = log;
  }

  async read(scope: NotificationScope): Promise<T | undefined> {
    return await this.#read(this.#nameOf(scope));
  }

  async all(): Promise<readonly T[]> {
    const names = await readdir(this.folder).catch(() => []);
    const kept = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map(async (name) => await this.#read(name)),
    );
    return kept.filter((value) => value !== undefined);
  }

  /** Puts it into its place whole, whatever happens meanwhile. */
  async write(value: T): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, this.#nameOf(value.scope));
    const draft = `${path}.${crypto.randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ version, ...value }), { mode: 0o600 });
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async remove(scope: NotificationScope): Promise<void> {
    await rm(join(this.folder, this.#nameOf(scope)), { force: true });
  }

  /** What does not fit is removed. */
  async #read(name: string): Promise<T | undefined> {
    const path = join(this.folder, name);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'ENOENT') {
        this.#log.warn(`What is kept of notification settings cannot be read: ${path}`);
      }
      return undefined;
    }
    try {
      const { version: written, ...value } = JSON.parse(text) as { readonly version?: unknown };
      const parsed = this.#schema().safeParse(value);
      if (written === version && parsed.success) {
        return parsed.data;
      }
    } catch {
      // It is no JSON, and may be anything.
    }
    this.#log.warn(`What is kept of notification settings has another form and is removed: ${path}`);
    await rm(path, { force: true }).catch(() => undefined);
    return undefined;
  }

  #nameOf(scope: NotificationScope): string {
    return `${sha256(scopeKey(scope), 'hex').slice(0, 32)}.json`;
  }
}
