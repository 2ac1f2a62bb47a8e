import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../../workspaceFiles/workspaceFiles.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { TrackedProjects } from '../trackedProjects.ts';
import { DsnDiagnostics } from './dsnDiagnostics.ts';
import { DsnHover } from './dsnHover.ts';
import { DsnIndex } from './dsnIndex.ts';
import { DsnQuickFixes } from './dsnQuickFixes.ts';
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
    this.#subscription = vscode.Disposable.from(
      this.index,
      this.diagnostics,
      vscode.languages.registerHoverProvider(anywhere, new DsnHover(dsnStates)),
      vscode.languages.registerCodeActionsProvider(anywhere, new DsnQuickFixes(dsnStates), {
        providedCodeActionKinds: DsnQuickFixes.kinds,
      }),
    );
    this.index.start();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
