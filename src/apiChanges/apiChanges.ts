import * as vscode from 'vscode';
import { type Commands, loadedCommands } from '../commands.ts';
import { loadOnce } from '../loadOnce.ts';
import { ReportDocuments } from '../views/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { Hints } from './hints.ts';
import { provideHints } from './hintProviders.ts';
import { toggleHints } from './settings.ts';

/** Tells developers what API v5 is announced to change in the programs that they work on. Requests nothing. */
export class Deprecations implements vscode.Disposable {
  readonly #parts: vscode.Disposable;
  readonly commands: Commands;

  constructor(files: WorkspaceFiles, log: vscode.LogOutputChannel) {
    const hints = new Hints(files, log);
    const documents = new ReportDocuments('beacon-readiness');
    this.#parts = vscode.Disposable.from(hints, documents, provideHints(hints));
    const loadCheck = loadOnce(async () => {
      const { ReadinessCheck } = await import('./readinessCheck.ts');
      return new ReadinessCheck(files, documents);
    });
    this.commands = {
      ...loadedCommands(['beacon.deprecations.check'], loadCheck),
      'beacon.deprecations.toggle': () => toggleHints(),
    };
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
