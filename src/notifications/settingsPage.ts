import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isReadOnly } from '../accounts/account.ts';
import { pickPlace } from '../accounts/pickers.ts';
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
import { inSequence } from '../common/inertText.ts';
import type { Shown as ShownPage } from '../webviews/webview.ts';
import type { Changes, Message, SendOptions } from './changes.ts';
import type { Draft, Drafts } from './drafts.ts';
import { countLabel, scopeLabel, scopesLabel } from './labels.ts';
import type { MailFeeds } from './mails.ts';
import {
  edited,
  type FromPage,
  isModified,
  type PageAction,
  type PageRow,
  plansOf,
  shownSettings,
  tableState,
  type ToPage,
} from './pageState.ts';
import { profileLabel } from './profiles.ts';
import { type NotificationScope, scopeKey, scopeSchema, withoutRepeats } from './scope.ts';
import { findParents, findScopes, type FoundScopes, groupsAmong, scopeOfArgument } from './scopes.ts';
import { draftAfter, type Settings } from './settings.ts';
import type { Reading, SettingsService } from './settingsService.ts';
import type { TimedProfiles } from './timedProfiles.ts';
import { exportSettings, importSettings } from './transfer.ts';

const { t } = vscode.l10n;

/** At most this many of the user's projects are listed at first, and more each time that the user asks for more: each is a request. */
const projectsAtOnce = 100;
const noScopes: FoundScopes = { scopes: [], parents: new Map(), missing: [], hasMore: false };

export interface Notifications {
  readonly app: App;
  readonly service: SettingsService;
  readonly changes: Changes;
  readonly drafts: Drafts;
  readonly mails: MailFeeds;
  readonly timed: TimedProfiles;
}

/** What the page shows first, and what the editor restores: a scope, whose form is open, and whether all are listed beside it. */
export const shownSchema = () => z.object({ scope: scopeSchema(), isAll: z.boolean() });
export type Shown = z.infer<ReturnType<typeof shownSchema>>;

/** The page of notification settings: the scopes of one account, and the form of those that are selected. */
export class SettingsPage implements vscode.Disposable {
  readonly #parts: Notifications;
  readonly #page: ShownPage<ToPage>;
  readonly #subscriptions: vscode.Disposable;
  #shown: Shown | undefined;
  #phase: ToPage['phase'] = 'loading';
  #found = noScopes;
  readonly #readings = new Map<string, Reading>();
  #opened: readonly NotificationScope[] = [];
  #selected: ReadonlySet<string> = new Set();
  #isByBoxes = false;
  #mostProjects = projectsAtOnce;
  /** Counted up whenever something else would be sent than before, but for what the user chooses: a page saves what it has shown. */
  #seen = 0;
  #planned = '[]';
  #message: Message | undefined;
  #error: unknown;
  #reading = new AbortController();
  #sending = new AbortController();
  /** How many changes are under way: what was imported may be sent while another save is. */
  #sendings = 0;
  #mailReading: AbortController | undefined;
  #mailNote = '';
  /** What is done with drafts, one after another. */
  #lastStep: Promise<unknown> = Promise.resolve();
  /** Whether something has changed while the page was hidden. */
  #isOutdated = false;
  #isDisposed = false;

  constructor(page: ShownPage<ToPage>, parts: Notifications) {
    const { app, service } = parts;
    this.#parts = parts;
    this.#page = page;
    const followAll = (): void => (this.#shown?.isAll ? this.#follow() : undefined);
    this.#subscriptions = vscode.Disposable.from(
      page.panel.onDidChangeViewState(() => (this.#isOutdated ? this.#follow() : undefined)),
      app.accountInUse.onDidChange(() =>
        app.accountInUse.account?.id === this.#accountId ? this.#follow() : this.#show(),
      ),
      app.accounts.onDidChange(({ id, now }) =>
        id === this.#accountId ? (now ? this.#follow() : this.#show()) : undefined,
      ),
      app.workspaceProjects.onDidChange(followAll),
      app.pins.onDidChange(followAll),
      service.onDidChange(
        (scope) => void this.#readAgain(scope).catch((error: unknown) => reportFailure(error, app.log)),
      ),
    );
    page.fill();
  }

  async show(shown: Shown): Promise<void> {
    const isOther = shown.scope.accountId !== this.#accountId;
    if (isOther) {
      this.#sayWhatIsKept();
      this.#readings.clear();
      [this.#opened, this.#found, this.#message] = [[], noScopes, undefined];
      this.#cancelMails();
    }
    this.#shown = { ...shown, isAll: shown.isAll || (!isOther && this.#shown?.isAll === true) };
    this.#opened = [...this.#opened, shown.scope];
    this.#select([scopeKey(shown.scope)], false);
    await this.#load();
  }

  dispose(): void {
    this.#sayWhatIsKept();
    this.#isDisposed = true;
    this.#reading.abort();
    this.#cancelMails();
    this.#subscriptions.dispose();
  }

  /** Says that closing the page, or opening it for another account, loses nothing. */
  #sayWhatIsKept(): void {
    const { accountInUse, log } = this.#parts.app;
    const modified = this.#rows.filter(isModified).map(({ scope }) => scope);
    const [first] = modified;
    if (first && accountInUse.ofPage(first.accountId).isSignedIn && this.#phase !== 'saving') {
      const open = {
        title: t('Open'),
        run: () => vscode.commands.executeCommand('beacon.notifications.open', first),
      };
      const names = accountInUse.named(scopesLabel(modified), first.accountId);
      notify('info', t('Your unsaved changes are kept: {0}.', names), [open], log);
    }
  }

  get #accountId(): string {
    return this.#shown?.scope.accountId ?? '';
  }

  /** The scopes that are listed: the global settings first, then by path, so that what is inherited from stands above. */
  get #rows(): readonly PageRow[] {
    const listed = [...(this.#shown?.isAll ? this.#found.scopes : []), ...this.#opened];
    const pathOf = (scope: NotificationScope): string => (scope.kind === 'global' ? '' : scope.path);
    return withoutRepeats(listed, (scope) => scope)
      .toSorted((one, other) => pathOf(one).localeCompare(pathOf(other)))
      .map((scope) => this.#rowOf(scope));
  }

  #rowOf(scope: NotificationScope): PageRow {
    const { drafts, mails, timed } = this.#parts;
    const key = scopeKey(scope);
    const held = timed.latest.find((one) => scopeKey(one.scope) === key);
    return {
      scope,
      reading: this.#readings.get(key),
      draft: drafts.of(scope),
      mails: mails.of(scope),
      profile: held ? profileLabel(held) : '',
    };
  }

  /**
   * Reads everything again. A failure shows in the page; what was read before stays.
   *
   * @param isAsked whether the user has asked for it.
   * @param isMore whether they asked for what is not there yet: what was read is not read again.
   */
  async #load(isAsked = true, isMore = false): Promise<void> {
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
      await this.#readEverything(shown, isAsked, isMore, signal);
    } catch (error) {
      this.#error = signal.aborted ? undefined : error;
    }
    if (this.#reading === reading) {
      this.#setPhase('ready');
    }
  }

  #startReading(): AbortController {
    this.#reading.abort();
    this.#reading = new AbortController();
    return this.#reading;
  }

  async #readEverything(
    { scope, isAll }: Shown,
    isAsked: boolean,
    isMore: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { app, service, drafts } = this.#parts;
    const { accountId } = scope;
    const before = this.#rows;
    const drafted = await this.#inOrder(() => drafts.read(accountId));
    const changed = before.find((row) => row.reading && row.draft?.revision !== drafts.of(row.scope)?.revision);
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
      this.#noticeChange();
      const known = isMore ? this.#found.parents : undefined;
      this.#found = await findScopes(app, accountId, this.#mostProjects, signal, known);
    } else {
      this.#found = { ...noScopes, parents: await findParents(this.#opened, connection, signal) };
    }
    this.#noticeChange();
    const [, ...others] = withoutRepeats<NotificationScope>(
      [
        scope,
        { kind: 'global', accountId },
        ...groupsAmong(this.#found.parents),
        ...this.#rows.map((row) => row.scope),
      ],
      (one) => one,
    );
    const wanted = isMore ? others.filter((one) => !this.#readings.get(scopeKey(one))?.settings) : others;
    let done = 0;
    const shownAtOnce = Math.max(10, Math.ceil(wanted.length / 20));
    await service.readAll(wanted, signal, (reading) => {
      this.#take([reading]);
      if ((done += 1) % shownAtOnce === 0) {
        this.#show();
      }
    });
    await this.#parts.timed.read();
  }

  #take(readings: readonly Reading[]): void {
    readings.forEach((reading) => this.#readings.set(scopeKey(reading.scope), reading));
  }

  #planNow(): string {
    return JSON.stringify(plansOf(this.#rows));
  }

  #noticeChange(): void {
    const planned = this.#planNow();
    this.#seen += planned === this.#planned ? 0 : 1;
    this.#planned = planned;
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
    if (this.#phase === 'saving' || !this.#page.panel.visible) {
      this.#isOutdated = true;
    } else {
      void this.#load(false);
    }
  }

  async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#show();
        return;
      case 'select':
      case 'open':
        this.#select(message.type === 'open' ? [message.key] : message.keys, message.type === 'select');
        this.#show();
        return;
      case 'edit':
        return await this.#inOrder(() => this.#keep(message.keys, (row, now) => edited(row, now, message.edit)));
      case 'discard':
      case 'keep': {
        const isKept = message.type === 'keep';
        const next = ({ draft }: PageRow, base: Settings) => draft && { change: isKept ? draft.change : {}, base };
        return await this.#inOrder(() => this.#keep(message.keys, next));
      }
      case 'save':
        return await this.#inOrder(() => this.#save(message.seen));
      case 'fix':
        return await this.#fix(message.key);
      case 'answer':
        await this.#message?.actions.find(({ title }) => title === message.title)?.run();
        return;
      case 'act':
        await (this.#shown && this.#actions[message.action](this.#shown));
    }
  }

  readonly #actions: Readonly<Record<PageAction, (shown: Shown) => unknown>> = {
    reload: () => this.#load(),
    cancel: () => this.#sending.abort(),
    showAll: (shown) => this.show({ ...shown, isAll: true }),
    more: () => {
      this.#mostProjects += projectsAtOnce;
      return this.#load(true, true);
    },
    other: () => this.#openOther(),
    openInUse: () => this.#openInUse(),
    profiles: () => vscode.commands.executeCommand('beacon.notifications.manageProfiles'),
    export: ({ scope: { accountId } }) => {
      const readings = this.#rows.flatMap(({ reading }) => reading ?? []);
      return exportSettings(this.#parts.app, this.#parts.changes, accountId, readings);
    },
    import: ({ scope: { accountId } }) =>
      importSettings(this.#parts.app, this.#parts.changes, accountId, this.#aroundSending()),
    mails: () => this.#readMails(),
  };

  async #openOther(): Promise<void> {
    const connection = await this.#parts.app.connections.of(this.#accountId);
    const scope = await pickPlace(connection, t('Other Project or Group'), ['project', 'group']);
    if (scope && scope.accountId === this.#accountId) {
      await this.show({ scope, isAll: true });
    }
  }

  /** Fixes why a scope could not be read, or what is in the way of all. Where nothing else helps, reads everything again. */
  async #fix(key = ''): Promise<void> {
    const reading = this.#readings.get(key);
    const problems =
      reading && !reading.settings ? [problemOf(reading.error, reading.scope.accountId)] : this.#problems;
    const remedy = problems.find((problem) => problem.remedy)?.remedy;
    await (remedy ? runRemedy(remedy) : this.#load());
  }

  /**
   * Shows the same scope for the account that the window works with: a project or group of the same path, if there is one; among all
   * scopes where these were listed.
   */
  async #openInUse(): Promise<void> {
    const { app } = this.#parts;
    const { account } = app.accountInUse;
    const { scope: shown, isAll = false } = this.#shown ?? {};
    const of = this.#selectedScope ?? shown;
    const scope = account && of && (await scopeOfArgument({ ...of, accountId: account.id, id: undefined }, app, 'GET'));
    await (scope && this.show({ scope, isAll }));
  }

  #select(keys: readonly string[], isByBoxes: boolean): void {
    this.#selected = new Set(keys);
    this.#isByBoxes = isByBoxes;
  }

  get #selectedScope(): NotificationScope | undefined {
    return this.#rows.find(({ scope }) => this.#selected.has(scopeKey(scope)))?.scope;
  }

  /** Keeps drafts of scopes that were read. @param next gives what is kept of a row, or nothing if its draft stays as it is. */
  async #keep(
    keys: readonly string[],
    next: (row: PageRow, now: Settings) => Pick<Draft, 'change' | 'base'> | undefined,
  ) {
    this.#noticeChange();
    const rows = this.#phase === 'saving' ? [] : this.#rows;
    for (const row of rows.filter(({ scope }) => keys.includes(scopeKey(scope)))) {
      const { scope, reading, draft } = row;
      const now = reading?.settings ?? draft?.base;
      const kept = now && next(row, now);
      this.#message = kept ? undefined : this.#message;
      if (kept && !(await this.#parts.drafts.set(scope, kept.change, kept.base))) {
        this.#sayNewer(scope);
        break;
      }
      this.#planned = this.#planNow();
    }
    this.#show();
  }

  #sayNewer(scope: NotificationScope): void {
    this.#warn(
      t(
        '{0}: another window has changed what is not saved. It is shown now, in place of what you chose here.',
        scopeLabel(scope),
      ),
    );
  }

  #warn(sentence: string): void {
    this.#message = { severity: 'warning', sentence, actions: [] };
    this.#show();
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
        return;
      }
    }
    this.#noticeChange();
    if (seen !== this.#seen) {
      this.#warn(t('What would be saved has changed in the meantime. Check it, then save again.'));
    } else if (plans.length > 0) {
      const place: SendOptions['place'] = {
        show: (message) => {
          if (this.#isDisposed) {
            notify(message.severity, message.sentence, message.actions, this.#parts.app.log);
          }
          this.#message = message;
          this.#show();
        },
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

  /** What the page does around whatever is sent by it, also when that is tried again or undone. */
  #aroundSending(): SendOptions {
    const { drafts } = this.#parts;
    return {
      before: async () => {
        // What is left to be read is read afterwards.
        this.#isOutdated ||= this.#phase === 'loading';
        this.#startReading();
        this.#sendings += 1;
        this.#message = undefined;
        this.#setPhase('saving');
      },
      after: async (sent, isUndo) => {
        try {
          for (const { plan, outcome } of sent) {
            const { scope } = plan;
            const now = outcome.kind === 'failed' ? undefined : outcome.now;
            this.#take(now ? [{ scope, settings: now }] : []);
            const draft = drafts.of(scope);
            if (outcome.kind === 'applied' && draft) {
              const rest = isUndo ? draft.change : draftAfter(draft.change, outcome.taken, outcome.now);
              await drafts.set(scope, rest, outcome.now);
            }
          }
        } finally {
          this.#sendings -= 1;
          this.#setPhase(this.#sendings === 0 ? 'ready' : 'saving');
          if (this.#isOutdated) {
            void this.#load(false);
          }
        }
      },
    };
  }

  /** Reads the feeds of what is listed, or gives up reading them. */
  async #readMails(): Promise<void> {
    if (this.#mailReading) {
      this.#cancelMails();
      this.#show();
      return;
    }
    const reading = new AbortController();
    this.#mailReading = reading;
    this.#mailNote = t('Reading events…');
    this.#show();
    let note = t(
      'Estimated on this computer by the activity of the last 14 days in the projects that are listed. Not counted: what you did yourself, and all pushes, pipelines and releases.',
    );
    try {
      const scopes = this.#rows.map(({ scope }) => scope);
      const read = await this.#parts.mails.read(this.#accountId, scopes, reading.signal);
      if (read !== undefined) {
        note = inSequence(note, t('There are more events: only the first {0} were read.', countLabel(read)));
      }
    } catch (error) {
      note = problemOf(error, this.#accountId).sentence;
    }
    if (this.#mailReading === reading) {
      this.#mailReading = undefined;
      this.#mailNote = note;
      this.#show();
    }
  }

  #cancelMails(): void {
    this.#mailReading?.abort();
    this.#mailReading = undefined;
    this.#mailNote = '';
  }

  get #problems(): readonly Problem[] {
    const { accounts, accountInUse } = this.#parts.app;
    const accountId = this.#accountId;
    const account = accountInUse.account?.id === accountId ? accountInUse.account : accounts.find(accountId);
    const access = { sentence: readOnlySentence(), remedy: replaceToken(accountId) };
    const readOnly = account && isReadOnly(account) ? [access] : [];
    return [
      ...(this.#error === undefined ? readOnly : [problemOf(this.#error, accountId)]),
      ...this.#found.missing.map(({ name, error }) => {
        const { sentence, ...problem } = problemOf(error, accountId);
        return { ...problem, sentence: t('{0}: {1}', name, sentence) };
      }),
    ];
  }

  async #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lastStep.then(step, step);
    this.#lastStep = done;
    return await done;
  }

  #setPhase(phase: ToPage['phase']): void {
    this.#phase = phase;
    this.#show();
  }

  /** Sends all that the page shows. It keeps its account when the window uses another one, and goes when that is signed out. */
  #show(): void {
    const shown = this.#shown;
    if (this.#isDisposed || !shown) {
      return;
    }
    const { isAll, scope } = shown;
    const { accountId } = scope;
    const { app, drafts } = this.#parts;
    const { isSignedIn, account, otherAccount } = app.accountInUse.ofPage(accountId);
    if (!isSignedIn) {
      this.#page.panel.dispose();
      return;
    }
    this.#noticeChange();
    const rows = this.#rows;
    const named = app.accountInUse.named(t('Notification Settings'), accountId);
    // The editor marks only its own kinds of tabs as changed.
    this.#page.panel.title = rows.some(isModified) ? `● ${named}` : named;
    const problems = this.#problems;
    const message = this.#message;
    const settingsOf = (one: NotificationScope): Settings | undefined => {
      const settings = this.#readings.get(scopeKey(one))?.settings;
      return settings && shownSettings(settings, drafts.of(one));
    };
    const table = tableState(rows, { parents: this.#found.parents, settingsOf }, this.#selected, this.#isByBoxes);
    this.#page.post({
      account,
      kept: { scope: this.#selectedScope ?? scope, isAll },
      banner:
        otherAccount === undefined
          ? undefined
          : {
              sentence: t('This page is about the account {0}; this window uses {1}.', account, otherAccount),
              remedy: t('Open for {0}', otherAccount),
            },
      phase: this.#phase,
      isAll,
      seen: this.#seen,
      ...table,
      hasMore: isAll && this.#found.hasMore,
      problems: problems.map(({ sentence, remedy }, index) => ({
        sentence,
        remedy: remedy?.title ?? (index === 0 && this.#error !== undefined ? t('Try Again') : undefined),
      })),
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
