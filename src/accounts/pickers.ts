import * as vscode from 'vscode';
import type { GroupRecord, ProjectRecord } from '../api/directory.ts';
import { inertText } from '../common/inertText.ts';
import { createQuickPick, separator } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl, webAddress } from '../common/instanceUrl.ts';
import { type InstanceAccount, lacksReadScope } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import type { Connection } from './connections.ts';
import {
  groupSource,
  type Identified,
  withoutRepeats,
  projectSource,
  Search,
  type SearchState,
  type RecordSource,
} from './directorySearch.ts';
import type { Pin, Pins } from './pins.ts';
import { missingScopeProblem, type Problem, ProblemError, problemOf, runRemedy } from './problem.ts';

/** What a picker says of itself. */
export interface PickerOptions {
  readonly title: string;
  /** What was typed already. */
  readonly text?: string;
  /** Marks what is pinned already. */
  readonly pins?: Pick<Pins, 'has'>;
  /** Who is signed in, where the window may go on with another account. */
  readonly accounts?: readonly InstanceAccount[];
  /** Asks again with what was typed, after that has led to another account. */
  readonly again?: (text: string) => Promise<Pin | undefined>;
}

/**
 * Lets the user choose a project: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickProject(
  connection: Connection,
  { pins, accounts, again, ...options }: PickerOptions,
): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const pinOf = ({ id, path_with_namespace: path }: ProjectRecord): Pin => ({ kind: 'project', accountId, id, path });
  const source = projectSource(connection);
  let elsewhere: Pin | undefined;
  const project = await pick(accounts ? withOtherInstances(source, connection, accounts) : source, {
    ...options,
    accountId,
    again: async (text) => void (elsewhere = await again?.(text)),
    placeholder: vscode.l10n.t('Search projects by name, path, ID or web address'),
    describe: (record) => describePin(pinOf(record), record.name, pins),
    icon: 'repo',
  });
  return project ? pinOf(project) : elsewhere;
}

/**
 * Asks again once the window works with another account, and takes that back where the user then chooses nothing.
 *
 * @param ask what to do with what was typed.
 * @param hasActed whether something was done there other than choosing.
 */
export function askElsewhere<T>(
  {
    accounts,
    accountInUse,
  }: {
    readonly accounts: Pick<AccountStore, 'all'>;
    readonly accountInUse: Pick<AccountInUse, 'account' | 'use'>;
  },
  ask: (text: string) => Promise<T | undefined>,
  hasActed = (): boolean => false,
): (text: string) => Promise<T | undefined> {
  const before = accountInUse.account;
  const known = accounts.all;
  return async (text) => {
    const { account } = accountInUse;
    const chosen = await ask(text);
    // The window was switched for this choice; who has signed in meanwhile wanted that by itself.
    if (!chosen && !hasActed() && before && account?.id !== before.id && known.some(({ id }) => id === account?.id)) {
      await accountInUse.use(before);
    }
    return chosen;
  };
}

/**
 * Lets the user choose a group: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickGroup(
  connection: Connection,
  { pins, ...options }: Omit<PickerOptions, 'accounts' | 'again'>,
): Promise<Pin | undefined> {
  const { id: accountId } = connection.account;
  const pinOf = ({ id, full_path: path }: GroupRecord): Pin => ({ kind: 'group', accountId, id, path });
  const group = await pick(groupSource(connection), {
    ...options,
    accountId,
    placeholder: vscode.l10n.t('Search groups by name, path, ID or web address'),
    describe: (record) => describePin(pinOf(record), record.name, pins),
    icon: 'organization',
  });
  return group && pinOf(group);
}

/** A source that asks an instance for no address of another one, and says where that leads instead. */
export function withOtherInstances<T>(
  source: RecordSource<T>,
  { instanceUrl }: Pick<Connection, 'instanceUrl'>,
  accounts: readonly InstanceAccount[],
): RecordSource<T> {
  const check = (text: string): void => {
    const url = webAddress(text) === undefined ? undefined : normalizeInstanceUrl(text);
    const isOn = (base: string): boolean => `${instanceName(url ?? '')}/`.startsWith(`${instanceName(base)}/`);
    // An address that is still being typed may become one of this instance.
    if (url === undefined || url === new URL(url).origin || isOn(instanceUrl)) {
      return;
    }
    const there = accounts.filter((account) => isOn(account.instanceUrl));
    const able = there.filter((account) => !lacksReadScope(account));
    const [account, second] = able;
    if (there[0] && !account) {
      // The window would be switched in vain.
      throw new ProblemError(missingScopeProblem(there[0], 'GET'));
    }
    throw new ProblemError(
      account
        ? {
            sentence: vscode.l10n.t(
              'This address belongs to your account {0}. If you choose nothing there, the window switches back.',
              able.map(({ id }) => id).join(', '),
            ),
            remedy: {
              command: 'beacon.switchAccount',
              title: second
                ? vscode.l10n.t('Switch the Account of This Window…')
                : vscode.l10n.t('Switch This Window to {0}', account.id),
              arguments: second ? [] : [account.id],
            },
          }
        : {
            sentence: vscode.l10n.t('This address is on {0}, where you are not signed in.', new URL(url).host),
            remedy: { command: 'beacon.signIn', title: vscode.l10n.t('Sign In…'), arguments: [{ url }] },
          },
    );
  };
  return {
    list: async function* listHere(text, signal) {
      check(text);
      return yield* source.list(text, signal);
    },
    find: async (text, signal) => {
      check(text);
      return await source.find(text, signal);
    },
  };
}

/** The line of a project or group, with a pin if it has one already. */
function describePin(pin: Pin, name: string, pins: PickerOptions['pins']): Description {
  return pins?.has(pin)
    ? { label: pin.path, description: `${name} · ${vscode.l10n.t('pinned')}`, icon: 'pinned' }
    : { label: pin.path, description: name };
}

/** How records are shown. */
export interface Presentation<T> {
  readonly title: string;
  /** Whose token asks the instance; failures name the account. */
  readonly accountId?: string | undefined;
  /** What was typed already. */
  readonly text?: string;
  readonly placeholder: string;
  /** Text of the instance, as it came. */
  readonly describe: (record: T) => Description;
  /** The id of a codicon, where a description has none. */
  readonly icon: string;
  /** What stands above all that is found, as far as it contains what is typed; it waits for no answer. */
  readonly offered?: () => readonly T[];
  /** What the button of a line does. The lines are shown again afterwards. */
  readonly onButton?: (record: T) => Promise<void>;
  /** Picks again with what was typed, after the command that fixes a failure. */
  readonly again?: (text: string) => Promise<T | undefined>;
}

/** What a line says of a record. */
export interface Description {
  readonly label: string;
  readonly description: string;
  readonly icon?: string;
  /** The name of the part of the list that the record belongs to; none at the top. */
  readonly section?: string;
  readonly button?: vscode.QuickInputButton;
}

/** A line of the picker: a record, or an action. */
interface Line<T> extends vscode.QuickPickItem {
  readonly record?: T;
  readonly run?: () => unknown;
}

/** Lines, and the text that they are the answer to. */
interface Answer<T> {
  readonly text: string | undefined;
  readonly lines: readonly Line<T>[];
}

/**
 * Lets the user choose a record of what is offered, and of what is found while they type. Failures show in the picker, with what
 * to do.
 *
 * @param picker the editor's quick pick, for tests; disposed of at the end.
 * @returns undefined if they gave up.
 */
export async function pick<T extends Identified>(
  source: RecordSource<T>,
  presentation: Presentation<T>,
  picker: vscode.QuickPick<Line<T>> = createQuickPick<Line<T>>(),
): Promise<T | undefined> {
  const { title, placeholder, text: value = '', onButton, again } = presentation;
  Object.assign(picker, { title, placeholder, value, ignoreFocusOut: true });
  // What Enter was pressed for before there was an answer.
  let wanted: string | undefined;
  // The editor shows lines a moment after it got them. Until then what it reports is about those before, by their places.
  let sent: Answer<T> = { text: undefined, lines: [] };
  let seen = sent;
  const { promise: chosen, resolve } = Promise.withResolvers<T | undefined>();
  const search = new Search(source, (state) => {
    picker.busy = state.busy;
    if (state.busy) {
      return;
    }
    if (wanted === state.text) {
      resolveIfCertain(state);
    }
    wanted = undefined;
    show(state);
  });
  function show(state: SearchState<T>): void {
    const lines = linesOf(state, presentation, search, (fixed) => {
      resolve(fixed.then(() => again?.(state.text)));
      picker.hide();
    });
    picker.keepScrollPosition = state.text === sent.text;
    sent = { text: state.text, lines };
    picker.items = lines;
  }
  function resolveIfCertain(state: SearchState<T>): void {
    const [first, second] = state.exact ? state.records : recordsOf(state, presentation);
    if (first && (state.exact || !second)) {
      resolve(first);
    }
  }
  picker.onDidChangeValue((typed) => void search.search(typed));
  picker.onDidChangeActive(([active]) => {
    // With new lines the first becomes the active one, unless they only went on.
    if (picker.keepScrollPosition || (active && active === firstOf(sent))) {
      seen = sent;
    }
  });
  picker.onDidAccept(() => {
    const [selected] = picker.selectedItems;
    const place = selected ? sent.lines.indexOf(selected) : -1;
    const line = seen.lines[place] ?? (seen.text === sent.text ? selected : undefined);
    const { state } = search;
    // The picker activates the first line of an older answer by itself: Enter then means the text.
    if (line && (seen.text === state.text || line !== firstOf(seen))) {
      if (line.record) {
        resolve(line.record);
      } else {
        line.run?.();
      }
    } else if (state.busy) {
      wanted = state.text;
    } else {
      resolveIfCertain(state);
    }
  });
  picker.onDidHide(() => resolve(undefined));
  if (onButton) {
    picker.onDidTriggerItemButton(async ({ item: { record } }) => {
      if (record) {
        await onButton(record);
        show(search.state);
      }
    });
  }
  if (presentation.offered) {
    show({ ...search.state, text: value.trim(), busy: true });
  }
  picker.show();
  void search.search(picker.value);
  try {
    return await chosen;
  } finally {
    search.stop();
    picker.dispose();
  }
}

/** The line that the editor goes to by itself. */
function firstOf<T>({ lines }: Answer<T>): Line<T> | undefined {
  return lines.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
}

/** What is offered for a text, and what was found for it. */
function recordsOf<T extends Identified>(
  { text, records }: SearchState<T>,
  { offered, describe }: Presentation<T>,
): readonly T[] {
  const wanted = text.toLowerCase();
  const fitting = (offered?.() ?? []).filter((record) => {
    const { label, description } = describe(record);
    return `${label}\n${description}`.toLowerCase().includes(wanted);
  });
  return withoutRepeats([...fitting, ...records]);
}

function linesOf<T extends Identified>(
  state: SearchState<T>,
  presentation: Presentation<T>,
  search: Search<T>,
  close: (fixed: Thenable<unknown>) => void,
): Line<T>[] {
  const sections = Map.groupBy(
    recordsOf(state, presentation).map((record) => ({ record, shown: presentation.describe(record) })),
    ({ shown }) => shown.section ?? '',
  );
  const lines = [...sections].flatMap(([section, members]): Line<T>[] => [
    ...(section === '' ? [] : [separator(section)]),
    ...members.map(({ record, shown: { label, description, icon = presentation.icon, button } }) => ({
      record,
      label: inertText(label),
      description: inertText(description),
      iconPath: new vscode.ThemeIcon(icon),
      ...(button ? { buttons: [button] } : {}),
    })),
  ]);
  if (state.error !== undefined) {
    const problem = problemOf(state.error, presentation.accountId);
    const isFinal = state.error instanceof ProblemError;
    lines.push(...problemLines(problem, isFinal, () => search.search(state.text), close));
  } else if (state.hasMore) {
    const label = vscode.l10n.t('Load More');
    lines.push({ label, iconPath: new vscode.ThemeIcon('fold-down'), run: () => search.searchFurther() });
  } else if (lines.length === 0 && !state.busy) {
    lines.push({
      label: vscode.l10n.t('Nothing found for “{0}”', inertText(state.text)),
      iconPath: new vscode.ThemeIcon('info'),
    });
  }
  // The instance has matched them by more fields than the editor could.
  return lines.map((line) => ({ ...line, alwaysShow: true }));
}

function problemLines(
  { sentence, remedy }: Problem,
  isFinal: boolean,
  tryAgain: () => unknown,
  close: (fixed: Thenable<unknown>) => void,
): Line<never>[] {
  const fix = (): void => {
    close(runRemedy(remedy));
  };
  const detail = inertText(sentence);
  if (remedy && (isFinal || remedy.command === 'beacon.renewToken')) {
    // The same again would lead to the same.
    return [{ label: remedy.title, detail, iconPath: new vscode.ThemeIcon('arrow-right'), run: fix }];
  }
  return [
    { label: vscode.l10n.t('Try Again'), detail, iconPath: new vscode.ThemeIcon('refresh'), run: tryAgain },
    ...(remedy ? [{ label: remedy.title, iconPath: new vscode.ThemeIcon('arrow-right'), run: fix }] : []),
  ];
}
