import * as vscode from 'vscode';
import type { Account } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { type Choice, commandAction, type Dialogs } from '../../accounts/dialogs.ts';
import { pickProject } from '../../accounts/pickers.ts';
import { type Action, requireScope } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { separator } from '../../common/inertWindow.ts';
import { planFailureLabel, resultLabel, undoPlans } from './bulkChanges.ts';
import type { PlanOutcome, SettingsEngine } from './engine.ts';
import { readInherited } from './inheritance.ts';
import { flagLabel, groupBySubject, levelLabel, notificationEventLabel, scopeLabel, subjectLabel } from './labels.ts';
import { scopeOfArgument, type ScopeLookupDeps } from './scopeArgument.ts';
import { type Change, type Flag, type NotificationScope, type ScopePlan, type Settings, valueOf } from './settings.ts';

/** What changing notifications from a list depends on. */
export interface QuickChangeDeps extends ScopeLookupDeps {
  readonly engine: Pick<SettingsEngine, 'read' | 'readAll' | 'apply'>;
  readonly accountInUse: { readonly account: { readonly id: string } | undefined };
  readonly dialogs: Dialogs;
}

/** What a line of the list does: a change, or showing the whole form. */
type Chosen = Change | 'form';

/** Changes the level or one event of a scope by one choice from a list, with a button that takes it back. */
export class QuickChange {
  readonly #deps: QuickChangeDeps;

  constructor(deps: QuickChangeDeps) {
    this.#deps = deps;
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
      (await scopeOfArgument(argument, this.#deps, requireWrite)) ??
      (await scopeOfArgument(await this.#askProject(), this.#deps, requireWrite));
    if (scope) {
      requireWrite((await this.#deps.connections.of(scope.accountId)).account);
      await this.#change(scope);
    }
  }

  /** The same for the global settings of the account in use. */
  async runGlobal(): Promise<void> {
    const { account } = await this.#deps.connections.current();
    requireWrite(account);
    await this.#change({ kind: 'global', accountId: account.id });
  }

  /** The workspace's project, unless it is another account than the window's that reads it: then it is not what was meant for sure. */
  async #askProject(): Promise<unknown> {
    const { accountInUse, connections, dialogs, workspaceProjects } = this.#deps;
    const title = vscode.l10n.t('Change Project Notifications…');
    const current = workspaceProjects.current && ({ kind: 'project', ...workspaceProjects.current } as const);
    const { account } = accountInUse;
    const chosen =
      current && account && account.id !== current.accountId
        ? await dialogs.choose<typeof current | 'another'>(title, vscode.l10n.t('Choose a project'), [
            { label: current.path, description: this.#accountLabel(current), value: current },
            {
              label: vscode.l10n.t('Another Project…'),
              description: accountLabel(account.id),
              value: 'another',
            },
          ])
        : (current ?? 'another');
    if (chosen !== 'another') {
      return chosen;
    }
    const connection = await connections.current();
    requireWrite(connection.account);
    return await pickProject(connection, { title });
  }

  async #change(scope: NotificationScope): Promise<void> {
    const { engine, dialogs } = this.#deps;
    const [expected, inherited] = await dialogs.viewProgress(() =>
      Promise.all([engine.read(scope), readInherited(scope, this.#deps)]),
    );
    const chosen = await dialogs.choose<Chosen>(
      vscode.l10n.t('E-Mail Notifications: {0} ({1})', scopeLabel(scope, vscode.l10n), this.#accountLabel(scope)),
      placeholderOf(expected),
      linesOf(scope, expected, inherited?.label),
    );
    if (chosen === 'form') {
      await vscode.commands.executeCommand('beacon.notifications.open', scope);
    } else if (chosen) {
      await this.#apply({ scope, expected, change: chosen, notes: [] });
    }
  }

  /** Whose settings are changed. */
  #accountLabel({ accountId }: Pick<NotificationScope, 'accountId'>): string {
    const { account } = this.#deps.accountInUse;
    const name = accountLabel(accountId);
    return account?.id === accountId ? name : vscode.l10n.t('{0}, not the account of this window', name);
  }

  async #apply(plan: ScopePlan, isUndo = false): Promise<void> {
    const { engine, dialogs } = this.#deps;
    const outcome: PlanOutcome = { plan, ...(await dialogs.viewProgress(() => engine.apply(plan.scope, plan))) };
    const isWhole = planFailureLabel(outcome) === undefined;
    dialogs.notify(isWhole ? 'info' : 'warning', resultLabel([outcome], isUndo), this.#actionAfter(outcome, isUndo));
  }

  #actionAfter(outcome: PlanOutcome, isUndo: boolean): Action {
    const { plan, kind } = outcome;
    if (kind === 'unknown') {
      // It is read again before anything is sent again.
      return { title: vscode.l10n.t('Try Again'), run: () => this.#apply(plan, isUndo) };
    }
    const [undo] = isUndo ? [] : undoPlans([outcome]);
    return undo
      ? { title: vscode.l10n.t('Undo'), run: () => this.#apply(undo, true) }
      : commandAction(vscode.l10n.t('Open Notification Settings'), 'beacon.notifications.open', plan.scope);
  }
}

function requireWrite(account: Account): void {
  requireScope(account, 'PUT');
}

function linesOf(
  scope: NotificationScope,
  settings: Settings,
  inherited: string | undefined,
): readonly Choice<Chosen>[] {
  const check = { iconPath: new vscode.ThemeIcon('check') };
  const ofLevels = notificationLevels
    .filter((level) => level !== 'global' || scope.kind !== 'global')
    .map((level): Choice<Chosen> => {
      const { name, meaning } = levelLabel(level, vscode.l10n);
      const isHeld = level === settings.level;
      // Icons say nothing to screen readers.
      const described = (text: string): string => (isHeld ? `${vscode.l10n.t('current')} · ${text}` : text);
      if (level === 'custom') {
        // Which events it stands for is hidden by another level.
        return {
          label: vscode.l10n.t('Custom…'),
          description: described(`${meaning} · ${vscode.l10n.t('opens Notification Settings')}`),
          ...(isHeld ? check : {}),
          value: 'form',
        };
      }
      return {
        label: name,
        description: described(level === 'global' ? (inherited ?? meaning) : meaning),
        ...(isHeld ? check : { value: { level } }),
      };
    });
  const ofEvents = groupBySubject(Object.keys(settings.flags)).flatMap(({ subject, events }) => [
    separator(subjectLabel(subject, vscode.l10n)),
    ...events.map((event) => eventLine(event, settings)),
  ]);
  return [...ofLevels, ...ofEvents];
}

/** Says once, above all, what the level that holds has to do with events. */
function placeholderOf({ level }: Settings): string {
  const { t } = vscode.l10n;
  return level === 'custom'
    ? t('At other levels, the events of Custom are kept, but not used')
    : t('An event sets Custom, which includes Participate; Undo restores only the level');
}

/** What an event is set to now. */
function stateLabel(flag: Flag): string {
  const { t } = vscode.l10n;
  switch (flag) {
    case 'default':
      return t('default: GitLab decides');
    case 'unknown':
      return t('unknown: GitLab does not show it');
    default:
      return flagLabel(flag, vscode.l10n);
  }
}

/** Turns an event off that is on, and on where it is not known to be. */
function eventLine(event: string, settings: Settings): Choice<Chosen> {
  const { t } = vscode.l10n;
  const flag = valueOf(settings, event) as Flag;
  const { name, meaning } = notificationEventLabel(event, vscode.l10n);
  const isCustom = settings.level === 'custom';
  // What it was by default, or is not shown, no request brings back; with another level it does not count.
  const isFinal = isCustom && flag !== 'on' && flag !== 'off';
  return {
    label: flag === 'on' ? t('Turn Off: {0}', name) : t('Turn On: {0}', name),
    // A narrow list cuts the end.
    description: [
      ...(isCustom ? [stateLabel(flag)] : []),
      ...(isFinal ? [t('Undo cannot take it back')] : []),
      meaning,
    ].join(' · '),
    value: { level: 'custom', [event]: flag !== 'on' },
  };
}
