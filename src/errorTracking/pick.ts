import * as vscode from 'vscode';
import { lacksReadScope, type ProjectRef } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { Choice, Dialogs } from '../accounts/dialogs.ts';
import { pickPin } from '../accounts/pickers.ts';
import type { Pin } from '../accounts/pins.ts';
import { missingScopeProblem, showProblem } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { shortKey } from './dsn.ts';
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
export class Targets {
  readonly #app: App;
  readonly #projects: Projects;
  readonly #notes: KeyNotes;
  readonly #dialogs: Dialogs;

  constructor(app: App, projects: Projects, notes: KeyNotes, dialogs: Dialogs) {
    this.#app = app;
    this.#projects = projects;
    this.#notes = notes;
    this.#dialogs = dialogs;
  }

  /** The project that is meant; undefined if the user gave up, or no project can be read with the token, which is said. */
  async project(chosen: CommandTarget | undefined, title: string): Promise<TrackedProject | undefined> {
    if (isProjectRef(chosen?.project)) {
      return this.#projects.find(chosen.project);
    }
    const { all } = this.#projects;
    const { account } = this.#app.accountInUse;
    const [only] = all;
    // The only one is not what was meant for sure if another account than the window's reads it.
    if (only && all.length === 1 && only.accountId === account?.id) {
      return only;
    }
    const choices = all.map((project) => ({
      label: project.path,
      iconPath: new vscode.ThemeIcon(project.origin === 'workspace' ? 'repo' : 'pinned'),
      description: [
        ...(project.origin === 'workspace' ? [t('this workspace')] : []),
        ...(project.accountId === account?.id ? [] : [accountLabel(project.accountId)]),
      ].join(' · '),
      value: project,
    }));
    const answer = only
      ? await this.#dialogs.choose<TrackedProject | 'another'>(title, t('Choose a project'), [
          ...choices,
          { label: t('Another Project…'), value: 'another' },
        ])
      : 'another';
    const pin = answer === 'another' ? await this.pick(title) : undefined;
    return answer === 'another' ? pin && this.#projects.find({ accountId: pin.accountId, idOrPath: pin.id }) : answer;
  }

  /** A project with what is known of its error tracking. A failure is said. @param fresh asks the instance in any case. */
  async known(project: TrackedProject, fresh = false): Promise<KnownProject | undefined> {
    const state = await this.#dialogs.viewProgress(() => this.#projects[fresh ? 'reload' : 'load'](project));
    const { facts, tracking, error } = state;
    if (facts && tracking && (error === undefined || !fresh)) {
      return { project, facts, tracking };
    }
    showProblem(failureLabel(project, state));
    return undefined;
  }

  /** The client key that is meant; undefined if the user gave up, or there is none, which is said. */
  async key(chosen: CommandTarget | undefined, title: string, wanted: Wanted): Promise<KnownKey | undefined> {
    const project = await this.project(chosen, title);
    const known = project && (await this.known(project, wanted !== 'any'));
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
      this.#dialogs.notify('warning', key ? inactiveLabel(key) : gone);
      return undefined;
    }
    const keys = tracking.keys
      .filter(({ active }) => active || wanted !== 'active')
      .map((key): KnownKey => ({ ...known, key }));
    if (keys.length === 0) {
      this.#notifyKeyless(known);
    }
    return keys.length < 2
      ? keys[0]
      : await this.#dialogs.choose(
          this.named(title, project.accountId),
          t('Choose a client key of {0}', facts.path),
          keys.map((key) => this.choiceOf(key)),
        );
  }

  choiceOf(candidate: KnownKey): Choice<KnownKey> {
    const { key, tracking, project } = candidate;
    const isRefused = key.active && !takesErrors(tracking.settings);
    return {
      label: shortKey(key.public_key),
      iconPath: new vscode.ThemeIcon(key.active ? 'key' : 'circle-slash'),
      description: [
        ...this.#notes.labels(project, key),
        ...(isRefused ? [t('errors are refused: error tracking is disabled')] : []),
      ].join(' · '),
      value: candidate,
    };
  }

  /** What is done, or was, with which key of which project: where there is one key, nothing was asked before. */
  withKey(what: string, { key, facts, project }: KnownKey): string {
    return this.named(`${what}: ${shortKey(key.public_key)}, ${facts.path}`, project.accountId);
  }

  /** A text with the account that is meant, where there are several. */
  named(text: string, accountId: string): string {
    return this.#app.accounts.all.length > 1 ? `${text} · ${t('Account: {0}', accountLabel(accountId))}` : text;
  }

  #notifyKeyless({ project, facts, tracking: { settings, keys } }: KnownProject): void {
    const sentence =
      settings.kind === 'notOffered'
        ? settingsLabel(settings).sentence
        : keys.length === 0
          ? t('{0} has no client key.', facts.path)
          : t('{0} has no active client key.', facts.path);
    // The instance makes the first key itself when it begins to track errors.
    const actions = takesErrors(settings)
      ? [targetAction(t('Create Client Key'), 'createKey', { project })]
      : setUpActions(project, settings);
    this.#dialogs.notify('warning', sentence, ...actions);
  }

  async pick(title: string): Promise<Pin | undefined> {
    const connection = await this.#app.connections.current();
    const { account } = connection;
    if (lacksReadScope(account)) {
      showProblem(missingScopeProblem(account));
      return undefined;
    }
    return await pickPin(connection, this.named(title, account.id), ['project'], this.#app.pins);
  }
}

function isProjectRef(value: unknown): value is ProjectRef {
  const { accountId, idOrPath } = (value ?? {}) as Partial<Record<keyof ProjectRef, unknown>>;
  return typeof accountId === 'string' && (Number.isSafeInteger(idOrPath) || typeof idOrPath === 'string');
}
