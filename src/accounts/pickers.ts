import * as vscode from 'vscode';
import type { GroupRecord, ProjectRecord } from '../api/directory.ts';
import { createQuickPick, separator } from '../common/inertWindow.ts';
import type { Connection } from './connections.ts';
import { groupSource, projectSource, type RecordSource } from './directorySearch.ts';
import type { Pin, Pins } from './pins.ts';
import { type Problem, ProblemError, problemOf, runRemedy } from './problem.ts';
import { type Identified, Search, type SearchState, withoutRepeats } from './search.ts';

/** What a picker says of itself. */
export interface PickerOptions {
  readonly title: string;
  /** What was typed already. */
  readonly text?: string;
  /** Marks what is pinned already. */
  readonly pins?: Pick<Pins, 'has'>;
}

/**
 * Lets the user choose a project: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickProject(
  connection: Connection,
  { pins, ...options }: PickerOptions,
): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const pinOf = ({ id, path_with_namespace: path }: ProjectRecord): Pin => ({ kind: 'project', accountId, id, path });
  const project = await pick(projectSource(connection), {
    ...options,
    accountId,
    placeholder: vscode.l10n.t('Search projects by name, path, ID or web address'),
    describe: (record) => describePin(pinOf(record), record.name, pins),
    icon: 'repo',
  });
  return project && pinOf(project);
}

/**
 * Lets the user choose a group: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickGroup(connection: Connection, { pins, ...options }: PickerOptions): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const pinOf = ({ id, full_path: path }: GroupRecord): Pin => ({ kind: 'group', accountId, id, path });
  const group = await pick(groupSource(connection), {
    ...options,
    accountId,
    placeholder: vscode.l10n.t('Search groups by name, path, ID or web address'),
    describe: (record) => describePin(pinOf(record), record.name, pins),
    icon: 'organization',
  });
  return group && pinOf(group);
}

/** The line of a project or group, with a pin if it has one already. */
function describePin(pin: Pin, name: string, pins: PickerOptions['pins']): Description {
  return pins?.has(pin)
    ? { label: pin.path, description: `${name} · ${vscode.l10n.t('pinned')}`, icon: 'pinned' }
    : { label: pin.path, description: name };
}

/** How records are shown. */
export interface Presentation<T> {
  readonly title: string;
  /** Whose token asks the instance; failures name the account. */
  readonly accountId?: string | undefined;
  /** What was typed already. */
  readonly text?: string;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => Description;
  /** The id of a codicon, where a description has none. */
  readonly icon: string;
  /** What stands above all that is found, as far as it contains what is typed; it waits for no answer. */
  readonly offered?: () => readonly T[];
  /** What the button of a line does. The lines are shown again afterwards. */
  readonly onButton?: (record: T) => Promise<void>;
  /** Picks again with what was typed, after the command that fixes a failure. */
  readonly again?: (text: string) => Promise<T | undefined>;
}

/** What a line says of a record. */
export interface Description {
  readonly label: string;
  readonly description: string;
  readonly icon?: string;
  /** The name of the part of the list that the record belongs to; none at the top. */
  readonly section?: string;
  readonly button?: vscode.QuickInputButton;
}

/** A line of the picker: a record, or an action. */
interface Line<T> extends vscode.QuickPickItem {
  readonly record?: T;
  readonly run?: () => unknown;
}

/** Lines, and the text that they are the answer to. */
interface Answer<T> {
  readonly text: string | undefined;
  readonly lines: readonly Line<T>[];
}

/**
 * Lets the user choose a record of what is offered, and of what is found while they type. Failures show in the picker, with what
 * to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends Identified>(
  source: RecordSource<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder, text: value = '', onButton, again } = presentation;
  Object.assign(picker, { title, placeholder, value, ignoreFocusOut: true });
  // What Enter was pressed for before there was an answer.
  let wanted: string | undefined;
  // The editor shows lines a moment after it got them. Until then what it reports is about those before, by their places.
  let sent: Answer<T> = { text: undefined, lines: [] };
  let seen = sent;
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();
  const search = new Search(source, (state) => {
    picker.busy = state.busy;
    if (state.busy) {
      return;
    }
    if (wanted === state.text) {
      resolveIfCertain(state);
    }
    wanted = undefined;
    show(state);
  });
  function show(state: SearchState<T>): void {
    const lines = linesOf(state, presentation, search, (fixed) => {
      resolve(fixed.then(() => again?.(state.text)));
      picker.hide();
    });
    picker.keepScrollPosition = state.text === sent.text;
    sent = { text: state.text, lines };
    picker.items = lines;
  }
  function resolveIfCertain(state: SearchState<T>): void {
    const [first, second] = state.exact ? state.records : recordsOf(state, presentation);
    if (first && (state.exact || !second)) {
      resolve(first);
    }
  }
  picker.onDidChangeValue((typed) => void search.search(typed));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    if (picker.keepScrollPosition || (active && active === firstOf(sent))) {
      seen = sent;
    }
  });
  picker.onDidAccept(() => {
    const [selected] = picker.selectedItems;
    const place = selected ? sent.lines.indexOf(selected) : -1;
    const line = seen.lines[place] ?? (seen.text === sent.text ? selected : undefined);
    const { state } = search;
    // The picker activates the first line of an older answer by itself: Enter then means the text.
    if (line && (seen.text === state.text || line !== firstOf(seen))) {
      if (line.record) {
        resolve(line.record);
      } else {
        line.run?.();
      }
    } else if (state.busy) {
      wanted = state.text;
    } else {
      resolveIfCertain(state);
    }
  });
  picker.onDidHide(() => resolve(undefined));
  if (onButton) {
    picker.onDidTriggerItemButton(async ({ item: { record } }) => {
      if (record) {
        await onButton(record);
        show(search.state);
      }
    });
  }
  if (presentation.offered) {
    show({ ...search.state, text: value.trim(), busy: true });
  }
  picker.show();
  void search.search(picker.value);
  try {
    return await chosen;
  } finally {
    search.stop();
    picker.dispose();
  }
}

/** The line that the editor goes to by itself. */
function firstOf<T>({ lines }: Answer<T>): Line<T> | undefined {
  return lines.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
}

/** What is offered for a text, and what was found for it. */
function recordsOf<T extends Identified>(
  { text, records }: SearchState<T>,
  { offered, describe }: Presentation<T>,
): readonly T[] {
  const wanted = text.toLowerCase();
  const fitting = (offered?.() ?? []).filter((record) => {
    const { label, description } = describe(record);
    return `${label}\n${description}`.toLowerCase().includes(wanted);
  });
  return withoutRepeats([...fitting, ...records]);
}

function linesOf<T extends Identified>(
  state: SearchState<T>,
  presentation: Presentation<T>,
  search: Search<T>,
  close: (fixed: Thenable<unknown>) => void,
): Line<T>[] {
  const sections = Map.groupBy(
    recordsOf(state, presentation).map((record) => ({ record, shown: presentation.describe(record) })),
    ({ shown }) => shown.section ?? '',
  );
  const lines = [...sections].flatMap(([section, members]): Line<T>[] => [
    ...(section === '' ? [] : [separator(section)]),
    ...members.map(({ record, shown: { label, description, icon = presentation.icon, button } }) => ({
      record,
      label,
      description,
      iconPath: new vscode.ThemeIcon(icon),
      ...(button ? { buttons: [button] } : {}),
    })),
  ]);
  if (state.error !== undefined) {
    const problem = problemOf(state.error, presentation.accountId);
    const isFinal = state.error instanceof ProblemError;
    lines.push(...problemLines(problem, isFinal, () => search.search(state.text), close));
  } else if (state.hasMore) {
    const label = vscode.l10n.t('Load More');
    lines.push({ label, iconPath: new vscode.ThemeIcon('fold-down'), run: () => search.searchFurther() });
  } else if (lines.length === 0 && !state.busy) {
    lines.push({
      label: vscode.l10n.t('Nothing found for “{0}”', state.text),
      iconPath: new vscode.ThemeIcon('info'),
    });
  }
  // The instance has matched them by more fields than the editor could.
  return lines.map((line) => ({ ...line, alwaysShow: true }));
}

function problemLines(
  { sentence, remedy }: Problem,
  isFinal: boolean,
  tryAgain: () => unknown,
  close: (fixed: Thenable<unknown>) => void,
): Line<never>[] {
  const fix = (): void => {
    close(runRemedy(remedy));
  };
  if (remedy && (isFinal || remedy.command === 'beacon.replaceToken')) {
    // The same again would lead to the same.
    return [{ label: remedy.title, detail: sentence, iconPath: new vscode.ThemeIcon('arrow-right'), run: fix }];
  }
  return [
    { label: vscode.l10n.t('Try Again'), detail: sentence, iconPath: new vscode.ThemeIcon('refresh'), run: tryAgain },
    ...(remedy ? [{ label: remedy.title, iconPath: new vscode.ThemeIcon('arrow-right'), run: fix }] : []),
  ];
}
