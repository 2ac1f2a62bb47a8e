import * as vscode from 'vscode';
import { type Commands, loadedCommands } from '../commands.ts';
import { loadOnce } from '../loadOnce.ts';
import { ReportDocuments } from '../views/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { Hints } from './hints.ts';
import { provideHints } from './hintProviders.ts';
import { toggleHints } from './settings.ts';

export interface ApiChangesDeps {
  readonly files: WorkspaceFiles;
  readonly log: vscode.LogOutputChannel;
  /** Keeps what the last check found, for the workspace. */
  readonly memento: vscode.Memento;
  /** Of this extension. */
  readonly version: string;
}

/** Shows developers what API v5 is announced to change in the programs that they work on. Requests nothing. */
export class ApiChanges implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable;
  readonly commands: Commands;

  constructor({ files, log, memento, version }: ApiChangesDeps) {
    const hints = new Hints(files, log);
    const documents = new ReportDocuments('beacon-readiness');
    this.#subscriptions = vscode.Disposable.from(hints, documents, provideHints(hints));
    const loadCheck = loadOnce(async () => {
      const { ReadinessCheck } = await import('./readinessCheck.ts');
      return new ReadinessCheck({ files, documents, memento, log, version });
    });
    this.commands = {
      ...loadedCommands(['beacon.deprecations.check', 'beacon.deprecations.export'], loadCheck),
      'beacon.deprecations.toggle': () => toggleHints(),
    };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
