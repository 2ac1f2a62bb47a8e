import * as vscode from 'vscode';
import { createQuickPick, separator } from '../common/inertWindow.ts';
import type { Connection } from './connections.ts';
import { groupSource, mapSource, projectSource, type RecordSource } from './directorySearch.ts';
import type { Pin, Pins } from './pins.ts';
import { problemOf, runRemedy } from './problem.ts';

interface PickerOptions {
  readonly title: string;
  readonly pins?: Pins;
}

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
}

export interface Description {
  readonly label: string;
  readonly description: string;
  readonly icon?: string;
  /** The name of the part of the list that the record belongs to; none at the top. */
  readonly section?: string;
  readonly button?: vscode.QuickInputButton;
}

interface Line<T> extends vscode.QuickPickItem {
  readonly record?: T;
  readonly run?: () => unknown;
}

/** What is looked for, and what is found by now. */
interface Search<T> {
  readonly text: string;
  readonly pages: AsyncGenerator<readonly T[], void, undefined>;
  readonly abort: AbortController;
  records: readonly T[];
  isOver: boolean;
  error?: unknown;
}

/** How many records "Load More" adds at least, as long as there are any. */
const recordsPerSearch = 20;
/** How many pages "Load More" requests at most: those of a search may all be empty. */
const pagesPerSearch = 10;

/**
 * Lets the user choose a record of what is offered, and of what is found while they type: a newer text ends the requests of the older one.
 * Failures show in the picker, with what to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends { readonly id: number | string }>(
  source: RecordSource<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder, accountId, describe, offered, onButton } = presentation;
  Object.assign(picker, { title, placeholder, ignoreFocusOut: true });
  // What Enter was pressed for before there was an answer.
  let wanted: string | undefined;
  // The lines, and the text that they are the answer to. The editor shows them a moment after it got them: what it reports until then
  // is about those before, by their places.
  let lines: readonly Line<T>[] = [];
  let linesText: string | undefined;
  let isShown = false;
  let search = begin('');
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();

  function begin(typed: string): Search<T> {
    const text = typed.trim();
    const abort = new AbortController();
    return { text, pages: source(text, abort.signal), abort, records: [], isOver: false };
  }

  /** Looks for another text, or for the same once more. What the text before has found stays until there is an answer. */
  async function lookFor(text: string): Promise<void> {
    search.abort.abort();
    search = begin(text);
    await lookFurther(search);
  }

  async function lookFurther(current: Search<T>): Promise<void> {
    picker.busy = true;
    const records: T[] = [];
    try {
      // Pages may be short, even empty.
      for (let pages = 0; pages < pagesPerSearch && records.length < recordsPerSearch && !current.isOver; pages += 1) {
        const { value, done } = await current.pages.next();
        current.isOver = done === true;
        records.push(...(value ?? []));
      }
    } catch (error) {
      // The list cannot be gone on with.
      Object.assign(current, { error, isOver: true });
    }
    if (search === current && !current.abort.signal.aborted) {
      current.records = withoutRepeats([...current.records, ...records]);
      picker.busy = false;
      if (wanted === current.text) {
        resolveIfCertain();
      }
      wanted = undefined;
      show();
    }
  }

  function allRecords(): readonly T[] {
    const fitting = (offered?.() ?? []).filter((record) => {
      const { label, description } = describe(record);
      return `${label}\n${description}`.toLowerCase().includes(search.text.toLowerCase());
    });
    return withoutRepeats([...fitting, ...search.records]);
  }

  function show(): void {
    const shown = allRecords().map((record) => ({ record, ...describe(record) }));
    const found = [...Map.groupBy(shown, ({ section = '' }) => section)].flatMap(([section, members]): Line<T>[] => [
      ...(section === '' ? [] : [separator(section)]),
      ...members.map(({ record, label, description, icon = presentation.icon, button }) => {
        const iconPath = new vscode.ThemeIcon(icon);
        return { record, label, description, iconPath, ...(button ? { buttons: [button] } : {}) };
      }),
    ]);
    picker.keepScrollPosition = search.text === linesText;
    linesText = search.text;
    isShown = false;
    // The instance has matched them by more fields than the editor could.
    lines = [...found, ...actions(found.length === 0)].map((line) => ({ ...line, alwaysShow: true }));
    picker.items = lines;
  }

  function actions(isEmpty: boolean): readonly Line<T>[] {
    const { text, error, isOver } = search;
    const line = (label: string, icon: string, run = (): unknown => undefined, detail = ''): Line<T> => {
      return { label, iconPath: new vscode.ThemeIcon(icon), detail, run };
    };
    if (error !== undefined) {
      const { sentence, remedy } = problemOf(error, accountId);
      const fix = async (): Promise<void> => {
        picker.hide();
        await runRemedy(remedy);
      };
      return [
        line(vscode.l10n.t('Try Again'), 'refresh', () => lookFor(text), sentence),
        ...(remedy ? [line(remedy.title, 'arrow-right', fix)] : []),
      ];
    }
    if (!isOver && !picker.busy) {
      return [line(vscode.l10n.t('Load More'), 'fold-down', () => picker.busy || lookFurther(search))];
    }
    return isEmpty && !picker.busy ? [line(vscode.l10n.t('Nothing found for “{0}”', text), 'info')] : [];
  }

  function resolveIfCertain(): void {
    const [first, second] = allRecords();
    if (first && !second) {
      resolve(first);
    }
  }

  /** The line that the editor goes to by itself. */
  const firstLine = (): Line<T> | undefined => lines.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  picker.onDidChangeValue((typed) => void lookFor(typed));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    isShown ||= picker.keepScrollPosition || (active !== undefined && active === firstLine());
  });
  picker.onDidAccept(() => {
    const [line] = picker.selectedItems;
    // The picker activates the first line of an older answer by itself: Enter then means the text.
    if (line && isShown && (linesText === search.text || line !== firstLine())) {
      if (line.record) {
        resolve(line.record);
      } else {
        line.run?.();
      }
    } else if (picker.busy) {
      wanted = search.text;
    } else {
      resolveIfCertain();
    }
  });
  picker.onDidHide(() => resolve(undefined));
  picker.onDidTriggerItemButton(async ({ item: { record } }) => {
    if (record) {
      await onButton?.(record);
      show();
    }
  });
  if (offered) {
    picker.busy = true;
    show();
  }
  picker.show();
  void lookFor(picker.value);
  try {
    return await chosen;
  } finally {
    search.abort.abort();
    picker.dispose();
  }
}

function withoutRepeats<T extends { readonly id: number | string }>(records: readonly T[]): T[] {
  const seen = new Set<unknown>();
  return records.filter(({ id }) => !seen.has(id) && seen.add(id));
}
