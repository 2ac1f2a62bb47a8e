import type * as vscode from 'vscode';
import { EventEmitter, InputBoxValidationSeverity, QuickPickItemKind, Uri } from './types.ts';

/** What a message, a preview or a dialog for files says. */
export interface Message {
  readonly kind: 'information' | 'warning' | 'error' | 'preview' | 'open' | 'save';
  readonly text: string;
  readonly detail: string;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
}

/** Who sits in front of a window. */
export interface User {
  /** Looks at an input that is open, as often as it changes. */
  see(input: Input): void;
  /** Reads a message. @returns the button that was pressed, or the path of a file. */
  read(message: Message): Promise<string | undefined>;
}

export type Item = vscode.QuickPickItem;

/** A quick pick or an input box. */
export class Input {
  readonly kind: 'pick' | 'text';
  isOpen = false;
  title?: string;
  placeholder?: string;
  prompt?: string;
  value = '';
  busy = false;
  enabled = true;
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  buttons: readonly vscode.QuickInputButton[] = [];
  canSelectMany = false;
  validationMessage: vscode.InputBox['validationMessage'];
  readonly accepted = new EventEmitter<void>();
  readonly hidden = new EventEmitter<void>();
  readonly typed = new EventEmitter<string>();
  readonly active = new EventEmitter<readonly Item[]>();
  readonly pressed = new EventEmitter<vscode.QuickInputButton>();
  readonly itemPressed = new EventEmitter<{ item: Item; button: vscode.QuickInputButton }>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidChangeActive = this.active.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidTriggerItemButton = this.itemPressed.event;
  readonly see: (input: Input) => void;

  constructor(kind: Input['kind'], see: (input: Input) => void) {
    [this.kind, this.see] = [kind, see];
    // What an extension sets is seen at once where the input is open.
    return new Proxy(this, {
      set: (target, name, value, input: Input) => {
        const isSet = Reflect.set(target, name, value);
        if (name === 'items') {
          target.activeItems = target.items.filter((item) => item.kind !== QuickPickItemKind.Separator).slice(0, 1);
          // Before anybody sees them.
          queueMicrotask(() => this.active.fire(target.activeItems));
        }
        if (target.isOpen && name !== 'isOpen') {
          see(input);
        }
        return isSet;
      },
    });
  }

  show(): void {
    this.isOpen = true;
    this.see(this);
  }

  /** The user accepts the lines that are chosen: those that are active, or picked where several can be. */
  accept(): void {
    this.selectedItems = this.canSelectMany ? this.selectedItems : this.activeItems;
    this.accepted.fire();
  }

  hide(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.hidden.fire();
    }
  }

  dispose(): void {
    this.hide();
  }
}

/** Shows an input until it is accepted with a result, or hidden. */
async function ask<T>(input: Input, result: () => T | Promise<T>): Promise<T | undefined> {
  return await new Promise<T | undefined>((resolve) => {
    input.onDidAccept(async () => {
      const value = await result();
      if (value !== undefined) {
        resolve(value);
      }
    });
    input.onDidHide(() => resolve(undefined));
    input.show();
  }).finally(() => input.hide());
}

/** What of the editor's window asks a user, who sees one input at a time. */
export function questionsTo(user: User) {
  let shown: Input | undefined;
  const createInput = (kind: Input['kind']): Input =>
    new Input(kind, (input) => {
      if (shown !== input) {
        shown?.hide();
        shown = input;
      }
      user.see(input);
    });
  const showMessage =
    (kind: Message['kind']) =>
    async (
      text: string,
      ...rest: readonly (string | vscode.MessageItem | vscode.MessageOptions)[]
    ): Promise<string | vscode.MessageItem | undefined> => {
      const options = rest.find((one) => typeof one === 'object');
      const { modal: isModal = false, detail = '' } = (options ?? {}) as vscode.MessageOptions;
      const items = rest.filter((one) => typeof one === 'string' || 'title' in one);
      const buttons = items.map((one) => (typeof one === 'string' ? one : one.title));
      const chosen = await user.read({ kind, text, detail, isModal, buttons });
      return items.find((_, index) => buttons[index] === chosen);
    };
  const chooseFile = async (kind: 'open' | 'save', text = ''): Promise<vscode.Uri | undefined> => {
    const path = await user.read({ kind, text, detail: '', isModal: true, buttons: [] });
    return path === undefined ? undefined : Uri.file(path);
  };
  return {
    showInformationMessage: showMessage('information'),
    showWarningMessage: showMessage('warning'),
    createInputBox: () => createInput('text'),
    createQuickPick: () => createInput('pick'),
    showQuickPick: async (items: readonly Item[], options: vscode.QuickPickOptions = {}): Promise<unknown> => {
      const { title, placeHolder: placeholder, canPickMany: canSelectMany = false } = options;
      const selectedItems = items.filter(({ picked }) => picked);
      const input = Object.assign(createInput('pick'), { title, placeholder, items, canSelectMany, selectedItems });
      return await ask(input, () => (canSelectMany ? input.selectedItems : input.selectedItems[0]));
    },
    showInputBox: async (options: vscode.InputBoxOptions = {}): Promise<string | undefined> => {
      const { title, placeHolder: placeholder, prompt, value = '' } = options;
      const input = Object.assign(createInput('text'), { title, placeholder, prompt, value });
      return await ask(input, async () => {
        const problem = (await options.validateInput?.(input.value)) ?? undefined;
        const isWrong = typeof problem === 'object' ? problem.severity === InputBoxValidationSeverity.Error : problem;
        input.validationMessage = isWrong ? problem : undefined;
        return isWrong ? undefined : input.value;
      });
    },
    showOpenDialog: async ({ title }: vscode.OpenDialogOptions) => {
      const uri = await chooseFile('open', title);
      return uri && [uri];
    },
    showSaveDialog: ({ title }: vscode.SaveDialogOptions) => chooseFile('save', title),
  };
}
