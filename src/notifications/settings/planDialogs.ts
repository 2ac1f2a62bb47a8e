import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { type Dialogs, EditorDialogs } from '../../accounts/dialogs.ts';
import { problemOf } from '../../accounts/problem.ts';
import { escapeMarkdown } from '../../common/inertText.ts';
import { createQuickPick } from '../../common/inertWindow.ts';
import { ReportDocuments } from '../../common/reportDocuments.ts';
import { changeLabels, fieldsLabel, scopeLabel } from './labels.ts';
import { changesNothing, isCancellation, type PlanNote, type ScopeOutcome, type ScopePlan } from './scopeSettings.ts';

/** Puts a note of a plan into a sentence. */
export function noteLabel({ kind, events }: PlanNote): string {
  const names = fieldsLabel(events, vscode.l10n, vscode.env.language);
  switch (kind) {
    case 'overwritesDefault':
      return vscode.l10n.t('Overwritten for good, because the API cannot restore the default: {0}.', names);
    case 'overwritesHidden':
      return vscode.l10n.t('Cannot be restored later, because the current level hides their state: {0}.', names);
    case 'defaultNotRestored':
      return vscode.l10n.t('Not changed, because the API cannot restore the default: {0}.', names);
    case 'notOffered':
      return vscode.l10n.t('Left out, because they are not offered here: {0}.', names);
    case 'eventsUnreadable':
      return vscode.l10n.t('The events are not changed: the API did not show their earlier state.');
  }
}

/** What a plan does, one sentence each; then what it cannot do. */
export function planLabels(plan: ScopePlan): readonly string[] {
  const changes = changesNothing(plan)
    ? [vscode.l10n.t('Nothing to change.')]
    : changeLabels(plan.before, plan.change, vscode.l10n);
  return [...changes, ...plan.notes.map(noteLabel)];
}

/** Plans as a Markdown document. Text of the instance is escaped. */
export function planDocument(title: string, plans: readonly ScopePlan[]): string {
  const sections = plans.map((plan) =>
    [
      `## ${escapeMarkdown(scopeLabel(plan.scope, vscode.l10n))} (${escapeMarkdown(accountLabel(plan.scope.accountId))})`,
      '',
      ...planLabels(plan).map((sentence) => `- ${escapeMarkdown(sentence)}`),
      '',
    ].join('\n'),
  );
  return [`# ${escapeMarkdown(title)}`, '', ...sections].join('\n');
}

/** What became of a plan that was not carried out whole; undefined if it was. */
export function planFailureLabel(outcome: ScopeOutcome): string | undefined {
  const name = scopeLabel(outcome.plan.scope, vscode.l10n);
  switch (outcome.kind) {
    case 'changedMeanwhile':
      return vscode.l10n.t('{0}: changed elsewhere in the meantime, so nothing was sent.', name);
    case 'failed':
      return isCancellation(outcome.error)
        ? vscode.l10n.t('{0}: not sent, because you canceled.', name)
        : vscode.l10n.t('{0}: {1}', name, problemOf(outcome.error).sentence);
    case 'done':
      return outcome.missing.length > 0
        ? vscode.l10n.t(
            '{0}: the instance did not accept {1}.',
            name,
            fieldsLabel(outcome.missing, vscode.l10n, vscode.env.language),
          )
        : undefined;
  }
}

/** A formatted moment, such as `Today, 18:00`. */
export function dateLabel(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

export function countLabel(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

/** How commands that concern many scopes talk with the user. */
export interface PlanDialogs extends Dialogs {
  /**
   * Shows what plans would change, and lets the user leave some out.
   *
   * @returns those to carry out, each of which changes something; undefined if the user gave up.
   */
  review(title: string, plans: readonly ScopePlan[]): Promise<readonly ScopePlan[] | undefined>;
  /** Shows a Markdown document. */
  show(name: string, markdown: string): Promise<void>;
}

/** The dialogs of the editor. */
export class EditorPlanDialogs extends EditorDialogs implements PlanDialogs, vscode.Disposable {
  readonly #documents = new ReportDocuments('beacon-notifications');

  constructor(log: vscode.LogOutputChannel) {
    super(log, 'beacon.activity');
  }

  async review(title: string, plans: readonly ScopePlan[]): Promise<readonly ScopePlan[] | undefined> {
    const showAll: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('open-preview'),
      tooltip: vscode.l10n.t('Show All Differences as Document'),
    };
    const picker = createQuickPick<vscode.QuickPickItem & { readonly value: ScopePlan }>();
    picker.title = title;
    picker.placeholder = vscode.l10n.t('Nothing is sent before you confirm. Clear what you do not want to change.');
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDetail = true;
    picker.buttons = [showAll];
    picker.items = plans.map((plan) => ({
      label: scopeLabel(plan.scope, vscode.l10n),
      description: accountLabel(plan.scope.accountId),
      detail: planLabels(plan).join(' · '),
      value: plan,
    }));
    picker.selectedItems = picker.items.filter(({ value }) => !changesNothing(value));
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(() => void this.show(title, planDocument(title, plans)));
      picker.onDidAccept(() => {
        resolve(picker.selectedItems.map(({ value }) => value).filter((plan) => !changesNothing(plan)));
        picker.dispose();
      });
      picker.onDidHide(() => {
        resolve(undefined);
        picker.dispose();
      });
      picker.show();
    });
  }

  async show(name: string, markdown: string): Promise<void> {
    await this.#documents.show(name, markdown);
  }

  dispose(): void {
    this.#documents.dispose();
  }
}
