import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import { loadOnce } from '../../loadOnce.ts';
import type { WorkspaceFiles } from '../../workspaceFiles/workspaceFiles.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { TrackedProjects } from '../trackedProjects.ts';
import type { DsnIndex } from './dsnIndex.ts';
import type { DsnStates } from './dsnStates.ts';

/** What the lens depends on. */
export interface DsnLensDeps {
  readonly files: WorkspaceFiles;
  readonly inUse: Pick<AccountInUse, 'state' | 'onDidChange'>;
  readonly dsnStates: DsnStates;
  readonly projectStates: ProjectStates;
  readonly projects: TrackedProjects;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'error'>;
  /** Says whether all files were searched. */
  readonly showCompleteness: (isComplete: boolean) => void;
}

/**
 * Recognizes DSNs in the workspace's files: says what they are, what is wrong with them, and fixes it. While nobody is signed
 * in, and in a workspace that is not trusted, no file is searched.
 */
export class DsnLens implements vscode.Disposable {
  readonly #deps: DsnLensDeps;
  readonly #subscriptions: vscode.Disposable[];
  readonly #index = loadOnce(() => this.#loadIndex());
  #isOn = false;
  #isDisposed = false;

  constructor(deps: DsnLensDeps) {
    this.#deps = deps;
    const { dsnStates, inUse } = deps;
    const anywhere = { pattern: '**' };
    const hover = loadOnce(async () => new (await import('./dsnHover.ts')).DsnHover(dsnStates));
    const fixes = loadOnce(async () => new (await import('./dsnQuickFixes.ts')).DsnQuickFixes(dsnStates));
    this.#subscriptions = [
      vscode.languages.registerHoverProvider(anywhere, {
        provideHover: async (document, position) =>
          vscode.workspace.isTrusted ? (await hover()).provideHover(document, position) : undefined,
      }),
      vscode.languages.registerCodeActionsProvider(
        anywhere,
        {
          provideCodeActions: async (document, range, context) =>
            context.diagnostics.length === 0 ? [] : (await fixes()).provideCodeActions(document, range, context),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      inUse.onDidChange(() => this.#follow()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#follow()),
    ];
    this.#follow();
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Searches files, or no longer does. */
  #follow(): void {
    const { inUse, log } = this.#deps;
    const isOn = inUse.state !== 'none' && vscode.workspace.isTrusted;
    if (isOn === this.#isOn) {
      return;
    }
    this.#isOn = isOn;
    log.info(isOn ? 'DSNs are looked for.' : 'DSNs are no longer looked for: nobody is signed in.');
    this.#index()
      .then((index) => (this.#isOn ? index.start() : index.stop()))
      .catch((error: unknown) => log.error(inspect(error)));
  }

  /** What searches and shows, which windows do not need in which nobody is signed in. */
  async #loadIndex(): Promise<DsnIndex> {
    const [{ DsnIndex: Index }, { DsnDiagnostics }] = await Promise.all([
      import('./dsnIndex.ts'),
      import('./dsnDiagnostics.ts'),
    ]);
    const { files, dsnStates, projectStates, projects, showCompleteness } = this.#deps;
    const index = new Index(files);
    const diagnostics = new DsnDiagnostics(index, dsnStates, projectStates, projects);
    this.#subscriptions.push(index, diagnostics, index.onDidChangeCompleteness(showCompleteness));
    if (this.#isDisposed) {
      this.dispose();
      throw new Error('The window is closing.');
    }
    return index;
  }
}
