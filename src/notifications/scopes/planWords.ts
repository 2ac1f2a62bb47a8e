import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountName.ts';
import { describeProblem } from '../../accounts/problem.ts';
import { escapeMarkdown } from '../../common/markdown.ts';
import { describeChange, fieldList, scopeWords } from '../model/words.ts';
import { isCancellation } from './cancellation.ts';
import { changesNothing, type PlanNote, type ScopePlan } from './plan.ts';
import type { ScopeOutcome } from './scopeSettings.ts';

/** Puts a note of a plan into a sentence. */
export function describeNote({ kind, events }: PlanNote): string {
  const names = fieldList(events, vscode.l10n, vscode.env.language);
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
export function describePlan(plan: ScopePlan): readonly string[] {
  const changes = changesNothing(plan)
    ? [vscode.l10n.t('Nothing to change.')]
    : describeChange(plan.before, plan.change, vscode.l10n);
  return [...changes, ...plan.notes.map(describeNote)];
}

/** Plans as a Markdown document. Text of the instance is escaped. */
export function planDocument(title: string, plans: readonly ScopePlan[]): string {
  const sections = plans.map((plan) =>
    [
      `## ${escapeMarkdown(scopeWords(plan.scope, vscode.l10n))} (${escapeMarkdown(accountLabel(plan.scope.accountId))})`,
      '',
      ...describePlan(plan).map((sentence) => `- ${escapeMarkdown(sentence)}`),
      '',
    ].join('\n'),
  );
  return [`# ${escapeMarkdown(title)}`, '', ...sections].join('\n');
}

/** What became of a plan that was not carried out whole; undefined if it was. */
export function describeTrouble(outcome: ScopeOutcome): string | undefined {
  const name = scopeWords(outcome.plan.scope, vscode.l10n);
  switch (outcome.kind) {
    case 'changedMeanwhile':
      return vscode.l10n.t('{0}: changed elsewhere in the meantime, so nothing was sent.', name);
    case 'failed':
      return isCancellation(outcome.error)
        ? vscode.l10n.t('{0}: not sent, because you canceled.', name)
        : vscode.l10n.t('{0}: {1}', name, describeProblem(outcome.error).sentence);
    case 'done':
      return outcome.missing.length > 0
        ? vscode.l10n.t(
            '{0}: the instance did not accept {1}.',
            name,
            fieldList(outcome.missing, vscode.l10n, vscode.env.language),
          )
        : undefined;
  }
}

/** A moment in the person's words, such as `Today, 18:00`. */
export function dateWords(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

export function countWords(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}
