import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { EditorDialogs } from '../accounts/dialogs.ts';
import { type Action, problemOf, requireScope, runRemedy } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { escapeMarkdown } from '../common/inertText.ts';
import { createQuickPick } from '../common/inertWindow.ts';
import { ReportDocuments } from '../common/reportDocuments.ts';
import { failureLabel, planLabels, resultLabel, scopeLabel, scopesLabel } from './labels.ts';
import type { NotificationScope } from './scope.ts';
import { isEmptyChange, type Plan, undoOf } from './settings.ts';
import { isCancellation, mapBounded, type Reading, type Sent, type SettingsService } from './settingsService.ts';

const { t } = vscode.l10n;

/** What became of plans, and what can be done about it. */
export interface Message {
  readonly severity: 'info' | 'warning';
  readonly sentence: string;
  readonly actions: readonly Action[];
}

/** How plans are sent. */
export interface SendOptions {
  /** What is said first of what was saved, such as the profile and until when it holds. */
  readonly note?: string;
  /** Done before anything is sent, also when it is tried again or undone; what it throws keeps all from being sent. */
  readonly before?: (plans: readonly Plan[], isUndo: boolean) => Promise<void>;
  readonly after?: (sent: readonly Sent[], isUndo: boolean) => Promise<void>;
  /** Where the result is shown, if not as a message of the editor; there the progress is shown, too. */
  readonly place?: { readonly show: (message: Message) => void; readonly signal: () => AbortSignal };
}

/** Plans as a Markdown document. Text of the instance is escaped. */
export function planDocument(title: string, plans: readonly Plan[]): string {
  const sections = plans.map((plan) =>
    [
      `## ${escapeMarkdown(scopeLabel(plan.scope))} (${escapeMarkdown(accountLabel(plan.scope.accountId))})`,
      '',
      ...planLabels(plan).map((sentence) => `- ${escapeMarkdown(sentence)}`),
      '',
    ].join('\n'),
  );
  return [`# ${escapeMarkdown(title)}`, '', ...sections].join('\n');
}

/** Carries plans out: the one way from what was chosen to the instance, for all features. */
export class Changes implements vscode.Disposable {
  readonly dialogs: EditorDialogs;
  readonly #app: App;
  readonly #service: SettingsService;
  readonly #documents = new ReportDocuments('beacon-notifications');

  constructor(app: App, service: SettingsService) {
    this.#app = app;
    this.#service = service;
    this.dialogs = new EditorDialogs(app, 'beacon.activity');
  }

  /** Reads scopes with progress. @returns undefined if the user cancelled. */
  async read(scopes: readonly NotificationScope[]): Promise<readonly Reading[] | undefined> {
    try {
      return await this.dialogs.progress(t('Reading notification settings'), async (signal, report) => {
        let done = 0;
        return await this.#service.readAll(scopes, signal, () => report((done += 1) / scopes.length));
      });
    } catch (error) {
      if (isCancellation(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Shows what plans would change, and lets the user leave some out; sends the others.
   *
   * @returns undefined if there was nothing to do or the user gave up, which they know.
   * @throws ProblemError if the token of one of their accounts may not change settings.
   */
  async reviewAndSend(
    title: string,
    plans: readonly Plan[],
    options: SendOptions = {},
  ): Promise<readonly Sent[] | undefined> {
    const changing = plans.filter(({ change }) => !isEmptyChange(change));
    const same = plans.filter((plan) => !changing.includes(plan)).map(({ scope }) => scope);
    if (changing.length === 0) {
      this.dialogs.notify('info', `${title} · ${t('Nothing to change.')}`);
      return undefined;
    }
    for (const accountId of new Set(changing.map(({ scope }) => scope.accountId))) {
      requireScope((await this.#app.connections.of(accountId)).account, 'PUT');
    }
    const shown = same.length === 0 ? title : `${title} · ${t('Nothing to change: {0}', scopesLabel(same))}`;
    const chosen = await this.#review(shown, changing);
    return chosen?.length ? await this.send(chosen, options) : undefined;
  }

  async #review(title: string, plans: readonly Plan[]): Promise<readonly Plan[] | undefined> {
    const showAll: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('open-preview'),
      tooltip: t('Show All Differences as Document'),
    };
    const picker = createQuickPick<vscode.QuickPickItem & { readonly plan: Plan }>();
    picker.title = title;
    picker.placeholder = t('OK changes the checked scopes.');
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDetail = true;
    picker.buttons = [showAll];
    picker.items = plans.map((plan) => ({
      label: scopeLabel(plan.scope),
      description: accountLabel(plan.scope.accountId),
      detail: planLabels(plan).join(' · '),
      plan,
    }));
    picker.selectedItems = picker.items;
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(() => this.#documents.show(title, planDocument(title, plans)));
      picker.onDidAccept(() => {
        resolve(picker.selectedItems.map(({ plan }) => plan));
        picker.dispose();
      });
      picker.onDidHide(() => {
        resolve(undefined);
        picker.dispose();
      });
      picker.show();
    });
  }

  /** Sends plans, a few at a time, and shows what became of them, with buttons to undo what was saved and to try again what failed. */
  async send(plans: readonly Plan[], options: SendOptions = {}, isUndo = false): Promise<readonly Sent[]> {
    await options.before?.(plans, isUndo);
    const run = async (signal?: AbortSignal, onStep?: () => void): Promise<readonly Sent[]> =>
      await mapBounded(plans, async (plan) => {
        const outcome = await this.#service.apply(plan.scope, plan, signal);
        onStep?.();
        return { plan, outcome };
      });
    const sent = options.place
      ? await run(options.place.signal())
      : plans.length === 1
        ? await this.dialogs.viewProgress(() => run())
        : await this.dialogs.progress(t('Changing notification settings'), async (signal, report) => {
            let done = 0;
            return await run(signal, () => report((done += 1) / plans.length));
          });
    try {
      await options.after?.(sent, isUndo);
    } finally {
      this.#show(sent, options, isUndo);
    }
    return sent;
  }

  #show(sent: readonly Sent[], options: SendOptions, isUndo: boolean): void {
    // What may have taken effect is read before anything is sent again.
    const failed = sent.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'unknown');
    const tryAgain: Action = {
      title: t('Try Again'),
      run: () =>
        this.send(
          failed.map(({ plan }) => plan),
          options,
          isUndo,
        ),
    };
    const remedy = sent.flatMap(({ plan: { scope }, outcome }) =>
      outcome.kind === 'failed' ? (problemOf(outcome.error, scope.accountId).remedy ?? []) : [],
    )[0];
    const past = isUndo ? [] : undoPlans(sent);
    const undo: Action = { title: t('Undo'), run: () => this.send(past, options, true) };
    const isSaved = !isUndo && sent.some(({ outcome }) => outcome.kind === 'applied');
    const note = isSaved && options.note !== undefined ? [options.note] : [];
    const show =
      options.place?.show ??
      (({ severity, sentence, actions }: Message) => this.dialogs.notify(severity, sentence, ...actions));
    show({
      severity: sent.every((one) => failureLabel(one) === undefined) ? 'info' : 'warning',
      sentence: [...note, resultLabel(sent, isUndo)].join(' · '),
      actions: [
        ...(remedy ? [{ title: remedy.title, run: () => runRemedy(remedy) }] : []),
        ...(failed.length > 0 ? [tryAgain] : []),
        ...(past.length > 0 ? [undo] : []),
      ],
    });
  }

  dispose(): void {
    this.#documents.dispose();
  }
}

/** What takes back plans that were carried out, as far as the platform allows, if nothing was changed since. */
function undoPlans(sent: readonly Sent[]): readonly Plan[] {
  return sent.flatMap(({ plan, outcome }) => {
    const undo =
      outcome.kind === 'applied' ? undoOf(plan.scope, outcome.before, outcome.taken, outcome.now) : undefined;
    return undo && !isEmptyChange(undo.change) ? [undo] : [];
  });
}
