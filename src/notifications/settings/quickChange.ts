import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { type Choice, commandAction, type Dialogs } from '../../accounts/dialogs.ts';
import type { Action } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { planFailureLabel } from './bulkChanges.ts';
import type { ApplyOutcome, SettingsEngine, Wanted } from './engine.ts';
import { readInherited } from './inheritance.ts';
import {
  changeLabels,
  fieldsLabel,
  flagLabel,
  groupBySubject,
  levelLabel,
  notificationEventLabel,
  scopeLabel,
  subjectLabel,
} from './labels.ts';
import { scopeOfArgument, type ScopeLookupDeps } from './scopeArgument.ts';
import {
  type Change,
  type Flag,
  isEmptyChange,
  type NotificationScope,
  type Settings,
  undoOf,
  valueOf,
} from './settings.ts';

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
   * @param argument what the command was called with, see `scopeOfArgument`; the global settings of the account in use if nothing.
   * @throws SignedOutError if there is no account, or any error of the API client; then nothing was changed.
   */
  async run(argument?: unknown): Promise<void> {
    const { connections, engine, dialogs } = this.#deps;
    const named = argument === undefined ? undefined : await scopeOfArgument(argument, this.#deps);
    const scope: NotificationScope = named ?? {
      kind: 'global',
      accountId: (await connections.current()).account.id,
    };
    const [expected, inherited] = await dialogs.viewProgress(() =>
      Promise.all([engine.read(scope), readInherited(scope, this.#deps)]),
    );
    const chosen = await dialogs.choose<Chosen>(
      `${scopeLabel(scope, vscode.l10n)} · ${this.#accountLabel(scope)}`,
      vscode.l10n.t('Level: {0}. Choose another one, or an event', levelLabel(expected.level, vscode.l10n).name),
      linesOf(scope, expected, inherited?.label),
    );
    if (chosen === 'form') {
      await vscode.commands.executeCommand('beacon.notifications.open', scope);
    } else if (chosen) {
      await this.#apply(scope, { expected, change: chosen });
    }
  }

  /** Whose settings are changed. */
  #accountLabel({ accountId }: NotificationScope): string {
    const { account } = this.#deps.accountInUse;
    const name = accountLabel(accountId);
    return vscode.l10n.t(
      'Account: {0}',
      account?.id === accountId ? name : vscode.l10n.t('{0}, which is not the one of this window', name),
    );
  }

  async #apply(scope: NotificationScope, wanted: Wanted): Promise<void> {
    const { engine, dialogs } = this.#deps;
    const outcome = await dialogs.viewProgress(() => engine.apply(scope, wanted));
    const failure = planFailureLabel({ plan: { scope, ...wanted, notes: [] }, ...outcome });
    const actions = this.#actionsAfter(scope, wanted, outcome);
    dialogs.notify(
      failure === undefined ? 'info' : 'warning',
      failure ??
        [...doneLabels(scope, outcome), vscode.l10n.t('Account: {0}', accountLabel(scope.accountId))].join(' · '),
      ...actions,
    );
  }

  #actionsAfter(scope: NotificationScope, wanted: Wanted, outcome: ApplyOutcome): readonly Action[] {
    switch (outcome.kind) {
      case 'applied': {
        const { sent, settings } = outcome;
        const { change } = undoOf(sent.before, sent.change);
        return isEmptyChange(change)
          ? [commandAction(vscode.l10n.t('Open Notification Settings'), 'beacon.notifications.open', scope)]
          : [{ title: vscode.l10n.t('Undo'), run: () => this.#apply(scope, { expected: settings, change }) }];
      }
      case 'conflict':
        return [commandAction(vscode.l10n.t('Open Notification Settings'), 'beacon.notifications.open', scope)];
      case 'unknown':
        // It is read again before anything is sent again.
        return [{ title: vscode.l10n.t('Try Again'), run: () => this.#apply(scope, wanted) }];
    }
  }
}

/** What was saved in which scope, and what no undo brings back. */
function doneLabels(scope: NotificationScope, outcome: ApplyOutcome): readonly string[] {
  if (outcome.kind !== 'applied') {
    return [];
  }
  const { before, change } = outcome.sent;
  const { lost } = undoOf(before, change);
  const label = scopeLabel(scope, vscode.l10n);
  return [
    ...(isEmptyChange(change)
      ? [label, vscode.l10n.t('Nothing to change.')]
      : [vscode.l10n.t('Saved: {0}', label), ...changeLabels(before, change, vscode.l10n)]),
    ...(lost.length > 0
      ? [vscode.l10n.t('cannot be restored later: {0}', fieldsLabel(lost, vscode.l10n, vscode.env.language))]
      : []),
  ];
}

function linesOf(
  scope: NotificationScope,
  settings: Settings,
  inherited: string | undefined,
): readonly Choice<Chosen>[] {
  const check = { iconPath: new vscode.ThemeIcon('check') };
  const ofLevels = notificationLevels
    // The level Custom comes with the choice of an event.
    .filter((level) => level !== 'custom' && (level !== 'global' || scope.kind !== 'global'))
    .map((level): Choice<Chosen> => {
      const { name, meaning } = levelLabel(level, vscode.l10n);
      return {
        label: name,
        description: level === 'global' ? (inherited ?? meaning) : meaning,
        ...(level === settings.level ? check : { value: { level } }),
      };
    });
  const ofEvents = groupBySubject(Object.keys(settings.flags)).flatMap(({ subject, events }) => [
    separator(subjectLabel(subject, vscode.l10n)),
    ...events.map((event) => eventLine(event, settings)),
  ]);
  return [
    ...ofLevels,
    // Above the events, of which there are more than a list shows at once.
    {
      label: vscode.l10n.t('All Notification Settings'),
      iconPath: new vscode.ThemeIcon('settings-gear'),
      value: 'form',
    },
    ...ofEvents,
  ];
}

/** Turns an event off that is on, and on where it is not known to be. The level hides events unless it is Custom. */
function eventLine(event: string, settings: Settings): Choice<Chosen> {
  const { t } = vscode.l10n;
  const flag = valueOf(settings, event) as Flag;
  const { name, meaning } = notificationEventLabel(event, vscode.l10n);
  const now = flagLabel(flag, vscode.l10n);
  const state =
    settings.level !== 'custom'
      ? t('sets the level to Custom')
      : flag === 'default'
        ? t('{0}, which cannot be restored', now)
        : now;
  return {
    label: flag === 'on' ? t('Turn Off: {0}', name) : t('Turn On: {0}', name),
    description: `${state} · ${meaning}`,
    value: { level: 'custom', [event]: flag !== 'on' },
  };
}

function separator(label: string): Choice<Chosen> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
