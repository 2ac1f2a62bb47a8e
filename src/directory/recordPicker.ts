import * as vscode from 'vscode';
import { describeProblem } from '../accounts/problem.ts';
import { Search, type SearchState, type Source } from './search.ts';

/** How records of one kind are shown. */
export interface Presentation<T> {
  readonly title: string;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => { readonly label: string; readonly description: string };
  /** The id of a codicon. */
  readonly icon: string;
}

/** A line of the picker: a record, or a step. */
interface Line<T> extends vscode.QuickPickItem {
  readonly record?: T;
  readonly run?: () => unknown;
}

/**
 * Lets the person choose a record of what is found while they type. Failures show in the picker, with what to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends { readonly id: number }>(
  source: Source<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = vscode.window.createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder } = presentation;
  Object.assign(picker, { title, placeholder, ignoreFocusOut: true });
  // What Enter was pressed for before there was an answer.
  let wanted: string | undefined;
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();
  const search = new Search(source, (state) => {
    picker.busy = state.busy;
    if (state.busy) {
      return;
    }
    const [first, second] = state.records;
    if (wanted === state.text && first && (state.exact || !second)) {
      resolve(first);
    }
    wanted = undefined;
    picker.keepScrollPosition = state.records.length > picker.items.length;
    picker.items = linesOf(state, presentation, search, () => resolve(undefined));
  });
  picker.onDidChangeValue((value) => void search.lookFor(value));
  picker.onDidAccept(() => {
    const { busy, text } = search.state;
    if (busy) {
      wanted = text;
      return;
    }
    const [line] = picker.selectedItems;
    if (line?.record) {
      resolve(line.record);
    } else {
      line?.run?.();
    }
  });
  picker.onDidHide(() => resolve(undefined));
  picker.show();
  void search.lookFor(picker.value);
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
    return { record, label: plain(label), description: plain(description), iconPath: new vscode.ThemeIcon(icon) };
  });
  if (state.error !== undefined) {
    lines.push(...problemLines(state.error, () => search.lookFor(state.text), close));
  } else if (state.hasMore) {
    const label = vscode.l10n.t('Load More');
    lines.push({ label, iconPath: new vscode.ThemeIcon('fold-down'), run: () => search.lookFurther() });
  } else if (lines.length === 0) {
    lines.push({
      label: vscode.l10n.t('Nothing found for "{0}"', plain(state.text)),
      iconPath: new vscode.ThemeIcon('info'),
    });
  }
  // The instance has compared them with the text, in more ways than the editor could.
  return lines.map((line) => ({ ...line, alwaysShow: true }));
}

function problemLines(error: unknown, tryAgain: () => unknown, close: () => void): Line<never>[] {
  const { sentence, remedy } = describeProblem(error);
  const mend = (): void => {
    close();
    void vscode.commands.executeCommand(remedy?.command ?? '');
  };
  return [
    {
      label: vscode.l10n.t('Try Again'),
      detail: plain(sentence),
      iconPath: new vscode.ThemeIcon('warning'),
      run: tryAgain,
    },
    ...(remedy ? [{ label: remedy.title, iconPath: new vscode.ThemeIcon('arrow-right'), run: mend }] : []),
  ];
}

/** Keeps `$(name)` in text of the instance from turning into an icon. */
function plain(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}
