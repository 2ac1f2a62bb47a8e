import * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { Hints } from './hints.ts';
import { provideHints } from './hintProviders.ts';
import { ReadinessCheck } from './readinessCheck.ts';
import { toggleHints } from './settings.ts';

/** Tells developers what API v5 is announced to change in the programs that they work on. Requests nothing. */
export class Deprecations implements vscode.Disposable {
  readonly #hints: Hints;
  readonly #check: ReadinessCheck;
  readonly #providers: vscode.Disposable;
  readonly commands: Commands = {
    // A keybinding or task can give a glob pattern of the files to check.
    'beacon.deprecations.check': (include?: vscode.GlobPattern) => this.#check.run(include),
    'beacon.deprecations.toggle': () => toggleHints(),
  };

  constructor(files: WorkspaceFiles, log: vscode.LogOutputChannel) {
    this.#hints = new Hints(files, log);
    this.#check = new ReadinessCheck(files);
    this.#providers = provideHints(this.#hints);
  }

  dispose(): void {
    vscode.Disposable.from(this.#hints, this.#check, this.#providers).dispose();
  }
}
