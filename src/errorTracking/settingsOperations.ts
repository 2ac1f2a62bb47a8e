import * as vscode from 'vscode';
import type { ErrorTrackingSwitches } from '../api/errorTracking.ts';
import type { ExternalTracker, SettingsState } from './projectStates.ts';

/** What can be done to the settings of a project. */
export type SettingsOperation = 'setUp' | 'enable' | 'disable' | 'switchToIntegrated';

/**
 * The request that an operation makes: PUT creates or replaces, PATCH changes what is there.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export type SettingsRequest =
  | ({ readonly method: 'PUT' } & ErrorTrackingSwitches)
  | { readonly method: 'PATCH'; readonly active: boolean; readonly integrated?: boolean };

/** The effect of an operation in a certain state. */
export type Plan =
  | {
      readonly possible: true;
      readonly request: SettingsRequest;
      /** The button that does it. */
      readonly verb: string;
      /** What will change, shown before anything is sent. */
      readonly effects: readonly string[];
      /** What is said when it is done. */
      readonly done: string;
      /** The request that brings the state before back; undefined if the API has none. */
      readonly undo: SettingsRequest | undefined;
    }
  | {
      readonly possible: false;
      readonly why: string;
      /** The operation that is meant instead, if there is one. */
      readonly instead?: SettingsOperation;
    };

/** What an operation would do in a state, or why it cannot be done. */
export function planOperation(operation: SettingsOperation, state: SettingsState): Plan {
  if (state.kind === 'notOffered') {
    return {
      possible: false,
      why: vscode.l10n.t('This instance does not offer integrated error tracking; its administrators can enable it.'),
    };
  }
  switch (operation) {
    case 'setUp':
      return planSetUp(state);
    case 'enable':
      return planEnable(state);
    case 'disable':
      return planDisable(state);
    case 'switchToIntegrated':
      return planSwitch(state);
  }
}

/** The operations that change something in a state, the likeliest first. */
export function possibleOperations(state: SettingsState): readonly SettingsOperation[] {
  const all: readonly SettingsOperation[] = ['setUp', 'enable', 'disable', 'switchToIntegrated'];
  return all.filter((operation) => planOperation(operation, state).possible);
}

type Offered = Exclude<SettingsState, { kind: 'notOffered' }>;

function planSetUp(state: Offered): Plan {
  switch (state.kind) {
    case 'integrated':
      return state.active
        ? { possible: false, why: vscode.l10n.t('Integrated error tracking is set up and enabled already.') }
        : {
            possible: false,
            why: vscode.l10n.t('Integrated error tracking is set up already, and disabled.'),
            instead: 'enable',
          };
    case 'notSetUp':
      return {
        possible: true,
        request: { method: 'PUT', active: true, integrated: true },
        verb: vscode.l10n.t('Set Up'),
        effects: [
          vscode.l10n.t('The instance itself tracks the errors of this project from now on.'),
          firstKey(),
          vscode.l10n.t('The API cannot remove the settings again; it can disable them.'),
        ],
        done: vscode.l10n.t('Integrated error tracking is set up and enabled.'),
        undo: { method: 'PATCH', active: false },
      };
    case 'external':
      return {
        possible: true,
        request: { method: 'PUT', active: true, integrated: true },
        verb: vscode.l10n.t('Replace External Tracker'),
        effects: [
          vscode.l10n.t('The settings are replaced (PUT): project name, link and API address become null.'),
          ...lostTracker(state.tracker),
          vscode.l10n.t('To keep them as far as the instance can, switch to integrated error tracking instead.'),
          firstKey(),
        ],
        done: vscode.l10n.t('Integrated error tracking has replaced the external tracker.'),
        undo: undefined,
      };
  }
}

function planEnable(state: Offered): Plan {
  if (state.kind === 'notSetUp') {
    return nothingThere(vscode.l10n.t('There is nothing to enable: error tracking is not set up for this project.'));
  }
  if (state.active) {
    return { possible: false, why: vscode.l10n.t('Error tracking is enabled already.') };
  }
  return {
    possible: true,
    request: { method: 'PATCH', active: true },
    verb: vscode.l10n.t('Enable'),
    effects:
      state.kind === 'integrated'
        ? [vscode.l10n.t('Errors are received again.'), firstKey()]
        : [vscode.l10n.t('Errors of the external tracker show on the instance again; its link stays as it is.')],
    done: vscode.l10n.t('Error tracking is enabled.'),
    undo: { method: 'PATCH', active: false },
  };
}

function planDisable(state: Offered): Plan {
  if (state.kind === 'notSetUp') {
    return nothingThere(vscode.l10n.t('There is nothing to disable: error tracking is not set up for this project.'));
  }
  if (!state.active) {
    return { possible: false, why: vscode.l10n.t('Error tracking is disabled already.') };
  }
  return {
    possible: true,
    request: { method: 'PATCH', active: false },
    verb: vscode.l10n.t('Disable'),
    effects: [
      state.kind === 'integrated'
        ? vscode.l10n.t('Errors that programs send are refused and lost until error tracking is enabled again.')
        : vscode.l10n.t('Errors of the external tracker no longer show on the instance; its link stays as it is.'),
      vscode.l10n.t('Client keys and settings are kept.'),
    ],
    done: vscode.l10n.t('Error tracking is disabled.'),
    undo: { method: 'PATCH', active: true },
  };
}

function planSwitch(state: Offered): Plan {
  switch (state.kind) {
    case 'notSetUp':
      return nothingThere(
        vscode.l10n.t('There is nothing to switch from: error tracking is not set up for this project.'),
      );
    case 'integrated':
      return {
        possible: false,
        why: vscode.l10n.t('The project uses integrated error tracking already.'),
        ...(state.active ? {} : { instead: 'enable' as const }),
      };
    case 'external':
      return {
        possible: true,
        request: { method: 'PATCH', active: true, integrated: true },
        verb: vscode.l10n.t('Switch'),
        effects: [
          vscode.l10n.t('The instance itself tracks the errors; programs need the DSN of a client key.'),
          vscode.l10n.t('The API no longer returns project name, link and API address of the external tracker (null).'),
          ...lostTracker(state.tracker),
          firstKey(),
        ],
        done: vscode.l10n.t('The project uses integrated error tracking.'),
        undo: { method: 'PATCH', active: state.active, integrated: false },
      };
  }
}

function nothingThere(why: string): Plan {
  return { possible: false, why, instead: 'setUp' };
}

function firstKey(): string {
  return vscode.l10n.t('If no client key is active, the instance creates one.');
}

/** What to note before it is lost: the API cannot set it. */
function lostTracker({ projectName, url, apiUrl }: ExternalTracker): string[] {
  const values = [projectName, url, apiUrl].filter((text) => text !== undefined);
  return values.length === 0
    ? []
    : [vscode.l10n.t('The API cannot set them again. Current values: {0}', values.join(', '))];
}
