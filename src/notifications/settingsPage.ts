import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isReadOnly } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { accountProblem } from '../accounts/dialogs.ts';
import { pickGroup, pickProject } from '../accounts/pickers.ts';
import {
  notify,
  type Problem,
  problemOf,
  readOnlySentence,
  replaceToken,
  reportFailure,
  requireScope,
  runRemedy,
} from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { Channel } from '../webviews/channel.ts';
import type { Changes, Message, SendOptions } from './changes.ts';
import type { Drafts } from './drafts.ts';
import { scopeSchema } from './schemas.ts';
import { countLabel, scopeLabel, scopesLabel } from './labels.ts';
import type { MailFeeds } from './mailFeeds.ts';
import { type FromPage, fromPageSchema, type PageAction, type ToPage } from './messages.ts';
import { isModified, isOffered, type PageRow, plansOf, shownSettings, tableState } from './pageState.ts';
import { profileLabel } from './profiles.ts';
import { type NotificationScope, scopeKey, withoutRepeats } from './scope.ts';
import { findParents, findScopes, type FoundScope, type FoundScopes, sourcesOf } from './scopes.ts';
import { draftAfter, type Edit } from './settings.ts';
import { isCancellation, type Reading, type SettingsService } from './settingsService.ts';
import type { TimedProfiles } from './timedProfiles.ts';
import { exportSettings, importSettings } from './transfer.ts';

const { t } = vscode.l10n;

/** At most this many of the user's projects are listed at first, and more each time that the user asks for more: each is a request. */
const projectsAtOnce = 100;

/** What the parts of this feature have in common. */
export interface Notifications {
  readonly app: App;
  readonly service: SettingsService;
  readonly changes: Changes;
  readonly drafts: Drafts;
  readonly mails: MailFeeds;
  readonly timed: TimedProfiles;
}

/** What the page shows first. */
export interface Shown {
  readonly accountId: string;
  /** The scope whose form is open. */
  readonly scope: NotificationScope;
  /** Whether all scopes are listed beside it. */
  readonly isAll: boolean;
}

const keptSchema = z.object({ accountId: z.string(), scope: z.optional(scopeSchema), isAll: z.boolean() });

/** What a page showed that the editor restores. */
export function readKept(kept: unknown): Shown | undefined {
  const { data } = keptSchema.safeParse(kept);
  return data && { ...data, scope: data.scope ?? { kind: 'global', accountId: data.accountId } };
}

/** The page of notification settings: the scopes of one account, and the form of those that are selected. */
export class SettingsPage implements vscode.Disposable {
  readonly #parts: Notifications;
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable;
  #shown: Shown | undefined;
  #phase: ToPage['phase'] = 'loading';
  #progress = '';
  #found: readonly FoundScope[] = [];
  #around: Pick<FoundScopes, 'parents' | 'missing' | 'hasMore'> = { parents: [], missing: [], hasMore: false };
  readonly #readings = new Map<string, Reading>();
  readonly #refusals = new Map<string, unknown>();
  /** The scopes that were opened in this page, wherever they are. */
  #opened: readonly NotificationScope[] = [];
  #selected: ReadonlySet<string> = new Set();
  #mostProjects = projectsAtOnce;
  #seen = 0;
  #message: Message | undefined;
  #error: unknown;
  #reading = new AbortController();
  #sending = new AbortController();
  #mailReading: AbortController | undefined;
  #mailNote = '';
  /** Edits and what follows them, one after another. */
  #lastStep: Promise<unknown> = Promise.resolve();
  /** Whether something has changed while the page was hidden. */
  #isOutdated = false;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, fill: () => void, parts: Notifications) {
    const { app, service } = parts;
    this.#parts = parts;
    this.#panel = panel;
    const onError = (error: unknown): void => reportFailure(error, app.log);
    this.#channel = new Channel(panel.webview, fromPageSchema, (message) => this.#receive(message), onError);
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      panel.onDidChangeViewState(() => (this.#isOutdated ? this.#follow() : undefined)),
      app.accountInUse.onDidChange(() =>
        app.accountInUse.account?.id === this.#shown?.accountId ? this.#follow() : this.#show(),
      ),
      app.accounts.onDidChange((ids) => (ids.includes(this.#shown?.accountId ?? '') ? this.#follow() : undefined)),
      app.workspaceProjects.onDidChange(() => (this.#shown?.isAll ? this.#follow() : undefined)),
      app.pins.onDidChange(() => (this.#shown?.isAll ? this.#follow() : undefined)),
      service.onDidChange((scope) => void this.#readAgain(scope).catch(onError)),
    );
    fill();
  }

  /** Shows a scope, and reads it again. */
  async show(shown: Shown): Promise<void> {
    if (shown.accountId !== this.#shown?.accountId) {
      this.#readings.clear();
      this.#refusals.clear();
      this.#opened = [];
      this.#found = [];
      this.#message = undefined;
      this.#cancelMails();
    }
    this.#shown = { ...shown, isAll: shown.isAll || (this.#shown?.accountId === shown.accountId && this.#shown.isAll) };
    this.#open(shown.scope);
    await this.#load();
  }

  /** Says that closing the page loses nothing. */
  dispose(): void {
    const modified = this.#rows.filter(isModified).map(({ scope }) => scope);
    this.#isDisposed = true;
    this.#reading.abort();
    this.#cancelMails();
    this.#subscriptions.dispose();
    const [first] = modified;
    if (first && this.#phase !== 'saving') {
      const open = {
        title: t('Open'),
        run: () => vscode.commands.executeCommand('beacon.notifications.open', first),
      };
      notify('info', t('Your unsaved changes are kept: {0}.', scopesLabel(modified)), [open], this.#parts.app.log);
    }
  }

  #open(scope: NotificationScope): void {
    this.#opened = [...this.#opened, scope];
    this.#selected = new Set([scopeKey(scope)]);
  }

  /** The scopes that are listed. */
  get #rows(): readonly PageRow[] {
    const { drafts, mails, timed } = this.#parts;
    const opened = this.#opened.map(
      (scope) => ({ scope, place: scope.kind === 'global' ? 'global' : 'opened' }) as const,
    );
    const listed = this.#shown?.isAll ? [...this.#found, ...opened] : opened;
    return inOrder(withoutRepeats<FoundScope>(listed, ({ scope }) => scope)).map((found) => {
      const key = scopeKey(found.scope);
      const held = timed.latest.find(({ scope }) => scopeKey(scope) === key);
      const reading = this.#readings.get(key);
      return {
        ...found,
        ...(reading && 'settings' in reading ? { settings: reading.settings } : {}),
        ...(reading && 'error' in reading ? { error: reading.error } : {}),
        draft: drafts.of(found.scope),
        refusal: this.#refusals.get(key),
        mails: mails.countsOf(found.scope),
        profile: held && profileLabel(held),
      };
    });
  }

  /** Reads everything again. A failure shows in the page; what was read before stays. @param isAsked whether the user has asked for it. */
  async #load(isAsked = true): Promise<void> {
    const shown = this.#shown;
    if (this.#isDisposed || !shown || this.#phase === 'saving') {
      this.#isOutdated = true;
      return;
    }
    const reading = this.#startReading();
    const { signal } = reading;
    this.#isOutdated = false;
    this.#error = undefined;
    this.#setPhase('loading');
    try {
      await this.#readEverything(shown, isAsked, signal);
    } catch (error) {
      this.#error = signal.aborted ? undefined : error;
    }
    if (this.#reading === reading) {
      this.#progress = '';
      this.#setPhase('ready');
    }
  }

  /** Gives up what is being read. */
  #startReading(): AbortController {
    this.#reading.abort();
    this.#reading = new AbortController();
    return this.#reading;
  }

  async #readEverything({ accountId, scope, isAll }: Shown, isAsked: boolean, signal: AbortSignal): Promise<void> {
    const { app, service, drafts } = this.#parts;
    const [before, shownBefore] = [this.#planned, this.#rows.filter((row) => row.settings)];
    const drafted = await drafts.read(accountId);
    this.#noteChange(before);
    const changed = shownBefore.find((row) => row.draft?.revision !== drafts.of(row.scope)?.revision);
    if (changed && !isAsked) {
      this.#sayNewer(changed.scope);
    }
    const connection = await app.connections.of(accountId);
    requireScope(connection.account, 'GET');
    // What was asked for comes first.
    this.#take(await service.readAll([scope], signal));
    this.#show();
    if (isAll) {
      this.#opened = [...this.#opened, ...drafted];
      const { found, ...around } = await findScopes(app, accountId, this.#mostProjects, signal);
      this.#found = found;
      this.#around = around;
    } else {
      this.#around = { ...this.#around, parents: await findParents(this.#opened, connection, signal), missing: [] };
    }
    const groups = this.#around.parents.flatMap((parent) => (typeof parent.scope === 'string' ? [] : parent.scope));
    const [, ...others] = withoutRepeats<NotificationScope>(
      [scope, { kind: 'global', accountId }, ...groups, ...this.#rows.map((row) => row.scope)],
      (one) => one,
    );
    let done = 0;
    const readings = await service.readAll(others, signal, () => {
      done += 1;
      if (done % 10 === 0 && !signal.aborted) {
        this.#progress = t('reading {0} of {1}…', countLabel(done), countLabel(others.length));
        this.#show();
      }
    });
    this.#take(readings);
    await this.#parts.timed.read();
  }

  #take(readings: readonly Reading[]): void {
    const before = this.#planned;
    readings.forEach((reading) => this.#readings.set(scopeKey(reading.scope), reading));
    this.#noteChange(before);
  }

  /** What a save would send. */
  get #planned(): string {
    return JSON.stringify(plansOf(this.#rows));
  }

  /** Notes that a save would send something else than before, for another reason than a choice in this page. */
  #noteChange(before: string): void {
    this.#seen += before === this.#planned ? 0 : 1;
  }

  /** Reads a scope again that was changed by another part of the extension. */
  async #readAgain(scope: NotificationScope): Promise<void> {
    if (this.#phase !== 'saving' && this.#readings.has(scopeKey(scope))) {
      this.#take(await this.#parts.service.readAll([scope]));
      this.#show();
    }
  }

  /** Reads what is of interest now; after what is under way, and once somebody looks. */
  #follow(): void {
    if (this.#phase === 'saving' || !this.#panel.visible) {
      this.#isOutdated = true;
    } else {
      void this.#load(false);
    }
  }

  async #receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#show();
        return;
      case 'select':
        this.#selected = new Set(message.keys);
        this.#show();
        return;
      case 'edit':
        await this.#inOrder(() => this.#edit(message.keys, message.edit));
        return;
      case 'discard':
        await this.#inOrder(() => this.#discard(message.keys));
        return;
      case 'keep':
        await this.#inOrder(() => this.#keep(message.key));
        return;
      case 'save':
        await this.#inOrder(async () => this.#save(message.seen));
        return;
      case 'fixScope': {
        const row = this.#rows.find(({ scope }) => scopeKey(scope) === message.key);
        await (row?.error === undefined ? undefined : this.#fix(problemOf(row.error, row.scope.accountId)));
        return;
      }
      case 'answer':
        await this.#message?.actions.find(({ title }) => title === message.title)?.run();
        return;
      case 'act':
        await this.#act(message.action);
    }
  }

  async #act(action: PageAction): Promise<void> {
    const { app, changes } = this.#parts;
    const shown = this.#shown;
    if (!shown) {
      return;
    }
    const { accountId } = shown;
    switch (action) {
      case 'reload':
        return await this.#load();
      case 'cancel':
        this.#sending.abort();
        return;
      case 'showAll':
        return await this.show({ ...shown, isAll: true });
      case 'more':
        this.#mostProjects += projectsAtOnce;
        return await this.#load();
      case 'fix':
        return await this.#fix(this.#problems.find(({ remedy }) => remedy));
      case 'openInUse':
        return await this.#openInUse();
      case 'profiles':
        await vscode.commands.executeCommand('beacon.notifications.manageProfiles');
        return;
      case 'export':
        return await exportSettings(
          app,
          changes,
          accountId,
          this.#rows.flatMap(({ scope }) => this.#readings.get(scopeKey(scope)) ?? []),
        );
      case 'import':
        return await importSettings(app, changes, accountId, this.#aroundSending());
      case 'pinProject':
      case 'pinGroup':
        return await this.#pin(action === 'pinProject' ? pickProject : pickGroup);
      case 'readMails':
        return await this.#readMails();
      case 'cancelMails':
        this.#cancelMails();
        this.#show();
    }
  }

  /** Lets the user pin a project or group, which is listed then, and opens it. */
  async #pin(pick: typeof pickProject | typeof pickGroup): Promise<void> {
    const { app } = this.#parts;
    const connection = await app.connections.of(this.#shown?.accountId ?? '');
    const title = pick === pickProject ? t('Pin Project') : t('Pin Group');
    const chosen = await pick(connection, { title, pins: app.pins });
    if (chosen && chosen.accountId === this.#shown?.accountId) {
      this.#open(chosen);
      // The page follows the pins by itself.
      await app.pins.add(chosen);
    }
  }

  /** Where nothing else helps, reads everything again. */
  async #fix(problem: Problem | undefined): Promise<void> {
    await (problem?.remedy ? runRemedy(problem.remedy) : this.#load());
  }

  /** Shows the same scope for the account that the window works with: a project or group of the same path, if there is one. */
  async #openInUse(): Promise<void> {
    const { account } = this.#parts.app.accountInUse;
    const [scope] = this.#rows.filter((row) => this.#selected.has(scopeKey(row.scope))).map((row) => row.scope);
    if (account) {
      const same = scope && scope.kind !== 'global' && { kind: scope.kind, accountId: account.id, path: scope.path };
      await vscode.commands.executeCommand(
        'beacon.notifications.open',
        same || { kind: 'global', accountId: account.id },
      );
    }
  }

  async #edit(keys: readonly string[], edit: Edit): Promise<void> {
    const { drafts } = this.#parts;
    for (const row of this.#rowsOf(keys).filter((one) => isOffered(one, edit))) {
      this.#refusals.delete(scopeKey(row.scope));
      this.#message = undefined;
      if (row.settings && !(await drafts.edit(row.scope, row.settings, edit))) {
        this.#sayNewer(row.scope);
        break;
      }
    }
    this.#show();
  }

  async #discard(keys: readonly string[]): Promise<void> {
    this.#message = undefined;
    for (const { scope, settings, draft } of this.#rowsOf(keys)) {
      if (draft && !(await this.#parts.drafts.set(scope, {}, settings ?? draft.base))) {
        this.#sayNewer(scope);
      }
      this.#refusals.delete(scopeKey(scope));
    }
    this.#show();
  }

  async #keep(key: string): Promise<void> {
    this.#message = undefined;
    for (const { scope, settings, draft } of this.#rowsOf([key])) {
      if (draft && settings && !(await this.#parts.drafts.set(scope, draft.change, settings))) {
        this.#sayNewer(scope);
      }
    }
    this.#show();
  }

  #rowsOf(keys: readonly string[]): readonly PageRow[] {
    return this.#phase === 'saving' ? [] : this.#rows.filter(({ scope }) => keys.includes(scopeKey(scope)));
  }

  #sayNewer(scope: NotificationScope): void {
    this.#seen += 1;
    const sentence = t(
      '{0}: another window has changed what is not saved. It is shown now, and your last choice was not added.',
      scopeLabel(scope),
    );
    this.#message = { severity: 'warning', sentence, actions: [] };
  }

  /** Sends what the page shows. Resolves before it is sent, so that nothing waits for it. */
  async #save(seen: number): Promise<void> {
    if (this.#phase === 'saving') {
      return;
    }
    const plans = plansOf(this.#rows);
    for (const { scope } of plans) {
      if (await this.#parts.drafts.follow(scope)) {
        this.#sayNewer(scope);
        this.#show();
        return;
      }
    }
    if (seen !== this.#seen) {
      const sentence = t('What would be saved has changed in the meantime. Check it, then save again.');
      this.#message = { severity: 'warning', sentence, actions: [] };
      this.#show();
    } else if (plans.length > 0) {
      // What is left is read afterwards.
      this.#isOutdated ||= this.#phase === 'loading';
      this.#startReading();
      const place: SendOptions['place'] = {
        show: (message) => this.#showMessage(message),
        signal: () => {
          this.#sending = new AbortController();
          return this.#sending.signal;
        },
      };
      this.#parts.changes
        .send(plans, { ...this.#aroundSending(), place })
        .catch((error: unknown) => reportFailure(error, this.#parts.app.log));
    }
  }

  /** What became of a save is shown in the page, or by the editor where the page was closed. */
  #showMessage(message: Message): void {
    if (this.#isDisposed) {
      notify(message.severity, message.sentence, message.actions, this.#parts.app.log);
    }
    this.#message = message;
    this.#show();
  }

  /** What the page does around whatever is sent by it, also when that is tried again or undone. */
  #aroundSending(): SendOptions {
    const { drafts } = this.#parts;
    return {
      before: async () => {
        this.#message = undefined;
        this.#setPhase('saving');
      },
      after: async (sent, isUndo) => {
        try {
          for (const { plan, outcome } of sent) {
            const { scope } = plan;
            const key = scopeKey(scope);
            const now = outcome.kind === 'failed' ? undefined : outcome.now;
            this.#take(now ? [{ scope, settings: now }] : []);
            const draft = drafts.of(scope);
            if (outcome.kind === 'applied' && draft) {
              const rest = isUndo ? draft.change : draftAfter(draft.change, outcome.taken, outcome.now);
              await drafts.set(scope, rest, outcome.now);
            } else if (outcome.kind === 'failed' && !isCancellation(outcome.error)) {
              this.#refusals.set(key, outcome.error);
            }
          }
        } finally {
          this.#setPhase('ready');
          if (this.#isOutdated) {
            void this.#load(false);
          }
        }
      },
    };
  }

  async #readMails(): Promise<void> {
    if (this.#mailReading || !this.#shown) {
      return;
    }
    const { accountId } = this.#shown;
    const reading = new AbortController();
    this.#mailReading = reading;
    this.#mailNote = t('Reading events…');
    this.#show();
    try {
      const scopes = this.#rows.map(({ scope }) => scope);
      await this.#parts.mails.read(accountId, scopes, reading.signal, (count) => {
        this.#mailNote = t('Events read: {0}', countLabel(count));
        this.#show();
      });
      this.#mailNote = t(
        'Estimated on this computer by the activity of the last 14 days. Your own actions, pushes, pipelines and releases are not counted; merge requests only in projects that are listed.',
      );
    } catch (error) {
      this.#mailNote = reading.signal.aborted ? '' : problemOf(error, accountId).sentence;
    }
    if (this.#mailReading === reading) {
      this.#mailReading = undefined;
    }
    this.#show();
  }

  #cancelMails(): void {
    this.#mailReading?.abort();
    this.#mailReading = undefined;
    this.#mailNote = '';
  }

  /** What is in the way of all scopes. */
  get #problems(): readonly Problem[] {
    const { accounts, accountInUse } = this.#parts.app;
    const accountId = this.#shown?.accountId ?? '';
    const account = accountInUse.account?.id === accountId ? accountInUse.account : accounts.find(accountId);
    return [
      ...(this.#error === undefined ? [] : [accountProblem(accountId, this.#error)]),
      ...(this.#error === undefined && account && isReadOnly(account)
        ? [{ sentence: readOnlySentence(), remedy: replaceToken(accountId) }]
        : []),
      ...this.#around.missing.map(({ path, error }) => {
        const { sentence, ...problem } = problemOf(error, accountId);
        return { ...problem, sentence: t('{0}: {1}', path, sentence) };
      }),
    ];
  }

  async #inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.#lastStep.then(step, step);
    this.#lastStep = done;
    await done;
  }

  #setPhase(phase: ToPage['phase']): void {
    this.#phase = phase;
    this.#show();
  }

  #show(): void {
    const shown = this.#shown;
    if (this.#isDisposed || !shown) {
      return;
    }
    const { accountInUse, accounts } = this.#parts.app;
    const { accountId, isAll } = shown;
    const rows = this.#rows;
    const inUse = accountInUse.account;
    const isElsewhere = inUse !== undefined && inUse.id !== accountId;
    const [single] = this.#opened.length === 1 ? this.#opened : [];
    const title = single && !isAll ? t('Notifications: {0}', scopeLabel(single)) : t('Notification Settings');
    const named = accounts.all.length > 1 || isElsewhere ? t('{0} ({1})', title, accountLabel(accountId)) : title;
    // The editor marks only its own kinds of tabs as changed.
    this.#panel.title = rows.some(isModified) ? `● ${named}` : named;
    const problems = this.#problems;
    const message = this.#message;
    const [selected] = rows.filter(({ scope }) => this.#selected.has(scopeKey(scope)));
    const sources = sourcesOf(this.#around.parents, [...this.#readings.values()], (reading) => {
      const draft = this.#parts.drafts.of(reading.scope);
      return draft ? shownSettings({ ...reading, place: 'opened', draft }) : reading.settings;
    });
    const table = tableState(rows, sources, this.#selected);
    this.#channel.post({
      account: accountLabel(accountId),
      kept: { accountId, isAll, scope: selected?.scope },
      banner: isElsewhere
        ? {
            sentence: t(
              'This page is about the account {0}; the window uses {1}.',
              accountLabel(accountId),
              accountLabel(inUse.id),
            ),
            button: t('Open for {0}', accountLabel(inUse.id)),
          }
        : undefined,
      phase: this.#phase,
      progress: this.#progress,
      isAll,
      seen: this.#seen,
      ...table,
      hasMore: isAll && this.#around.hasMore,
      problems: problems.map(({ sentence, remedy }) => ({ sentence, remedy: remedy?.title })),
      canSave: this.#phase !== 'saving' && table.changes.length > 0 && !problems.some(({ remedy }) => remedy),
      message: message && {
        isWarning: message.severity === 'warning',
        sentence: message.sentence,
        actions: message.actions.map((action) => action.title),
      },
      mails: {
        isReading: this.#mailReading !== undefined,
        isShown: rows.some(({ mails }) => mails !== undefined),
        note: this.#mailNote,
      },
    });
  }
}

/** The global settings first, then by path, so that what is inherited from stands above. */
function inOrder(rows: readonly FoundScope[]): readonly FoundScope[] {
  const pathOf = (scope: NotificationScope): string => (scope.kind === 'global' ? '' : scope.path);
  return rows.toSorted(({ scope: one }, { scope: other }) => pathOf(one).localeCompare(pathOf(other)));
}
