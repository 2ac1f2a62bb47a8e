import * as vscode from 'vscode';

/** Stands in for functions of the editor's window; gives what puts them back. */
export function replaced(functions: Readonly<Record<string, unknown>>): vscode.Disposable {
  return replacedIn(vscode.window, functions);
}

/** Stands in for functions of a part of the editor's API. */
function replacedIn(part: object, functions: Readonly<Record<string, unknown>>): vscode.Disposable {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(part, name)]));
  Object.assign(part, functions);
  return { dispose: () => void Object.assign(part, before) };
}

/** Signs out by the command; its question is answered with yes. */
export async function signOut(): Promise<void> {
  const agreed = replaced({ showWarningMessage: async (_question: string, _options: object, verb: string) => verb });
  try {
    await vscode.commands.executeCommand('beacon.signOut');
  } finally {
    agreed.dispose();
  }
}

/** An input of the editor that the user fills in at once. */
export class AnsweredInput {
  readonly shown: { readonly value: string; readonly prompt: string }[];
  readonly #answers: (string | null)[];
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #never = new vscode.EventEmitter<never>();
  readonly #pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
  value = '';
  prompt = '';
  busy = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  #message: { readonly message: string } | undefined;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = this.#never.event;
  readonly onDidTriggerButton = this.#pressed.event;

  /** @param answers what is typed, or the tooltips of buttons; null where the user does nothing. */
  constructor(answers: (string | null)[], shown: { readonly value: string; readonly prompt: string }[]) {
    this.#answers = answers;
    this.shown = shown;
  }

  get validationMessage(): { readonly message: string } | undefined {
    return this.#message;
  }

  /** An answer that is not taken is the end. */
  set validationMessage(message: { readonly message: string } | undefined) {
    this.#message = message;
    if (message) {
      this.shown.push({ value: this.value, prompt: message.message });
      this.#hidden.fire();
    }
  }

  show(): void {
    this.shown.push({ value: this.value, prompt: this.prompt });
    const next = this.#answers.shift();
    if (next === null) {
      return;
    }
    const answer = next ?? this.value;
    // That of the editor which leads back has no tooltip.
    const button = this.buttons.find(({ tooltip }) => (tooltip ?? 'Back') === answer);
    if (button) {
      this.#pressed.fire(button);
      this.#hidden.fire();
      return;
    }
    this.value = answer;
    this.#accepted.fire();
  }

  dispose(): void {
    vscode.Disposable.from(this.#accepted, this.#hidden, this.#never, this.#pressed).dispose();
  }
}

/** An input or a choice of the editor that the user closes without an answer. */
export class DismissedInput {
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #never = new vscode.EventEmitter<never>();
  value = '';
  items: readonly vscode.QuickPickItem[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  buttons: readonly vscode.QuickInputButton[] = [];
  readonly onDidHide = this.#hidden.event;
  readonly onDidAccept = this.#never.event;
  readonly onDidChangeValue = this.#never.event;
  readonly onDidChangeActive = this.#never.event;
  readonly onDidChangeSelection = this.#never.event;
  readonly onDidTriggerButton = this.#never.event;
  readonly onDidTriggerItemButton = this.#never.event;

  show(): void {
    queueMicrotask(() => this.hide());
  }

  hide(): void {
    this.#hidden.fire();
  }

  dispose(): void {
    vscode.Disposable.from(this.#hidden, this.#never).dispose();
  }
}
