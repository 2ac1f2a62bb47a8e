import * as vscode from 'vscode';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { problemOf } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { fromStored, toStored } from '../profiles/profileStore.ts';
import {
  type BulkChanges,
  countLabel,
  type PlanDialogs,
  type SendHooks,
  type WantedSettings,
} from '../settings/bulkChanges.ts';
import { mapBounded, type PlanOutcome, requestsAtOnce } from '../settings/engine.ts';
import { scopeLabel } from '../settings/labels.ts';
import { lookUp } from '../settings/scopeArgument.ts';
import { type NotificationScope, withoutRepeats } from '../settings/settings.ts';
import type { OverviewRow } from './overviewLoader.ts';
import { type FileEntry, readSettingsFile, SettingsFileError, writeSettingsFile } from './settingsFile.ts';

const { t } = vscode.l10n;

/** No file of notification settings comes near this many bytes. */
const mostBytes = 10_000_000;

/** Files that the user chooses in the editor. */
export class EditorFiles implements Files {
  async save(suggestedName: string, text: string): Promise<boolean> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uri = await vscode.window.showSaveDialog({
      title: t('Export Notification Settings'),
      filters: { JSON: ['json'] },
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, suggestedName) } : {}),
    });
    if (uri) {
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    }
    return uri !== undefined;
  }

  async open(): Promise<string | undefined> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: t('Import Notification Settings'),
        filters: { JSON: ['json'] },
      })) ?? [];
    if (!uri) {
      return undefined;
    }
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > mostBytes) {
      throw new SettingsFileError('');
    }
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }
}

/** Where files come from and go to. */
export interface Files {
  /** @returns whether the user chose a place. */
  save(suggestedName: string, text: string): Promise<boolean>;
  /** @returns undefined if the user gave up. */
  open(): Promise<string | undefined>;
}

/** What moving settings between files and the instance needs. */
export interface TransferDeps {
  readonly connections: Pick<Connections, 'of'>;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly files: Files;
  readonly clock: Pick<Clock, 'date'>;
}

/** Exports notification settings as JSON and imports them. */
export class Transfer {
  readonly #deps: TransferDeps;

  constructor(deps: TransferDeps) {
    this.#deps = deps;
  }

  /** Writes the settings of an account to a file that the user chooses. */
  async export(accountId: string, rows: readonly OverviewRow[]): Promise<void> {
    const { connections, dialogs, files, clock } = this.#deps;
    const { account, instanceUrl } = await connections.of(accountId);
    const settings = rows.flatMap(({ scope, settings: read }) =>
      read && scope.accountId === account.id ? [{ scope, snapshot: toStored(read) }] : [],
    );
    const text = writeSettingsFile(instanceUrl, clock.date(), settings);
    if (await files.save('notification-settings.json', text)) {
      dialogs.notify(
        'info',
        settings.length === 1
          ? t('Exported the settings of 1 scope.')
          : t('Exported the settings of {0} scopes.', countLabel(settings.length)),
      );
    }
  }

  /**
   * Reads a file that the user chooses, shows what would be different in an account, and sends what they confirm.
   *
   * @returns the outcome; undefined if nothing was sent, which is shown.
   */
  async import(accountId: string, hooks: SendHooks = {}): Promise<readonly PlanOutcome[] | undefined> {
    const { connections, bulk, dialogs, files } = this.#deps;
    const entries = await this.#read(files);
    if (!entries) {
      return undefined;
    }
    const connection = await connections.of(accountId);
    const missing: string[] = [];
    const wanted = await mapBounded(entries, requestsAtOnce, async (entry) => {
      try {
        return [await find(connection, entry)];
      } catch (error) {
        missing.push(t('{0}: {1}', entryLabel(entry), problemOf(error, accountId).sentence));
        return [];
      }
    });
    // Two paths may lead to one project that has moved.
    const kept = withoutRepeats(wanted.flat());
    const readings = await bulk.read(kept.map(({ scope }) => scope));
    if (!readings) {
      return undefined;
    }
    for (const reading of readings) {
      if ('error' in reading) {
        missing.push(
          t('{0}: {1}', scopeLabel(reading.scope, vscode.l10n), problemOf(reading.error, accountId).sentence),
        );
      }
    }
    if (missing.length > 0) {
      dialogs.notify('warning', [t('Left out of the import:'), ...missing].join(' '));
    }
    const plans = bulk.plan(kept, readings);
    return plans.length > 0 ? await bulk.run(t('Import Notification Settings'), plans, hooks) : undefined;
  }

  async #read(files: Files): Promise<readonly FileEntry[] | undefined> {
    try {
      const text = await files.open();
      return text === undefined ? undefined : readSettingsFile(text).settings;
    } catch (error) {
      if (!(error instanceof SettingsFileError)) {
        throw error;
      }
      this.#deps.dialogs.notify(
        'warning',
        error.place === ''
          ? t('This is not a file of notification settings: it is no JSON object, or too large.')
          : t('This is not a file of notification settings: {0} is missing, wrong or there twice.', error.place),
      );
      return undefined;
    }
  }
}

/** Names the scope of an entry as the form and the overview do. */
function entryLabel(entry: FileEntry): string {
  switch (entry.scope) {
    case 'global':
      return t('Global settings');
    case 'group':
      return t('Group {0}', entry.path);
    case 'project':
      return t('Project {0}', entry.path);
  }
}

/** Finds the scope of an entry in the account of a connection. */
async function find(connection: Connection, entry: FileEntry): Promise<WantedSettings> {
  const scope: NotificationScope =
    entry.scope === 'global'
      ? { kind: 'global', accountId: connection.account.id }
      : await lookUp(entry.scope, entry.path, connection);
  return { scope, settings: fromStored(entry) };
}
