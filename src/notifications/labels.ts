import * as vscode from 'vscode';
import { problemOf } from '../accounts/problem.ts';
import { isApiError } from '../api/errors.ts';
import { capitalized } from '../common/dates.ts';
import { inSequence, plainText } from '../common/inertText.ts';
import type { NotificationScope } from './scope.ts';
import type { Effect } from './scopes.ts';
import {
  type Change,
  isEmptyChange,
  type Plan,
  type PlanNote,
  type Settings,
  undoOf,
  type Value,
  valueOf,
} from './settings.ts';
import { isCancellation, type Outcome, type Sent } from './settingsService.ts';

const { t } = vscode.l10n;

/** In the order in which they are shown. */
function eventNames(): Readonly<Record<string, string>> {
  return {
    new_issue: t('New issue'),
    close_issue: t('Closed issue'),
    reopen_issue: t('Reopened issue'),
    reassign_issue: t('Reassigned issue'),
    issue_due: t('Due issue'),
    new_merge_request: t('New merge request'),
    push_to_merge_request: t('Push to merge request'),
    merge_merge_request: t('Merged merge request'),
    close_merge_request: t('Closed merge request'),
    reopen_merge_request: t('Reopened merge request'),
    reassign_merge_request: t('Reassigned merge request'),
    change_reviewer_merge_request: t('Change of reviewer'),
    merge_when_pipeline_succeeds: t('Auto-merge'),
    approver: t('Approver'),
    failed_pipeline: t('Failed pipeline'),
    fixed_pipeline: t('Fixed pipeline'),
    success_pipeline: t('Successful pipeline'),
    service_account_failed_pipeline: t('Failed pipeline of a service account'),
    service_account_fixed_pipeline: t('Fixed pipeline of a service account'),
    service_account_success_pipeline: t('Successful pipeline of a service account'),
    new_note: t('New comment'),
    new_epic: t('New epic'),
    new_release: t('New release'),
    moved_project: t('Moved project'),
  };
}

/** Groups events by what they are about, those that came later by their names. Empty groups are left out. */
export function groupBySubject(
  events: readonly string[],
): readonly { readonly subject: string; readonly events: readonly string[] }[] {
  const subjectOf = (event: string): string => {
    if (event.endsWith('_pipeline')) {
      return t('Pipelines');
    }
    if (/merge_|approver/.test(event)) {
      return t('Merge requests');
    }
    return event.includes('issue') ? t('Issues') : t('Others');
  };
  const known = Object.keys(eventNames());
  const inOrder = [
    ...known.filter((event) => events.includes(event)),
    ...events.filter((event) => !known.includes(event)),
  ];
  return [...Map.groupBy(inOrder, subjectOf)].map(([subject, some]) => ({ subject, events: some }));
}

export interface Meaning {
  readonly name: string;
  readonly meaning: string;
}

/** A notification level; one that is not known here goes by its own name. */
export function levelLabel(level: string): Meaning {
  const levels: Readonly<Record<string, Meaning>> = {
    global: { name: t('Global'), meaning: t('The level of the group, or else of your global settings') },
    watch: { name: t('Watch'), meaning: t('Most activity') },
    participating: { name: t('Participate'), meaning: t('Threads you took part in') },
    mention: { name: t('On mention'), meaning: t('Comments that mention you') },
    disabled: { name: t('Disabled'), meaning: t('No notifications at all') },
    custom: { name: t('Custom'), meaning: t('Threads you took part in, and the events you select') },
  };
  const unknown = { name: level, meaning: t('A level this version of Beacon does not know') };
  return (Object.hasOwn(levels, level) && levels[level]) || unknown;
}

/** An event, and what its name does not say of it; one that is not known here goes by the words of its own name. */
export function eventLabel(event: string): Meaning {
  const names = eventNames();
  const words = event.replaceAll('_', ' ');
  return Object.hasOwn(names, event)
    ? { name: names[event] ?? words, meaning: eventMeaning(event) }
    : { name: capitalized(words, 'en'), meaning: t('An event this version of Beacon does not know') };
}

function eventMeaning(event: string): string {
  switch (event) {
    case 'approver':
      return t('A merge request you may approve is created');
    case 'issue_due':
      return t('An issue is due tomorrow');
    case 'merge_when_pipeline_succeeds':
      return t('A merge request is set to auto-merge');
    default:
      return event === 'new_epic' || event.startsWith('service_account_') ? t('Premium and Ultimate only') : '';
  }
}

export function scopeLabel(scope: NotificationScope): string {
  switch (scope.kind) {
    case 'global':
      return t('Global settings');
    case 'group':
      return t('Group {0}', plainText(scope.path, 1000));
    case 'project':
      return t('Project {0}', plainText(scope.path, 1000));
  }
}

export function fieldLabel(field: string): string {
  if (field === 'level') {
    return t('Level');
  }
  return field === 'notification_email' ? t('E-mail address') : eventLabel(field).name;
}

export function valueLabel(field: string, value: Value): string {
  switch (value) {
    case undefined:
      return t('unknown: GitLab does not show it');
    case null:
      return t('default: GitLab decides');
    case true:
      return t('on');
    case false:
      return t('off');
    case '':
      return t('the address of the account');
    default:
      return field === 'level' ? levelLabel(value).name : plainText(value);
  }
}

/** What a change does, one sentence for each field, such as `New issue: from off to on`. */
export function changeLabels(settings: Settings, change: Change): readonly string[] {
  return Object.entries(change).map(([field, value]) =>
    t('{0}: from {1} to {2}', fieldLabel(field), valueLabel(field, valueOf(settings, field)), valueLabel(field, value)),
  );
}

export function fieldsLabel(fields: readonly string[]): string {
  return listOf(fields.map(fieldLabel));
}

function listOf(parts: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language).format(parts);
}

/** At most this many names make a list in a sentence; of more, only their number is said. */
const mostNamed = 3;

/** Names scopes in a sentence; of many, says how many of a kind they are. */
export function scopesLabel(scopes: readonly NotificationScope[]): string {
  const parts = (['global', 'group', 'project'] as const).flatMap((kind) => {
    const ofKind = scopes.filter((scope) => scope.kind === kind);
    const count = countLabel(ofKind.length);
    return scopes.length > 2 && ofKind.length > 1
      ? [kind === 'group' ? t('{0} groups', count) : t('{0} projects', count)]
      : ofKind.map(scopeLabel);
  });
  return listOf(parts);
}

/** A formatted moment, such as `Today, 18:00`. */
export function dateLabel(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

export function countLabel(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

/** The level that counts for a scope and where it is set, such as `Watch, set in group harbor`. */
export function effectLabel(effect: Effect | undefined, scope: NotificationScope): string {
  if (!effect) {
    return t('unknown');
  }
  const { settings, source } = effect;
  const where =
    source === scope
      ? t('set here')
      : source.kind === 'global'
        ? t('set globally')
        : t('set in group {0}', plainText(source.path, 1000));
  return t('{0}, {1}', levelLabel(settings.level).name, where);
}

export function noteLabel({ kind, events }: PlanNote): string {
  const names = fieldsLabel(events);
  switch (kind) {
    case 'notRestored':
      return t('Undo cannot restore what is a default or not shown now: {0}.', names);
    case 'leftOut':
      return t('Not changed, because the API cannot restore a default, or they are not offered here: {0}.', names);
    case 'kept':
      return t('Not restored: {0}', names);
  }
}

export function planLabels({ expected, change, notes }: Plan): readonly string[] {
  const changes = isEmptyChange(change) ? [t('Nothing to change.')] : changeLabels(expected, change);
  return [...changes, ...notes.map(noteLabel)];
}

/** Why something was refused, with what the instance says is wrong with fields. */
function refusalLabel(error: unknown, accountId: string): string {
  const { sentence } = problemOf(error, accountId);
  const fields = isApiError(error, 'validation') ? Object.entries(error.fields) : [];
  return inSequence(sentence, ...fields.map(([field, all]) => `${fieldLabel(field)}: ${plainText(all.join(' '))}`));
}

/** What became of a plan that was not carried out whole; undefined if it was. */
export function failureLabel({ plan, outcome }: Sent): string | undefined {
  const name = scopeLabel(plan.scope);
  switch (outcome.kind) {
    case 'conflict':
      return t('{0}: changed in the meantime, here or elsewhere, so nothing was sent.', name);
    case 'failed':
      return isCancellation(outcome.error)
        ? t('{0}: not sent, because you canceled.', name)
        : t('{0}: {1}', name, refusalLabel(outcome.error, plan.scope.accountId));
    case 'unknown':
      return t(
        '{0}: the answer is missing, so it is not known whether this took effect. {1}',
        name,
        problemOf(outcome.error, plan.scope.accountId).sentence,
      );
    case 'applied': {
      const lost = fieldsLabel(outcome.missing);
      if (lost === '') {
        return undefined;
      }
      return outcome.error === undefined
        ? t('{0}: the instance did not accept {1}.', name, lost)
        : t('{0}: the answer is missing, and these are not shown as saved: {1}.', name, lost);
    }
  }
}

type Applied = Extract<Outcome, { readonly kind: 'applied' }>;

/** What became of plans: what was saved in which scopes, what no undo brings back, what was not saved. */
export function resultLabel(all: readonly Sent[], isUndo = false): string {
  // Of what was refused whole, its failure is said.
  const saved = all.filter(
    (sent): sent is Sent & { readonly outcome: Applied } =>
      sent.outcome.kind === 'applied' && (sent.outcome.missing.length === 0 || !isEmptyChange(sent.outcome.taken)),
  );
  return [...savedLabels(saved, isUndo), ...all.flatMap((sent) => failureLabel(sent) ?? [])].join(' · ');
}

function savedLabels(saved: readonly (Sent & { readonly outcome: Applied })[], isUndo: boolean): readonly string[] {
  const [first] = saved;
  if (!first) {
    return [];
  }
  const names = scopesLabel(saved.map(({ plan }) => plan.scope));
  if (saved.every(({ outcome }) => isEmptyChange(outcome.taken))) {
    return [t('Nothing to change: {0}', names)];
  }
  const notes = isUndo ? saved.flatMap(({ plan }) => plan.notes.map(noteLabel)) : lostLabel(saved);
  const done = (what: string): string => (isUndo ? t('Undone: {0}', what) : t('Saved: {0}', what));
  if (saved.length > 1) {
    const levels = saved.map(({ outcome: { taken } }) =>
      Object.keys(taken).length === 1 ? taken['level'] : undefined,
    );
    const [level, ...others] = new Set(levels);
    const isOne = typeof level === 'string' && others.length === 0;
    const result = isOne ? t('{0} now have the level {1}', names, levelLabel(level).name) : names;
    return [isUndo || !isOne ? done(result) : result, ...notes];
  }
  const changes = changeLabels(first.outcome.before, first.outcome.taken);
  return [done(names), ...(changes.length <= mostNamed ? changes : []), ...notes];
}

function lostLabel(saved: readonly (Sent & { readonly outcome: Applied })[]): readonly string[] {
  const undos = saved.map(({ plan, outcome }) => undoOf(plan.scope, outcome.before, outcome.taken, outcome.now));
  const lost = [...new Set(undos.flatMap(({ notes }) => notes.flatMap(({ events }) => events)))];
  const names = lost.length > mostNamed ? t('{0} events', countLabel(lost.length)) : fieldsLabel(lost);
  return lost.length === 0 ? [] : [t('Not restored by Undo: {0}', names)];
}
