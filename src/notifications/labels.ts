import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { problemOf } from '../accounts/problem.ts';
import type { laterNotificationEvents, NotificationEvent } from '../api/notificationVocabulary.ts';
import type { Effect } from './inheritance.ts';
import type { NotificationScope } from './scope.ts';
import {
  type Change,
  type Flag,
  isEmptyChange,
  type Plan,
  type PlanNote,
  type Settings,
  undoOf,
  valueOf,
} from './settings.ts';
import { isCancellation, type Outcome, type Sent } from './settingsService.ts';

const { t } = vscode.l10n;

/**
 * Groups events by what they are about, each group in its order; events that are not known here, such as those that came
 * with a newer instance, go to the pipelines or the others by their names. Empty groups are left out.
 */
export function groupBySubject(
  events: readonly string[],
): readonly { readonly subject: string; readonly events: readonly string[] }[] {
  const groups: readonly { readonly subject: string; readonly known: readonly NotificationEvent[] }[] = [
    { subject: t('Issues'), known: ['new_issue', 'close_issue', 'reopen_issue', 'reassign_issue', 'issue_due'] },
    {
      subject: t('Merge requests'),
      known: [
        'new_merge_request',
        'push_to_merge_request',
        'merge_merge_request',
        'close_merge_request',
        'reopen_merge_request',
        'reassign_merge_request',
        'change_reviewer_merge_request',
        'merge_when_pipeline_succeeds',
        'approver',
      ],
    },
    { subject: t('Pipelines'), known: ['failed_pipeline', 'fixed_pipeline', 'success_pipeline'] },
    { subject: t('Others'), known: ['new_note', 'new_epic', 'new_release', 'moved_project'] },
  ];
  const isKnown = (event: string): boolean => groups.some(({ known }) => known.some((one) => one === event));
  const others = events.filter((event) => !isKnown(event));
  return groups
    .map(({ subject, known }, index) => ({
      subject,
      events: [
        ...known.filter((event) => events.includes(event)),
        ...others.filter((event) => (event.endsWith('_pipeline') ? 2 : 3) === index),
      ],
    }))
    .filter((group) => group.events.length > 0);
}

/** A name and what it means. */
export interface Meaning {
  readonly name: string;
  readonly meaning: string;
}

/** A notification level; one that is not known here goes by its own name. */
export function levelLabel(level: string): Meaning {
  switch (level) {
    case 'global':
      return { name: t('Global'), meaning: t('The level of its group, or else of your global settings') };
    case 'watch':
      return { name: t('Watch'), meaning: t('Most activity') };
    case 'participating':
      return { name: t('Participate'), meaning: t('Threads you took part in') };
    case 'mention':
      return { name: t('On mention'), meaning: t('Comments that mention you') };
    case 'disabled':
      return { name: t('Disabled'), meaning: t('No notifications at all') };
    case 'custom':
      return { name: t('Custom'), meaning: t('Threads you took part in, and the events you select') };
    default:
      return { name: level, meaning: t('A level this version of Beacon does not know') };
  }
}

/** An event; one that is not known here goes by the words of its own name. */
export function notificationEventLabel(event: string): Meaning {
  const known = knownEvents();
  const labels = Object.hasOwn(known, event) ? known[event as KnownEvent] : undefined;
  const [name, meaning] = labels ?? [
    capitalized(event.replaceAll('_', ' ')),
    t('An event this version of Beacon does not know'),
  ];
  return { name, meaning };
}

type KnownEvent = NotificationEvent | (typeof laterNotificationEvents)[number];

function knownEvents(): Readonly<Record<KnownEvent, readonly [string, string]>> {
  return {
    approver: [t('Approver'), t('A merge request you may approve is created')],
    change_reviewer_merge_request: [t('Change of reviewer'), t('The reviewer of a merge request changes')],
    close_issue: [t('Closed issue'), t('An issue is closed')],
    close_merge_request: [t('Closed merge request'), t('A merge request is closed')],
    failed_pipeline: [t('Failed pipeline'), t('A pipeline fails')],
    fixed_pipeline: [t('Fixed pipeline'), t('A previously failed pipeline is fixed')],
    issue_due: [t('Due issue'), t('An issue is due tomorrow')],
    merge_merge_request: [t('Merged merge request'), t('A merge request is merged')],
    merge_when_pipeline_succeeds: [t('Auto-merge'), t('A merge request is set to auto-merge')],
    moved_project: [t('Moved project'), t('A project is moved')],
    new_epic: [t('New epic'), t('An epic is created; Premium and Ultimate only')],
    new_issue: [t('New issue'), t('An issue is created')],
    new_merge_request: [t('New merge request'), t('A merge request is created')],
    new_note: [t('New comment'), t('A comment is added')],
    new_release: [t('New release'), t('A release is published')],
    push_to_merge_request: [t('Push to merge request'), t('Someone pushes to a merge request')],
    reassign_issue: [t('Reassigned issue'), t('An issue is reassigned')],
    reassign_merge_request: [t('Reassigned merge request'), t('A merge request is reassigned')],
    reopen_issue: [t('Reopened issue'), t('An issue is reopened')],
    reopen_merge_request: [t('Reopened merge request'), t('A merge request is reopened')],
    service_account_failed_pipeline: [
      t('Failed pipeline of a service account'),
      t('A pipeline of a service account fails; Premium and Ultimate only'),
    ],
    service_account_fixed_pipeline: [
      t('Fixed pipeline of a service account'),
      t('A previously failed pipeline of a service account is fixed; Premium and Ultimate only'),
    ],
    service_account_success_pipeline: [
      t('Successful pipeline of a service account'),
      t('A pipeline of a service account completes successfully; Premium and Ultimate only'),
    ],
    success_pipeline: [t('Successful pipeline'), t('A pipeline completes successfully')],
  };
}

export function flagLabel(flag: Flag): string {
  switch (flag) {
    case 'on':
      return t('on');
    case 'off':
      return t('off');
    case 'default':
      return t('default');
    case 'unknown':
      return t('unknown');
  }
}

/** Names a scope: by its full path, where it has one. */
export function scopeLabel(scope: NotificationScope): string {
  switch (scope.kind) {
    case 'global':
      return t('Global settings');
    case 'group':
      return t('Group {0}', scope.path);
    case 'project':
      return t('Project {0}', scope.path);
  }
}

/** Names a field of the settings by its name in the API. */
export function fieldLabel(field: string): string {
  if (field === 'level') {
    return t('Level');
  }
  return field === 'notification_email' ? t('E-mail address') : notificationEventLabel(field).name;
}

/** The label of a field's value: a level, an address, a flag. */
export function valueLabel(field: string, value: string | boolean): string {
  if (field === 'level') {
    return levelLabel(String(value)).name;
  }
  if (field === 'notification_email') {
    return value === '' ? t('the address of the account') : String(value);
  }
  return flagLabel(typeof value === 'string' ? (value as Flag) : value ? 'on' : 'off');
}

/** What a change does, one sentence for each field, such as `New issue: from off to on`. */
export function changeLabels(settings: Settings, change: Change): readonly string[] {
  return Object.entries(change).map(([field, value]) =>
    t('{0}: from {1} to {2}', fieldLabel(field), valueLabel(field, valueOf(settings, field)), valueLabel(field, value)),
  );
}

/** Names of fields as a list in a sentence. */
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

/** The level that counts and where it is set, such as `Watch, from group harbor`. */
export function effectLabel(effect: Effect): string {
  const source = sourceLabel(effect);
  return effect.kind === 'unknown' ? source : t('{0}, {1}', levelLabel(effect.settings.level).name, source);
}

function sourceLabel(effect: Effect): string {
  switch (effect.kind) {
    case 'own':
      return t('set here');
    case 'group':
      return t('from group {0}', effect.path);
    case 'global':
      return t('from the global settings');
    case 'unknown':
      return t('unknown');
  }
}

/** Puts a note of a plan into a sentence. */
export function noteLabel({ kind, events }: PlanNote): string {
  const names = fieldsLabel(events);
  switch (kind) {
    case 'notRestored':
      return t('Undo cannot restore what is a default or not shown now: {0}.', names);
    case 'leftOut':
      return t('Not changed, because the API cannot restore a default, or they are not offered here: {0}.', names);
    case 'kept':
      return t('Kept for the level Custom: {0}', names);
  }
}

/** What a plan does, one sentence each; then what it cannot do. */
export function planLabels({ expected, change, notes }: Plan): readonly string[] {
  const changes = isEmptyChange(change) ? [t('Nothing to change.')] : changeLabels(expected, change);
  return [...changes, ...notes.map(noteLabel)];
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
        : t('{0}: {1}', name, problemOf(outcome.error, plan.scope.accountId).sentence);
    case 'unknown':
      return t(
        '{0}: the answer is missing, so it is not known whether this took effect. {1}',
        name,
        problemOf(outcome.error, plan.scope.accountId).sentence,
      );
    case 'applied': {
      const lost = outcome.error === undefined ? outcome.missing : [...outcome.missing, ...outcome.unseen];
      if (lost.length === 0) {
        return undefined;
      }
      return outcome.error === undefined
        ? t('{0}: the instance did not accept {1}.', name, fieldsLabel(lost))
        : t('{0}: the answer is missing, and these are not shown as saved: {1}.', name, fieldsLabel(lost));
    }
  }
}

/** What became of plans, account by account: what was saved in which scopes, what no undo brings back, what was not saved. */
export function resultLabel(all: readonly Sent[], isUndo = false): string {
  const accountIds = [...new Set(all.map(({ plan }) => plan.scope.accountId))];
  return accountIds
    .flatMap((accountId) => {
      const ofAccount = all.filter(({ plan }) => plan.scope.accountId === accountId);
      return [
        ...savedLabels(ofAccount, isUndo),
        ...ofAccount.flatMap((sent) => failureLabel(sent) ?? []),
        t('Account: {0}', accountLabel(accountId)),
      ];
    })
    .join(' · ');
}

type Applied = Extract<Outcome, { readonly kind: 'applied' }>;

function savedLabels(all: readonly Sent[], isUndo: boolean): readonly string[] {
  // Of what was refused whole, its failure is said.
  const saved = all.filter(
    (sent): sent is Sent & { readonly outcome: Applied } =>
      sent.outcome.kind === 'applied' && (sent.outcome.missing.length === 0 || !isEmptyChange(sent.outcome.taken)),
  );
  const [first] = saved;
  if (!first) {
    return [];
  }
  const names = scopesLabel(saved.map(({ plan }) => plan.scope));
  if (saved.every(({ outcome }) => isEmptyChange(outcome.taken))) {
    return [names, t('Nothing to change.')];
  }
  if (isUndo) {
    const notes = saved.flatMap(({ plan }) => plan.notes.map(noteLabel));
    return [t('Undone: {0}', names), ...notes];
  }
  const undos = saved.map(({ plan, outcome }) => undoOf(plan.scope, outcome.before, outcome.taken, outcome.now));
  const lost = [...new Set(undos.flatMap(({ notes }) => notes.flatMap(({ events }) => events)))];
  const isKept = lost.length > 0 && undos.some(({ change }) => (change['level'] ?? 'custom') !== 'custom');
  const ofLost =
    lost.length === 0
      ? []
      : isKept
        ? [t('After Undo, kept for the level Custom: {0}', someFields(lost))]
        : [t('Not restored by Undo: {0}', someFields(lost))];
  if (saved.length > 1) {
    return [
      ...(levelsLabels(saved.map(({ plan, outcome }) => ({ scope: plan.scope, taken: outcome.taken }))) ?? [
        t('Saved: {0}', names),
      ]),
      ...ofLost,
    ];
  }
  const changes = changeLabels(first.outcome.before, first.outcome.taken);
  return [t('Saved: {0}', names), ...(changes.length <= mostNamed ? changes : []), ...ofLost];
}

function someFields(fields: readonly string[]): string {
  return fields.length > mostNamed ? t('{0} events', countLabel(fields.length)) : fieldsLabel(fields);
}

/** Which scopes have which level now, such as `Set 3 projects to Watch`; undefined if something else was changed as well. */
function levelsLabels(
  all: readonly { readonly scope: NotificationScope; readonly taken: Change }[],
): readonly string[] | undefined {
  const scopes = new Map<string, NotificationScope[]>();
  for (const { scope, taken } of all) {
    const [[field, level] = ['', ''], ...others] = Object.entries(taken);
    if (field !== 'level' || others.length > 0) {
      return undefined;
    }
    scopes.set(String(level), [...(scopes.get(String(level)) ?? []), scope]);
  }
  return [...scopes].map(([level, ofLevel]) => t('Set {0} to {1}', scopesLabel(ofLevel), levelLabel(level).name));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
