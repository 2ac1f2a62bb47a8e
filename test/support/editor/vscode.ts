// What the extension gets by `import * as vscode from 'vscode'`: the types of the editor, and of what a window has that of the window
// which the running code belongs to. So several windows share the modules of the extension, which keep no state of their own.
import type * as real from 'vscode';
import { current, type Editor } from './editor.ts';

export * from './types.ts';
export const version = '1.117.0';

function ofWindow<T extends object>(part: keyof Editor['api']): T {
  const find = (name: string | symbol): object => {
    const found = current.getStore()?.api[part];
    if (!found) {
      throw new Error(`vscode.${part}.${String(name)} is used outside of any window`);
    }
    return found;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(find(name), name) as unknown,
    set: (_, name, value) => Reflect.set(find(name), name, value),
  });
}

export const commands = ofWindow<typeof real.commands>('commands');
export const window = ofWindow<typeof real.window>('window');
export const workspace = ofWindow<typeof real.workspace>('workspace');
export const languages = ofWindow<typeof real.languages>('languages');
export const env = ofWindow<typeof real.env>('env');
export const authentication = ofWindow<typeof real.authentication>('authentication');
export const lm = ofWindow<typeof real.lm>('lm');
export const extensions = ofWindow<typeof real.extensions>('extensions');

/** Texts, which are English outside of any window. */
export const l10n = {
  get bundle() {
    return current.getStore()?.api.l10n.bundle;
  },
  t(message: string, ...args: readonly unknown[]): string {
    const values = (typeof args[0] === 'object' ? args[0] : args) as Readonly<Record<string, unknown>>;
    const text = l10n.bundle?.[message] ?? message;
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
  },
};
