import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { inSequence } from '../common/inertText.ts';
import { accountError, type CommandTarget, settingsLabel, targetAction } from './labels.ts';
import type { Targets } from './pick.ts';
import type { KnownProject, Projects, SettingsState } from './projects.ts';

const { t } = vscode.l10n;

/** What can be done to the settings of a project, after a question that says what will change. */
interface Operation {
  readonly title: string;
  readonly appliesTo: (state: SettingsState) => boolean;
  readonly question: (path: string) => string;
  readonly effects: (state: SettingsState) => readonly string[];
  readonly verb: string;
  readonly send: (client: Client, projectId: number) => Promise<unknown>;
}

const firstKey = t('If no client key is active, the instance creates one.');
const hasSettings = (state: SettingsState) => state.kind === 'integrated' || state.kind === 'external';

/** @see https://docs.gitlab.com/api/error_tracking/ */
const operations = {
  setUp: {
    title: t('Set Up Error Tracking…'),
    appliesTo: ({ kind }) => kind === 'notSetUp',
    question: (path) => t('Set up error tracking for {0}?', path),
    effects: () => [
      t('The instance itself tracks the errors of this project from now on.'),
      firstKey,
      t('The API cannot remove the settings again; it can disable them.'),
    ],
    verb: t('Set Up'),
    send: (client, id) => client.errorTracking.create(id, { active: true, integrated: true }),
  },
  enable: {
    title: t('Enable Error Tracking…'),
    appliesTo: (state) => hasSettings(state) && !state.active,
    question: (path) => t('Enable error tracking for {0}?', path),
    effects: ({ kind }) =>
      kind === 'integrated'
        ? [t('Errors are received again.'), firstKey]
        : [t('Errors of the external tracker show on the instance again; its link stays as it is.')],
    verb: t('Enable'),
    send: (client, id) => client.errorTracking.change(id, { active: true }),
  },
  switchToIntegrated: {
    title: t('Switch to Integrated Error Tracking…'),
    appliesTo: ({ kind }) => kind === 'external',
    question: (path) => t('Switch {0} to integrated error tracking?', path),
    effects: (state) => [
      t('The instance itself tracks the errors; programs need the DSN of a client key.'),
      t('The API no longer returns project name, link and API address of the external tracker (null).'),
      firstKey,
      ...lostTracker(state),
    ],
    verb: t('Switch'),
    send: (client, id) => client.errorTracking.change(id, { active: true, integrated: true }),
  },
  disable: {
    title: t('Disable Error Tracking…'),
    appliesTo: (state) => hasSettings(state) && state.active,
    question: (path) => t('Disable error tracking for {0}?', path),
    effects: ({ kind }) => [
      kind === 'integrated'
        ? t('Errors that programs send are refused and lost until error tracking is enabled again.')
        : t('Errors of the external tracker no longer show on the instance; its link stays as it is.'),
      t('Client keys and settings are kept.'),
    ],
    verb: t('Disable'),
    send: (client, id) => client.errorTracking.change(id, { active: false }),
  },
} satisfies Readonly<Record<string, Operation>>;

/** What to note before it is lost: the API cannot set it. */
function lostTracker(state: SettingsState): readonly string[] {
  const { projectName, url, apiUrl } = state.kind === 'external' ? state : {};
  const values = [projectName, url, apiUrl].filter((text) => text !== undefined);
  return values.length === 0 ? [] : [t('The API cannot set them again. Current values: {0}', values.join(', '))];
}

/** What brings the errors of a project to its instance; several where an external tracker is disabled, none where it is done. */
export function setUpsOf(state: SettingsState): readonly Operation[] {
  return [operations.setUp, operations.enable, operations.switchToIntegrated].filter((one) => one.appliesTo(state));
}

export function canDisable(state: SettingsState): boolean {
  return operations.disable.appliesTo(state);
}

export function settingsCommands(app: App, projects: Projects, targets: Targets, dialogs: Dialogs) {
  async function run(chosen: CommandTarget | undefined, title: string, all: typeof setUpsOf): Promise<void> {
    const project = await targets.project(chosen, title);
    const known = project && (await targets.known(project, true));
    if (!known) {
      return;
    }
    const { settings } = known.tracking;
    const possible = all(settings);
    if (possible.length === 0) {
      dialogs.notify('info', settingsLabel(settings).sentence);
      return;
    }
    const choices = possible.map((one) => ({ label: one.title, value: one }));
    const operation =
      choices.length > 1 ? await dialogs.choose(title, settingsLabel(settings).sentence, choices) : possible[0];
    const isMeant =
      operation &&
      (await dialogs.confirm({
        question: operation.question(known.facts.path),
        detail: operation.effects(settings),
        accountId: project.accountId,
        verb: operation.verb,
      }));
    const now = isMeant && (await targets.known(project, true));
    if (!now) {
      return;
    }
    // What the question said is lost or changed is to be so still: the API cannot bring an external tracker back.
    if (!isDeepStrictEqual(now.tracking.settings, settings)) {
      const state = settingsLabel(now.tracking.settings).sentence;
      dialogs.notify('warning', inSequence(t('The settings have changed meanwhile, so nothing was sent.'), state));
    } else {
      await carryOut(now, operation);
    }
  }

  async function carryOut({ project, facts }: KnownProject, operation: Operation): Promise<void> {
    const { accountId } = project;
    const { client } = await app.connections.of(accountId);
    let error: unknown;
    try {
      await dialogs.viewProgress(() => operation.send(client, facts.id));
    } catch (failure) {
      error = failure;
    }
    const { tracking, error: stillAway } = await projects.reloadChanged(project);
    // After a lost answer, the request may have been acted on: what counts is what the instance says now.
    const state =
      tracking && stillAway === undefined
        ? settingsLabel(tracking.settings).sentence
        : t('Whether the settings have changed is not known until the instance answers again.');
    if (error === undefined) {
      dialogs.notify('info', state);
    } else if (isApiError(error, 'notFound') && operation === operations.setUp) {
      dialogs.notify('warning', settingsLabel({ kind: 'notOffered' }).sentence);
    } else if (isApiError(error, 'unavailable')) {
      const checkAgain = targetAction(t('Check Again'), 'reloadProject', { project });
      dialogs.notify('warning', inSequence(problemOf(error, accountId).sentence, state), checkAgain);
    } else {
      throw accountError(accountId, error);
    }
  }

  return {
    'beacon.errorTracking.setUp': (chosen?: CommandTarget) => run(chosen, operations.setUp.title, setUpsOf),
    'beacon.errorTracking.disable': (chosen?: CommandTarget) =>
      run(chosen, operations.disable.title, (state) => (canDisable(state) ? [operations.disable] : [])),
  } satisfies Commands;
}
