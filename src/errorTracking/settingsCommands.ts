import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { commandAction, type Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import { type ApiError, isApiError } from '../api/errors.ts';
import type { Commands } from '../common/commands.ts';
import { accountError } from './keyCommands.ts';
import { type ProjectStates, settingsLabel, type SettingsState, settingsStateOf } from './projectStates.ts';
import { planOperation, type SettingsOperation, type SettingsRequest } from './settingsOperations.ts';
import type { CommandTarget, ResolvedProject, TargetResolver } from './targets.ts';

/** Changes error tracking settings, each time after showing what will change. */
export class SettingsCommands {
  readonly #targets: TargetResolver;
  readonly #states: ProjectStates;
  readonly #dialogs: Dialogs;
  readonly commands = {
    'beacon.errorTracking.setUp': (chosen?: CommandTarget) => this.run('setUp', chosen),
    'beacon.errorTracking.enable': (chosen?: CommandTarget) => this.run('enable', chosen),
    'beacon.errorTracking.disable': (chosen?: CommandTarget) => this.run('disable', chosen),
    'beacon.errorTracking.switchToIntegrated': (chosen?: CommandTarget) => this.run('switchToIntegrated', chosen),
  } satisfies Commands;

  constructor(targets: TargetResolver, states: ProjectStates, dialogs: Dialogs) {
    this.#targets = targets;
    this.#states = states;
    this.#dialogs = dialogs;
  }

  /**
   * Carries an operation out, by the settings as they are on the instance now.
   *
   * @throws ApiError if the instance refuses.
   */
  async run(operation: SettingsOperation, chosen?: CommandTarget): Promise<void> {
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
      this.#dialogs.notify('warning', why, ...actions);
      return;
    }
    const isMeant = await this.#dialogs.confirm({
      question: operationQuestion(operation, known.facts.path),
      detail: plan.effects.join('\n\n'),
      accountId: known.project.accountId,
      verb: plan.verb,
    });
    const now = isMeant && (await this.#targets.known(project, true));
    if (!now) {
      return;
    }
    // What the question said is lost or changed is to be so still: the API cannot bring an external tracker back.
    const { settings } = now.tracking;
    if (!isDeepStrictEqual(settings, before)) {
      const sentence = vscode.l10n.t(
        'The settings have changed meanwhile, so nothing was sent. Current state: {0}',
        settingsLabel(settings).sentence,
      );
      this.#dialogs.notify('warning', sentence);
      return;
    }
    const after = await this.#send(known, plan.request);
    if (after) {
      const { undo } = plan;
      const actions = undo ? [{ title: undoTitle(before), run: () => this.#undo(known, { before, after }, undo) }] : [];
      this.#dialogs.notify('info', plan.done, ...actions);
    }
  }

  /** @returns the settings that the instance answers with; undefined if it refused, which is shown. */
  async #send(known: ResolvedProject, request: SettingsRequest): Promise<SettingsState | undefined> {
    const { project, facts } = known;
    try {
      const { client } = await this.#targets.connectionOf(project);
      const after = await this.#dialogs.viewProgress(() => send(client, facts.id, request));
      this.#states.setOffered(project.accountId);
      await this.#states.reloadAll(project.accountId, facts.id);
      return after;
    } catch (error) {
      if (isApiError(error) && error.reason === 'notFound' && request.method === 'PUT') {
        await this.#states.setNotOffered(project.accountId, facts.id);
        this.#dialogs.notify('warning', settingsLabel({ kind: 'notOffered' }).sentence);
        return undefined;
      }
      await this.#states.reloadAll(project.accountId, facts.id);
      if (isApiError(error) && error.reason === 'unavailable') {
        this.#notifyUncertain(known, error);
        return undefined;
      }
      throw accountError(project.accountId, error);
    }
  }

  /** The request may have been acted on: what counts is what the instance says now. */
  #notifyUncertain({ project }: ResolvedProject, error: ApiError): void {
    const { tracking, error: stillAway } = this.#states.get(project) ?? {};
    const { sentence } = problemOf(error, project.accountId);
    if (tracking && stillAway === undefined) {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('{0} Current state: {1}', sentence, settingsLabel(tracking.settings).sentence),
      );
    } else {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('{0} Whether the settings have changed is not known until the instance answers again.', sentence),
        commandAction(vscode.l10n.t('Check Again'), 'beacon.errorTracking.reloadProject', project),
      );
    }
  }

  /** Undoes an operation, unless something else has happened since. */
  async #undo(
    { project }: ResolvedProject,
    { before, after }: { readonly before: SettingsState; readonly after: SettingsState },
    request: SettingsRequest,
  ): Promise<void> {
    const known = await this.#targets.known(project, true);
    if (!known) {
      return;
    }
    const { settings } = known.tracking;
    if (!hasSameSwitches(settings, after)) {
      this.#dialogs.notify(
        'info',
        vscode.l10n.t(
          'The settings have changed since, so nothing was undone. Current state: {0}',
          settingsLabel(settings).sentence,
        ),
      );
      return;
    }
    const now = await this.#send(known, request);
    if (!now) {
      return;
    }
    if (isDeepStrictEqual(now, before)) {
      this.#dialogs.notify('info', vscode.l10n.t('Restored the earlier state: {0}', settingsLabel(before).sentence));
    } else {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('The instance did not restore everything. Current state: {0}', settingsLabel(now).sentence),
      );
    }
  }
}

/** Whether two states differ in nothing that can be changed here. */
function hasSameSwitches(one: SettingsState, other: SettingsState): boolean {
  return one.kind === other.kind && ('active' in one && one.active) === ('active' in other && other.active);
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
