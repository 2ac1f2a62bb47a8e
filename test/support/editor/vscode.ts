// What the extension gets by `import * as vscode from 'vscode'`: the types of the editor, and of what a window has that of the
// window which the running code belongs to. So several windows share the modules of the extension, which keep no state of their own.
import type * as real from 'vscode';
import { current, type Editor, translate } from './editor.ts';

export * from './types.ts';
export const version = '1.117.0';

/** A part of the API. What may change is read by a function each time. */
function part<T extends object>(of: (editor: Editor) => object, values: readonly string[] = []): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      const editor = current.getStore();
      if (!editor) {
        throw new Error(`vscode.${String(name)} is used outside of any window`);
      }
      const value: unknown = Reflect.get(of(editor), name);
      return values.includes(String(name)) ? (value as () => unknown)() : value;
    },
    // A test may put something else in the place of a part.
    set: (_, name, value) => Reflect.set(of(current.getStore() ?? ({} as Editor)), name, value),
  });
}

export const commands = part<typeof real.commands>((editor) => editor.commands);
export const window = part<typeof real.window>((editor) => editor.window, ['activeTextEditor', 'state', 'tabGroups']);
export const workspace = part<typeof real.workspace>(
  (editor) => editor.workspace,
  [
    ...['isTrusted', 'workspaceFolders', 'textDocuments', 'onDidOpenTextDocument', 'onDidChangeTextDocument'],
    ...['onDidSaveTextDocument', 'onDidCloseTextDocument'],
  ],
);
export const languages = part<typeof real.languages>((editor) => editor.languages);
export const env = part<typeof real.env>((editor) => editor.env, ['language']);
/** Modules take `t` once: it is that of the window in which it is called; outside of any, such as while a module loads, it is English. */
export const l10n: Pick<typeof real.l10n, 't' | 'bundle'> = {
  t: (...args: unknown[]): string => {
    const [message, ...rest] = args as Parameters<Editor['l10n']['t']>;
    return current.getStore()?.l10n.t(message, ...rest) ?? translate(undefined, message, ...rest);
  },
  get bundle() {
    return current.getStore()?.l10n.bundle();
  },
};
export const authentication = part<typeof real.authentication>((editor) => editor.authentication);
export const lm = part<typeof real.lm>((editor) => editor.lm);
export const extensions = part<typeof real.extensions>((editor) => editor.extensionsApi, ['all']);
