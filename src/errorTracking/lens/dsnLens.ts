import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import { loadOnce } from '../../loadOnce.ts';
import type { WorkspaceFiles } from '../../workspaceFiles/workspaceFiles.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { TrackedProjects } from '../trackedProjects.ts';
import { DsnDiagnostics } from './dsnDiagnostics.ts';
import { DsnIndex } from './dsnIndex.ts';
import type { DsnStates } from './dsnStates.ts';

/** Recognizes DSNs in the workspace's files: says what they are, what is wrong with them, and mends it. */
export class DsnLens implements vscode.Disposable {
  readonly index: DsnIndex;
  readonly diagnostics: DsnDiagnostics;
  readonly #subscription: vscode.Disposable;
  #isOn: boolean | undefined;

  /** @param inUse without an account in any state, and in a workspace that is not trusted, no file is looked at. */
  constructor(
    files: WorkspaceFiles,
    inUse: Pick<AccountInUse, 'state' | 'onDidChange'>,
    dsnStates: DsnStates,
    projectStates: ProjectStates,
    projects: TrackedProjects,
    log: Pick<vscode.LogOutputChannel, 'info'>,
  ) {
    this.index = new DsnIndex(files);
    this.diagnostics = new DsnDiagnostics(this.index, dsnStates, projectStates, projects);
    const anywhere = { pattern: '**' };
    const hover = loadOnce(async () => new (await import('./dsnHover.ts')).DsnHover(dsnStates));
    const fixes = loadOnce(async () => new (await import('./dsnQuickFixes.ts')).DsnQuickFixes(dsnStates));
    const follow = (): void => {
      const isOn = inUse.state !== 'none' && vscode.workspace.isTrusted;
      if (isOn !== this.#isOn) {
        this.#isOn = isOn;
        log.info(
          isOn ? 'DSNs are looked for.' : 'DSNs are not looked for: signed out, or the workspace is not trusted.',
        );
      }
      if (isOn) {
        this.index.start();
      } else {
        this.index.stop();
      }
    };
    this.#subscription = vscode.Disposable.from(
      this.index,
      this.diagnostics,
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
      inUse.onDidChange(follow),
      vscode.workspace.onDidGrantWorkspaceTrust(follow),
    );
    follow();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
