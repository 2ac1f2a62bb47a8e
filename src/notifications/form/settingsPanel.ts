import { join } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { type Account, isReadOnly, SignedOutError } from '../../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../../accounts/accountInUse.ts';
import { problemOf, readOnlySentence, renewToken, runRemedy } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import { type NoiseEstimates, NoiseReading, type NoiseWanted } from '../noise/estimates.ts';
import { mailsOfLevel } from '../noise/mails.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import type { Inherited } from '../settings/inheritance.ts';
import { type FileLog, ScopeFiles } from '../settings/scopeFiles.ts';
import { fieldLabel, fieldsLabel, scopeLabel, valueLabel } from '../settings/labels.ts';
import { changeOf, heldBack, isEmptyChange, type NotificationScope, scopeKey, undoOf } from '../settings/settings.ts';
import { Channel } from '../../webviews/channel.ts';
import { fillWebview, type PageFiles } from '../../webviews/webview.ts';
import { type FromForm, fromFormSchema, type Notice, type ToForm } from './messages.ts';
import { type Kept, keptSchema, type SaveOutcome, type SessionState, SettingsSession } from './settingsSession.ts';

/**
 * All that the form shows of a scope. Holds no token.
 *
 * @param inUse the account that the window works with.
 * @param inherited what the level `global` stands for, if it is known.
 * @param taken see `ToForm`.
 */
export function formStateOf(
  scope: NotificationScope,
  inUse: Account | undefined,
  state: SessionState,
  inherited?: string,
  taken = 0,
): ToForm {
  const { phase, settings, conflict, otherDraft, outcome, memory } = state;
  return {
    scope,
    scopeKey: scopeKey(scope),
    account: accountLabel(scope.accountId),
    ...(inUse && inUse.id !== scope.accountId ? { otherAccount: accountLabel(inUse.id) } : {}),
    phase,
    settings,
    inherited,
    draft: memory.draft,
    otherDraft,
    taken,
    notice:
      noticeOf(state) ?? (inUse?.id === scope.accountId && isReadOnly(inUse) ? readOnlyNotice(inUse.id) : undefined),
    isSignedOut: errorOf(outcome) instanceof SignedOutError,
    fieldErrors: fieldErrorsOf(outcome),
    conflict,
    undo: undoLabel(state),
  };
}

function undoLabel({ settings, memory: { lastSave } }: SessionState): ToForm['undo'] {
  if (!settings || !lastSave) {
    return undefined;
  }
  const { change, lost } = undoOf(lastSave.before, lastSave.change);
  const steps = Object.entries(change).map(([field, value]) => {
    const label = valueLabel(field, value, l10n);
    switch (field) {
      case 'level':
        return l10n.t('the level back to {0}', label);
      case 'notification_email':
        return l10n.t('the e-mail address back to {0}', label);
      default:
        return l10n.t('{0} back to {1}', fieldLabel(field, l10n), label);
    }
  });
  const isPossible = steps.length > 0;
  // One sentence, which may be cut: what is not undone stands beside what is.
  const sentence = !isPossible
    ? l10n.t('The last save cannot be undone for: {0}.', list(lost))
    : lost.length > 0
      ? l10n.t('Undo sets {0}, not {1}.', sentenceList(steps), list(lost))
      : l10n.t('Undo sets {0}.', sentenceList(steps));
  return { sentence, isPossible };
}

/** What the sessions depend on. */
export interface SessionsDeps {
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
  /** A folder that is shared by all windows. */
  readonly folder: string;
  readonly log: FileLog;
}

/** The sessions of all scopes that were shown in this window. They outlive the form, so that a save ends in any case. */
export class Sessions implements vscode.Disposable {
  readonly #deps: SessionsDeps;
  readonly #files: ScopeFiles<Kept>;
  readonly #open = new Map<string, SettingsSession>();
  readonly #changed = new vscode.EventEmitter<string>();

  /** Fires with the key of a scope when something about it has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#files = new ScopeFiles(join(deps.folder, 'drafts'), keptSchema, deps.log);
  }

  /** The session of a scope, the same each time. */
  of(scope: NotificationScope): SettingsSession {
    const key = scopeKey(scope);
    const known = this.#open.get(key);
    if (known) {
      return known;
    }
    const { engine } = this.#deps;
    const session = new SettingsSession(scope, {
      engine,
      files: this.#files,
      onChange: () => this.#changed.fire(key),
    });
    this.#open.set(key, session);
    return session;
  }

  /** The session of a scope that was shown before, by its key. */
  find(key: string): SettingsSession | undefined {
    return this.#open.get(key);
  }

  /** The scopes of an account with changes that were not saved, in whichever window they were made. */
  async drafted(accountId: string): Promise<readonly NotificationScope[]> {
    return (await this.#files.all()).flatMap(({ scope, base, draft }) =>
      scope.accountId === accountId && base && !isEmptyChange(changeOf(base, draft)) ? scope : [],
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const { l10n } = vscode;

/** The notice on the outcome of the last action; undefined if the form itself shows it. */
function noticeOf({ scope: { accountId }, settings, outcome }: SessionState): Notice | undefined {
  const error = errorOf(outcome);
  const problemNotice = (severity: Notice['severity'], sentence: string, details: readonly string[] = []): Notice =>
    noticeOfProblem(severity, sentence, { error, accountId, details });
  switch (outcome?.kind) {
    case undefined:
    case 'changedElsewhere':
      return undefined;
    case 'loadFailed':
      return problemNotice(
        error instanceof SignedOutError ? 'info' : 'error',
        settings
          ? l10n.t('The settings could not be read again: these are the last that were read.')
          : l10n.t('The settings could not be read.'),
      );
    case 'saved':
      // Where the answer was lost and something is missing, what was not saved is the news.
      return outcome.foundOut && outcome.missing.length + outcome.unseen.length > 0
        ? problemNotice('warning', l10n.t('Only some changes were saved: the others are still here.'), [
            ...(outcome.missing.length > 0 ? [l10n.t('Not saved: {0}', list(outcome.missing))] : []),
            ...unseenDetails(outcome.unseen),
          ])
        : savedNotice(outcome);
    case 'notSaved':
      return problemNotice(outcome.effect === 'unknown' ? 'warning' : 'error', notSavedSentence(outcome.effect));
  }
}

/** What to say of a token that can change nothing. */
function readOnlyNotice(accountId: string): Notice {
  return { severity: 'info', sentence: readOnlySentence(), details: [], remedy: renewToken(accountId).title };
}

/** Why the last action failed. */
function errorOf(outcome: SaveOutcome | undefined): unknown {
  return outcome && 'error' in outcome ? outcome.error : undefined;
}

/** What the platform says of single fields, by their names in the API. Text of the platform. */
function fieldErrorsOf(outcome: SaveOutcome | undefined): Record<string, string> {
  const error = errorOf(outcome);
  return isApiError(error, 'validation')
    ? Object.fromEntries(Object.entries(error.fields).map(([field, sentences]) => [field, sentences.join(' ')]))
    : {};
}

/** The command that fixes a failure. */
function remedyOf(outcome: SaveOutcome | undefined, accountId: string): vscode.Command | undefined {
  const error = errorOf(outcome);
  return error === undefined || isApiError(error, 'validation') ? undefined : problemOf(error, accountId).remedy;
}

function notSavedSentence(effect: Extract<SaveOutcome, { kind: 'notSaved' }>['effect']): string {
  switch (effect) {
    case 'none':
      return l10n.t('Nothing was saved: your changes are still here.');
    case 'notSoFar':
      return l10n.t(
        'The answer to the last save is missing. The settings have not changed: your changes are still here.',
      );
    case 'unknown':
      return l10n.t('It is not known whether the last save took effect: your changes are still here.');
  }
}

function savedNotice({ undone, foundOut, missing, unseen }: Extract<SaveOutcome, { kind: 'saved' }>): Notice {
  const sentence = undone ? l10n.t('The last save was undone.') : l10n.t('Saved.');
  return {
    severity: missing.length > 0 ? 'warning' : 'success',
    sentence: foundOut ? l10n.t('The answer was lost, but the settings show: {0}', sentence) : sentence,
    details: [
      ...(undone?.length ? [l10n.t('Kept for the level Custom: {0}', list(undone))] : []),
      ...(missing.length > 0 ? [l10n.t('Not accepted by the instance: {0}', list(missing))] : []),
      ...unseenDetails(unseen),
    ],
  };
}

function unseenDetails(unseen: readonly string[]): string[] {
  return unseen.length > 0 ? [l10n.t('Sent, but GitLab does not show it: {0}', list(unseen))] : [];
}

function noticeOfProblem(
  severity: Notice['severity'],
  sentence: string,
  {
    error,
    accountId,
    details,
  }: { readonly error: unknown; readonly accountId: string; readonly details: readonly string[] },
): Notice {
  if (error === undefined) {
    return { severity, sentence, details: [...details] };
  }
  if (isApiError(error, 'validation')) {
    return { severity, sentence, details: [...details, ...error.sentences] };
  }
  const { sentence: why, remedy } = problemOf(error, accountId);
  const reason = error instanceof SignedOutError ? l10n.t('You are signed out of {0}.', accountLabel(accountId)) : why;
  const again =
    isApiError(error, 'rateLimited') && error.retryAt
      ? [l10n.t('Try again after {0}.', error.retryAt.toLocaleTimeString(vscode.env.language))]
      : [];
  return { severity, sentence, details: [...details, reason, ...again], ...(remedy ? { remedy: remedy.title } : {}) };
}

function sentenceList(parts: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language).format(parts);
}

function list(fields: readonly string[]): string {
  return fieldsLabel(fields, l10n, vscode.env.language);
}

/** The dependencies of a panel. */
export interface SettingsPanelDeps {
  readonly files: PageFiles;
  readonly sessions: Sessions;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  /** Reads what the level `global` stands for in a scope; undefined if it cannot be known. */
  readonly readInherited: (scope: NotificationScope) => Promise<Inherited | undefined>;
  readonly estimates: NoiseEstimates;
  /** An account to go on with where the token of the window's, which a form is about, may not read settings. */
  readonly ableAccount: (scope: NotificationScope) => Account | undefined;
  /** Shows the global settings of that account, or else of the one that the window works with. */
  readonly openOther: (scope: NotificationScope) => Promise<void>;
  /** Lets the user choose another scope; undefined if they cancelled, or another form shows it. */
  readonly chooseScope: (present: NotificationScope) => Promise<NotificationScope | undefined>;
  readonly onError: (error: unknown) => void;
}

/** One form in an editor tab: shows the session of one scope at a time. */
export class SettingsPanel implements vscode.Disposable {
  readonly #deps: SettingsPanelDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<FromForm, ToForm>;
  readonly #subscriptions: vscode.Disposable;
  #scope: NotificationScope;
  #inherited: Inherited | undefined;
  readonly #noise: NoiseReading;
  /** Whether the page is there and listens; false again whenever it is built again. */
  #listening = false;
  #taken = 0;
  /** Whether something may have changed while the form was hidden. */
  #isOutdated = false;

  constructor(panel: vscode.WebviewPanel, scope: NotificationScope, deps: SettingsPanelDeps) {
    this.#panel = panel;
    this.#scope = scope;
    this.#deps = deps;
    const { onError } = deps;
    this.#channel = new Channel(panel.webview, fromFormSchema, (message) => this.#receive(message), onError);
    this.#noise = new NoiseReading(deps.estimates, () => this.#update(scopeKey(this.#scope)));
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      this.#noise,
      deps.sessions.onDidChange((key) => this.#update(key)),
      panel.onDidChangeViewState(() => this.#followVisibility()),
    );
    this.show(scope);
    fillWebview(panel.webview, {
      ...deps.files,
      title: vscode.l10n.t('Notification Settings'),
      state: this.#formState(),
    });
  }

  get scope(): NotificationScope {
    return this.#scope;
  }

  /** Whether something is chosen that is not being saved. */
  get hasChanges(): boolean {
    const { settings, memory, phase } = this.#deps.sessions.of(this.#scope).state;
    if (settings === undefined || phase === 'saving') {
      return false;
    }
    return !isEmptyChange(changeOf(settings, memory.draft)) || heldBack(settings, memory.draft).length > 0;
  }

  /** Whether its account was signed out, and nothing is lost with what is shown. */
  get isLeft(): boolean {
    return errorOf(this.#deps.sessions.of(this.#scope).state.outcome) instanceof SignedOutError && !this.hasChanges;
  }

  /** Shows another scope, or the same with what is there now. */
  show(scope: NotificationScope): void {
    if (scopeKey(scope) !== scopeKey(this.#scope)) {
      this.#inherited = undefined;
      this.#noise.cancel();
    }
    this.#scope = scope;
    this.#update(scopeKey(scope));
    this.load();
  }

  /** Reads the settings again; by `reload` also where they are being read. */
  load(how: 'load' | 'reload' = 'load'): void {
    const { sessions, readInherited, onError } = this.#deps;
    const key = scopeKey(this.#scope);
    this.#isOutdated = false;
    sessions.of(this.#scope)[how]().catch(onError);
    readInherited(this.#scope).then(
      (inherited) => {
        if (key === scopeKey(this.#scope)) {
          this.#inherited = inherited;
          this.#update(key);
        }
      },
      // The form shows why the settings themselves cannot be read.
      () => undefined,
    );
  }

  /** Reads the settings again because they may be others; a hidden form once it is seen. */
  follow(how: 'load' | 'reload'): void {
    if (this.#panel.visible) {
      this.load(how);
    } else {
      this.#isOutdated = true;
    }
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Closes the form. */
  close(): void {
    this.#panel.dispose();
  }

  /** Says so if another account is that of the window now. */
  followAccount(): void {
    this.#update(scopeKey(this.#scope));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #receive(message: FromForm): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#listening = true;
        this.#taken = 0;
        this.#update(scopeKey(this.#scope));
        return;
      case 'edit':
        // It is in the state that this posts.
        this.#taken += 1;
        await this.#deps.sessions.find(message.scope)?.edit(message.edit);
        return;
      case 'act':
        if (message.scope === scopeKey(this.#scope)) {
          await this.#act(message.action);
        }
        return;
      case 'resolve':
        await this.#deps.sessions.find(message.scope)?.resolve(message.discardedFields);
        return;
      case 'openOther':
        await this.#deps.openOther(this.#scope);
        return;
      case 'chooseScope': {
        const scope = await this.#deps.chooseScope(this.#scope);
        if (scope) {
          this.show(scope);
        }
      }
    }
  }

  async #act(action: Extract<FromForm, { type: 'act' }>['action']): Promise<void> {
    const session = this.#deps.sessions.of(this.#scope);
    switch (action) {
      case 'save':
        return await session.save();
      case 'undo':
        return await session.undo();
      case 'discard':
        return await session.discard();
      case 'reload':
        this.load();
        return;
      case 'cancel':
        session.cancel();
        return;
      case 'fixNoise':
      case 'readNoise':
        await (action === 'fixNoise' ? this.#noise.fix() : undefined);
        return await this.#noise.start(this.#scope.accountId, this.#noiseWanted);
      case 'cancelNoise':
        this.#noise.cancel();
        return;
      case 'keepDraft':
        return await session.chooseDraft('mine');
      case 'useOtherDraft':
        return await session.chooseDraft('other');
      case 'fix':
        await runRemedy(remedyOf(session.state.outcome, this.#scope.accountId) ?? renewToken(this.#scope.accountId));
    }
  }

  #followVisibility(): void {
    if (!this.#panel.visible) {
      this.#listening = false;
    } else if (this.#isOutdated) {
      this.load('reload');
    }
  }

  #update(key: string): void {
    if (key !== scopeKey(this.#scope)) {
      return;
    }
    const title = l10n.t(
      'Notifications: {0} ({1})',
      scopeLabel(this.#scope, l10n),
      accountLabel(this.#scope.accountId),
    );
    // The editor marks only its own kinds of tabs as changed.
    this.#panel.title = this.hasChanges ? `● ${title}` : title;
    if (this.#listening) {
      this.#channel.post(this.#formState());
    }
  }

  #formState(): ToForm {
    const { sessions, accountInUse, estimates, ableAccount } = this.#deps;
    const { label, settings } = this.#inherited ?? {};
    const able = ableAccount(this.#scope);
    const mails = estimates.mailsOf(this.#scope);
    return {
      ...formStateOf(this.#scope, accountInUse.account, sessions.of(this.#scope).state, label, this.#taken),
      ...(able ? { ableAccount: accountLabel(able.id) } : {}),
      noise: this.#noise.state(this.#scope.accountId, this.#noiseWanted),
      mails,
      inheritedMails: mails && settings && mailsOfLevel(settings, mails),
    };
  }

  /** A project's own feed tells of all that happens in it. */
  get #noiseWanted(): NoiseWanted {
    return this.#scope.kind === 'project' ? { all: false, projects: [this.#scope.id] } : { all: true, projects: [] };
  }
}
