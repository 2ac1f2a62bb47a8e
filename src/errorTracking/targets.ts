import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { Connection, Connections } from '../accounts/connections.ts';
import { type Choice, commandAction, type Dialogs, notifyProblem } from '../accounts/dialogs.ts';
import { pickProject } from '../accounts/pickers.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { shortKey } from './dsn.ts';
import { enableActions, failureLabel } from './messageRows.ts';
import {
  type ErrorTrackingState,
  type TrackedProjectFacts,
  type ProjectStates,
  settingsLabel,
  takesErrors,
} from './projectStates.ts';
import type { TrackedProject, TrackedProjects } from './trackedProjects.ts';

/** A project whose error tracking is known. */
export interface ResolvedProject {
  readonly project: TrackedProject;
  readonly facts: TrackedProjectFacts;
  readonly tracking: ErrorTrackingState;
}

/** A client key of a project. */
export interface ResolvedKey extends ResolvedProject {
  readonly key: ClientKeyRecord;
}

/** What a command was chosen on: a node of the tree, or nothing in the palette. */
export interface CommandTarget {
  readonly project: TrackedProject;
  readonly key?: ClientKeyRecord | undefined;
}

/** Finds out what a command is about: by the node that it was chosen on, or else by asking. */
export class TargetResolver {
  readonly #projects: Pick<TrackedProjects, 'all'>;
  readonly #states: ProjectStates;
  readonly #connections: Pick<Connections, 'current' | 'of'>;
  readonly #dialogs: Dialogs;

  constructor(
    projects: Pick<TrackedProjects, 'all'>,
    states: ProjectStates,
    connections: Pick<Connections, 'current' | 'of'>,
    dialogs: Dialogs,
  ) {
    this.#projects = projects;
    this.#states = states;
    this.#connections = connections;
    this.#dialogs = dialogs;
  }

  /**
   * The project that is meant.
   *
   * @returns undefined if the user gave up.
   * @throws SignedOutError if there is no account.
   */
  async project(chosen: CommandTarget | undefined, title: string): Promise<TrackedProject | undefined> {
    if (chosen?.project) {
      return chosen.project;
    }
    const { all } = this.#projects;
    if (all.length === 0) {
      return await this.#anyProject(title);
    }
    const another = Symbol('another project');
    const answer = await this.#dialogs.choose<TrackedProject | typeof another>(
      title,
      vscode.l10n.t('Choose a project'),
      [
        ...all.map((project) => ({
          label: project.path,
          iconPath: new vscode.ThemeIcon(project.place === 'workspace' ? 'repo' : 'pinned'),
          description: [
            ...(project.place === 'workspace' ? [vscode.l10n.t('this workspace')] : []),
            accountLabel(project.accountId),
          ].join(' · '),
          value: project,
        })),
        { label: vscode.l10n.t('Another Project…'), value: another },
      ],
    );
    return answer === another ? await this.#anyProject(title) : answer;
  }

  /**
   * A project with what is known of its error tracking. A failure is shown.
   *
   * @param fresh asks the instance even if something is known.
   */
  async known(project: TrackedProject, fresh = false): Promise<ResolvedProject | undefined> {
    const state = await this.#dialogs.viewProgress(() =>
      fresh ? this.#states.reload(project) : this.#states.load(project),
    );
    const { facts, tracking, error } = state;
    if (facts && tracking && (error === undefined || !fresh)) {
      return { project, facts, tracking };
    }
    notifyProblem(this.#dialogs, failureLabel(project, state));
    return undefined;
  }

  /**
   * The client key that is meant.
   *
   * @param wanted which keys may be chosen.
   * @returns undefined if the user cancelled, or there is none, which is shown.
   */
  async key(
    chosen: CommandTarget | undefined,
    title: string,
    wanted: 'any' | 'active',
  ): Promise<ResolvedKey | undefined> {
    const project = await this.project(chosen, title);
    const known = project && (await this.known(project, wanted === 'active'));
    if (!known) {
      return undefined;
    }
    const { keys, settings } = known.tracking;
    if (chosen?.key) {
      const { id } = chosen.key;
      const key = keys.find((candidate) => candidate.id === id);
      if (key && (key.active || wanted === 'any')) {
        return { ...known, key };
      }
      this.#dialogs.notify(
        'warning',
        key
          ? vscode.l10n.t('Client key {0} is inactive: errors that are sent with it are refused.', keyName(key))
          : vscode.l10n.t('Client key {0} no longer exists in {1}.', shortKey(chosen.key.public_key), known.facts.path),
      );
      return undefined;
    }
    const candidates = keys.filter(({ active }) => active || wanted === 'any');
    if (candidates.length === 0) {
      this.#notifyKeyless(known);
      return undefined;
    }
    const silent = takesErrors(settings) ? undefined : vscode.l10n.t('errors are refused: error tracking is disabled');
    const key = await this.#dialogs.choose(
      title,
      vscode.l10n.t('Choose a client key of {0}', known.facts.path),
      candidates.map((candidate): Choice<ClientKeyRecord> => ({
        label: keyName(candidate),
        iconPath: new vscode.ThemeIcon('key'),
        description: candidate.active ? (silent ?? vscode.l10n.t('active')) : vscode.l10n.t('inactive'),
        value: candidate,
      })),
    );
    return key && { ...known, key };
  }

  /** What talks to the instance of a project. */
  async connectionOf({ accountId }: TrackedProject): Promise<Connection> {
    return await this.#connections.of(accountId);
  }

  /** Shows that there is no client key to choose, with the command that creates one. */
  #notifyKeyless({ project, facts, tracking: { settings, keys } }: ResolvedProject): void {
    const sentence =
      settings.kind === 'notOffered'
        ? settingsLabel(settings).sentence
        : keys.length === 0
          ? vscode.l10n.t('{0} has no client key.', facts.path)
          : vscode.l10n.t('{0} has no active client key.', facts.path);
    // The instance makes the first key itself when it begins to track errors.
    const actions = takesErrors(settings)
      ? [commandAction(vscode.l10n.t('Create Client Key'), 'beacon.errorTracking.createKey', { project })]
      : enableActions(project, settings);
    this.#dialogs.notify('warning', sentence, ...actions);
  }

  async #anyProject(title: string): Promise<TrackedProject | undefined> {
    const connection = await this.#connections.current();
    const chosen = await pickProject(connection, { title });
    return chosen && { place: 'pinned', accountId: chosen.accountId, idOrPath: chosen.id, path: chosen.path };
  }
}

export function keyName(key: Pick<ClientKeyRecord, 'public_key'>): string {
  return shortKey(key.public_key);
}
