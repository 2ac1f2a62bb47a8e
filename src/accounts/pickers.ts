import * as vscode from 'vscode';
import { createQuickPick, separator } from '../common/inertWindow.ts';
import type { Connection } from './connections.ts';
import { groupSource, mapSource, projectSource, type RecordSource } from './directorySearch.ts';
import type { Pin, Pins } from './pins.ts';
import { ProblemError, problemOf, runRemedy } from './problem.ts';
import { Search, type SearchState, withoutRepeats } from './search.ts';

/** What a picker says of itself. */
interface PickerOptions {
  readonly title: string;
  /** Marks what is pinned already. */
  readonly pins?: Pins;
}

/** A project or group that is found. */
interface FoundPin extends Pin {
  readonly name: string;
}

/**
 * Lets the user choose a project: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickProject(connection: Connection, options: PickerOptions): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const source = mapSource(projectSource(connection), ({ id, path_with_namespace: path, name }): FoundPin => {
    return { kind: 'project', accountId, id, path, name: name ?? '' };
  });
  const placeholder = vscode.l10n.t('Search projects by name, path, ID or web address');
  return await pickPin(source, { accountId, placeholder, icon: 'repo', ...options });
}

/** The same for a group. */
export async function pickGroup(connection: Connection, options: PickerOptions): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const source = mapSource(groupSource(connection), ({ id, full_path: path, name }): FoundPin => {
    return { kind: 'group', accountId, id, path, name: name ?? '' };
  });
  const placeholder = vscode.l10n.t('Search groups by name, path, ID or web address');
  return await pickPin(source, { accountId, placeholder, icon: 'organization', ...options });
}

async function pickPin(
  source: RecordSource<FoundPin>,
  { pins, ...options }: PickerOptions & Omit<Presentation<FoundPin>, 'describe'>,
): Promise<Pin | undefined> {
  const found = await pick(source, {
    ...options,
    describe: (pin) =>
      pins?.has(pin)
        ? {
            label: pin.path,
            description: [pin.name, vscode.l10n.t('pinned')].filter(Boolean).join(' · '),
            icon: 'pinned',
          }
        : { label: pin.path, description: pin.name },
  });
  return found && { kind: found.kind, accountId: found.accountId, id: found.id, path: found.path };
}

/** How records are shown. */
interface Presentation<T> {
  readonly title: string;
  /** Whose token asks the instance: failures lead to that of another one. */
  readonly accountId?: string | undefined;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => Description;
  /** The id of a codicon, where a description has none. */
  readonly icon: string;
  /** What stands above all that is found, as far as it contains what is typed; it waits for no answer. */
  readonly offered?: () => readonly T[];
  /** What the button of a line does. The lines are shown again afterwards. */
  readonly onButton?: (record: T) => Promise<void>;
  /** Picks again after the command that fixes a failure. */
  readonly again?: () => Promise<T | undefined>;
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

/**
 * Lets the user choose a record of what is offered, and of what is found while they type. Failures show in the picker, with what
 * to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends { readonly id: number | string }>(
  source: RecordSource<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder, accountId, describe, offered, onButton, again } = presentation;
  Object.assign(picker, { title, placeholder, ignoreFocusOut: true });
  // What Enter was pressed for before there was an answer.
  let wanted: string | undefined;
  // The lines, and the text that they are the answer to. The editor shows them a moment after it got them: what it reports until then
  // is about those before, by their places.
  let lines: readonly Line<T>[] = [];
  let linesText: string | undefined;
  let isShown = false;
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();
  const search = new Search(source, (state) => {
    picker.busy = state.busy;
    if (!state.busy) {
      if (wanted === state.text) {
        resolveIfCertain(state);
      }
      wanted = undefined;
      show(state);
    }
  });

  /** What is offered for a text, and what was found for it. */
  function recordsOf({ text, records }: SearchState<T>): readonly T[] {
    const fitting = (offered?.() ?? []).filter((record) => {
      const { label, description } = describe(record);
      return `${label}\n${description}`.toLowerCase().includes(text.toLowerCase());
    });
    return withoutRepeats([...fitting, ...records]);
  }

  function show(state: SearchState<T>): void {
    const shown = recordsOf(state).map((record) => ({ record, ...describe(record) }));
    const found = [...Map.groupBy(shown, ({ section = '' }) => section)].flatMap(([section, members]): Line<T>[] => [
      ...(section === '' ? [] : [separator(section)]),
      ...members.map(({ record, label, description, icon = presentation.icon, button }) => {
        const iconPath = new vscode.ThemeIcon(icon);
        return { record, label, description, iconPath, ...(button ? { buttons: [button] } : {}) };
      }),
    ]);
    picker.keepScrollPosition = state.text === linesText;
    linesText = state.text;
    isShown = false;
    // The instance has matched them by more fields than the editor could.
    lines = [...found, ...actionsOf(state, found.length === 0)].map((line) => ({ ...line, alwaysShow: true }));
    picker.items = lines;
  }

  /** What can be done besides: to try again after a failure, to load more. */
  function actionsOf({ text, error, hasMore, busy }: SearchState<T>, isEmpty: boolean): readonly Line<T>[] {
    const line = (label: string, icon: string, run?: () => unknown, detail = ''): Line<T> => {
      return { label, iconPath: new vscode.ThemeIcon(icon), detail, ...(run ? { run } : {}) };
    };
    if (error !== undefined) {
      const { sentence, remedy } = problemOf(error, accountId);
      const fix = (): void => {
        resolve(runRemedy(remedy).then(() => again?.()));
        picker.hide();
      };
      // The same again would lead to the same.
      if (remedy && (error instanceof ProblemError || remedy.command === 'beacon.replaceToken')) {
        return [line(remedy.title, 'arrow-right', fix, sentence)];
      }
      const tryAgain = line(vscode.l10n.t('Try Again'), 'refresh', () => search.search(text), sentence);
      return remedy ? [tryAgain, line(remedy.title, 'arrow-right', fix)] : [tryAgain];
    }
    if (hasMore) {
      return [line(vscode.l10n.t('Load More'), 'fold-down', () => search.searchFurther())];
    }
    return isEmpty && !busy ? [line(vscode.l10n.t('Nothing found for “{0}”', text), 'info')] : [];
  }

  function resolveIfCertain(state: SearchState<T>): void {
    const [first, second] = state.exact ? state.records : recordsOf(state);
    if (first && (state.exact || !second)) {
      resolve(first);
    }
  }

  /** The line that the editor goes to by itself. */
  const firstLine = (): Line<T> | undefined => lines.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  picker.onDidChangeValue((typed) => void search.search(typed));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    isShown ||= picker.keepScrollPosition || (active !== undefined && active === firstLine());
  });
  picker.onDidAccept(() => {
    const [line] = picker.selectedItems;
    const { state } = search;
    // The picker activates the first line of an older answer by itself: Enter then means the text.
    if (line && isShown && (linesText === state.text || line !== firstLine())) {
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
  picker.onDidTriggerItemButton(async ({ item: { record } }) => {
    if (record) {
      await onButton?.(record);
      show(search.state);
    }
  });
  if (offered) {
    show({ ...search.state, busy: true });
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
