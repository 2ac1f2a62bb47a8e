import * as vscode from 'vscode';
import { problemOf } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { Changes, SendOptions } from './changes.ts';
import { fromStored } from './schemas.ts';
import { countLabel, scopeLabel } from './labels.ts';
import { type NotificationScope, scopeKey, withoutRepeats } from './scope.ts';
import { lookUp } from './scopes.ts';
import { type Entry, readSettingsFile, SettingsFileError, writeSettingsFile } from './settingsFile.ts';
import { type Plan, planFor, type Settings } from './settings.ts';
import { isCancellation, mapBounded, type Reading } from './settingsService.ts';

const { t } = vscode.l10n;

/** No file of notification settings comes near so many bytes. */
const mostBytes = 10_000_000;

/** Writes the settings of an account to a file that the user chooses. */
export async function exportSettings(
  { connections, clock }: App,
  { dialogs }: Changes,
  accountId: string,
  readings: readonly Reading[],
): Promise<void> {
  const { instanceUrl } = await connections.of(accountId);
  const settings = readings.filter((reading) => 'settings' in reading);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Notification Settings'),
    filters: { JSON: ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'notification-settings.json') } : {}),
  });
  if (uri) {
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
  const { dialogs } = changes;
  const entries = await chooseEntries(changes);
  if (!entries) {
    return;
  }
  const connection = await app.connections.of(accountId);
  const missing: string[] = [];
  const leftOut = (name: string, error: unknown): void => {
    missing.push(t('{0}: {1}', name, problemOf(error, accountId).sentence));
  };
  let found: readonly { readonly scope: NotificationScope; readonly settings: Settings }[];
  try {
    found = await dialogs.progress(t('Looking up projects and groups'), async (signal, report) => {
      let done = 0;
      const all = await mapBounded(entries, async (entry) => {
        signal.throwIfAborted();
        try {
          const scope: NotificationScope =
            entry.scope === 'global'
              ? { kind: 'global', accountId }
              : await lookUp(entry.scope, entry.path, connection, signal);
          return [{ scope, settings: fromStored(entry) }];
        } catch (error) {
          signal.throwIfAborted();
          leftOut(entry.scope === 'global' ? t('Global settings') : entry.path, error);
          return [];
        } finally {
          report((done += 1) / entries.length);
        }
      });
      return all.flat();
    });
  } catch (error) {
    if (isCancellation(error)) {
      return;
    }
    throw error;
  }
  // Two paths may lead to one project that has moved.
  const wanted = withoutRepeats(found, ({ scope }) => scope);
  const readings = await changes.read(wanted.map(({ scope }) => scope));
  if (!readings) {
    return;
  }
  const settingsOf = new Map(wanted.map(({ scope, settings }) => [scopeKey(scope), settings]));
  const plans = readings.flatMap((reading): readonly Plan[] => {
    if ('error' in reading) {
      leftOut(scopeLabel(reading.scope), reading.error);
      return [];
    }
    const settings = settingsOf.get(scopeKey(reading.scope));
    return settings ? [planFor(reading.scope, reading.settings, settings)] : [];
  });
  if (missing.length > 0) {
    const more = missing.length > 5 ? [t('and {0} more', countLabel(missing.length - 5))] : [];
    dialogs.notify('warning', [t('Left out of the import:'), ...missing.slice(0, 5), ...more].join(' '));
  }
  if (plans.length > 0) {
    await changes.reviewAndSend(t('Import Notification Settings'), plans, options);
  }
}

/** The entries of a file that the user chooses; undefined if they gave up or it is another file, which is said. */
async function chooseEntries({ dialogs }: Changes): Promise<readonly Entry[] | undefined> {
  const title = t('Import Notification Settings');
  const [uri] = (await vscode.window.showOpenDialog({ title, filters: { JSON: ['json'] } })) ?? [];
  if (!uri) {
    return undefined;
  }
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > mostBytes) {
      throw new SettingsFileError('');
    }
    return readSettingsFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch (error) {
    if (!(error instanceof SettingsFileError)) {
      throw error;
    }
    dialogs.notify(
      'warning',
      error.place === ''
        ? t('This is not a file of notification settings: it is no JSON object, or too large.')
        : t('This is not a file of notification settings: {0} is missing, wrong or there twice.', error.place),
    );
    return undefined;
  }
}
