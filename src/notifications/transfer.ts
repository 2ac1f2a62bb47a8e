import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { lookUp } from '../accounts/directorySearch.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { excessOf } from '../common/boundedJson.ts';
import { mayWriteTo } from '../workspace/files.ts';
import type { Changes, Scoped, SendOptions } from './changes.ts';
import { countLabel } from './labels.ts';
import { type NotificationScope, withoutRepeats } from './scope.ts';
import { fieldName, type Settings } from './settings.ts';
import { mapBounded, type Reading } from './settingsService.ts';

const { t } = vscode.l10n;

/** No file of notification settings comes near this size. */
const mostBytes = 10_000_000;

export async function exportSettings(
  { connections, clock }: App,
  { dialogs }: Changes,
  accountId: string,
  readings: readonly Reading[],
): Promise<void> {
  const { instanceUrl } = await connections.of(accountId);
  const settings = readings.flatMap(({ scope, settings: one }) => (one ? { scope, settings: one } : []));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Notification Settings'),
    filters: { JSON: ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'notification-settings.json') } : {}),
  });
  if (uri && (await mayWriteTo(uri))) {
    const text = writeSettingsFile(instanceUrl, clock.date(), settings);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    dialogs.notify('info', t('Exported settings of scopes: {0}', countLabel(settings.length)));
  }
}

/** Reads a file that the user chooses, shows what would be different in an account, and sends what they confirm. */
export async function importSettings(
  app: App,
  changes: Changes,
  accountId: string,
  options: SendOptions = {},
): Promise<void> {
  const entries = await chooseEntries(changes);
  if (entries.length === 0) {
    return;
  }
  const connection = await app.connections.of(accountId);
  const missing: { name: string; error: unknown; accountId: string }[] = [];
  const found = await changes.dialogs.progress(t('Looking up projects and groups'), async (signal, report) => {
    let done = 0;
    const all = await mapBounded(entries, async ({ scope: kind, path, settings }): Promise<readonly Scoped[]> => {
      signal.throwIfAborted();
      report((done += 1) / entries.length);
      try {
        return [
          { scope: kind === 'global' ? { kind, accountId } : await lookUp(kind, path, connection, signal), settings },
        ];
      } catch (error) {
        signal.throwIfAborted();
        missing.push({ name: path, error, accountId });
        return [];
      }
    });
    // Two paths may lead to one project that has moved.
    return withoutRepeats(all.flat(), ({ scope }) => scope);
  });
  changes.sayUnread(found ? missing : []);
  const plans = found && (await changes.planAll(found));
  if (plans?.length) {
    await changes.reviewAndSend(t('Import Notification Settings'), plans, options);
  }
}

/** The entries of a file that the user chooses; none if they gave up or it is another file, which is said. */
async function chooseEntries({ dialogs }: Changes): Promise<readonly Entry[]> {
  const title = t('Import Notification Settings');
  const [uri] = (await vscode.window.showOpenDialog({ title, filters: { JSON: ['json'] } })) ?? [];
  if (!uri) {
    return [];
  }
  const isLarge = (await vscode.workspace.fs.stat(uri)).size > mostBytes;
  const text = isLarge ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const { entries, place } = readSettingsFile(text);
  if (place === '') {
    dialogs.notify('warning', t('This is not a file of notification settings: it is no JSON object, or too large.'));
  } else if (place !== undefined) {
    dialogs.notify(
      'warning',
      t('This is not a file of notification settings: {0} is missing, wrong or there twice.', place),
    );
  }
  return entries;
}

/** The values of as many scopes as a file may have, with all their events. */
const mostValues = 1_000_000;
const format = 'beacon-gitlab-notification-settings';

const text = () => z.string().check(z.minLength(1), z.maxLength(1000));
const fields = () => ({ level: z.enum(notificationLevels), notification_email: z.optional(text()) });
const event = () => z.nullable(z.boolean());
const entrySchema = () =>
  z.discriminatedUnion('scope', [
    z.catchall(z.object({ scope: z.literal('global'), ...fields() }), event()),
    z.catchall(z.object({ scope: z.enum(['group', 'project']), path: text(), ...fields() }), event()),
  ]);

const fileSchema = () =>
  z.strictObject({
    format: z.literal(format),
    version: z.literal(1),
    instance: z.optional(z.string()),
    exportedAt: z.optional(z.string()),
    settings: z
      .array(entrySchema().check(z.refine((entry) => Object.keys(entry).every((name) => fieldName.test(name)))))
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
  const { data, error } = fileSchema().safeParse(value);
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
