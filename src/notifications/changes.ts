import * as vscode from 'vscode';
import { Dialogs } from '../accounts/dialogs.ts';
import { type Action, problemOf, requireScope, runRemedy, showProblem } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { escapeMarkdown, inSequence } from '../common/inertText.ts';
import { createQuickPick } from '../common/inertWindow.ts';
import { ReportDocuments } from '../common/reportDocuments.ts';
import { countLabel, failureLabel, planLabels, resultLabel, scopeLabel, scopesLabel } from './labels.ts';
import { type NotificationScope, scopeKey } from './scope.ts';
import { findScopes } from './scopes.ts';
import { isEmptyChange, type Plan, planFor, type Settings, undoOf } from './settings.ts';
import { mapBounded, type Sent, type SettingsService } from './settingsService.ts';

const { t } = vscode.l10n;

const mostProjects = 500;

export interface Message {
  readonly severity: 'info' | 'warning';
  readonly sentence: string;
  readonly actions: readonly Action[];
}

export interface Scoped {
  readonly scope: NotificationScope;
  readonly settings: Settings;
}

export interface SendOptions {
  /** What is said first of what was saved, such as the profile and until when it holds. */
  readonly note?: string;
  /** Done before anything is sent, also when it is tried again or undone; what it throws keeps all from being sent. */
  readonly before?: (plans: readonly Plan[], isUndo: boolean) => Promise<void>;
  readonly after?: (sent: readonly Sent[], isUndo: boolean) => Promise<void>;
  /** Where the result is shown, if not as a message of the editor; there the progress is shown, too. */
  readonly place?: { readonly show: (message: Message) => void; readonly signal: () => AbortSignal };
}

/** Carries plans out: the one way from what was chosen to the instance, for all features. */
export class Changes implements vscode.Disposable {
  readonly dialogs: Dialogs;
  readonly #app: App;
  readonly #service: SettingsService;
  readonly #documents = new ReportDocuments('beacon-notifications');

  constructor(app: App, service: SettingsService) {
    this.#app = app;
    this.#service = service;
    this.dialogs = new Dialogs(app, 'beacon.activity');
  }

  /** Reads scopes, or those of an account that matter in a window, and says what could not be read; undefined if the user cancelled. */
  async read(
    scopes: readonly NotificationScope[] | { readonly accountId: string },
  ): Promise<readonly Scoped[] | undefined> {
    const unread: { name: string; error: unknown; accountId: string }[] = [];
    const readings = await this.dialogs.progress(t('Reading notification settings'), async (signal, report) => {
      let all = 'accountId' in scopes ? [] : scopes;
      if ('accountId' in scopes) {
        const { accountId } = scopes;
        const found = await findScopes(this.#app, accountId, mostProjects, signal);
        unread.push(...found.missing.map((one) => ({ ...one, accountId })));
        all = found.scopes;
      }
      let done = 0;
      return await this.#service.readAll(all, signal, () => report((done += 1) / all.length));
    });
    for (const { scope, settings, error } of readings ?? []) {
      if (!settings) {
        unread.push({ name: scopeLabel(scope), error, accountId: scope.accountId });
      }
    }
    this.sayUnread(unread);
    return readings?.flatMap(({ scope, settings }) => (settings ? { scope, settings } : []));
  }

  async planAll(all: readonly Scoped[]): Promise<readonly Plan[] | undefined> {
    const wanted = new Map(all.map(({ scope, settings }) => [scopeKey(scope), settings]));
    const read = all.length > 0 ? await this.read(all.map(({ scope }) => scope)) : [];
    return read?.map(({ scope, settings }) => planFor(scope, settings, wanted.get(scopeKey(scope)) ?? settings));
  }

  /** Says each reason once, with the button that helps. */
  sayUnread(all: readonly { readonly name: string; readonly error: unknown; readonly accountId: string }[]): void {
    const problems = all.map(({ name, error, accountId }) => ({ name, ...problemOf(error, accountId) }));
    const reasons = Map.groupBy(problems, ({ sentence }) => sentence);
    const sentences = [...reasons].map(([reason, { length }]) => {
      const names = reasons.get(reason)?.map(({ name }) => name) ?? [];
      return t('{0}: {1}', length > 3 ? t('{0} scopes', countLabel(length)) : names.join(', '), reason);
    });
    if (sentences.length > 0) {
      const sentence = inSequence(t('Some settings could not be read.'), ...sentences);
      showProblem({ ...problems.find(({ remedy }) => remedy), sentence });
    }
  }

  /**
   * Shows what plans would change, lets the user leave some out, and sends the others.
   *
   * @throws ProblemError if the token of one of their accounts may not change settings.
   */
  async reviewAndSend(title: string, plans: readonly Plan[], options: SendOptions = {}): Promise<void> {
    const changing = plans.filter(({ change }) => !isEmptyChange(change));
    const same = plans.filter((plan) => !changing.includes(plan)).map(({ scope }) => scope);
    if (changing.length === 0) {
      this.dialogs.notify('info', `${title} · ${t('Nothing to change.')}`);
      return;
    }
    for (const accountId of new Set(changing.map(({ scope }) => scope.accountId))) {
      requireScope((await this.#app.connections.of(accountId)).account, 'PUT');
    }
    const shown = same.length === 0 ? title : `${title} · ${t('Nothing to change: {0}', scopesLabel(same))}`;
    const chosen = await this.#review(shown, changing);
    if (chosen.length > 0) {
      await this.send(chosen, options);
    }
  }

  async #review(title: string, plans: readonly Plan[]): Promise<readonly Plan[]> {
    const picker = createQuickPick<vscode.QuickPickItem & { readonly plan: Plan }>();
    Object.assign(picker, { title, canSelectMany: true, ignoreFocusOut: true, matchOnDetail: true });
    picker.placeholder = t('Select the scopes to change');
    picker.buttons = [
      { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: t('Show All Differences as Document') },
    ];
    picker.items = plans.map((plan) => ({
      label: scopeLabel(plan.scope),
      description: this.#app.accountInUse.labelOf(plan.scope.accountId),
      detail: planLabels(plan).join(' · '),
      plan,
    }));
    picker.selectedItems = picker.items;
    const text = planDocument(title, plans, (accountId) => this.#app.accountInUse.labelOf(accountId));
    picker.onDidTriggerButton(() => this.#documents.show(title, text));
    const { promise, resolve } = Promise.withResolvers<readonly Plan[]>();
    picker.onDidAccept(() => resolve(picker.selectedItems.map(({ plan }) => plan)));
    picker.onDidHide(() => resolve([]));
    picker.show();
    return await promise.finally(() => picker.dispose());
  }

  /** Sends plans, a few at a time, and shows what became of them, with buttons to undo what was saved and to try again what failed. */
  async send(plans: readonly Plan[], options: SendOptions = {}, isUndo = false): Promise<void> {
    await options.before?.(plans, isUndo);
    const run = async (signal?: AbortSignal, onStep?: () => void): Promise<readonly Sent[]> =>
      await mapBounded(plans, async (plan) => {
        const outcome = await this.#service.apply(plan, signal);
        onStep?.();
        return { plan, outcome };
      });
    const sent = options.place
      ? await run(options.place.signal())
      : plans.length === 1
        ? await this.dialogs.viewProgress(() => run())
        : ((await this.dialogs.progress(t('Changing notification settings'), async (signal, report) => {
            let done = 0;
            return await run(signal, () => report((done += 1) / plans.length));
          })) ?? []);
    try {
      await options.after?.(sent, isUndo);
    } finally {
      this.#show(sent, options, isUndo);
    }
  }

  #show(sent: readonly Sent[], options: SendOptions, isUndo: boolean): void {
    // What may have taken effect is read before anything is sent again.
    const failed = sent.flatMap(({ plan, outcome: { kind } }) => (kind === 'failed' || kind === 'unknown' ? plan : []));
    const tryAgain: Action = { title: t('Try Again'), run: () => this.send(failed, options, isUndo) };
    const past = isUndo ? [] : undoPlans(sent);
    const undo: Action = { title: t('Undo'), run: () => this.send(past, options, true) };
    const isSaved = !isUndo && sent.some(({ outcome }) => outcome.kind === 'applied');
    const message = this.messageOf(sent, isSaved ? options.note : undefined, isUndo, [
      ...(failed.length > 0 ? [tryAgain] : []),
      ...(past.length > 0 ? [undo] : []),
    ]);
    if (options.place) {
      options.place.show(message);
    } else {
      this.dialogs.notify(message.severity, message.sentence, ...message.actions);
    }
  }

  /** What became of plans of one account, after a note; before the actions comes what fixes why something was refused. */
  messageOf(sent: readonly Sent[], note?: string, isUndo = false, actions: readonly Action[] = []): Message {
    const remedies = sent.flatMap(({ plan: { scope }, outcome }) =>
      outcome.kind === 'failed' ? (problemOf(outcome.error, scope.accountId).remedy ?? []) : [],
    );
    const [first] = sent;
    // First, as what became of a plan may be a finished sentence.
    const account = first ? this.#app.accountInUse.labelOf(first.plan.scope.accountId) : '';
    return {
      severity: sent.every((one) => failureLabel(one) === undefined) ? 'info' : 'warning',
      sentence: [account, note, resultLabel(sent, isUndo)].filter(Boolean).join(' · '),
      actions: [
        ...remedies.slice(0, 1).map((remedy) => ({ title: remedy.title, run: () => runRemedy(remedy) })),
        ...actions,
      ],
    };
  }

  dispose(): void {
    this.#documents.dispose();
  }
}

/** Plans as a Markdown document. Text of the instance is escaped. @param nameOf the account of a scope, if it is named. */
export function planDocument(title: string, plans: readonly Plan[], nameOf: (accountId: string) => string): string {
  const sections = plans.map((plan) =>
    [
      `## ${[scopeLabel(plan.scope), nameOf(plan.scope.accountId)].filter(Boolean).map(escapeMarkdown).join(' · ')}`,
      '',
      ...planLabels(plan).map((sentence) => `- ${escapeMarkdown(sentence)}`),
      '',
    ].join('\n'),
  );
  return [`# ${escapeMarkdown(title)}`, '', ...sections].join('\n');
}

/** What takes back plans that were carried out, as far as the platform allows, if nothing was changed since. */
function undoPlans(sent: readonly Sent[]): readonly Plan[] {
  return sent.flatMap(({ plan, outcome }) => {
    const undo =
      outcome.kind === 'applied' ? undoOf(plan.scope, outcome.before, outcome.taken, outcome.now) : undefined;
    return undo && !isEmptyChange(undo.change) ? [undo] : [];
  });
}
