import * as vscode from 'vscode';
import { createQuickPick, separator } from '../common/inertWindow.ts';
import type { Connection } from './connections.ts';
import { groupSource, joinSources, type Place, projectSource, type RecordSource } from './directorySearch.ts';
import type { Pins } from './pins.ts';
import { problemOf, runRemedy } from './problem.ts';

/**
 * Lets the user choose a project or a group: by searching as they type, by numeric id, full path or web address.
 *
 * @param pins marks those that are pinned.
 * @returns undefined if they gave up.
 */
export async function pickPlace(
  connection: Connection,
  title: string,
  kinds: readonly Place['kind'][],
  pins?: Pins,
): Promise<Place | undefined> {
  const { id: accountId } = connection.account;
  const line = (place: Place, name: string | null | undefined) => ({ id: `${place.kind} ${place.id}`, place, name });
  const sources = {
    project: projectSource(connection, ({ id, path_with_namespace: path, name }) =>
      line({ kind: 'project', accountId, id, path }, name),
    ),
    group: groupSource(connection, ({ id, full_path: path, name }) =>
      line({ kind: 'group', accountId, id, path }, name),
    ),
  };
  const found = await pick(
    joinSources(async () => kinds.map((kind) => sources[kind])),
    {
      title,
      accountId,
      placeholder: vscode.l10n.t('Search by name, path, ID or web address'),
      describe: ({ place, name }) => {
        const isPinned = place.kind === 'project' && pins?.has(place) === true;
        return {
          label: place.path,
          description: [name, isPinned ? vscode.l10n.t('pinned') : ''].filter(Boolean).join(' · '),
          icon: isPinned ? 'pinned' : place.kind === 'group' ? 'organization' : 'repo',
        };
      },
    },
  );
  return found?.place;
}

interface Presentation<T> {
  readonly title: string;
  /** Whose token asks the instance: failures lead to that of another one. */
  readonly accountId?: string | undefined;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => Description;
  /** What stands above all that is found, as far as it contains the text that is typed; it waits for no answer. */
  readonly offered?: readonly T[];
  /** What the button of a line does. The lines are shown again afterwards. */
  readonly onButton?: (record: T) => Promise<void>;
}

export interface Description {
  readonly label: string;
  readonly description: string;
  /** The id of a codicon. */
  readonly icon: string;
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
  const { title, placeholder, accountId, describe, offered = [], onButton } = presentation;
  Object.assign(picker, { title, placeholder, ignoreFocusOut: true });
  // Whether Enter was pressed before there was an answer.
  let isWanted = false;
  // The editor shows lines a moment after it got them: what it reports until then is about those before, by their places.
  let isShown = false;
  let search = begin('');
  // What the text before has found: as far as it fits, it stays until there is an answer.
  let before: readonly T[] = [];
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();

  function begin(typed: string): Search<T> {
    const text = typed.trim();
    const abort = new AbortController();
    return { text, pages: source(text, abort.signal), abort, records: [], isOver: false };
  }

  /** Looks for another text, or for the same once more. */
  async function lookFor(text: string): Promise<void> {
    search.abort.abort();
    before = search.records.length > 0 ? search.records : before;
    search = begin(text);
    isWanted = false;
    picker.busy = true;
    show();
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
      const goesOn = before.length === 0;
      current.records = withoutRepeats([...current.records, ...records]);
      before = [];
      picker.busy = false;
      if (isWanted) {
        resolveIfCertain();
      }
      isWanted = false;
      show(goesOn);
    }
  }

  function allRecords(): readonly T[] {
    const fitting = [...offered, ...before].filter((record) => {
      const { label, description } = describe(record);
      return `${label}\n${description}`.toLowerCase().includes(search.text.toLowerCase());
    });
    return withoutRepeats([...fitting, ...search.records]);
  }

  function show(keepScrollPosition = false): void {
    const shown = allRecords().map((record) => ({ record, ...describe(record) }));
    const found = [...Map.groupBy(shown, ({ section = '' }) => section)].flatMap(([section, members]): Line<T>[] => [
      ...(section === '' ? [] : [separator(section)]),
      ...members.map(({ record, label, description, icon, button }) => {
        const iconPath = new vscode.ThemeIcon(icon);
        return { record, label, description, iconPath, ...(button ? { buttons: [button] } : {}) };
      }),
    ]);
    isShown = false;
    // The instance has matched them by more fields than the editor could.
    picker.items = [...found, ...actions(found.length === 0)].map((line) => ({ ...line, alwaysShow: true }));
    picker.keepScrollPosition = keepScrollPosition;
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

  picker.onDidChangeValue((typed) => void lookFor(typed));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    const first = picker.items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    isShown ||= picker.keepScrollPosition || (active !== undefined && active === first);
  });
  picker.onDidAccept(() => {
    const [line] = picker.selectedItems;
    if (line && isShown) {
      if (line.record) {
        resolve(line.record);
      } else {
        line.run?.();
      }
    } else if (picker.busy) {
      isWanted = true;
    } else {
      resolveIfCertain();
    }
  });
  picker.onDidHide(() => resolve(undefined));
  picker.onDidTriggerItemButton(async ({ item: { record } }) => {
    if (record) {
      await onButton?.(record);
      show(true);
    }
  });
  void lookFor(picker.value);
  picker.show();
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
