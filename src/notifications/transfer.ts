import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { mayWriteTo } from '../workspace/files.ts';
import type { Changes, Scoped, SendOptions } from './changes.ts';
import { countLabel } from './labels.ts';
import { withoutRepeats } from './scope.ts';
import { lookUp } from './scopes.ts';
import { type Entry, readSettingsFile, writeSettingsFile } from './settingsFile.ts';
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
