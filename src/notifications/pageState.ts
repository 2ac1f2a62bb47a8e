import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { problemOf } from '../accounts/problem.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import { inSequence, plainText } from '../common/inertText.ts';
import type { Draft } from './drafts.ts';
import {
  changeLabels,
  countLabel,
  effectLabel,
  eventLabel,
  fieldLabel,
  groupBySubject,
  levelLabel,
  noteLabel,
  scopeLabel,
  scopesLabel,
  valueLabel,
} from './labels.ts';
import { type Mail, mailsOfEvent, mailsOfLevel } from './mails.ts';
import { isWithin, type NotificationScope, scopeKey } from './scope.ts';
import { effectOf, inheritedBy, type Sources } from './scopes.ts';
import {
  applyEdit,
  changeOf,
  conflicts,
  type Difference,
  differences,
  type Edit,
  editSchema,
  eventsOf,
  heldBack,
  isEmptyChange,
  type Plan,
  planOf,
  type Settings,
  valueOf,
  withChange,
} from './settings.ts';
import type { Reading } from './settingsService.ts';

const { t } = vscode.l10n;

const keys = () => z.array(z.string());
const actions = [
  'reload',
  'cancel',
  'showAll',
  'more',
  'other',
  'openInUse',
  'profiles',
  'export',
  'import',
  'mails',
] as const;

/** A message from the page to the host. Keys are those of scopes. */
export const fromPageSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    /** Selects the scopes whose boxes are ticked; or one by its name, which is not among what is ticked next. */
    z.object({ type: z.literal('select'), keys: keys() }),
    z.object({ type: z.literal('open'), key: z.string() }),
    z.object({ type: z.literal('edit'), keys: keys(), edit: editSchema() }),
    /** Takes back what was chosen, or keeps it although the settings were changed elsewhere. */
    z.object({ type: z.enum(['discard', 'keep']), keys: keys() }),
    /** Sends what the page shows. `seen` is that of the state that it shows. */
    z.object({ type: z.literal('save'), seen: z.int() }),
    /** Fixes why a scope could not be read, or what is in the way of all. */
    z.object({ type: z.literal('fix'), key: z.optional(z.string()) }),
    z.object({ type: z.literal('answer'), title: z.string() }),
    z.object({ type: z.literal('act'), action: z.enum(actions) }),
  ]);
export type FromPage = z.infer<ReturnType<typeof fromPageSchema>>;
export type PageAction = Extract<FromPage, { readonly type: 'act' }>['action'];

/** A message from the host to the page: all that it shows. */
export interface ToPage extends TableState {
  /** Empty where there is one alone. */
  readonly account: string;
  readonly kept: { readonly scope: object; readonly isAll: boolean };
  /** Said where the window works with another account, with the button that follows it. */
  readonly banner?: ProblemState | undefined;
  readonly phase: 'loading' | 'ready' | 'saving';
  /** Whether all scopes are listed, rather than those that were opened. */
  readonly isAll: boolean;
  /** Another number each time that a save would send something else for another reason than what is chosen in this page. */
  readonly seen: number;
  readonly hasMore: boolean;
  readonly problems: readonly ProblemState[];
  readonly canSave: boolean;
  /** What became of the last save, and the labels of the buttons for it. */
  readonly message?:
    | { readonly isWarning: boolean; readonly sentence: string; readonly actions: readonly string[] }
    | undefined;
  readonly mails: {
    readonly isReading: boolean;
    readonly isShown: boolean;
    /** That it is under way, why it failed, or how it is estimated. */
    readonly note: string;
  };
}

export interface PageRow {
  readonly scope: NotificationScope;
  readonly reading: Reading | undefined;
  readonly draft: Draft | undefined;
  readonly mails: readonly Mail[] | undefined;
  readonly profile: string;
}

interface ReadRow extends PageRow {
  readonly settings: Settings;
  readonly shown: Settings;
}

/** The rows that were read, and what else counts for them. */
interface Listed {
  readonly read: readonly ReadRow[];
  readonly sources: Sources;
}

function readRows(rows: readonly PageRow[]): readonly ReadRow[] {
  return rows.flatMap((row) =>
    row.reading?.settings
      ? { ...row, settings: row.reading.settings, shown: shownSettings(row.reading.settings, row.draft) }
      : [],
  );
}

export function shownSettings(settings: Settings, draft: Draft | undefined): Settings {
  return withChange(settings, draft?.change ?? {});
}

/** What was changed elsewhere since the draft of a row was made; empty if that does not matter to it. */
function conflictsOf({ settings, draft }: ReadRow): readonly Difference[] {
  const change = draft ? changeOf(settings, draft.change) : {};
  return draft && !isEmptyChange(change) && conflicts(draft.base, settings, change).length > 0
    ? differences(draft.base, settings)
    : [];
}

/** What a save would send: what was chosen in rows, unless it was changed elsewhere since. */
export function plansOf(rows: readonly PageRow[]): readonly Plan[] {
  return readRows(rows)
    .filter((row) => conflictsOf(row).length === 0)
    .map(({ scope, settings, draft }) => planOf(scope, settings, draft?.change ?? {}))
    .filter(({ change }) => !isEmptyChange(change));
}

export function isModified(row: PageRow): boolean {
  const { draft } = row;
  const [read] = readRows([row]);
  return (
    draft !== undefined &&
    (!read || !isEmptyChange(changeOf(read.settings, draft.change)) || heldBack(read.settings, draft.change).length > 0)
  );
}

/** Something that went wrong, and the label of the button that fixes it. */
export interface ProblemState {
  readonly sentence: string;
  readonly remedy?: string | undefined;
}

/** The scopes, the form of those that are selected, and what a save would do. */
export type TableState = Readonly<ReturnType<typeof tableState>>;

/** @param isByBoxes whether a single selected row was ticked. */
export function tableState(
  rows: readonly PageRow[],
  sources: Sources,
  selected: ReadonlySet<string>,
  isByBoxes: boolean,
) {
  const listed: Listed = { read: readRows(rows), sources };
  const areTicked = isByBoxes || selected.size > 1;
  const chosen = rows.filter(({ scope }) => selected.has(scopeKey(scope)));
  const plans = plansOf(rows);
  return {
    rows: rows.map((row) => rowState(row, listed, chosen.includes(row), areTicked)),
    form: chosen.length > 0 ? formState(chosen, listed) : undefined,
    changes: plans.map(({ scope, expected, change }) => ({
      key: scopeKey(scope),
      name: scopeLabel(scope),
      sentences: changeLabels(expected, change),
    })),
    cautions: [...new Set(plans.flatMap(({ notes }) => notes.map(noteLabel)))],
  };
}

/** A failure as the page shows it; what can only be tried again has a button for that. */
function problemState({ scope, reading }: PageRow): ProblemState | undefined {
  if (!reading || reading.settings) {
    return undefined;
  }
  const { sentence, remedy } = problemOf(reading.error, scope.accountId);
  return { sentence, remedy: remedy?.title ?? t('Try Again') };
}

function rowState(row: PageRow, listed: Listed, isSelected: boolean, areTicked: boolean) {
  const { scope, profile } = row;
  const [read] = readRows([row]);
  const effect = read && effectOf(scope, read.shown, listed.sources);
  return {
    key: scopeKey(scope),
    name: scope.kind === 'global' ? t('Global settings') : plainText(scope.path, 1000),
    note: [scope.kind === 'group' && t('group'), profile].filter(Boolean).join(' · '),
    level: read ? levelLabel(read.shown.level).name : '',
    effect: read ? effectLabel(effect, scope) : '',
    mails: read && mailsIf(read, read.shown, listed),
    isSelected,
    isTicked: isSelected && areTicked,
    isModified: isModified(row),
    problem: problemState(row),
  };
}

function formState(chosen: readonly PageRow[], listed: Listed) {
  const read = readRows(chosen);
  const [single] = chosen.length === 1 ? chosen : [];
  return {
    keys: chosen.map(({ scope }) => scopeKey(scope)),
    title: scopesLabel(chosen.map(({ scope }) => scope)),
    problem: single || read.length === 0 ? chosen.map(problemState).find(Boolean) : undefined,
    fields: read.length > 0 ? fieldsState(read, listed) : undefined,
    conflicts: single ? read.flatMap(conflictStates) : [],
  };
}

/** What was changed elsewhere since the draft was made; `take` is the label of the button that takes the value that is there. */
function conflictStates(row: ReadRow) {
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

/** The fields of a form; those of several scopes are empty, or neither on nor off, where they differ. */
function fieldsState(rows: readonly ReadRow[], listed: Listed) {
  const [single] = rows.length === 1 ? rows : [];
  const shown = rows.map((row) => row.shown);
  const level = common(shown.map((settings) => settings.level)) ?? '';
  const held = single ? heldBack(single.settings, single.draft?.change ?? {}).length : 0;
  const names = rows.map(({ settings }) => levelLabel(settings.level).name);
  const notes = [
    ...(level === 'custom' ? [] : [t('With the level Custom, you choose each event.')]),
    ...(held > 0 ? [t('Events that you changed, saved only with the level Custom: {0}', countLabel(held))] : []),
    ...(level === 'custom' &&
    shown.every((settings) => eventsOf(settings).every((event) => settings[event] === undefined))
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
    levels: levelStates(rows, level, listed),
    levelNote: rows.some(({ settings }) => settings.level !== level)
      ? t('Current: {0}', common(names) ?? t('several levels'))
      : '',
    email: single && emailState(single),
    subjects:
      level === 'custom'
        ? groupBySubject([...new Set(shown.flatMap(eventsOf))]).map(({ subject, events }) => ({
            subject,
            events: events.map((event) => eventState(event, rows)),
          }))
        : [],
    notes,
  };
}

function levelStates(rows: readonly ReadRow[], level: string, listed: Listed) {
  const [single] = rows.length === 1 ? rows : [];
  // Globally "as it is globally" says nothing: it is offered only where it is what holds.
  const offered: readonly string[] = notificationLevels.filter(
    (one) => one !== 'global' || level === 'global' || rows.every(({ scope }) => scope.kind !== 'global'),
  );
  const others = [...rows.map(({ settings }) => settings.level), level].filter(
    (one) => one !== '' && !notificationLevels.some((known) => known === one),
  );
  return [...offered, ...new Set(others)].map((value) => {
    const { name, meaning } = levelLabel(value);
    const effect = single && value === 'global' ? inheritedBy(single.scope, listed.sources) : undefined;
    return {
      value,
      name,
      meaning: effect && single && single.scope.kind !== 'global' ? effectLabel(effect, single.scope) : meaning,
      mails: areApart(rows)
        ? sumOf(rows.map((row) => mailsIf(row, { ...row.shown, level: value }, listed)))
        : undefined,
    };
  });
}

/** A sum of which each part is known. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}

/** An e-mail of a project is also one of its group and a global one. */
function areApart(rows: readonly ReadRow[]): boolean {
  return rows.length === 1 || rows.every(({ scope }) => scope.kind === 'project');
}

/** The e-mails a week of the projects of a scope if it had these settings, each project by its own level; undefined if none was read. */
function mailsIf(row: ReadRow, settings: Settings, { read, sources }: Listed): number | undefined {
  const { scope } = row;
  const settingsOf: Sources['settingsOf'] = (one) =>
    scopeKey(one) === scopeKey(scope) ? settings : sources.settingsOf(one);
  const projects = scope.kind === 'project' ? [{ ...row, shown: settings }] : read;
  const counts = projects.flatMap((project) => {
    if (!project.mails || project.scope.kind !== 'project' || !isWithin(project.scope, scope)) {
      return [];
    }
    const effect = effectOf(project.scope, project.shown, { ...sources, settingsOf });
    return [effect && mailsOfLevel(effect.settings, project.mails)];
  });
  return counts.length > 0 ? sumOf(counts) : undefined;
}

function emailState({ settings, draft }: ReadRow) {
  const { notification_email: email } = settings;
  if (typeof email !== 'string') {
    return undefined;
  }
  const value = String(draft?.change['notification_email'] ?? email);
  const hasChanged = value.trim() !== email;
  const hint = t('Enter a verified address, or leave it empty to use that of your account.');
  return { value, note: hasChanged ? inSequence(hint, t('Current: {0}', email)) : hint, isModified: hasChanged };
}

function eventState(event: string, rows: readonly ReadRow[]) {
  const { name, meaning } = eventLabel(event);
  const labelOf = (all: readonly Settings[]): string =>
    common(all.map((settings) => valueLabel(event, valueOf(settings, event)))) ?? t('differs');
  const shown = rows.map((row) => row.shown);
  const isOn = common(shown.map((settings) => valueOf(settings, event)));
  const hasChanged = rows.some((row) => valueOf(row.shown, event) !== valueOf(row.settings, event));
  return {
    event,
    name,
    meaning,
    isOn: typeof isOn === 'boolean' ? isOn : undefined,
    note: hasChanged
      ? t('Current: {0}', labelOf(rows.map(({ settings }) => settings)))
      : typeof isOn === 'boolean'
        ? ''
        : labelOf(shown),
    isModified: hasChanged,
    mails: areApart(rows) ? sumOf(rows.map(({ mails }) => mails && mailsOfEvent(event, mails))) : undefined,
  };
}

/** What an edit makes of the draft of a row; undefined where its form does not offer what it chooses. */
export function edited(
  { scope, draft }: PageRow,
  now: Settings,
  edit: Edit,
): Pick<Draft, 'change' | 'base'> | undefined {
  const isOffered = Object.entries(edit).every(([field, value]) => {
    if (field !== 'level') {
      return Object.hasOwn(now, field);
    }
    const isLevel = notificationLevels.some(
      (level) => level === value && (level !== 'global' || scope.kind !== 'global'),
    );
    return value === null || value === now.level || isLevel;
  });
  return isOffered ? { change: applyEdit(draft?.change ?? {}, edit), base: draft?.base ?? now } : undefined;
}
