import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { describeProblem } from '../../accounts/problem.ts';
import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Commands } from '../../commands.ts';
import { commandAction, type Dialogs } from '../dialogs.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { Chosen, KnownProject, Targets } from '../targets.ts';
import { planOperation, type SettingsOperation, type SettingsRequest } from './settingsOperations.ts';
import { describeSettings, type SettingsState, settingsStateOf } from './settingsState.ts';

/** Changes error tracking settings, each time after telling what will be different. */
export class SettingsCommands {
  readonly #targets: Targets;
  readonly #states: ProjectStates;
  readonly #dialogs: Dialogs;
  readonly commands = {
    'beacon.errorTracking.setUp': (chosen?: Chosen) => this.run('setUp', chosen),
    'beacon.errorTracking.enable': (chosen?: Chosen) => this.run('enable', chosen),
    'beacon.errorTracking.disable': (chosen?: Chosen) => this.run('disable', chosen),
    'beacon.errorTracking.switchToIntegrated': (chosen?: Chosen) => this.run('switchToIntegrated', chosen),
  } satisfies Commands;

  constructor(targets: Targets, states: ProjectStates, dialogs: Dialogs) {
    this.#targets = targets;
    this.#states = states;
    this.#dialogs = dialogs;
  }

  /**
   * Carries an operation out, by the settings as they are on the instance now.
   *
   * @throws ApiError if the instance refuses.
   */
  async run(operation: SettingsOperation, chosen?: Chosen): Promise<void> {
    const project = await this.#targets.project(chosen, operationTitle(operation));
    const known = project && (await this.#targets.known(project, true));
    if (!known) {
      return;
    }
    const before = known.tracking.settings;
    const plan = planOperation(operation, before);
    if (!plan.possible) {
      const { why, instead } = plan;
      const actions = instead ? [{ title: operationTitle(instead), run: () => this.run(instead, { project }) }] : [];
      this.#dialogs.tell('warning', why, ...actions);
      return;
    }
    const isMeant = await this.#dialogs.confirm({
      question: operationQuestion(operation, known.facts.path),
      detail: plan.effects.join('\n\n'),
      accountId: known.project.accountId,
      verb: plan.verb,
    });
    if (!isMeant) {
      return;
    }
    const after = await this.#send(known, plan.request);
    if (after) {
      const { undo } = plan;
      const actions = undo ? [{ title: undoTitle(before), run: () => this.#undo(known, before, undo) }] : [];
      this.#dialogs.tell('info', plan.done, ...actions);
    }
  }

  /** @returns the settings that the instance answers with; undefined if it told otherwise, which is told. */
  async #send(known: KnownProject, request: SettingsRequest): Promise<SettingsState | undefined> {
    const { project, facts } = known;
    try {
      const { client } = await this.#targets.connectionOf(project);
      const after = await this.#dialogs.progress(() => send(client, facts.id, request));
      this.#states.setOffered(project.accountId);
      await this.#states.reloadAll(project.accountId, facts.id);
      return after;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'notFound' && request.method === 'PUT') {
        await this.#states.setNotOffered(project.accountId, facts.id);
        this.#dialogs.tell('warning', describeSettings({ kind: 'notOffered' }).sentence);
        return undefined;
      }
      await this.#states.reloadAll(project.accountId, facts.id);
      if (error instanceof ApiError && error.reason === 'unavailable') {
        this.#tellUncertain(known, error);
        return undefined;
      }
      throw error;
    }
  }

  /** The request may have been acted on: what counts is what the instance says now. */
  #tellUncertain({ project }: KnownProject, error: ApiError): void {
    const { tracking, error: stillAway } = this.#states.get(project) ?? {};
    const { sentence } = describeProblem(error);
    if (tracking && stillAway === undefined) {
      this.#dialogs.tell(
        'warning',
        vscode.l10n.t('{0} Current state: {1}', sentence, describeSettings(tracking.settings).sentence),
      );
    } else {
      this.#dialogs.tell(
        'warning',
        vscode.l10n.t('{0} Whether the settings have changed is not known until the instance answers again.', sentence),
        commandAction(vscode.l10n.t('Check Again'), 'beacon.errorTracking.reloadProject', project),
      );
    }
  }

  async #undo(known: KnownProject, before: SettingsState, request: SettingsRequest): Promise<void> {
    const now = await this.#send(known, request);
    if (!now) {
      return;
    }
    if (isDeepStrictEqual(now, before)) {
      this.#dialogs.tell('info', vscode.l10n.t('Restored the earlier state: {0}', describeSettings(before).sentence));
    } else {
      this.#dialogs.tell(
        'warning',
        vscode.l10n.t('The instance did not restore everything. Current state: {0}', describeSettings(now).sentence),
      );
    }
  }
}

function operationTitle(operation: SettingsOperation): string {
  switch (operation) {
    case 'setUp':
      return vscode.l10n.t('Set Up Error Tracking…');
    case 'enable':
      return vscode.l10n.t('Enable Error Tracking…');
    case 'disable':
      return vscode.l10n.t('Disable Error Tracking…');
    case 'switchToIntegrated':
      return vscode.l10n.t('Switch to Integrated Error Tracking…');
  }
}

function operationQuestion(operation: SettingsOperation, path: string): string {
  switch (operation) {
    case 'setUp':
      return vscode.l10n.t('Set up error tracking for {0}?', path);
    case 'enable':
      return vscode.l10n.t('Enable error tracking for {0}?', path);
    case 'disable':
      return vscode.l10n.t('Disable error tracking for {0}?', path);
    case 'switchToIntegrated':
      return vscode.l10n.t('Switch {0} to integrated error tracking?', path);
  }
}

/** What was not set up cannot be removed again, only disabled. */
function undoTitle(before: SettingsState): string {
  return before.kind === 'notSetUp' ? vscode.l10n.t('Disable') : vscode.l10n.t('Undo');
}

async function send(client: Client, projectId: number, request: SettingsRequest): Promise<SettingsState> {
  const { method, ...switches } = request;
  return settingsStateOf(
    method === 'PUT'
      ? await client.errorTracking.create(projectId, { integrated: true, ...switches })
      : await client.errorTracking.change(projectId, switches),
  );
}
