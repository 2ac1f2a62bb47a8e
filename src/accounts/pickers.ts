import * as vscode from 'vscode';
import type { UserRecord } from '../api/directory.ts';
import { inertText } from '../common/inertText.ts';
import { createQuickPick } from '../common/inertWindow.ts';
import type { Connection } from './connections.ts';
import {
  groupSource,
  projectSource,
  Search,
  type SearchState,
  type RecordSource,
  userSource,
} from './directorySearch.ts';
import type { Pin } from './pins.ts';
import { problemOf } from './problem.ts';

/** What a picker says of itself. */
export interface PickerOptions {
  readonly title: string;
  /** What was typed already. */
  readonly text?: string;
}

/**
 * Lets the user choose a project: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickProject(connection: Connection, options: PickerOptions): Promise<Pin | undefined> {
  const project = await pick(projectSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search projects, or type an ID or a full path such as group/project'),
    describe: ({ path_with_namespace: path, name }) => ({ label: path, description: name }),
    icon: 'repo',
  });
  const { id: accountId } = connection.account;
  return project && { kind: 'project', accountId, id: project.id, path: project.path_with_namespace };
}

/**
 * Lets the user choose a group: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickGroup(connection: Connection, options: PickerOptions): Promise<Pin | undefined> {
  const group = await pick(groupSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search groups, or type an ID or a full path such as group/subgroup'),
    describe: ({ full_path: path, name }) => ({ label: path, description: name }),
    icon: 'organization',
  });
  return group && { kind: 'group', accountId: connection.account.id, id: group.id, path: group.full_path };
}

/**
 * Lets the user choose a user: by searching as they type, by numeric id, username or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickUser(connection: Connection, options: PickerOptions): Promise<UserRecord | undefined> {
  return await pick(userSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search users, or type an ID or a username'),
    describe: ({ username, name }) => ({ label: name, description: `@${username}` }),
    icon: 'person',
  });
}

/** How records of one kind are shown. */
export interface Presentation<T> {
  readonly title: string;
  /** What was typed already. */
  readonly text?: string;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => { readonly label: string; readonly description: string };
  /** The id of a codicon. */
  readonly icon: string;
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
 * Lets the user choose a record of what is found while they type. Failures show in the picker, with what to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends { readonly id: number }>(
  source: RecordSource<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder, text: value = '' } = presentation;
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
    picker.keepScrollPosition = state.records.length > picker.items.length;
    sent = { text: state.text, lines: linesOf(state, presentation, search, () => resolve(undefined)) };
    picker.items = sent.lines;
  });
  function resolveIfCertain({ records: [first, second], exact }: SearchState<T>): void {
    if (first && (exact || !second)) {
      resolve(first);
    }
  }
  picker.onDidChangeValue((value) => void search.search(value));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    if (picker.keepScrollPosition || (active && sent.lines.indexOf(active) === 0)) {
      seen = sent;
    }
  });
  picker.onDidAccept(() => {
    const [selected] = picker.selectedItems;
    const line = selected && seen.lines[sent.lines.indexOf(selected)];
    const { state } = search;
    // The picker activates the first line of an older answer by itself: Enter then means the text.
    if (line && (seen.text === state.text || line !== seen.lines[0])) {
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
  picker.show();
  void search.search(picker.value);
  try {
    return await chosen;
  } finally {
    search.stop();
    picker.dispose();
  }
}

function linesOf<T extends { readonly id: number }>(
  state: SearchState<T>,
  { describe, icon }: Presentation<T>,
  search: Search<T>,
  close: () => void,
): Line<T>[] {
  const lines = state.records.map((record): Line<T> => {
    const { label, description } = describe(record);
    return {
      record,
      label: inertText(label),
      description: inertText(description),
      iconPath: new vscode.ThemeIcon(icon),
    };
  });
  if (state.error !== undefined) {
    lines.push(...problemLines(state.error, () => search.search(state.text), close));
  } else if (state.hasMore) {
    const label = vscode.l10n.t('Load More');
    lines.push({ label, iconPath: new vscode.ThemeIcon('fold-down'), run: () => search.searchFurther() });
  } else if (lines.length === 0) {
    lines.push({
      label: vscode.l10n.t('Nothing found for “{0}”', inertText(state.text)),
      iconPath: new vscode.ThemeIcon('info'),
    });
  }
  // The instance has matched them by more fields than the editor could.
  return lines.map((line) => ({ ...line, alwaysShow: true }));
}

function problemLines(error: unknown, tryAgain: () => unknown, close: () => void): Line<never>[] {
  const { sentence, remedy } = problemOf(error);
  const fix = (): void => {
    close();
    void vscode.commands.executeCommand(remedy?.command ?? '', ...((remedy?.arguments ?? []) as unknown[]));
  };
  return [
    {
      label: vscode.l10n.t('Try Again'),
      detail: inertText(sentence),
      iconPath: new vscode.ThemeIcon('warning'),
      run: tryAgain,
    },
    ...(remedy ? [{ label: remedy.title, iconPath: new vscode.ThemeIcon('arrow-right'), run: fix }] : []),
  ];
}
