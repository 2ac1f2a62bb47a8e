import * as z from 'zod/mini';
import { excessOf } from '../api/grammar.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import { fieldName } from './schemas.ts';
import type { NotificationScope } from './scope.ts';
import type { Settings } from './settings.ts';

/** The values of as many scopes as a file may have, with all their events. */
const mostValues = 1_000_000;
const format = 'beacon-gitlab-notification-settings';

const text = z.string().check(z.minLength(1), z.maxLength(1000));
const fields = { level: z.enum(notificationLevels), notification_email: z.optional(text) };
const event = z.nullable(z.boolean());
const entrySchema = z.discriminatedUnion('scope', [
  z.catchall(z.object({ scope: z.literal('global'), ...fields }), event),
  z.catchall(z.object({ scope: z.enum(['group', 'project']), path: text, ...fields }), event),
]);

const fileSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  instance: z.optional(z.string()),
  exportedAt: z.optional(z.string()),
  settings: z
    .array(entrySchema.check(z.refine((entry) => Object.keys(entry).every((name) => fieldName.test(name)))))
    .check(z.minLength(1), z.maxLength(10_000)),
});

export interface Entry {
  readonly scope: NotificationScope['kind'];
  readonly path: string;
  readonly settings: Settings;
}

/** Writes settings as JSON, by paths rather than ids, so that they can be read on another instance as well. */
export function writeSettingsFile(
  instance: string,
  now: Date,
  all: readonly { readonly scope: NotificationScope; readonly settings: Settings }[],
): string {
  const settings = all.map(({ scope, settings: one }) => ({
    scope: scope.kind,
    ...(scope.kind !== 'global' && { path: scope.path }),
    ...one,
  }));
  return `${JSON.stringify({ format, version: 1, instance, exportedAt: now.toISOString(), settings }, undefined, 2)}\n`;
}

/**
 * Reads what `writeSettingsFile` wrote, or a user.
 *
 * @returns its entries; of something else the first place that is wrong, such as `settings[2].level`, which is empty where it is no JSON
 *   object or too large.
 */
export function readSettingsFile(text: string): { readonly entries: readonly Entry[]; readonly place?: string } {
  let value: unknown;
  try {
    // Some editors begin files with a mark of their encoding.
    value = excessOf(text, mostValues) === undefined ? JSON.parse(text.replace(/^\uFEFF/, '')) : undefined;
  } catch {
    // It is no JSON, as a text that is too large is none either.
  }
  const { data, error } = fileSchema.safeParse(value);
  if (!data) {
    const [issue] = error.issues;
    const odd = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    return { entries: [], place: placeOf([...(issue?.path ?? []), ...odd]) };
  }
  const entries = data.settings.map(({ scope, ...entry }): Entry => {
    const { path = '', ...settings } = entry as Settings & { readonly path?: string };
    return { scope, path, settings };
  });
  const names = new Set<string>();
  const repeated = entries.findIndex(({ scope, path }) => names.size === names.add(`${scope} ${path}`).size);
  return repeated >= 0 ? { entries: [], place: placeOf(['settings', repeated]) } : { entries };
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${String(part)}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
