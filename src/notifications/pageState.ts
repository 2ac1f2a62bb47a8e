import * as vscode from 'vscode';
import { problemOf } from '../accounts/problem.ts';
import { isApiError } from '../api/errors.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { Draft } from './drafts.ts';
import { effectOf, inheritedBy, type Sources } from './inheritance.ts';
import {
  changeLabels,
  countLabel,
  effectLabel,
  fieldLabel,
  flagLabel,
  groupBySubject,
  levelLabel,
  noteLabel,
  notificationEventLabel,
  scopeLabel,
  scopesLabel,
  valueLabel,
} from './labels.ts';
import { type MailCounts, mailsOfEvent, mailsOfLevel } from './mails.ts';
import type { EventState, FormState, LevelState, ProblemState, RowState, ToPage } from './messages.ts';
import { scopeKey } from './scope.ts';
import { type FoundScope, placeLabel } from './scopes.ts';
import {
  changeOf,
  conflicts,
  type Difference,
  differences,
  heldBack,
  isEmptyChange,
  type Plan,
  planOf,
  type Settings,
  valueOf,
  withChange,
} from './settings.ts';

const { t } = vscode.l10n;

/** A scope of the page, with what is known of it. */
export interface PageRow extends FoundScope {
  /** Undefined if they could not be read, or not yet. */
  readonly settings?: Settings | undefined;
  /** Why they could not be read. */
  readonly error?: unknown;
  readonly draft?: Draft | undefined;
  /** Why the last save was refused. */
  readonly refusal?: unknown;
  /** Undefined as long as feeds were not read. */
  readonly mails?: MailCounts | undefined;
  /** The label of the profile that holds for a while. */
  readonly profile?: string | undefined;
}

type ReadRow = PageRow & { readonly settings: Settings };

function isRead(row: PageRow): row is ReadRow {
  return row.settings !== undefined;
}

/** The settings of a row as they would be with what is chosen. */
export function shownSettings({ settings, draft }: ReadRow): Settings {
  return withChange(settings, draft?.change ?? {});
}

/** What was changed elsewhere since the draft of a row was made; empty if that does not matter to it. */
function conflictsOf({ settings, draft }: PageRow): readonly Difference[] {
  const change = draft && settings ? changeOf(settings, draft.change) : {};
  return draft && settings && !isEmptyChange(change) && conflicts(draft.base, settings, change).length > 0
    ? differences(draft.base, settings)
    : [];
}

/** What a save would send: what was chosen in rows, unless it was changed elsewhere since. */
export function plansOf(rows: readonly PageRow[]): readonly Plan[] {
  return rows
    .filter(isRead)
    .filter((row) => conflictsOf(row).length === 0)
    .map(({ scope, settings, draft }) => planOf(scope, settings, draft?.change ?? {}))
    .filter(({ change }) => !isEmptyChange(change));
}

/** Whether something is chosen in a row that is not saved. */
export function isModified({ settings, draft }: PageRow): boolean {
  return (
    draft !== undefined &&
    (settings === undefined ||
      !isEmptyChange(changeOf(settings, draft.change)) ||
      heldBack(settings, draft.change).length > 0)
  );
}

/** What the rows and the form show. */
export function tableState(
  rows: readonly PageRow[],
  sources: Sources,
  selected: ReadonlySet<string>,
): Pick<ToPage, 'rows' | 'form' | 'changes' | 'cautions'> {
  const chosen = rows.filter(({ scope }) => selected.has(scopeKey(scope)));
  const plans = plansOf(rows);
  return {
    rows: rows.map((row) => rowState(row, sources, selected.has(scopeKey(row.scope)))),
    form: chosen.length > 0 ? formState(chosen, sources) : undefined,
    changes: plans.map(({ scope, expected, change }) => ({
      key: scopeKey(scope),
      name: scopeLabel(scope),
      sentences: changeLabels(expected, change),
    })),
    cautions: [...new Set(plans.flatMap(({ notes }) => notes.map(noteLabel)))],
  };
}

/** A failure as the page shows it; what can only be tried again has a button for that. */
export function problemState(error: unknown, accountId: string): ProblemState {
  const { sentence, remedy } = problemOf(error, accountId);
  return { sentence, remedy: remedy?.title ?? t('Try Again') };
}

function rowState(row: PageRow, sources: Sources, isSelected: boolean): RowState {
  const { scope, error, profile, mails } = row;
  const settings = isRead(row) ? shownSettings(row) : undefined;
  const effect = settings && effectOf(scope, settings, sources);
  return {
    key: scopeKey(scope),
    name: scope.kind === 'global' ? t('Global settings') : scope.path,
    note: [placeLabel(row), profile].filter(Boolean).join(' · '),
    level: settings ? levelLabel(settings.level).name : '',
    effect: effect ? effectLabel(effect) : '',
    mails: mails && effect && effect.kind !== 'unknown' ? mailsOfLevel(effect.settings, mails) : undefined,
    isSelected,
    isModified: isModified(row),
    problem: error === undefined ? undefined : problemState(error, scope.accountId),
  };
}

function formState(chosen: readonly PageRow[], sources: Sources): FormState {
  const [first, ...others] = chosen;
  const read = chosen.filter(isRead);
  const refusal = isApiError(first?.refusal, 'validation') ? first.refusal : undefined;
  const errorOf = (field: string): string | undefined => refusal?.fields[field]?.join(' ');
  return {
    keys: chosen.map(({ scope }) => scopeKey(scope)),
    title: first && others.length === 0 ? scopeLabel(first.scope) : scopesLabel(chosen.map(({ scope }) => scope)),
    problem:
      first?.error !== undefined && others.length === 0 ? problemState(first.error, first.scope.accountId) : undefined,
    fields: read.length > 0 ? fieldsState(read, sources, errorOf) : undefined,
    conflicts: first && others.length === 0 ? conflictStates(first) : [],
  };
}

function conflictStates(row: PageRow): FormState['conflicts'] {
  return conflictsOf(row).map(({ field, before, after }) => {
    const mine = row.draft?.change[field];
    const isMine = mine !== undefined && valueLabel(field, mine) !== valueLabel(field, after);
    const [was, is] = [valueLabel(field, before), valueLabel(field, after)];
    return {
      field,
      sentence: isMine
        ? t('{0}: was {1}, is now {2}; you chose {3}', fieldLabel(field), was, is, valueLabel(field, mine))
        : t('{0}: was {1}, is now {2}', fieldLabel(field), was, is),
      take: isMine ? t('Use {0}', is) : undefined,
    };
  });
}

/** The one value that all have; undefined where they differ. */
function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

function fieldsState(
  rows: readonly ReadRow[],
  sources: Sources,
  errorOf: (field: string) => string | undefined,
): FormState['fields'] {
  const [single] = rows.length === 1 ? rows : [];
  const shown = rows.map(shownSettings);
  const level = common(shown.map((settings) => settings.level)) ?? '';
  const held = single ? heldBack(single.settings, single.draft?.change ?? {}).length : 0;
  const names = rows.map(({ settings }) => levelLabel(settings.level).name);
  const notes = [
    ...(level === 'custom' ? [] : [t('With the level Custom, you choose each event.')]),
    ...(held > 0 ? [t('Events that you changed, saved only with the level Custom: {0}', countLabel(held))] : []),
    ...(level === 'custom' && shown.every(({ flags }) => Object.values(flags).every((flag) => flag === 'unknown'))
      ? [
          rows.every(({ scope }) => scope.kind === 'global')
            ? t('GitLab does not show which events are turned on globally. Only events you change are saved.')
            : t(
                'GitLab shows which events are turned on once the level Custom is saved. Only events you change are saved.',
              ),
        ]
      : []),
  ];
  return {
    level,
    levels: levelStates(rows, level, sources),
    levelNote: rows.some(({ settings }) => settings.level !== level)
      ? t('Current: {0}', common(names) ?? t('several levels'))
      : '',
    levelError: errorOf('level'),
    email: single && emailState(single, errorOf('notification_email')),
    subjects:
      level === 'custom'
        ? groupBySubject([...new Set(shown.flatMap(({ flags }) => Object.keys(flags)))]).map(({ subject, events }) => ({
            subject,
            events: events.map((event) => eventState(event, rows, errorOf(event))),
          }))
        : [],
    notes,
  };
}

function levelStates(rows: readonly ReadRow[], level: string, sources: Sources): readonly LevelState[] {
  const [single] = rows.length === 1 ? rows : [];
  // Globally "as it is globally" says nothing: it is offered only where it is what holds.
  const offered: readonly string[] = notificationLevels.filter(
    (one) => one !== 'global' || level === 'global' || rows.every(({ scope }) => scope.kind !== 'global'),
  );
  const others = [...rows.map(({ settings }) => settings.level), level].filter(
    (one) => one !== '' && !notificationLevels.some((known) => known === one),
  );
  const inherited = single && inheritedBy(single.scope, sources);
  return [...offered, ...new Set(others)].map((value) => {
    const { name, meaning } = levelLabel(value);
    const isInherited = value === 'global' && inherited !== undefined && inherited.kind !== 'unknown';
    const settings = isInherited ? inherited.settings : single && { ...shownSettings(single), level: value };
    return {
      value,
      name,
      meaning: isInherited && single?.scope.kind !== 'global' ? effectLabel(inherited) : meaning,
      mails: single?.mails && settings ? mailsOfLevel(settings, single.mails) : undefined,
    };
  });
}

function emailState(
  { settings, draft }: ReadRow,
  error: string | undefined,
): NonNullable<FormState['fields']>['email'] {
  const { email } = settings;
  if (email === undefined) {
    return undefined;
  }
  const value = String(draft?.change['notification_email'] ?? email);
  const hasChanged = value.trim() !== email;
  const hint = t('Enter a verified address, or leave it empty to use that of your account.');
  return { value, note: hasChanged ? `${hint} ${t('Current: {0}', email)}` : hint, isModified: hasChanged, error };
}

function eventState(event: string, rows: readonly ReadRow[], error: string | undefined): EventState {
  const { name, meaning } = notificationEventLabel(event);
  const flag = common(rows.map((row) => valueOf(shownSettings(row), event))) ?? 'mixed';
  const before = common(rows.map(({ settings }) => valueOf(settings, event))) ?? 'mixed';
  const hasChanged = rows.some((row) => valueOf(shownSettings(row), event) !== valueOf(row.settings, event));
  const [single] = rows.length === 1 ? rows : [];
  return {
    event,
    name,
    meaning,
    flag: flag as EventState['flag'],
    note: hasChanged ? t('Current: {0}', stateLabel(before)) : flag === 'on' || flag === 'off' ? '' : stateLabel(flag),
    isModified: hasChanged,
    mails: single?.mails && mailsOfEvent(event, single.mails),
    error,
  };
}

/** What an event is set to; of a default, what that means. */
function stateLabel(flag: string): string {
  switch (flag) {
    case 'mixed':
      return t('differs');
    case 'default':
      return t('default: GitLab decides');
    case 'unknown':
      return t('unknown: GitLab does not show it');
    default:
      return flagLabel(flag === 'on' ? 'on' : 'off');
  }
}

/** What an edit may choose in a row: only what its form offers. */
export function isOffered({ scope, settings }: PageRow, edit: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(edit).every(([field, value]) => {
    if (field === 'notification_email') {
      return scope.kind === 'global';
    }
    if (field !== 'level') {
      return settings !== undefined && Object.hasOwn(settings.flags, field);
    }
    const isLevel = notificationLevels.some(
      (level) => level === value && (level !== 'global' || scope.kind !== 'global'),
    );
    return value === null || value === settings?.level || isLevel;
  });
}
