import * as z from 'zod/mini';
import { excessOf } from '../../api/grammar.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { type StoredScope, storedSettingsSchema } from '../profiles/profileStore.ts';

/** The values of as many scopes as a file may have, with all their events. */
const mostValues = 1_000_000;

/** So many problems of a file are listed. */
const mostProblems = 1000;

const format = 'beacon-gitlab-notification-settings';

const settingsShape = { ...storedSettingsSchema.shape, level: z.enum(notificationLevels) };
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

/** What is wrong with a file, and at which place, such as `settings[2].level`. */
export type FileProblem =
  | { readonly kind: 'notJson'; readonly detail: string }
  /** It is not even parsed. */
  | { readonly kind: 'excessive' }
  | { readonly kind: 'notAnObject' }
  | { readonly kind: 'missing' | 'unknownName' | 'empty' | 'notAnEvent'; readonly place: string }
  | { readonly kind: 'notOneOf'; readonly place: string; readonly values: readonly string[] }
  | { readonly kind: 'otherType'; readonly place: string; readonly type: string }
  | { readonly kind: 'tooLong'; readonly place: string; readonly most: number }
  | { readonly kind: 'repeated'; readonly place: string; readonly name: string };

/** A text that is no file of notification settings. */
export class SettingsFileError extends Error {
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super('Not a file of notification settings');
    this.name = 'SettingsFileError';
    this.problems = problems;
  }
}

/** Writes settings as JSON, by paths rather than ids, so that they can be read on another instance as well. */
export function writeSettingsFile(instance: string, now: Date, settings: readonly StoredScope[]): string {
  const entries = settings.map(({ scope, snapshot }) => ({
    scope: scope.kind,
    ...(scope.kind === 'global' ? {} : { path: scope.path }),
    ...snapshot,
  }));
  return `${JSON.stringify({ format, version: 1, instance, exportedAt: now.toISOString(), settings: entries }, undefined, 2)}\n`;
}

/**
 * Reads what `writeSettingsFile` wrote, or a user.
 *
 * @throws SettingsFileError if it is something else.
 */
export function readSettingsFile(text: string): {
  readonly instance?: string;
  readonly settings: readonly FileEntry[];
} {
  if (excessOf(text, mostValues) !== undefined) {
    throw new SettingsFileError([{ kind: 'excessive' }]);
  }
  let value: unknown;
  try {
    // Some editors begin files with a mark of their encoding.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new SettingsFileError([{ kind: 'notJson', detail }]);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    throw new SettingsFileError(
      parsed.error.issues.flatMap((issue) => problemsOf(issue, value)).slice(0, mostProblems),
    );
  }
  const { instance, settings } = parsed.data;
  const names = new Set<string>();
  const repeated = settings.map(entryName).find((name) => names.size === names.add(name).size);
  if (repeated !== undefined) {
    throw new SettingsFileError([{ kind: 'repeated', place: 'settings', name: repeated }]);
  }
  return { settings, ...(instance === undefined ? {} : { instance }) };
}

/** The unique key of an entry: `global`, or its kind and path. */
export function entryName(entry: FileEntry): string {
  return entry.scope === 'global' ? 'global' : `${entry.scope} ${entry.path}`;
}

function problemsOf(issue: z.core.$ZodIssue, file: unknown): readonly FileProblem[] {
  const place = placeOf(issue.path);
  if (place === '' && issue.code === 'invalid_type') {
    return [{ kind: 'notAnObject' }];
  }
  if (isMissing(issue.path, file)) {
    return [{ kind: 'missing', place }];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ kind: 'unknownName', place: placeOf([...issue.path, key]) }));
    case 'invalid_value':
      return [{ kind: 'notOneOf', place, values: issue.values.map((value) => JSON.stringify(value)) }];
    case 'invalid_union':
      // The only one is that of scopes.
      return [{ kind: 'notOneOf', place, values: ['"global"', '"group"', '"project"'] }];
    case 'invalid_type':
      return [{ kind: 'otherType', place, type: issue.expected === 'record' ? 'object' : issue.expected }];
    case 'too_small':
      return [{ kind: 'empty', place }];
    case 'too_big':
      return [{ kind: 'tooLong', place, most: Number(issue.maximum) }];
    default:
      // Names of events are all that is left.
      return [{ kind: 'notAnEvent', place }];
  }
}

/** Whether a file has nothing at a path whose last segment is a name. */
function isMissing(path: readonly PropertyKey[], file: unknown): boolean {
  let value = file;
  for (const part of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined;
  }
  return value === undefined;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${String(part)}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
