import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import { loadOnce } from '../../common/commands.ts';
import type { WorkspaceFiles } from '../../workspace/files.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { TrackedProjects } from '../trackedProjects.ts';
import type { DsnIndex } from './dsnIndex.ts';
import type { DsnQuickFixes } from './dsnQuickFixes.ts';
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
 * Recognizes DSNs in the workspace's files: hovers, problems and quick fixes. No file is searched while nobody is signed in
 * or the workspace is not trusted.
 */
export class DsnLens implements vscode.Disposable {
  readonly #deps: DsnLensDeps;
  readonly #subscriptions: vscode.Disposable[];
  readonly #index = loadOnce(() => this.#loadIndex());
  readonly #hover = loadOnce(async () => new (await import('./dsnHover.ts')).DsnHover(this.#deps.dsnStates));
  readonly #fixes = loadOnce(async () => new (await import('./dsnQuickFixes.ts')).DsnQuickFixes(this.#deps.dsnStates));
  #isOn = false;
  #isDisposed = false;

  constructor(deps: DsnLensDeps) {
    this.#deps = deps;
    this.#subscriptions = [
      deps.inUse.onDidChange(() => this.#follow()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#follow()),
    ];
    this.#follow();
  }

  /** The DSNs of the workspace's files; undefined while none is searched. */
  async index(): Promise<DsnIndex | undefined> {
    return this.#isOn ? await this.#index() : undefined;
  }

  /** Says what the DSN at a place is, for any account and for none. */
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    return await (await this.#hover()).provideHover(document, position);
  }

  /** The quick fixes for problems of DSNs. */
  async provideCodeActions(
    ...args: Parameters<DsnQuickFixes['provideCodeActions']>
  ): Promise<Awaited<ReturnType<DsnQuickFixes['provideCodeActions']>>> {
    return await (await this.#fixes()).provideCodeActions(...args);
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

  /** The search and its results, which a window needs only while someone is signed in. */
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
