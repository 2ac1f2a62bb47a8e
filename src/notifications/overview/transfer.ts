import * as vscode from 'vscode';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { describeProblem } from '../../accounts/problem.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { scopeWords } from '../model/words.ts';
import { mapBounded } from '../scopes/bounded.ts';
import type { Dialogs } from '../scopes/dialogs.ts';
import { countWords } from '../scopes/planWords.ts';
import type { PlanRunner } from '../scopes/planRunner.ts';
import { requestsAtOnce } from '../scopes/scopeFinder.ts';
import type { ScopeOutcome } from '../scopes/scopeSettings.ts';
import { type KeptScope, snapshotOf } from '../scopes/snapshot.ts';
import { describeFileProblem } from './fileProblemWords.ts';
import type { OverviewRow } from './overviewLoader.ts';
import { type FileEntry, readSettingsFile, SettingsFileError, writeSettingsFile } from './settingsFile.ts';

/** Where files come from and go to. */
export interface Files {
  /** @returns whether the person chose a place. */
  save(suggestedName: string, text: string): Promise<boolean>;
  /** @returns undefined if the person gave up. */
  open(): Promise<string | undefined>;
}

/** What moving settings between files and the instance needs. */
export interface TransferParts {
  readonly connections: Pick<Connections, 'current'>;
  readonly runner: PlanRunner;
  readonly dialogs: Dialogs;
  readonly files: Files;
  readonly now: () => number;
}

/** Exports notification settings as JSON and imports them. */
export class Transfer {
  readonly #parts: TransferParts;

  constructor(parts: TransferParts) {
    this.#parts = parts;
  }

  /** Writes the settings of the account in use to a file that the person chooses. */
  async export(rows: readonly OverviewRow[]): Promise<void> {
    const { connections, dialogs, files, now } = this.#parts;
    const { account, instanceUrl } = await connections.current();
    const settings = rows.flatMap(({ scope, settings: read }) =>
      read && scope.accountId === account.id ? [{ scope, snapshot: snapshotOf(read) }] : [],
    );
    const text = writeSettingsFile(instanceUrl, new Date(now()), settings);
    if (await files.save('notification-settings.json', text)) {
      dialogs.tell(
        'info',
        settings.length === 1
          ? vscode.l10n.t('Exported the settings of 1 scope.')
          : vscode.l10n.t('Exported the settings of {0} scopes.', countWords(settings.length)),
      );
    }
  }

  /**
   * Reads a file that the person chooses, shows what would be different, and sends what they confirm.
   *
   * @returns what became of it; undefined if nothing was sent, which is told.
   */
  async import(): Promise<readonly ScopeOutcome[] | undefined> {
    const { connections, runner, dialogs, files } = this.#parts;
    const entries = await this.#read(files);
    if (!entries) {
      return undefined;
    }
    const connection = await connections.current();
    const missing: string[] = [];
    const wanted = await mapBounded(entries, requestsAtOnce, async (entry) => {
      try {
        return [await find(connection, entry)];
      } catch (error) {
        missing.push(vscode.l10n.t('{0}: {1}', entryWords(entry), describeProblem(error).sentence));
        return [];
      }
    });
    const kept = withoutRepeats(wanted.flat());
    const readings = await runner.read(kept.map(({ scope }) => scope));
    if (!readings) {
      return undefined;
    }
    for (const reading of readings) {
      if ('error' in reading) {
        missing.push(
          vscode.l10n.t('{0}: {1}', scopeWords(reading.scope, vscode.l10n), describeProblem(reading.error).sentence),
        );
      }
    }
    if (missing.length > 0) {
      dialogs.tell('warning', [vscode.l10n.t('Left out of the import:'), ...missing].join(' '));
    }
    const plans = runner.plan(kept, readings);
    return plans.length > 0 ? await runner.run(vscode.l10n.t('Import Notification Settings'), plans) : undefined;
  }

  async #read(files: Files): Promise<readonly FileEntry[] | undefined> {
    try {
      const text = await files.open();
      return text === undefined ? undefined : readSettingsFile(text).settings;
    } catch (error) {
      if (!(error instanceof SettingsFileError)) {
        throw error;
      }
      const problems = error.problems.map(describeFileProblem);
      const [first = '', ...more] = problems;
      const sentence =
        more.length > 0
          ? vscode.l10n.t('This is not a file of notification settings. {0} More problems: {1}.', first, more.length)
          : vscode.l10n.t('This is not a file of notification settings. {0}', first);
      const list = ['```text', ...problems.map((problem) => problem.replaceAll('`', "'")), '```', ''].join('\n');
      const show = {
        title: vscode.l10n.t('Show All Problems'),
        run: () => this.#parts.dialogs.show(vscode.l10n.t('Problems of the Import'), list),
      };
      this.#parts.dialogs.tell('warning', sentence, ...(more.length > 0 ? [show] : []));
      return undefined;
    }
  }
}

/** Names the scope of an entry as the form and the overview do. */
function entryWords(entry: FileEntry): string {
  switch (entry.scope) {
    case 'global':
      return vscode.l10n.t('Global settings');
    case 'group':
      return vscode.l10n.t('Group {0}', entry.path);
    case 'project':
      return vscode.l10n.t('Project {0}', entry.path);
  }
}

/** Finds the scope of an entry in the account in use. */
async function find({ account, client }: Connection, entry: FileEntry): Promise<KeptScope> {
  const accountId = account.id;
  if (entry.scope === 'global') {
    const { scope: _, ...snapshot } = entry;
    return { scope: { kind: 'global', accountId }, snapshot };
  }
  const { scope: kind, path, ...snapshot } = entry;
  const scope: NotificationScope =
    kind === 'project'
      ? await client.directory
          .project(path)
          .then(({ id, path_with_namespace }) => ({ kind, accountId, id, path: path_with_namespace }))
      : await client.directory.group(path).then(({ id, full_path }) => ({ kind, accountId, id, path: full_path }));
  return { scope, snapshot };
}

/** Two paths may lead to one project that has moved; the first counts. */
function withoutRepeats(wanted: readonly KeptScope[]): readonly KeptScope[] {
  const keys = new Set<string>();
  return wanted.filter(({ scope }) => !keys.has(scopeKey(scope)) && keys.add(scopeKey(scope)));
}
