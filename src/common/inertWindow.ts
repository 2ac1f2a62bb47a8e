import * as vscode from 'vscode';
import { inertText } from './inertText.ts';

/**
 * The only access to the editor's messages, quick picks, inputs, progress and status bar, which render `$(name)` as icons and
 * `[text](address)` as links, also such as run commands. A lint rule sees to it that nothing else calls the originals.
 */

const mostOfMessage = 2000;
const mostOfDetail = 5000;
/**
 * A message without a button stands in one line, which the editor cuts: longer ones have a button, so that they are shown whole. As
 * many full-width characters fit.
 */
const mostOfLine = 30;

export async function showMessage(severity: 'info' | 'warning', message: string, ...buttons: readonly string[]) {
  // One that would be cut gets a button that closes it.
  const isCut = buttons.length === 0 && message.length > mostOfLine;
  const inert = isCut ? [vscode.l10n.t('OK')] : buttons.map((button) => inertText(button));
  const { showInformationMessage: inform, showWarningMessage: warn } = vscode.window;
  const chosen = await (severity === 'info' ? inform : warn)(inertText(message, mostOfMessage), ...inert);
  return buttons[inert.indexOf(chosen ?? '')];
}

export async function showInformationMessage(message: string, ...buttons: readonly string[]) {
  return await showMessage('info', message, ...buttons);
}

/** What a dialog says below its question: paragraphs, those that are lists line by line. What they quote makes no further lines. */
export type Detail = string | readonly (string | readonly string[])[];

/**
 * Shows something that has to be answered. Enter presses the first button.
 *
 * @param closing what Escape presses, in the place of the editor's own "Cancel".
 */
export async function showModal(
  severity: 'info' | 'warning',
  message: string,
  detail: Detail,
  buttons: readonly string[],
  closing?: string,
): Promise<string | undefined> {
  const items: vscode.MessageItem[] = buttons.map((button) => ({ title: inertText(button) }));
  if (closing !== undefined) {
    items.push({ title: inertText(closing), isCloseAffordance: true });
  }
  const paragraphs = (typeof detail === 'string' ? [detail] : detail).map((paragraph) =>
    [paragraph]
      .flat()
      .map((line) => inertText(line, mostOfDetail))
      .join('\n'),
  );
  const options = { modal: true, detail: paragraphs.join('\n\n').slice(0, mostOfDetail) };
  const shown = [inertText(message, mostOfMessage), options, ...items] as const;
  const chosen = await (severity === 'info'
    ? vscode.window.showInformationMessage(...shown)
    : vscode.window.showWarningMessage(...shown));
  return chosen && [...buttons, closing][items.indexOf(chosen)];
}

/** Asks before something that is not easily undone. @param verb the button that goes on. */
export async function confirm(question: string, detail: Detail, verb: string): Promise<boolean> {
  return (await showModal('warning', question, detail, [verb])) === verb;
}

/** An item of the status bar with an icon, which runs a command and is hidden without a text. */
export function createStatusBarItem(id: string, icon: string, command: string) {
  const item = vscode.window.createStatusBarItem(id);
  item.command = command;
  return {
    show(text: string, tooltip: string): void {
      item.text = `$(${icon}) ${inertText(text)}`;
      item.tooltip = tooltip;
      item[text === '' ? 'hide' : 'show']();
    },
    dispose: () => item.dispose(),
  };
}

export function setStatusBarMessage(text: string, milliseconds: number): void {
  vscode.window.setStatusBarMessage(inertText(text), milliseconds);
}

/** Copies a text, and says so in the status bar. @param label what it is called there. */
export async function copyText(text: string, label = text): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  setStatusBarMessage(vscode.l10n.t('Copied {0}', label), 5000);
}

/**
 * Lets the user choose several lines of a list. It stays when it loses the focus: a menu that it was opened from gives the focus back
 * late, and who looks something up in the editor would lose what they had begun.
 */
export async function chooseSeveral<T extends vscode.QuickPickItem>(
  items: readonly T[],
  texts: { readonly title: string; readonly placeHolder: string },
): Promise<readonly T[] | undefined> {
  const options = { ignoreFocusOut: true, matchOnDescription: true, canPickMany: true } as const;
  return await vscode.window.showQuickPick(items.map(makeInert), { ...inertParts(texts), ...options });
}

export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

export async function showInputBox(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const validateInput = async (text: string) => inertPart('validationMessage', await options.validateInput?.(text));
  return await vscode.window.showInputBox({ ...inertParts(options), validateInput });
}

export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return inertInput(vscode.window.createQuickPick<T>());
}

export function createInputBox(): vscode.InputBox {
  return inertInput(vscode.window.createInputBox());
}

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

export async function withProgress<T>(
  options: vscode.ProgressOptions,
  run: (progress: Progress, token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  return await vscode.window.withProgress(inertParts(options), async (progress, token) =>
    run({ report: (step) => progress.report(inertParts(step)) }, token),
  );
}

/** Runs something that the user can cancel, with its progress in a notification. */
export async function withCancellableProgress<T>(
  title: string,
  run: (signal: AbortSignal, progress: Progress) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return await withProgress({ location, title, cancellable: true }, (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return run(abort.signal, progress);
  });
}

/** Changes the line itself: what the editor gives back is what it was given. */
function makeInert<T extends vscode.QuickPickItem>(line: T): T {
  line.label = inertText(line.label);
  if (line.description !== undefined) {
    line.description = inertText(line.description);
  }
  if (line.detail !== undefined) {
    line.detail = inertText(line.detail, mostOfMessage);
  }
  return line;
}

/** An input whose texts become inert as they are set. */
function inertInput<Input extends vscode.QuickInput>(input: Input): Input {
  return new Proxy(input, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value: unknown) => Reflect.set(target, name, inertPart(name, value), target),
  });
}

function inertParts<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, inertPart(name, value)])) as T;
}

function inertPart<T>(name: string | symbol, value: T): T {
  switch (name) {
    case 'title':
    case 'placeholder':
    case 'placeHolder':
    case 'prompt':
    case 'message':
      return typeof value === 'string' ? (inertText(value) as T & string) : value;
    case 'validationMessage':
      // A sentence, or one with its severity.
      return typeof value === 'object' && value !== null ? inertParts(value) : inertPart('message', value);
    case 'items':
      return (value as T & vscode.QuickPickItem[]).map(makeInert) as T & vscode.QuickPickItem[];
    default:
      return value;
  }
}
