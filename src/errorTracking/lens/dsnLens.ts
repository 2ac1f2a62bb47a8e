import * as vscode from 'vscode';
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

  constructor(files: WorkspaceFiles, dsnStates: DsnStates, projectStates: ProjectStates, projects: TrackedProjects) {
    this.index = new DsnIndex(files);
    this.diagnostics = new DsnDiagnostics(this.index, dsnStates, projectStates, projects);
    const anywhere = { pattern: '**' };
    const hover = loadOnce(async () => new (await import('./dsnHover.ts')).DsnHover(dsnStates));
    const fixes = loadOnce(async () => new (await import('./dsnQuickFixes.ts')).DsnQuickFixes(dsnStates));
    this.#subscription = vscode.Disposable.from(
      this.index,
      this.diagnostics,
      vscode.languages.registerHoverProvider(anywhere, {
        provideHover: async (document, position) => (await hover()).provideHover(document, position),
      }),
      vscode.languages.registerCodeActionsProvider(
        anywhere,
        {
          provideCodeActions: async (document, range, context) =>
            context.diagnostics.length === 0 ? [] : (await fixes()).provideCodeActions(document, range, context),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.index.start();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
