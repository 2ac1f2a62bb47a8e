import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { commandAction, type Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { accountError, type CommandTarget, settingsLabel } from './labels.ts';
import type { KnownProject, Targets } from './pick.ts';
import { type ExternalTracker, type Projects, type SettingsState, settingsStateOf } from './projects.ts';

const { t } = vscode.l10n;

/** What can be done to the settings of a project. */
export type Operation = 'setUp' | 'enable' | 'disable' | 'switchToIntegrated';

/** The effect of an operation in a state that it changes. */
interface Change {
  /** The request: PUT creates or replaces, PATCH changes what is there. */
  readonly request: { readonly method: 'PUT' | 'PATCH'; readonly active: boolean; readonly integrated?: boolean };
  readonly verb: string;
  /** What will change, shown before anything is sent. */
  readonly effects: readonly string[];
  /** What is said when it is done. */
  readonly done: string;
}

/** Why an operation changes nothing in a state, and the one that is meant instead. */
interface Obstacle {
  readonly why: string;
  readonly instead?: Operation;
}

/** What the settings of a project are, in short: integrated error tracking is on or off, or an external tracker is. */
type Situation = 'none' | 'on' | 'off' | 'externalOn' | 'externalOff';

interface Row {
  readonly title: string;
  readonly question: (path: string) => string;
  readonly plan: Readonly<Record<Situation, Change | Obstacle>>;
}

const firstKey = t('If no client key is active, the instance creates one.');
const change = (
  method: 'PUT' | 'PATCH',
  switches: { readonly active: boolean; readonly integrated?: boolean },
  [verb, done]: readonly [string, string],
  effects: readonly string[],
): Change => ({ request: { method, ...switches }, verb, effects, done });

const enabling = [t('Enable'), t('Error tracking is enabled.')] as const;
const disabling = [t('Disable'), t('Error tracking is disabled.')] as const;
const kept = t('Client keys and settings are kept.');
const isEnabled = { why: t('Error tracking is enabled already.') };
const isDisabled = { why: t('Error tracking is disabled already.') };
const replaceTracker = change(
  'PUT',
  { active: true, integrated: true },
  [t('Replace External Tracker'), t('Integrated error tracking has replaced the external tracker.')],
  [
    t('The settings are replaced (PUT): project name, link and API address become null.'),
    t('To keep them as far as the instance can, switch to integrated error tracking instead.'),
    firstKey,
  ],
);
const switchTracker = change(
  'PATCH',
  { active: true, integrated: true },
  [t('Switch'), t('The project uses integrated error tracking.')],
  [
    t('The instance itself tracks the errors; programs need the DSN of a client key.'),
    t('The API no longer returns project name, link and API address of the external tracker (null).'),
    firstKey,
  ],
);

/** The operations, the likeliest first. @see https://docs.gitlab.com/api/error_tracking/ */
const operations: Readonly<Record<Operation, Row>> = {
  setUp: {
    title: t('Set Up Error Tracking…'),
    question: (path) => t('Set up error tracking for {0}?', path),
    plan: {
      none: change(
        'PUT',
        { active: true, integrated: true },
        [t('Set Up'), t('Integrated error tracking is set up and enabled.')],
        [
          t('The instance itself tracks the errors of this project from now on.'),
          firstKey,
          t('The API cannot remove the settings again; it can disable them.'),
        ],
      ),
      on: { why: t('Integrated error tracking is set up and enabled already.') },
      off: { why: t('Integrated error tracking is set up already, and disabled.'), instead: 'enable' },
      externalOn: replaceTracker,
      externalOff: replaceTracker,
    },
  },
  enable: {
    title: t('Enable Error Tracking…'),
    question: (path) => t('Enable error tracking for {0}?', path),
    plan: {
      none: { why: t('There is nothing to enable: error tracking is not set up for this project.'), instead: 'setUp' },
      on: isEnabled,
      off: change('PATCH', { active: true }, enabling, [t('Errors are received again.'), firstKey]),
      externalOn: isEnabled,
      externalOff: change('PATCH', { active: true }, enabling, [
        t('Errors of the external tracker show on the instance again; its link stays as it is.'),
      ]),
    },
  },
  disable: {
    title: t('Disable Error Tracking…'),
    question: (path) => t('Disable error tracking for {0}?', path),
    plan: {
      none: { why: t('There is nothing to disable: error tracking is not set up for this project.'), instead: 'setUp' },
      on: change('PATCH', { active: false }, disabling, [
        t('Errors that programs send are refused and lost until error tracking is enabled again.'),
        kept,
      ]),
      off: isDisabled,
      externalOn: change('PATCH', { active: false }, disabling, [
        t('Errors of the external tracker no longer show on the instance; its link stays as it is.'),
        kept,
      ]),
      externalOff: isDisabled,
    },
  },
  switchToIntegrated: {
    title: t('Switch to Integrated Error Tracking…'),
    question: (path) => t('Switch {0} to integrated error tracking?', path),
    plan: {
      none: {
        why: t('There is nothing to switch from: error tracking is not set up for this project.'),
        instead: 'setUp',
      },
      on: { why: t('The project uses integrated error tracking already.') },
      off: { why: t('The project uses integrated error tracking already.'), instead: 'enable' },
      externalOn: switchTracker,
      externalOff: switchTracker,
    },
  },
};

function plan(operation: Operation, state: SettingsState): Change | Obstacle {
  if (state.kind === 'notOffered') {
    return { why: settingsLabel(state).sentence };
  }
  const planned = operations[operation].plan[situationOf(state)];
  const isLost = state.kind === 'external' && 'request' in planned && planned.request.integrated === true;
  return isLost ? { ...planned, effects: [...planned.effects, ...lostTracker(state.tracker)] } : planned;
}

function situationOf(state: Exclude<SettingsState, { kind: 'notOffered' }>): Situation {
  switch (state.kind) {
    case 'notSetUp':
      return 'none';
    case 'integrated':
      return state.active ? 'on' : 'off';
    case 'external':
      return state.active ? 'externalOn' : 'externalOff';
  }
}

/** What to note before it is lost: the API cannot set it. */
function lostTracker({ projectName, url, apiUrl }: ExternalTracker): readonly string[] {
  const values = [projectName, url, apiUrl].filter((text) => text !== undefined);
  return values.length === 0 ? [] : [t('The API cannot set them again. Current values: {0}', values.join(', '))];
}

/** The operations that change something in a state, the likeliest first. */
export function possibleOperations(state: SettingsState): readonly Operation[] {
  return (Object.keys(operations) as Operation[]).filter((operation) => 'request' in plan(operation, state));
}

/** The commands that change error tracking settings, each after showing what will change. */
export function settingsCommands(app: App, projects: Projects, targets: Targets, dialogs: Dialogs) {
  /** Carries an operation out, by the settings as they are on the instance now. */
  async function run(operation: Operation, chosen?: CommandTarget): Promise<void> {
    const { title, question } = operations[operation];
    const project = await targets.project(chosen, title);
    const known = project && (await targets.known(project, true));
    if (!known) {
      return;
    }
    const before = known.tracking.settings;
    const planned = plan(operation, before);
    if ('why' in planned) {
      const { why, instead } = planned;
      const actions = instead ? [{ title: operations[instead].title, run: () => run(instead, { project }) }] : [];
      dialogs.notify('warning', why, ...actions);
      return;
    }
    const isMeant = await dialogs.confirm({
      question: question(known.facts.path),
      detail: planned.effects,
      accountId: project.accountId,
      verb: planned.verb,
    });
    const now = isMeant && (await targets.known(project, true));
    if (!now) {
      return;
    }
    // What the question said is lost or changed is to be so still: the API cannot bring an external tracker back.
    const { settings } = now.tracking;
    if (!isDeepStrictEqual(settings, before)) {
      const state = settingsLabel(settings).sentence;
      dialogs.notify(
        'warning',
        t('The settings have changed meanwhile, so nothing was sent. Current state: {0}', state),
      );
    } else if (await carryOut(now, planned)) {
      dialogs.notify('info', planned.done);
    }
  }

  /** @returns whether the instance did it; that it refused is said. */
  async function carryOut({ project, facts }: KnownProject, { request }: Change): Promise<boolean> {
    const { accountId } = project;
    try {
      const { client } = await app.connections.of(accountId);
      await dialogs.viewProgress(() => send(client, facts.id, request));
      projects.setOffered(accountId, true);
      await projects.reloadChanged(project);
      return true;
    } catch (error) {
      const isNotOffered = isApiError(error) && error.reason === 'notFound' && request.method === 'PUT';
      if (isNotOffered) {
        projects.setOffered(accountId, false);
      }
      const { tracking, error: stillAway } = await projects.reloadChanged(project);
      if (isNotOffered) {
        dialogs.notify('warning', settingsLabel({ kind: 'notOffered' }).sentence);
      } else if (!isApiError(error) || error.reason !== 'unavailable') {
        throw accountError(accountId, error);
      } else {
        // The request may have been acted on: what counts is what the instance says now.
        const { sentence } = problemOf(error, accountId);
        const again = commandAction(t('Check Again'), 'beacon.errorTracking.reloadProject', { project });
        dialogs.notify(
          'warning',
          tracking && stillAway === undefined
            ? t('{0} Current state: {1}', sentence, settingsLabel(tracking.settings).sentence)
            : t('{0} Whether the settings have changed is not known until the instance answers again.', sentence),
          ...(stillAway === undefined ? [] : [again]),
        );
      }
      return false;
    }
  }

  return {
    'beacon.errorTracking.setUp': (chosen?: CommandTarget) => run('setUp', chosen),
    'beacon.errorTracking.enable': (chosen?: CommandTarget) => run('enable', chosen),
    'beacon.errorTracking.disable': (chosen?: CommandTarget) => run('disable', chosen),
    'beacon.errorTracking.switchToIntegrated': (chosen?: CommandTarget) => run('switchToIntegrated', chosen),
  } satisfies Commands;
}

async function send(client: Client, projectId: number, { method, ...switches }: Change['request']) {
  return settingsStateOf(
    method === 'PUT'
      ? await client.errorTracking.create(projectId, { integrated: true, ...switches })
      : await client.errorTracking.change(projectId, switches),
  );
}
