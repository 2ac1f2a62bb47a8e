import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ProjectPlace } from '../accounts/account.ts';
import { type Commands, LazyService } from '../common/commands.ts';
import { LoadedTree } from '../common/trees.ts';
import type { ErrorTrackingDeps, ErrorTrackingServices } from './errorTrackingServices.ts';
import type { ErrorTrackingNode, ErrorTrackingTree } from './errorTrackingTree.ts';
import { DsnDrag, DsnDrop } from './insertion/dragAndDrop.ts';
import { RotationJournal } from './rotation/rotationJournal.ts';

/**
 * Error tracking as every window has it: its view, and what it says about DSNs in files. Its code is loaded while somebody is
 * signed in, by its commands, and for the hover of a line that may have a DSN.
 */
export class ErrorTrackingFeature implements vscode.Disposable {
  readonly #services: LazyService<ErrorTrackingServices>;
  readonly #subscription: vscode.Disposable;

  constructor(deps: ErrorTrackingDeps) {
    const { accountInUse, memento, log } = deps;
    const journal = new RotationJournal(memento);
    const isSignedIn = (): boolean => accountInUse.state !== 'none';
    const { onDidChange } = accountInUse;
    const tree = new LoadedTree<ErrorTrackingNode, ErrorTrackingTree>(
      async () => (await this.#services.load()).view.createTree(),
      { isMet: isSignedIn, onDidChange },
    );
    const treeView = vscode.window.createTreeView('beacon.errorTracking', {
      treeDataProvider: tree,
      dragAndDropController: new DsnDrag(),
      showCollapseAll: true,
    });
    this.#services = new LazyService(async () => {
      const { ErrorTrackingServices } = await import('./errorTrackingServices.ts');
      return new ErrorTrackingServices(deps, journal, tree, treeView);
    });
    const logError = (error: unknown): void => log.error(inspect(error));
    const follow = (): void => {
      if (isSignedIn()) {
        this.#services.load().catch(logError);
      }
    };
    this.#subscription = vscode.Disposable.from(
      this.#services,
      tree,
      treeView,
      DsnDrop.register(),
      ...this.#provideLens(),
      onDidChange(follow),
    );
    follow();
    if (journal.all.length > 0) {
      this.#services
        .load()
        .then((services) => services.notifyInterrupted())
        .catch(logError);
    }
  }

  /** Loads the commands whose ids begin with `beacon.errorTracking.`. */
  async load(): Promise<Commands> {
    return await (await this.#services.load()).load();
  }

  /** Whether a project is shown without being pinned first. */
  async shows(project: ProjectPlace): Promise<boolean> {
    return (await this.#services.load()).view.shows(project);
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    await (await this.#services.load()).view.show(project);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #provideLens(): vscode.Disposable[] {
    const anywhere = { pattern: '**' };
    return [
      vscode.languages.registerHoverProvider(anywhere, {
        // Every DSN has an @: other lines are no reason to load anything.
        provideHover: async (document, position) =>
          vscode.workspace.isTrusted && document.lineAt(position).text.includes('@')
            ? (await this.#services.load()).lens.provideHover(document, position)
            : undefined,
      }),
      vscode.languages.registerCodeActionsProvider(
        anywhere,
        {
          // Problems of DSNs come from what is loaded by then.
          provideCodeActions: async (document, range, context) =>
            context.diagnostics.length > 0
              ? this.#services.loaded?.lens.provideCodeActions(document, range, context)
              : [],
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    ];
  }
}
