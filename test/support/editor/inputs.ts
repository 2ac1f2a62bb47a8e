import type * as vscode from 'vscode';
import { EventEmitter, InputBoxValidationSeverity, QuickPickItemKind } from './types.ts';

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
  [property: string]: unknown;
  readonly kind: 'pick' | 'text';
  isOpen = false;
  title: string | undefined = '';
  placeholder: string | undefined = '';
  prompt: string | undefined = '';
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
  readonly selected = new EventEmitter<readonly Item[]>();
  readonly pressed = new EventEmitter<vscode.QuickInputButton>();
  readonly itemPressed = new EventEmitter<{ item: Item; button: vscode.QuickInputButton }>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidChangeActive = this.active.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidTriggerButton = this.pressed.event;
  readonly onDidTriggerItemButton = this.itemPressed.event;
  readonly see: (input: Input) => void;

  constructor(kind: Input['kind'], see: (input: Input) => void) {
    [this.kind, this.see] = [kind, see];
    // What an extension sets is seen at once where the input is open.
    return new Proxy(this, {
      set: (target, name, value, input: Input) => {
        const isSet = Reflect.set(target, name, value);
        if (name === 'items' && target.items.length > 0) {
          target.activeItems = target.items.filter((item) => item.kind !== QuickPickItemKind.Separator).slice(0, 1);
          setImmediate(() => this.active.fire(target.activeItems));
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
    this.selected.fire(this.selectedItems);
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

/** Lets the user choose from a list by `input`. */
export async function pickFrom(
  input: Input,
  given: readonly (Item | string)[] | Thenable<readonly (Item | string)[]>,
  options: vscode.QuickPickOptions = {},
): Promise<unknown> {
  const lines = await given;
  const items = lines.map((line) => (typeof line === 'string' ? { label: line } : line));
  Object.assign(input, { title: options.title, placeholder: options.placeHolder, items });
  Object.assign(input, { canSelectMany: options.canPickMany, selectedItems: items.filter(({ picked }) => picked) });
  const originals = (chosen: readonly Item[]): unknown[] => chosen.map((item) => lines[items.indexOf(item)]);
  return await new Promise((resolve) => {
    input.onDidAccept(() =>
      resolve(options.canPickMany === true ? originals(input.selectedItems) : originals(input.activeItems)[0]),
    );
    input.onDidHide(() => resolve(undefined));
    input.show();
  }).finally(() => input.hide());
}

/** Asks for a line of text by `input`. */
export async function askForText(input: Input, options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
  const { title, placeHolder: placeholder, prompt, value = '', password } = options;
  Object.assign(input, { title, placeholder, prompt, value, password });
  return await new Promise<string | undefined>((resolve) => {
    input.onDidAccept(async () => {
      const problem = (await options.validateInput?.(input.value)) ?? undefined;
      const isWrong =
        typeof problem === 'object' ? problem.severity === InputBoxValidationSeverity.Error : (problem ?? '') !== '';
      if (isWrong) {
        input.validationMessage = problem;
      } else {
        resolve(input.value);
      }
    });
    input.onDidHide(() => resolve(undefined));
    input.show();
  }).finally(() => input.hide());
}
