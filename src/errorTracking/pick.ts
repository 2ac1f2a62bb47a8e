import * as vscode from 'vscode';
import { lacksReadScope, type ProjectRef } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { type Choice, commandAction, type Dialogs, notifyProblem } from '../accounts/dialogs.ts';
import { pickProject } from '../accounts/pickers.ts';
import type { Pin } from '../accounts/pins.ts';
import { missingScopeProblem } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { shortKey } from './dsn.ts';
import type { KeyNotes } from './keyNotes.ts';
import { type CommandTarget, setUpActions, failureLabel, inactiveLabel, settingsLabel } from './labels.ts';
import { type KnownKey, type KnownProject, type Projects, takesErrors, type TrackedProject } from './projects.ts';

/** Which keys can be chosen: `active` ones or all, `current` as the instance has them now, and `any` as they are known. */
type Wanted = 'any' | 'current' | 'active';

const another = Symbol('another project');

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
    const [only] = all;
    // The only one is not what was meant for sure if another account than the window's reads it.
    if (all.length < 2 && (!only || only.accountId === this.#app.accountInUse.account?.id)) {
      return only ?? (await this.#anyProject(title));
    }
    const answer = await this.#dialogs.choose<TrackedProject | typeof another>(
      title,
      vscode.l10n.t('Choose a project'),
      [
        ...all.map((project) => ({
          label: project.path,
          iconPath: new vscode.ThemeIcon(project.origin === 'workspace' ? 'repo' : 'pinned'),
          description: [
            ...(project.origin === 'workspace' ? [vscode.l10n.t('this workspace')] : []),
            ...this.#accountOf(project),
          ].join(' · '),
          value: project,
        })),
        { label: vscode.l10n.t('Another Project…'), value: another },
      ],
    );
    return answer === another ? await this.#anyProject(title) : answer;
  }

  /** A project with what is known of its error tracking. A failure is said. @param fresh asks the instance in any case. */
  async known(project: TrackedProject, fresh = false): Promise<KnownProject | undefined> {
    const state = await this.#dialogs.viewProgress(() => this.#projects[fresh ? 'reload' : 'load'](project));
    const { facts, tracking, error } = state;
    if (facts && tracking && (error === undefined || !fresh)) {
      return { project, facts, tracking };
    }
    notifyProblem(this.#dialogs, failureLabel(project, state));
    return undefined;
  }

  /** The client key that is meant; undefined if the user gave up, or there is none, which is said. */
  async key(chosen: CommandTarget | undefined, title: string, wanted: Wanted): Promise<KnownKey | undefined> {
    const project = await this.project(chosen, title);
    const known = project && (await this.known(project, wanted !== 'any'));
    if (!known) {
      return undefined;
    }
    // A link or keybinding may name anything.
    if (typeof chosen?.key?.public_key === 'string') {
      return this.#keyOf(known, chosen.key, wanted);
    }
    const keys = known.tracking.keys
      .filter(({ active }) => active || wanted !== 'active')
      .map((key): KnownKey => ({ ...known, key }));
    if (keys.length === 0) {
      this.#notifyKeyless(known);
    }
    return keys.length < 2
      ? keys[0]
      : await this.#dialogs.choose(
          this.named(title, known.project.accountId),
          vscode.l10n.t('Choose a client key of {0}', known.facts.path),
          keys.map((key) => this.choiceOf(key)),
        );
  }

  /** The line of a key to choose. */
  choiceOf(candidate: KnownKey): Choice<KnownKey> {
    const { key, tracking, project } = candidate;
    const isRefused = key.active && !takesErrors(tracking.settings);
    return {
      label: shortKey(key.public_key),
      iconPath: new vscode.ThemeIcon(key.active ? 'key' : 'circle-slash'),
      description: [
        ...this.#notes.labels(project, key),
        ...(isRefused ? [vscode.l10n.t('errors are refused: error tracking is disabled')] : []),
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
    return this.#app.accounts.all.length > 1
      ? `${text} · ${vscode.l10n.t('Account: {0}', accountLabel(accountId))}`
      : text;
  }

  /** Lets the user choose a project of the account in use to be pinned. */
  async unpinned(): Promise<Pin | undefined> {
    return await this.#pick(vscode.l10n.t('Pin Project'));
  }

  /** A key as the instance has it now. */
  #keyOf(
    known: KnownProject,
    { id, public_key: publicKey }: NonNullable<CommandTarget['key']>,
    wanted: Wanted,
  ): KnownKey | undefined {
    const key = known.tracking.keys.find((candidate) => candidate.id === id);
    if (key && (key.active || wanted !== 'active')) {
      return { ...known, key };
    }
    const name = shortKey(publicKey);
    this.#dialogs.notify(
      'warning',
      key ? inactiveLabel(key) : vscode.l10n.t('Client key {0} no longer exists in {1}.', name, known.facts.path),
    );
    return undefined;
  }

  #accountOf({ accountId }: TrackedProject): readonly string[] {
    return accountId === this.#app.accountInUse.account?.id ? [] : [accountLabel(accountId)];
  }

  /** Says that there is no client key to choose, with the command that creates one. */
  #notifyKeyless({ project, facts, tracking: { settings, keys } }: KnownProject): void {
    const sentence =
      settings.kind === 'notOffered'
        ? settingsLabel(settings).sentence
        : keys.length === 0
          ? vscode.l10n.t('{0} has no client key.', facts.path)
          : vscode.l10n.t('{0} has no active client key.', facts.path);
    // The instance makes the first key itself when it begins to track errors.
    const actions = takesErrors(settings)
      ? [commandAction(vscode.l10n.t('Create Client Key'), 'beacon.errorTracking.createKey', { project })]
      : setUpActions(project, settings);
    this.#dialogs.notify('warning', sentence, ...actions);
  }

  async #anyProject(title: string): Promise<TrackedProject | undefined> {
    const chosen = await this.#pick(title);
    return chosen && this.#projects.find({ accountId: chosen.accountId, idOrPath: chosen.id });
  }

  /** Lets the user choose any project of the account in use. */
  async #pick(title: string): Promise<Pin | undefined> {
    const connection = await this.#app.connections.current();
    const { account } = connection;
    if (lacksReadScope(account)) {
      notifyProblem(this.#dialogs, missingScopeProblem(account, 'GET'));
      return undefined;
    }
    return await pickProject(connection, { title: this.named(title, account.id), pins: this.#app.pins });
  }
}

function isProjectRef(value: unknown): value is ProjectRef {
  const { accountId, idOrPath } = (value ?? {}) as Partial<Record<keyof ProjectRef, unknown>>;
  return typeof accountId === 'string' && (Number.isSafeInteger(idOrPath) || typeof idOrPath === 'string');
}
