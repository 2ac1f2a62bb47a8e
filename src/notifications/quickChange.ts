import * as vscode from 'vscode';
import type { Account } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { Choice } from '../accounts/dialogs.ts';
import { pickProject } from '../accounts/pickers.ts';
import { requireScope } from '../accounts/problem.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { separator } from '../common/inertWindow.ts';
import type { Changes } from './changes.ts';
import { inheritedBy } from './inheritance.ts';
import { effectLabel, flagLabel, groupBySubject, levelLabel, notificationEventLabel, scopeLabel } from './labels.ts';
import type { NotificationScope } from './scope.ts';
import { findParents, scopeOfArgument, sourcesOf } from './scopes.ts';
import { type Change, type Flag, planOf, type Settings, valueOf } from './settings.ts';
import type { SettingsService } from './settingsService.ts';

const { t } = vscode.l10n;

/** Changes the level or one event of a scope by one choice from a list, with a button that takes it back. */
export class QuickChange {
  readonly #app: App;
  readonly #service: SettingsService;
  readonly #changes: Changes;

  constructor(app: App, service: SettingsService, changes: Changes) {
    this.#app = app;
    this.#service = service;
    this.#changes = changes;
  }

  /**
   * Lets the user choose a level, or an event to turn on or off, and applies that.
   *
   * @param argument what the command was called with, see `scopeOfArgument`; if nothing, the workspace's project, or one that the user
   *   chooses.
   * @throws SignedOutError if there is no account, ProblemError if its token may not change settings, or any error of the API
   *   client; then nothing was changed.
   */
  async run(argument?: unknown): Promise<void> {
    const scope =
      (await scopeOfArgument(argument, this.#app, requireWrite)) ??
      (await scopeOfArgument(await this.#askProject(), this.#app, requireWrite));
    if (scope) {
      requireWrite((await this.#app.connections.of(scope.accountId)).account);
      await this.#change(scope);
    }
  }

  /** The same for the global settings of the account in use. */
  async runGlobal(): Promise<void> {
    const { account } = await this.#app.connections.current();
    requireWrite(account);
    await this.#change({ kind: 'global', accountId: account.id });
  }

  /** The workspace's project, unless it is another account than the window's that reads it: then it is not what was meant for sure. */
  async #askProject(): Promise<unknown> {
    const { accountInUse, connections, workspaceProjects } = this.#app;
    const { current } = workspaceProjects;
    if (current && (accountInUse.account?.id ?? current.accountId) === current.accountId) {
      return { kind: 'project', ...current };
    }
    const connection = await connections.current();
    requireWrite(connection.account);
    return await pickProject(connection, { title: t('Change Project Notifications…') });
  }

  async #change(scope: NotificationScope): Promise<void> {
    const { dialogs } = this.#changes;
    const [expected, inherited] = await dialogs.viewProgress(() =>
      Promise.all([this.#service.read(scope), this.#inheritedLabel(scope)]),
    );
    const chosen = await dialogs.choose<Change | 'form'>(
      t('E-Mail Notifications: {0} ({1})', scopeLabel(scope), this.#accountLabel(scope)),
      // Said once, above all.
      expected.level === 'custom'
        ? t('Undo cannot bring back a default, or what GitLab does not show')
        : t('An event sets Custom, which includes Participate; Undo restores only the level'),
      linesOf(scope, expected, inherited),
    );
    if (chosen === 'form') {
      await vscode.commands.executeCommand('beacon.notifications.open', scope);
    } else if (chosen) {
      await this.#changes.send([planOf(scope, expected, chosen)]);
    }
  }

  /** What the level `global` stands for; undefined where it does not exist or cannot be known. */
  async #inheritedLabel(scope: NotificationScope): Promise<string | undefined> {
    if (scope.kind === 'global') {
      return undefined;
    }
    const { accountId } = scope;
    const parents = await findParents([scope], await this.#app.connections.of(accountId));
    const groups = parents.flatMap((parent) => (typeof parent.scope === 'string' ? [] : parent.scope));
    const readings = await this.#service.readAll([{ kind: 'global', accountId }, ...groups]);
    const effect = inheritedBy(scope, sourcesOf(parents, readings));
    return effect.kind === 'unknown' ? undefined : effectLabel(effect);
  }

  /** Whose settings are changed. */
  #accountLabel({ accountId }: NotificationScope): string {
    const name = accountLabel(accountId);
    return this.#app.accountInUse.account?.id === accountId ? name : t('{0}, not the account of this window', name);
  }
}

function requireWrite(account: Account): void {
  requireScope(account, 'PUT');
}

function linesOf(
  scope: NotificationScope,
  settings: Settings,
  inherited: string | undefined,
): readonly Choice<Change | 'form'>[] {
  const levels = notificationLevels.filter((level) => level !== 'global' || scope.kind !== 'global');
  const ofLevels = levels.map((level): Choice<Change | 'form'> => {
    const { name, meaning } = levelLabel(level);
    const isHeld = level === settings.level;
    const described = level === 'global' ? (inherited ?? meaning) : meaning;
    const line: Choice<Change | 'form'> = {
      label: level === 'custom' ? t('Custom…') : name,
      description: [
        // Icons say nothing to screen readers.
        ...(isHeld ? [t('current')] : []),
        described,
        // Which events it stands for is hidden by another level.
        ...(level === 'custom' ? [t('opens Notification Settings')] : []),
      ].join(' · '),
      ...(isHeld ? { iconPath: new vscode.ThemeIcon('check') } : {}),
    };
    return level === 'custom' ? { ...line, value: 'form' } : isHeld ? line : { ...line, value: { level } };
  });
  const ofEvents = groupBySubject(Object.keys(settings.flags)).flatMap(({ subject, events }) => [
    separator(subject),
    ...events.map((event) => eventLine(event, settings)),
  ]);
  return [...ofLevels, ...ofEvents];
}

/** Turns an event off that is on, and on where it is not known to be. */
function eventLine(event: string, settings: Settings): Choice<Change> {
  const flag = valueOf(settings, event) as Flag;
  const { name, meaning } = notificationEventLabel(event);
  const state =
    flag === 'default'
      ? t('default: GitLab decides')
      : flag === 'unknown'
        ? t('unknown: GitLab does not show it')
        : flagLabel(flag);
  return {
    label: flag === 'on' ? t('Turn Off: {0}', name) : t('Turn On: {0}', name),
    // With another level the state of an event does not count.
    description: settings.level === 'custom' ? `${state} · ${meaning}` : meaning,
    value: { level: 'custom', [event]: flag !== 'on' },
  };
}
