import * as vscode from 'vscode';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import { readPeriod } from '../../common/dates.ts';
import { showInputBox, showQuickPick } from '../../common/inertWindow.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { eventKind } from '../events/eventKind.ts';
import { actionLabel, targetTypeLabel } from '../events/kindLabels.ts';
import type { Feed } from '../feed/feed.ts';
import { lacksMergeRequests } from '../feed/feedRef.ts';
import { type FeedFilter, isEmptyFilter, usernameOf } from '../feed/filter.ts';
import { type FilterMemory, filterLabel } from '../feed/filterMemory.ts';
import type { Projects } from '../feed/projects.ts';
import type { ReadState } from '../feed/readState.ts';

const actions = [
  ...['approved', 'closed', 'commented', 'created', 'destroyed', 'expired'],
  ...['joined', 'left', 'merged', 'pushed', 'reopened', 'updated'],
];
const targetTypes = [
  ...['issue', 'merge_request', 'note', 'milestone', 'epic', 'project'],
  ...['snippet', 'user', 'wiki', 'design'],
];

/** What filtering depends on. */
export interface FilterCommandsDeps {
  readonly memory: FilterMemory;
  readonly readState: Pick<ReadState, 'setOnlyNew'>;
  readonly context: ViewContext;
  readonly projects: Projects;
  readonly clock: Pick<Clock, 'date'>;
}

interface Line extends vscode.QuickPickItem {
  readonly run?: () => Promise<FeedFilter | undefined>;
}

/** Narrows feeds down. */
export class FilterCommands {
  readonly #deps: FilterCommandsDeps;
  readonly commands = {
    'beacon.activity.filter': (target?: Target) => this.edit(target),
    'beacon.activity.clearFilter': (target?: Target) => this.clear(target),
    'beacon.activity.filterByAuthor': (target?: Target) => this.filterByAuthor(target),
    'beacon.activity.filterByProject': (target?: Target) => this.filterByProject(target),
    'beacon.activity.filterByKind': (target?: Target) => this.filterByKind(target),
  } satisfies Commands;

  constructor(deps: FilterCommandsDeps) {
    this.#deps = deps;
  }

  /** Lets the user change one condition after the other; each holds at once. */
  async edit(target?: Target): Promise<void> {
    const feed = this.#deps.context.feed(target);
    if (!feed) {
      return;
    }
    for (;;) {
      const filter = this.#deps.memory.of(feed.id);
      const chosen = await showQuickPick(this.#lines(filter, feed), {
        title: vscode.l10n.t('Filter Activity'),
        placeHolder: filterLabel(filter) || vscode.l10n.t('All events are shown, the newest first'),
      });
      const changed = await chosen?.run?.();
      if (!chosen) {
        return;
      }
      if (changed) {
        await this.#deps.memory.set(feed.id, changed);
        if (isEmptyFilter(changed)) {
          return;
        }
      }
    }
  }

  /** Shows everything again. */
  async clear(target?: Target): Promise<void> {
    const feed = this.#deps.context.feed(target);
    if (feed) {
      await this.#deps.memory.set(feed.id, {});
      await this.#deps.readState.setOnlyNew(false);
    }
  }

  async filterByAuthor(target?: Target): Promise<void> {
    await this.#narrow(target, ({ item }) => {
      const author = isUnrecognized(item) ? undefined : usernameOf(item);
      return author === undefined ? undefined : { author };
    });
  }

  async filterByProject(target?: Target): Promise<void> {
    await this.#narrow(target, ({ item, feed }) => {
      const id = isUnrecognized(item) ? undefined : item.project_id;
      const path = this.#deps.projects.get(feed.ref.accountId, id)?.path ?? String(id);
      return typeof id === 'number' ? { project: { id, path } } : undefined;
    });
  }

  async filterByKind(target?: Target): Promise<void> {
    await this.#narrow(target, ({ item }) => (isUnrecognized(item) ? undefined : conditionsOfKind(eventKind(item))));
  }

  async #narrow(
    target: Target,
    conditions: (node: NonNullable<ReturnType<ViewContext['event']>>) => FeedFilter | undefined,
  ): Promise<void> {
    const node = this.#deps.context.event(target);
    const added = node && conditions(node);
    if (node && added) {
      await this.#deps.memory.set(node.feed.id, { ...this.#deps.memory.of(node.feed.id), ...added });
    }
  }

  #lines(filter: FeedFilter, feed: Feed): Line[] {
    const { t } = vscode.l10n;
    const any = t('any');
    const { order, ...unordered } = filter;
    return [
      {
        label: t('Action'),
        description: filter.action === undefined ? any : actionLabel(filter.action),
        run: () => this.#askAction(filter),
      },
      {
        label: t('Target Type'),
        description: filter.targetType === undefined ? any : targetTypeLabel(filter.targetType),
        run: () => this.#askTargetType(filter, feed),
      },
      { label: t('Since'), description: filter.since ?? any, run: () => this.#askDay(filter, 'since') },
      { label: t('Until'), description: filter.until ?? any, run: () => this.#askDay(filter, 'until') },
      {
        label: t('Order'),
        description: order === 'asc' ? t('oldest first') : t('newest first'),
        run: async () => (order === 'asc' ? unordered : { ...unordered, order: 'asc' }),
      },
      ...(isEmptyFilter(filter) ? [] : [{ label: t('Clear Filter'), run: async () => ({}) }]),
    ];
  }

  async #askAction({ action: current, ...others }: FeedFilter): Promise<FeedFilter | undefined> {
    const title = vscode.l10n.t('Filter by Action');
    const branches = vscode.l10n.t('with branches and tags that were created or deleted');
    const action = await pickOne(title, actions, current, actionLabel, (value) =>
      value === 'pushed' ? branches : undefined,
    );
    return action && { ...others, ...(action === 'any' ? {} : { action: action.value }) };
  }

  async #askTargetType({ targetType: current, ...others }: FeedFilter, feed: Feed): Promise<FeedFilter | undefined> {
    const title = vscode.l10n.t('Filter by Target Type');
    const lacking = vscode.l10n.t('only in the feeds of projects');
    const chosen = await pickOne(title, targetTypes, current, targetTypeLabel, (value) =>
      lacksMergeRequests(feed.ref) && (value === 'merge_request' || value === 'epic') ? lacking : undefined,
    );
    return chosen && { ...others, ...(chosen === 'any' ? {} : { targetType: chosen.value }) };
  }

  async #askDay(filter: FeedFilter, limit: 'since' | 'until'): Promise<FeedFilter | undefined> {
    const { [limit]: current, ...others } = filter;
    const { language } = vscode.env;
    const typed = await showInputBox({
      title: limit === 'since' ? vscode.l10n.t('Events Since') : vscode.l10n.t('Events Until'),
      prompt: vscode.l10n.t(
        'The day is included. Enter words such as yesterday, last week, 3 days ago, or a date such as 2026-11-21; leave it empty for any day.',
      ),
      value: current ?? '',
      validateInput: (text) => {
        const period = readPeriod(text, this.#deps.clock.date(), language);
        if (text.trim() === '') {
          return undefined;
        }
        return period === undefined
          ? vscode.l10n.t('This is not a day. Try yesterday, last week, 3 days ago, or 2026-11-21.')
          : {
              message: longDate(limit === 'since' ? period.from : period.to, language),
              severity: vscode.InputBoxValidationSeverity.Info,
            };
      },
    });
    if (typed === undefined) {
      return undefined;
    }
    return typed.trim() === '' ? others : { ...others, [limit]: typed.trim() };
  }
}

/** The conditions for a kind of event: by the instance where it knows them, which finds older events at once. */
function conditionsOfKind(kind: string): FeedFilter {
  switch (kind) {
    case 'push':
      return { action: 'pushed' };
    case 'comment':
      return { action: 'commented' };
    default:
      return { kind };
  }
}

async function pickOne(
  title: string,
  values: readonly string[],
  current: string | undefined,
  nameOf: (value: string) => string,
  noteOn: (value: string) => string | undefined = () => undefined,
): Promise<'any' | { readonly value: string } | undefined> {
  const check = new vscode.ThemeIcon('check');
  const lineOf = (value: string | undefined) => {
    const note = value === undefined ? undefined : noteOn(value);
    return {
      value,
      label: value === undefined ? vscode.l10n.t('any') : nameOf(value),
      ...(note === undefined ? {} : { description: note }),
      ...(value === current ? { iconPath: check } : {}),
    };
  };
  const chosen = await showQuickPick([undefined, ...values].map(lineOf), { title });
  return chosen && (chosen.value === undefined ? 'any' : { value: chosen.value });
}

function longDate(date: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );
}
