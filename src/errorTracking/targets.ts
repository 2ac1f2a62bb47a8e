import * as vscode from 'vscode';
import { lacksReadScope, type ProjectRef } from '../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connection, Connections } from '../accounts/connections.ts';
import { type Choice, commandAction, type Dialogs, notifyProblem } from '../accounts/dialogs.ts';
import { askElsewhere, pickProject } from '../accounts/pickers.ts';
import type { Pin, Pins } from '../accounts/pins.ts';
import { type Action, missingScopeProblem } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { parseDsn, shortKey } from './dsn.ts';
import type { KeyFacts } from './keyFacts.ts';
import { enableActions, failureLabel } from './messageRows.ts';
import {
  type ErrorTrackingState,
  type TrackedProjectFacts,
  type ProjectStates,
  settingsLabel,
  takesErrors,
} from './projectStates.ts';
import type { RotationRecord } from './rotation/rotationJournal.ts';
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

/** Identifies a client key; its DSN is what the instance says when it is used. */
export type KeyRef = Pick<ClientKeyRecord, 'id' | 'public_key'>;

/** What a command was chosen on: a node of the tree, a link in a hover, or nothing in the palette. */
export interface CommandTarget {
  readonly project: TrackedProject | ProjectRef;
  readonly key?: KeyRef | undefined;
  /** The rotation that replaces the key. */
  readonly rotation?: RotationRecord | undefined;
}

/** A button that posts a test error with a client key. */
export function sendTestError({ project, key }: CommandTarget): Action {
  return commandAction(vscode.l10n.t('Send Test Error'), 'beacon.errorTracking.sendTestError', { project, key });
}

export interface TargetDeps {
  readonly projects: Pick<TrackedProjects, 'all' | 'hasOtherAccounts'>;
  readonly states: ProjectStates;
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly dialogs: Dialogs;
  readonly keyFacts: Pick<KeyFacts, 'labels'>;
}

/** A project of the list of keys that has none to choose, because it could not be read. */
interface FailedProject {
  readonly failed: TrackedProject;
}

/** Which keys can be chosen: `active` ones or all, `current` as the instance has them now, and `any` as they are known. */
type Wanted = 'any' | 'current' | 'active';

const another = Symbol('another project');

/** Finds out what a command is about: by what it was chosen on, or else by asking; nothing is asked that has one answer. */
export class TargetResolver {
  readonly #deps: TargetDeps;

  constructor(deps: TargetDeps) {
    this.#deps = deps;
  }

  /**
   * The project that is meant.
   *
   * @returns undefined if the user cancelled, or no project can be read with the token, which is shown.
   * @throws SignedOutError if there is no account.
   */
  async project(chosen: CommandTarget | undefined, title: string): Promise<TrackedProject | undefined> {
    const named = this.#trackedProject(chosen);
    if (named) {
      return named;
    }
    const { all, hasOtherAccounts } = this.#deps.projects;
    // The only one is not what was meant for sure if another account than the window's reads it.
    if (all.length < 2 && !hasOtherAccounts) {
      return all[0] ?? (await this.#anyProject(title));
    }
    const answer = await this.#deps.dialogs.choose<TrackedProject | typeof another>(
      title,
      vscode.l10n.t('Choose a project'),
      [
        ...all.map((project) => ({
          label: project.path,
          iconPath: new vscode.ThemeIcon(project.place === 'workspace' ? 'repo' : 'pinned'),
          description: [
            ...(project.place === 'workspace' ? [vscode.l10n.t('this workspace')] : []),
            ...this.#accountOf(project),
          ].join(' · '),
          value: project,
        })),
        { ...this.#anotherProject(), value: another },
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
    const { states, dialogs } = this.#deps;
    const state = await dialogs.viewProgress(() => (fresh ? states.reload(project) : states.load(project)));
    const { facts, tracking, error } = state;
    if (facts && tracking && (error === undefined || !fresh)) {
      return { project, facts, tracking };
    }
    notifyProblem(dialogs, failureLabel(project, state));
    return undefined;
  }

  /**
   * The client key that is meant: of the project that the command was chosen on, else of any that the view shows.
   *
   * @param wanted which keys may be chosen.
   * @returns undefined if the user cancelled, or there is none, which is shown.
   */
  async key(chosen: CommandTarget | undefined, title: string, wanted: Wanted): Promise<ResolvedKey | undefined> {
    if (!this.#trackedProject(chosen) && this.#deps.projects.all.length > 1) {
      return await this.#keyOfAnyProject(title, wanted);
    }
    const project = await this.project(chosen, title);
    const known = project && (await this.known(project, wanted !== 'any'));
    if (!known) {
      return undefined;
    }
    if (isKeyRef(chosen?.key)) {
      return this.#keyOf(known, chosen.key, wanted);
    }
    const candidates = candidatesOf(known, wanted);
    if (candidates.length < 2) {
      const [only] = candidates;
      if (!only) {
        this.#notifyKeyless(known);
      }
      return only;
    }
    const placeholder = vscode.l10n.t('Choose a client key of {0}', known.facts.path);
    return await this.#deps.dialogs.choose(
      this.named(title, project.accountId),
      placeholder,
      candidates.map((candidate) => this.#choiceOf(candidate)),
    );
  }

  /** What talks to the instance of a project. */
  async connectionOf({ accountId }: TrackedProject): Promise<Connection> {
    return await this.#deps.connections.of(accountId);
  }

  /** One list over the keys of all projects that the view shows. */
  async #keyOfAnyProject(title: string, wanted: Wanted): Promise<ResolvedKey | undefined> {
    const { projects, states, dialogs } = this.#deps;
    const loaded = await dialogs.viewProgress(() =>
      Promise.all(
        projects.all.map(async (project) => {
          const wasKnown = states.get(project) !== undefined;
          return { project, wasKnown, state: await states.load(project) };
        }),
      ),
    );
    const known = loaded.flatMap(({ project, state: { facts, tracking } }) =>
      facts && tracking ? [{ project, facts, tracking }] : [],
    );
    const failed = loaded.filter(({ state }) => !state.tracking);
    const candidates = known.flatMap((one) => candidatesOf(one, wanted));
    if (candidates.length === 0) {
      const [first] = failed;
      if (first && known.length === 0) {
        notifyProblem(dialogs, failureLabel(first.project, first.state));
      } else {
        dialogs.notify(
          'warning',
          wanted === 'active'
            ? vscode.l10n.t('No project of the Error Tracking view has an active client key.')
            : vscode.l10n.t('No project of the Error Tracking view has a client key.'),
          commandAction(vscode.l10n.t('Create Client Key'), 'beacon.errorTracking.createKey'),
        );
      }
      return undefined;
    }
    const choices: readonly Choice<ResolvedKey | FailedProject | typeof another>[] = [
      // Those that take errors come first.
      ...candidates
        .toSorted((one, other) => Number(other.key.active) - Number(one.key.active))
        .map((candidate) => ({
          ...this.#choiceOf(candidate),
          detail: [candidate.facts.path, ...hostOf(candidate.key), ...this.#accountOf(candidate.project)].join(' · '),
        })),
      ...failed.map(({ project, state }) => ({
        label: project.path,
        iconPath: new vscode.ThemeIcon('warning'),
        detail: [failureLabel(project, state).sentence, ...this.#accountOf(project)].join(' · '),
        value: { failed: project },
      })),
      { ...this.#anotherProject(), value: another },
    ];
    const [only] = candidates;
    const answer =
      candidates.length === 1 && failed.length === 0
        ? only
        : await dialogs.choose(title, vscode.l10n.t('Choose a client key'), choices);
    if (answer === another) {
      const project = await this.#anyProject(title);
      return project && (await this.key({ project }, title, wanted));
    }
    if (answer && 'failed' in answer) {
      return await this.key({ project: answer.failed }, title, wanted);
    }
    // What was known before may be out of date by now.
    const isFresh =
      wanted === 'any' || loaded.some(({ project, wasKnown }) => project === answer?.project && !wasKnown);
    const fresh = answer && (isFresh ? answer : await this.known(answer.project, true));
    return answer && fresh && this.#keyOf(fresh, answer.key, wanted);
  }

  /** A key as the instance has it now. */
  #keyOf(known: ResolvedProject, { id, public_key }: KeyRef, wanted: Wanted): ResolvedKey | undefined {
    const key = known.tracking.keys.find((candidate) => candidate.id === id);
    if (key && (key.active || wanted !== 'active')) {
      return { ...known, key };
    }
    this.#deps.dialogs.notify(
      'warning',
      key
        ? inactiveLabel(key)
        : vscode.l10n.t('Client key {0} no longer exists in {1}.', shortKey(public_key), known.facts.path),
    );
    return undefined;
  }

  #choiceOf(candidate: ResolvedKey): Choice<ResolvedKey> {
    const { key, tracking, facts, project } = candidate;
    const place = { accountId: project.accountId, projectId: facts.id };
    const labels = this.#deps.keyFacts.labels(place, key, tracking.keys);
    const isRefused = key.active && !takesErrors(tracking.settings);
    return {
      label: keyName(key),
      iconPath: new vscode.ThemeIcon(key.active ? 'key' : 'circle-slash'),
      description: [
        ...labels,
        ...(isRefused ? [vscode.l10n.t('errors are refused: error tracking is disabled')] : []),
      ].join(' · '),
      value: candidate,
    };
  }

  /** The project of a target as the view shows it, else by what names it. A link or keybinding may name anything. */
  #trackedProject(chosen: Partial<CommandTarget> | undefined): TrackedProject | undefined {
    const project: unknown = chosen?.project;
    if (!isProjectRef(project)) {
      return undefined;
    }
    if (isTracked(project)) {
      return project;
    }
    const { accountId, idOrPath } = project;
    const { projects, states } = this.#deps;
    const shown = projects.all.find(
      (one) => one.accountId === accountId && (one.idOrPath === idOrPath || states.get(one)?.facts?.id === idOrPath),
    );
    return shown ?? { place: 'pinned', accountId, idOrPath, path: String(idOrPath) };
  }

  /** What is done, or was, with which key of which project: where there is one key, nothing was asked before. */
  withKey(what: string, { key, facts, project }: ResolvedKey): string {
    return this.named(`${what}: ${keyName(key)}, ${facts.path}`, project.accountId);
  }

  /** The path of a project, with the account that reads and changes it where there are several. */
  pathOf({ facts, project }: ResolvedProject): string {
    return this.#deps.accounts.all.length > 1 ? `${facts.path} (${accountLabel(project.accountId)})` : facts.path;
  }

  /** A text with the account that is meant, where there are several. */
  named(text: string, accountId: string): string {
    return this.#deps.accounts.all.length > 1
      ? `${text} · ${vscode.l10n.t('Account: {0}', accountLabel(accountId))}`
      : text;
  }

  /** The line that leads to all projects of the account in use, which is said where those above are of others, too. */
  #anotherProject(): { readonly label: string; readonly description: string } {
    const { accountInUse, projects } = this.#deps;
    const { account } = accountInUse;
    const notes = [
      ...(account && projects.hasOtherAccounts ? [accountLabel(account.id)] : []),
      ...(lacksReadScope(account) ? [vscode.l10n.t('feeds only')] : []),
    ];
    return { label: vscode.l10n.t('Another Project…'), description: notes.join(' · ') };
  }

  #accountOf(project: TrackedProject): readonly string[] {
    return this.#deps.projects.hasOtherAccounts ? [accountLabel(project.accountId)] : [];
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
    this.#deps.dialogs.notify('warning', sentence, ...actions);
  }

  async #anyProject(title: string): Promise<TrackedProject | undefined> {
    const connection = await this.#deps.connections.current();
    const { account } = connection;
    if (lacksReadScope(account)) {
      notifyProblem(this.#deps.dialogs, missingScopeProblem(account, 'GET'));
      return undefined;
    }
    const chosen = await pickProject(connection, { title: this.named(title, account.id) });
    return chosen && { place: 'pinned', accountId: chosen.accountId, idOrPath: chosen.id, path: chosen.path };
  }
}

/** What choosing a project to pin depends on. */
export interface PinningDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'use'>;
  readonly connections: Pick<Connections, 'current'>;
  readonly pins: Pins;
  readonly dialogs: () => Promise<Dialogs>;
}

/**
 * Lets the user choose a project of the account in use to be pinned.
 *
 * @param nameAccount gives the name of that account where it could be mistaken for another one, else an empty text.
 * @param text what is searched for at first.
 * @returns undefined if they gave up, or the token is not enough, which is said.
 */
export async function pickUnpinned(deps: PinningDeps, nameAccount: () => string, text = ''): Promise<Pin | undefined> {
  const { accounts, connections, pins, dialogs } = deps;
  const connection = await connections.current();
  const { account } = connection;
  if (lacksReadScope(account)) {
    notifyProblem(await dialogs(), missingScopeProblem(account, 'GET'));
    return undefined;
  }
  const name = nameAccount();
  const named = name === '' ? [] : [vscode.l10n.t('Account: {0}', name)];
  return await pickProject(connection, {
    ...{ title: [vscode.l10n.t('Pin Project'), ...named].join(' · '), text, pins, accounts: accounts.all },
    again: askElsewhere(deps, (typed) => pickUnpinned(deps, nameAccount, typed)),
  });
}

export function keyName(key: Pick<ClientKeyRecord, 'public_key'>): string {
  return shortKey(key.public_key);
}

/** Says what an inactive key is worth. */
export function inactiveLabel(key: Pick<ClientKeyRecord, 'public_key'>): string {
  return vscode.l10n.t('Client key {0} is inactive: errors that are sent with it are refused.', keyName(key));
}

/** Where the errors of a key go; nothing if its DSN is of an unknown format. */
function hostOf({ tracker_dsn: dsn }: ClientKeyRecord): readonly string[] {
  const parsed = parseDsn(dsn);
  return parsed ? [new URL(parsed.origin).host] : [];
}

function candidatesOf(known: ResolvedProject, wanted: Wanted): readonly ResolvedKey[] {
  return known.tracking.keys
    .filter(({ active }) => active || wanted !== 'active')
    .map((key): ResolvedKey => ({ ...known, key }));
}

function isProjectRef(value: unknown): value is ProjectRef {
  const { accountId, idOrPath } = (value ?? {}) as Partial<Record<keyof ProjectRef, unknown>>;
  return typeof accountId === 'string' && (Number.isSafeInteger(idOrPath) || typeof idOrPath === 'string');
}

function isKeyRef(value: unknown): value is KeyRef {
  const { id, public_key: publicKey } = (value ?? {}) as Partial<Record<keyof KeyRef, unknown>>;
  return Number.isSafeInteger(id) && typeof publicKey === 'string';
}

function isTracked(project: ProjectRef): project is TrackedProject {
  return 'place' in project && 'path' in project;
}
