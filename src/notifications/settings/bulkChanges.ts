import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import { type Dialogs, EditorDialogs } from '../../accounts/dialogs.ts';
import { problemOf, requireScope } from '../../accounts/problem.ts';
import { escapeMarkdown } from '../../common/inertText.ts';
import { createQuickPick } from '../../common/inertWindow.ts';
import { ReportDocuments } from '../../common/reportDocuments.ts';
import { type Applied, isCancellation, type PlanOutcome, type ScopeReading, type SettingsEngine } from './engine.ts';
import { changeLabels, fieldLabel, fieldsLabel, levelLabel, scopeLabel } from './labels.ts';
import {
  type Change,
  isEmptyChange,
  type NotificationScope,
  planFor,
  type PlanNote,
  scopeKey,
  type ScopePlan,
  type Settings,
  undoOf,
  withoutFields,
} from './settings.ts';

const { t } = vscode.l10n;

/** Puts a note of a plan into a sentence. */
export function noteLabel({ kind, events }: PlanNote, { expected }: ScopePlan): string {
  const names = fieldsLabel(events, vscode.l10n, vscode.env.language);
  switch (kind) {
    case 'overwritesDefault':
      return t('Overwritten for good, because the API cannot restore the default: {0}.', names);
    case 'overwritesHidden':
      return expected.level === 'custom'
        ? t('Cannot be restored later, because GitLab does not show their state: {0}.', names)
        : t(
            'Not restored later, because the level hides their state, but effective only at the level Custom: {0}.',
            names,
          );
    case 'defaultNotRestored':
      return t('Not changed, because the API cannot restore the default: {0}.', names);
    case 'notOffered':
      return t('Left out, because they are not offered here: {0}.', names);
    case 'notUndone':
      return t('Kept for the level Custom: {0}', names);
    case 'eventsUnreadable':
      return t('The events are not changed: the API did not show their earlier state.');
  }
}

/** What a plan does, one sentence each; then what it cannot do. */
export function planLabels(plan: ScopePlan): readonly string[] {
  return [...changesOf(plan), ...plan.notes.map((note) => noteLabel(note, plan))];
}

function changesOf({ expected, change }: ScopePlan): readonly string[] {
  return isEmptyChange(change) ? [t('Nothing to change.')] : changeLabels(expected, change, vscode.l10n);
}

/** A plan in a line that is cut at its end: the level, then what cannot be taken back, shortly, and all the rest. */
function lineOf(plan: ScopePlan): string {
  const { level, ...others } = plan.change;
  const ofLevel = level === undefined ? [] : changesOf({ ...plan, change: { level } });
  const final = plan.notes.filter(({ kind }) => kind === 'overwritesDefault' || kind === 'overwritesHidden');
  const hides = plan.expected.level !== 'custom' && final.every(({ kind }) => kind === 'overwritesHidden');
  const events = final.flatMap((note) => note.events.map((event) => fieldLabel(event, vscode.l10n)));
  const names = listLabel(events, (count) => t('{0} events', count));
  const ofOthers = ofLevel.length > 0 && isEmptyChange(others) ? [] : changesOf({ ...plan, change: others });
  return [
    ...ofLevel,
    ...(events.length === 0
      ? []
      : hides
        ? [t('not restored later, but effective only at the level Custom: {0}', names)]
        : [t('cannot be restored later: {0}', names)]),
    ...ofOthers,
    ...plan.notes.filter((note) => !final.includes(note)).map((note) => noteLabel(note, plan)),
  ].join(' · ');
}

/** Plans as a Markdown document. Text of the instance is escaped. */
export function planDocument(title: string, plans: readonly ScopePlan[]): string {
  const sections = plans.map((plan) =>
    [
      `## ${escapeMarkdown(scopeLabel(plan.scope, vscode.l10n))} (${escapeMarkdown(accountLabel(plan.scope.accountId))})`,
      '',
      ...planLabels(plan).map((sentence) => `- ${escapeMarkdown(sentence)}`),
      '',
    ].join('\n'),
  );
  return [`# ${escapeMarkdown(title)}`, '', ...sections].join('\n');
}

/** What became of a plan that was not carried out whole; undefined if it was. */
export function planFailureLabel(outcome: PlanOutcome): string | undefined {
  const name = scopeLabel(outcome.plan.scope, vscode.l10n);
  switch (outcome.kind) {
    case 'conflict':
      return t('{0}: changed in the meantime, here or elsewhere, so nothing was sent.', name);
    case 'failed':
      return isCancellation(outcome.error)
        ? t('{0}: not sent, because you canceled.', name)
        : t('{0}: {1}', name, problemOf(outcome.error, outcome.plan.scope.accountId).sentence);
    case 'unknown':
      return t(
        '{0}: the answer is missing, so it is not known whether this took effect. {1}',
        name,
        problemOf(outcome.error, outcome.plan.scope.accountId).sentence,
      );
    case 'applied':
      return outcome.missing.length > 0
        ? t(
            '{0}: the instance did not accept {1}.',
            name,
            fieldsLabel(outcome.missing, vscode.l10n, vscode.env.language),
          )
        : undefined;
  }
}

/** A formatted moment, such as `Today, 18:00`. */
export function dateLabel(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

export function countLabel(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

/** So many names make a list in a sentence; of more, only their number is said. */
const mostNamed = 3;

function listLabel(names: readonly string[], manyLabel: (count: string) => string): string {
  return names.length > mostNamed
    ? manyLabel(countLabel(names.length))
    : new Intl.ListFormat(vscode.env.language).format(names);
}

/** Names scopes in a sentence. */
export function namesLabel(names: readonly string[]): string {
  return listLabel(names, (count) => t('{0} scopes', count));
}

/** What the platform took of what was sent. */
function takenOf({ sent, missing }: Applied): Change {
  return withoutFields(sent.change, missing);
}

/** What became of plans, account by account: what was saved in which scopes, what no undo brings back, what was not saved. */
export function resultLabel(outcomes: readonly PlanOutcome[], isUndo = false): string {
  const accountIds = [...new Set(outcomes.map(({ plan }) => plan.scope.accountId))];
  return accountIds
    .flatMap((accountId) => {
      const ofAccount = outcomes.filter(({ plan }) => plan.scope.accountId === accountId);
      return [
        ...savedLabels(ofAccount, isUndo),
        ...ofAccount.flatMap((outcome) => planFailureLabel(outcome) ?? []),
        t('Account: {0}', accountLabel(accountId)),
      ];
    })
    .join(' · ');
}

function savedLabels(outcomes: readonly PlanOutcome[], isUndo: boolean): readonly string[] {
  const { l10n } = vscode;
  // Of what was refused whole, its failure is said.
  const saved = outcomes.filter(
    (outcome) => outcome.kind === 'applied' && (outcome.missing.length === 0 || !isEmptyChange(takenOf(outcome))),
  ) as readonly (PlanOutcome & Applied)[];
  if (saved.length === 0) {
    return [];
  }
  const names = namesLabel(saved.map(({ plan }) => scopeLabel(plan.scope, l10n)));
  if (saved.every((one) => isEmptyChange(takenOf(one)))) {
    return [names, l10n.t('Nothing to change.')];
  }
  const lost = isUndo ? [] : [...new Set(saved.flatMap((one) => undoOf(one.sent.before, takenOf(one)).lost))];
  // What cannot be undone is said beside its change, where that is named; other changes may have an undo.
  const undos = undoPlans(saved);
  const hides = undos.some(({ change }) => change['level'] !== undefined && change['level'] !== 'custom');
  const kept = (label: string): string =>
    undos.length === 0
      ? l10n.t('{0} (cannot be undone)', label)
      : hides
        ? l10n.t('{0} (after Undo, kept for the level Custom)', label)
        : l10n.t('{0} (not restored by Undo)', label);
  const changes =
    saved.length > 1
      ? []
      : saved.flatMap((one) =>
          Object.entries(takenOf(one)).flatMap(([field, value]) => {
            const labels = changeLabels(one.sent.before, { [field]: value }, l10n);
            return lost.includes(field) ? labels.map(kept) : labels;
          }),
        );
  const areNamed = changes.length > 0 && changes.length <= mostNamed;
  const lostNames = listLabel(
    lost.map((field) => fieldLabel(field, l10n)),
    (count) => l10n.t('{0} events', count),
  );
  const levels = isUndo || saved.length === 1 ? undefined : levelsLabels(saved);
  return [
    ...(levels ?? [isUndo ? l10n.t('Undone: {0}', names) : l10n.t('Saved: {0}', names)]),
    ...(areNamed ? changes : []),
    ...(lost.length > 0 && !areNamed ? [kept(lostNames)] : []),
    ...(isUndo ? saved.flatMap(({ plan }) => plan.notes.map((note) => noteLabel(note, plan))) : []),
  ];
}

/** Which scopes have which level now, such as `Set 3 projects to Watch`; undefined if something else was changed as well. */
function levelsLabels(saved: readonly (PlanOutcome & Applied)[]): readonly string[] | undefined {
  const scopes = new Map<string, NotificationScope[]>();
  for (const { plan, missing } of saved) {
    const { level, ...others } = withoutFields(plan.change, missing);
    if (typeof level !== 'string' || !isEmptyChange(others)) {
      return undefined;
    }
    scopes.set(level, [...(scopes.get(level) ?? []), plan.scope]);
  }
  return [...scopes].map(([level, ofLevel]) =>
    t('Set {0} to {1}', scopesLabel(ofLevel), levelLabel(level, vscode.l10n).name),
  );
}

/** Names one or two scopes; of more, says how many of a kind they are. */
function scopesLabel(scopes: readonly NotificationScope[]): string {
  const { l10n } = vscode;
  const parts = (['global', 'group', 'project'] as const).flatMap((kind) => {
    const ofKind = scopes.filter((scope) => scope.kind === kind);
    const count = countLabel(ofKind.length);
    return scopes.length > 2 && ofKind.length > 1
      ? [kind === 'group' ? l10n.t('{0} groups', count) : l10n.t('{0} projects', count)]
      : ofKind.map((scope) => scopeLabel(scope, l10n));
  });
  return new Intl.ListFormat(vscode.env.language).format(parts);
}

/** What takes back plans that were carried out, as far as the platform allows, if nothing was changed since. */
export function undoPlans(outcomes: readonly PlanOutcome[]): readonly ScopePlan[] {
  return outcomes.flatMap((outcome): readonly ScopePlan[] => {
    if (outcome.kind !== 'applied') {
      return [];
    }
    const { change, lost } = undoOf(outcome.sent.before, takenOf(outcome));
    const { plan, settings: expected } = outcome;
    const notes: readonly PlanNote[] = lost.length > 0 ? [{ kind: 'notUndone', events: lost }] : [];
    return isEmptyChange(change) ? [] : [{ scope: plan.scope, expected, change, notes }];
  });
}

/** What a user can do instead of carrying out plans as they are. */
export interface Alternative {
  readonly title: string;
  /** The id of a codicon. */
  readonly icon: string;
  /** Says in two or three words, by the look of the icon, what it does: icons explain themselves only to a pointer. */
  readonly hint: string;
  readonly run: () => Promise<void>;
}

/** How commands that concern many scopes talk with the user. */
export interface PlanDialogs extends Dialogs {
  /**
   * Shows what plans would change, and lets the user leave some out.
   *
   * @param alternative what a button of the review does, which gives up these plans.
   * @returns those to carry out, each of which changes something; undefined if the user gave up.
   */
  review(
    title: string,
    plans: readonly ScopePlan[],
    alternative?: Alternative,
  ): Promise<readonly ScopePlan[] | undefined>;
}

type ReviewLine = vscode.QuickPickItem & { readonly value: ScopePlan };

/** The title of a review, with the scopes of plans that change nothing: they have no line. */
export function reviewTitle(title: string, plans: readonly ScopePlan[]): string {
  const same = plans.filter(({ change }) => isEmptyChange(change)).map(({ scope }) => scope);
  return same.length === 0 ? title : `${title} · ${t('Nothing to change: {0}', scopesLabel(same))}`;
}

/** A line to tick for each plan that changes something. */
export function reviewLines(plans: readonly ScopePlan[]): readonly ReviewLine[] {
  return plans
    .filter(({ change }) => !isEmptyChange(change))
    .map((plan) => ({
      label: scopeLabel(plan.scope, vscode.l10n),
      description: accountLabel(plan.scope.accountId),
      detail: lineOf(plan),
      value: plan,
    }));
}

/** The dialogs of the editor. */
export class EditorPlanDialogs extends EditorDialogs implements PlanDialogs, vscode.Disposable {
  readonly #documents = new ReportDocuments('beacon-notifications');

  constructor(app: ConstructorParameters<typeof EditorDialogs>[0]) {
    super(app, 'beacon.activity');
  }

  async review(
    title: string,
    plans: readonly ScopePlan[],
    alternative?: Alternative,
  ): Promise<readonly ScopePlan[] | undefined> {
    const showAll: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('open-preview'),
      tooltip: t('Show All Differences as Document'),
    };
    const other = alternative && {
      iconPath: new vscode.ThemeIcon(alternative.icon),
      tooltip: alternative.title,
    };
    const picker = createQuickPick<ReviewLine>();
    picker.title = reviewTitle(title, plans);
    const rule = t('OK changes the checked scopes.');
    picker.placeholder = alternative ? `${rule} ${alternative.hint}` : rule;
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDetail = true;
    picker.buttons = [...(other ? [other] : []), showAll];
    picker.items = reviewLines(plans);
    picker.selectedItems = picker.items;
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(async (button) => {
        if (button === showAll) {
          await this.#documents.show(title, planDocument(title, plans));
          return;
        }
        resolve(undefined);
        picker.dispose();
        await alternative?.run();
      });
      picker.onDidAccept(() => {
        resolve(picker.selectedItems.map(({ value }) => value));
        picker.dispose();
      });
      picker.onDidHide(() => {
        resolve(undefined);
        picker.dispose();
      });
      picker.show();
    });
  }

  dispose(): void {
    this.#documents.dispose();
  }
}

/** What else is to be done around sending, also when it is tried again, and around the undo of what was sent. */
export interface SendHooks {
  readonly before?: (plans: readonly ScopePlan[], isUndo: boolean) => Promise<void>;
  readonly after?: (outcomes: readonly PlanOutcome[], isUndo: boolean) => Promise<void>;
  /** What is said first of what was saved, such as the profile and until when it holds. */
  readonly note?: string;
}

/** A scope with the settings that it is to have. */
export interface WantedSettings {
  readonly scope: NotificationScope;
  readonly settings: Settings;
}

/** Changes many scopes interactively: reads, lets the user review, sends, shows the outcome. */
export class BulkChanges {
  readonly #engine: Pick<SettingsEngine, 'readAll' | 'applyAll'>;
  readonly #dialogs: PlanDialogs;
  readonly #connections: Pick<Connections, 'of'>;

  constructor(
    engine: Pick<SettingsEngine, 'readAll' | 'applyAll'>,
    dialogs: PlanDialogs,
    connections: Pick<Connections, 'of'>,
  ) {
    this.#engine = engine;
    this.#dialogs = dialogs;
    this.#connections = connections;
  }

  /**
   * Reads scopes with progress.
   *
   * @returns undefined if the user cancelled.
   */
  async read(scopes: readonly NotificationScope[]): Promise<readonly ScopeReading[] | undefined> {
    return await unlessCancelled(
      this.#dialogs.progress(t('Reading notification settings'), async (signal, report) => {
        const onStep = stepper(scopes.length, report);
        return await this.#engine.readAll(scopes, { signal, onStep });
      }),
    );
  }

  /** Plans what brings scopes to what is wanted, by what was read of them; what could not be read has no plan. */
  plan(wanted: readonly WantedSettings[], readings: readonly ScopeReading[]): readonly ScopePlan[] {
    return wanted.flatMap(({ scope, settings }) => {
      const reading = readings.find((one) => scopeKey(one.scope) === scopeKey(scope));
      return reading && 'settings' in reading ? [planFor(reading.scope, reading.settings, settings)] : [];
    });
  }

  /**
   * Lets the user review plans, and carries out those that they confirm.
   *
   * @param alternative what else the review offers.
   * @returns what became of them; undefined if there was nothing to do or the user gave up, which they know.
   * @throws ProblemError if the token of one of their accounts may not change settings.
   */
  async run(
    title: string,
    plans: readonly ScopePlan[],
    hooks: SendHooks = {},
    alternative?: Alternative,
  ): Promise<readonly PlanOutcome[] | undefined> {
    if (plans.every(({ change }) => isEmptyChange(change))) {
      this.#dialogs.notify('info', `${title} · ${t('Nothing to change.')}`);
      return undefined;
    }
    for (const accountId of new Set(plans.map(({ scope }) => scope.accountId))) {
      requireScope((await this.#connections.of(accountId)).account, 'PUT');
    }
    const chosen = await this.#dialogs.review(title, plans, alternative);
    if (chosen === undefined || chosen.length === 0) {
      return undefined;
    }
    return await this.send(chosen, hooks);
  }

  /**
   * Carries plans out with progress, and shows what became of them, with buttons to undo what was saved and to try again what
   * failed.
   */
  async send(plans: readonly ScopePlan[], hooks: SendHooks = {}, isUndo = false): Promise<readonly PlanOutcome[]> {
    await hooks.before?.(plans, isUndo);
    const outcomes = await this.#dialogs.progress(
      t('Changing notification settings'),
      async (signal, report) => await this.#engine.applyAll(plans, { signal, onStep: stepper(plans.length, report) }),
    );
    await hooks.after?.(outcomes, isUndo);
    this.#notifyResults(outcomes, hooks, isUndo);
    return outcomes;
  }

  #notifyResults(outcomes: readonly PlanOutcome[], hooks: SendHooks, isUndo: boolean): void {
    const isWhole = outcomes.every((outcome) => planFailureLabel(outcome) === undefined);
    // What may have taken effect is read before anything is sent again.
    const failed = outcomes.filter(({ kind }) => kind === 'failed' || kind === 'unknown').map(({ plan }) => plan);
    const again = { title: t('Try Again'), run: () => this.send(failed, hooks, isUndo) };
    const past = isUndo ? [] : undoPlans(outcomes);
    const { note } = hooks;
    const isSaved = !isUndo && outcomes.some(({ kind }) => kind === 'applied');
    const undo = { title: t('Undo'), run: () => this.send(past, hooks, true) };
    this.#dialogs.notify(
      isWhole ? 'info' : 'warning',
      [...(note !== undefined && isSaved ? [note] : []), resultLabel(outcomes, isUndo)].join(' · '),
      ...(failed.length > 0 ? [again] : []),
      ...(past.length > 0 ? [undo] : []),
    );
  }
}

function stepper(total: number, report: (done: number) => void): () => void {
  let done = 0;
  return () => {
    done += 1;
    report(done / total);
  };
}

/** Undefined for something that the user cancelled. */
async function unlessCancelled<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (isCancellation(error)) {
      return undefined;
    }
    throw error;
  }
}
