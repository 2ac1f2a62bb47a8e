import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { Dialogs } from '../accounts/dialogs.ts';
import type { Pins } from '../accounts/pins.ts';
import { problemOf } from '../accounts/problem.ts';
import type { Commands } from '../common/commands.ts';
import type { ProjectStates } from './projectStates.ts';
import type { CommandTarget, TargetResolver } from './targets.ts';
import type { TrackedProject, TrackedProjects } from './trackedProjects.ts';

export interface ProjectCommandsDeps {
  readonly targets: TargetResolver;
  readonly projects: TrackedProjects;
  readonly states: ProjectStates;
  readonly pins: Pins;
  readonly dialogs: Dialogs;
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
}

/** What a user does with a project of the Error Tracking view, apart from its settings and keys. */
export class ProjectCommands {
  readonly #deps: ProjectCommandsDeps;
  readonly commands = {
    'beacon.errorTracking.reloadProject': (project?: TrackedProject) => this.#reload(project),
    'beacon.errorTracking.unpinProject': (chosen?: CommandTarget) => this.#unpin(chosen),
    'beacon.errorTracking.openOnWeb': (chosen?: CommandTarget) => this.#openOnWeb(chosen),
    'beacon.errorTracking.showMove': (project?: TrackedProject) => this.#showMove(project),
  } satisfies Commands;

  constructor(deps: ProjectCommandsDeps) {
    this.#deps = deps;
  }

  async #reload(chosen?: TrackedProject): Promise<void> {
    const { dialogs, states, log } = this.#deps;
    const project = await this.#askFor(chosen, vscode.l10n.t('Check Again'));
    if (!project) {
      return;
    }
    const { error } = await dialogs.viewProgress(() => states.refresh(project));
    if (error !== undefined) {
      log.error(problemOf(error).sentence, inspect(error));
    }
  }

  async #unpin(chosen?: CommandTarget): Promise<void> {
    const { projects, dialogs, pins } = this.#deps;
    const pinned = projects.all.filter(({ place }) => place === 'pinned');
    if (!chosen && pinned.length === 0) {
      dialogs.notify('info', vscode.l10n.t('No project is pinned.'));
      return;
    }
    const project =
      chosen?.project ??
      (pinned.length === 1 ? pinned[0] : undefined) ??
      (await dialogs.choose(
        vscode.l10n.t('Unpin Project'),
        vscode.l10n.t('Choose a project'),
        pinned.map((candidate) => ({ label: candidate.path, value: candidate })),
      ));
    if (project && typeof project.idOrPath === 'number') {
      await pins.remove({ kind: 'project', accountId: project.accountId, id: project.idOrPath });
    }
  }

  /** Opens the errors of a project on the web. */
  async #openOnWeb(chosen?: CommandTarget): Promise<void> {
    const { targets, states, dialogs } = this.#deps;
    const project = await targets.project(chosen, vscode.l10n.t('Open Errors in Browser'));
    if (!project) {
      return;
    }
    const { facts } = await states.load(project);
    if (facts?.webUrl === undefined) {
      dialogs.notify('warning', vscode.l10n.t('The web address of {0} is not known.', project.path));
      return;
    }
    await vscode.env.openExternal(vscode.Uri.parse(`${facts.webUrl}/-/error_tracking`, true));
  }

  /** Says how the remote of the repository gets the new address of its project. */
  async #showMove(moved?: TrackedProject): Promise<void> {
    const { states, dialogs } = this.#deps;
    const project = await this.#askFor(moved, vscode.l10n.t('Show New Project Address'));
    const { facts } = project ? await states.load(project) : {};
    if (!project || !facts) {
      return;
    }
    const { path, webUrl } = facts;
    const sentence = vscode.l10n.t(
      'The project has moved from {0} to {1}. Everything here still works; set the new address in the remote for Git.',
      project.path,
      path,
    );
    const address = `${webUrl ?? path}.git`;
    dialogs.notify('info', sentence, {
      title: vscode.l10n.t('Copy New Address'),
      run: () => vscode.env.clipboard.writeText(address),
    });
  }

  /** The project that a command is about: the one that it was chosen on, or else one that the user chooses. */
  async #askFor(chosen: TrackedProject | undefined, title: string): Promise<TrackedProject | undefined> {
    return chosen ?? (await this.#deps.targets.project(undefined, title));
  }
}
