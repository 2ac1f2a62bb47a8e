import * as vscode from 'vscode';
import type { ProjectPlace, ProjectRef } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { Choice, Dialogs } from '../accounts/dialogs.ts';
import { pickPlace } from '../accounts/pickers.ts';
import { requireScope, showProblem } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { type Dsn, findDsns, shortKey } from './dsn.ts';
import type { KeyNotes } from './keyNotes.ts';
import {
  type CommandTarget,
  failureLabel,
  inactiveLabel,
  settingsLabel,
  setUpActions,
  targetAction,
} from './labels.ts';
import { type KnownKey, type KnownProject, type Projects, takesErrors, type TrackedProject } from './projects.ts';

/** Which keys can be chosen: `active` ones or all, `current` as the instance has them now, and `any` as they are known. */
type Wanted = 'any' | 'current' | 'active';

const { t } = vscode.l10n;

/** Finds out what a command is about: by what it was chosen on, or else by asking; nothing is asked that has one answer. */
export function targetsOf(app: App, projects: Projects, notes: KeyNotes, dialogs: Dialogs) {
  /** The project that is meant; undefined if the user gave up, or no project can be read with the token, which is said. */
  async function projectOf(chosen: CommandTarget | undefined, title: string): Promise<TrackedProject | undefined> {
    if (isProjectRef(chosen?.project)) {
      return projects.find(chosen.project);
    }
    const { all } = projects;
    const { account } = app.accountInUse;
    const [only] = all;
    // The only one is not what was meant for sure if another account than the window's reads it.
    if (only && all.length === 1 && only.accountId === account?.id) {
      return only;
    }
    const isHere = (project: TrackedProject): boolean =>
      dsnsHere().some(({ projectId: id }) => id === (projects.get(project)?.facts?.id ?? project.idOrPath));
    const choices = likelyFirst(all, isHere).map((project) => ({
      label: project.path,
      iconPath: new vscode.ThemeIcon(project.origin === 'workspace' ? 'repo' : 'pinned'),
      description: [
        ...(project.origin === 'workspace' ? [t('this workspace')] : []),
        ...(project.accountId === account?.id ? [] : [accountLabel(project.accountId)]),
      ].join(' · '),
      value: project,
    }));
    const answer = only
      ? await dialogs.choose<TrackedProject | 'another'>(title, t('Choose a project'), [
          ...choices,
          { label: t('Another Project…'), value: 'another' },
        ])
      : 'another';
    const pin = answer === 'another' ? await pick(title) : undefined;
    return answer === 'another' ? pin && projects.find({ accountId: pin.accountId, idOrPath: pin.id }) : answer;
  }

  /** A project with what is known of its error tracking. A failure is said. @param fresh asks the instance in any case. */
  async function knownOf(project: TrackedProject, fresh = false): Promise<KnownProject | undefined> {
    const state = await dialogs.viewProgress(() => projects[fresh ? 'reload' : 'load'](project));
    const { facts, tracking, error } = state;
    if (facts && tracking && (error === undefined || !fresh)) {
      return { project, facts, tracking };
    }
    showProblem(failureLabel(project, state));
    return undefined;
  }

  /** The client key that is meant; undefined if the user gave up, or there is none, which is said. */
  async function keyOf(
    chosen: CommandTarget | undefined,
    title: string,
    wanted: Wanted,
  ): Promise<KnownKey | undefined> {
    const project = await projectOf(chosen, title);
    const known = project && (await knownOf(project, wanted !== 'any'));
    if (!known) {
      return undefined;
    }
    const { facts, tracking } = known;
    // A link or keybinding may name anything.
    if (chosen?.key && typeof chosen.key.public_key === 'string') {
      const { id, public_key: publicKey } = chosen.key;
      const key = tracking.keys.find((candidate) => candidate.id === id);
      if (key && (key.active || wanted !== 'active')) {
        return { ...known, key };
      }
      const gone = t('Client key {0} no longer exists in {1}.', shortKey(publicKey), facts.path);
      dialogs.notify('warning', key ? inactiveLabel(key) : gone);
      return undefined;
    }
    const isHere = (key: ClientKeyRecord): boolean => dsnsHere().some(({ publicKey }) => publicKey === key.public_key);
    const keys = likelyFirst(tracking.keys, isHere)
      .filter(({ active }) => active || wanted !== 'active')
      .map((key): KnownKey => ({ ...known, key }));
    if (keys.length === 0) {
      notifyKeyless(known);
    }
    return keys.length < 2
      ? keys[0]
      : await dialogs.choose(
          named(title, project.accountId),
          t('Choose a client key of {0}', facts.path),
          keys.map(choiceOf),
        );
  }

  function choiceOf(candidate: KnownKey): Choice<KnownKey> {
    const { key, tracking, project } = candidate;
    const isRefused = key.active && !takesErrors(tracking.settings);
    return {
      label: shortKey(key.public_key),
      iconPath: new vscode.ThemeIcon(key.active ? 'key' : 'circle-slash'),
      description: [
        ...notes.labels(project, key),
        ...(isRefused ? [t('errors are refused: error tracking is disabled')] : []),
      ].join(' · '),
      value: candidate,
    };
  }

  /** What is done, or was, with which key of which project: where there is one key, nothing was asked before. */
  function withKey(what: string, { key, facts, project }: KnownKey): string {
    return named(`${what}: ${shortKey(key.public_key)}, ${facts.path}`, project.accountId);
  }

  function named(text: string, accountId: string): string {
    return app.accountInUse.named(text, accountId);
  }

  function notifyKeyless({ project, facts, tracking: { settings } }: KnownProject): void {
    const sentence =
      settings.kind === 'notOffered'
        ? settingsLabel(settings).sentence
        : t('{0} has no active client key.', facts.path);
    // The instance makes the first key itself when it begins to track errors.
    const actions = takesErrors(settings)
      ? [targetAction(t('Create Client Key'), 'createKey', { project })]
      : setUpActions(project, settings);
    dialogs.notify('warning', sentence, ...actions);
  }

  async function pick(title: string): Promise<ProjectPlace | undefined> {
    const connection = await app.connections.current();
    const { account } = connection;
    requireScope(account, 'GET');
    return await pickPlace(connection, named(title, account.id), ['project'], app.pins);
  }

  return { project: projectOf, known: knownOf, key: keyOf, choiceOf, withKey, named, pick };
}

export type Targets = ReturnType<typeof targetsOf>;

/** The DSNs in the file that is edited: of several projects or keys it is theirs that are most likely meant. */
function dsnsHere(): readonly Dsn[] {
  return findDsns(vscode.window.activeTextEditor?.document.getText() ?? '').map(({ dsn }) => dsn);
}

function likelyFirst<T>(all: readonly T[], isLikely: (one: T) => boolean): readonly T[] {
  return [...all.filter(isLikely), ...all.filter((one) => !isLikely(one))];
}

function isProjectRef(value: unknown): value is ProjectRef {
  const { accountId, idOrPath } = (value ?? {}) as Partial<Record<keyof ProjectRef, unknown>>;
  return typeof accountId === 'string' && (Number.isSafeInteger(idOrPath) || typeof idOrPath === 'string');
}
