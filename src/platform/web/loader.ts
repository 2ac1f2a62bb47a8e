import * as vscode from 'vscode';
import { ProblemError } from '../../accounts/problem.ts';

/** Modules by the names that the bundler has given them; each runs when it is first asked for. */
type Modules = Readonly<Record<string, () => unknown>>;

/** What the bundler writes into each file around its modules, as hosts of extensions call it. */
type Evaluate = (module: { exports: Modules }, exports: object, require: (name: string) => unknown) => void;

const files = new Map<string, Promise<Modules>>();
let shared: Modules = {};

/** Gives the modules of the file that is always loaded to all others. */
export function provide(modules: Modules): void {
  shared = modules;
}

/**
 * Gives a module of a file in `dist/web/`, which is loaded on the first call: the host of extensions in a browser loads one file by itself.
 * It is read and evaluated as the host does it. After a failure the next call tries again.
 *
 * @throws ProblemError if the file cannot be read, as where there is no connection.
 * @see https://code.visualstudio.com/api/extension-guides/web-extensions#web-extension-main-file
 */
export async function load(file: string, module: string): Promise<unknown> {
  const loading = files.get(file) ?? evaluated(file);
  files.set(file, loading);
  try {
    return (await loading)[module]?.();
  } catch (error) {
    files.delete(file);
    throw error;
  }
}

async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    const sentence = vscode.l10n.t('A part of Beacon could not be loaded: check the network, and try again.');
    throw Object.assign(new ProblemError({ sentence }), { cause: error });
  }
}

async function evaluated(file: string): Promise<Modules> {
  const { extensionUri } = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab') ?? {};
  if (!extensionUri) {
    throw new Error('The editor does not know the extension');
  }
  const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'web', file);
  const code = await textOf(uri);
  // Nothing else evaluates code in a worker whose scripts are modules. The code is the extension's own, from beside what runs already.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const evaluate = new Function(
    'module',
    'exports',
    'require',
    `${code}\n//# sourceURL=${uri.toString(true)}`,
  ) as Evaluate;
  const module: { exports: Modules } = { exports: {} };
  evaluate(module, module.exports, (name) => (name === 'vscode' ? vscode : shared[name.replace('./', '')]?.()));
  return module.exports;
}
