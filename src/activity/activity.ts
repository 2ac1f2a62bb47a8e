import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { ActivityView } from './activityView.ts';
import type { FeedChoice } from './feed/feedRef.ts';

/** The view "Activity" with its commands and pages. */
export class Activity implements vscode.Disposable {
  readonly commands: CommandsOf<'activity'>;
  /** Go on with pages that the editor restores, by their names. */
  readonly pages: ActivityView['actions']['revive'];
  readonly #view: ActivityView;

  constructor(app: App) {
    this.#view = new ActivityView(app, (treeDataProvider) =>
      vscode.window.createTreeView('beacon.activity', { treeDataProvider }),
    );
    const { commands, revive } = this.#view.actions;
    this.commands = commands;
    this.pages = revive;
  }

  /** Chooses a feed and brings it into view. */
  async show(choice: FeedChoice): Promise<void> {
    await this.#view.choices.choose(choice);
    await vscode.commands.executeCommand('beacon.activity.focus');
  }

  dispose(): void {
    this.#view.dispose();
  }
}
