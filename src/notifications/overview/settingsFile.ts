import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import type { NotificationScope } from '../model/scope.ts';
import { type Snapshot, snapshotSchema } from '../scopes/snapshot.ts';

// The small form of zod has no words of its own for what is wrong.
z.config(en());

const format = 'beacon-gitlab-notification-settings';

const settingsShape = { ...snapshotSchema.shape, level: z.enum(notificationLevels) };
const entrySchema = z.discriminatedUnion('scope', [
  z.strictObject({ scope: z.literal('global'), ...settingsShape }),
  z.strictObject({
    scope: z.enum(['group', 'project']),
    /** The full path, by which it is found on any instance. */
    path: z.string().check(z.minLength(1), z.maxLength(1000)),
    ...settingsShape,
  }),
]);

const fileSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  /** The web address of the instance that the settings are from. */
  instance: z.optional(z.string()),
  exportedAt: z.optional(z.string()),
  settings: z.array(entrySchema).check(z.minLength(1), z.maxLength(10_000)),
});

/** The settings of one scope in a file. */
export type FileEntry = z.infer<typeof entrySchema>;

/** A text that is no file of notification settings. */
export class SettingsFileError extends Error {
  /** What is wrong and where, such as `settings[2].level: Invalid option`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Not a file of notification settings: ${problems.join('; ')}`);
    this.name = 'SettingsFileError';
    this.problems = problems;
  }
}

/** Writes settings as JSON, by paths rather than ids, so that they can be read on another instance as well. */
export function writeSettingsFile(
  instance: string,
  now: Date,
  settings: readonly { readonly scope: NotificationScope; readonly snapshot: Snapshot }[],
): string {
  const entries = settings.map(({ scope, snapshot }) => ({
    scope: scope.kind,
    ...(scope.kind === 'global' ? {} : { path: scope.path }),
    ...snapshot,
  }));
  return `${JSON.stringify({ format, version: 1, instance, exportedAt: now.toISOString(), settings: entries }, undefined, 2)}\n`;
}

/**
 * Reads what `writeSettingsFile` wrote, or a person.
 *
 * @throws SettingsFileError if it is something else.
 */
export function readSettingsFile(text: string): {
  readonly instance?: string;
  readonly settings: readonly FileEntry[];
} {
  let value: unknown;
  try {
    // Some editors begin files with a mark of their encoding.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingsFileError([error instanceof Error ? error.message : String(error)]);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    throw new SettingsFileError(
      parsed.error.issues.map(({ path, message }) => (path.length > 0 ? `${placeOf(path)}: ${message}` : message)),
    );
  }
  const { instance, settings } = parsed.data;
  const repeated = settings.map(nameOf).find((name, index, all) => all.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new SettingsFileError([`settings: ${repeated} is there twice`]);
  }
  return { settings, ...(instance === undefined ? {} : { instance }) };
}

/** What tells an entry from every other: `global`, or its kind and path. */
export function nameOf(entry: FileEntry): string {
  return entry.scope === 'global' ? 'global' : `${entry.scope} ${entry.path}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${String(part)}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
