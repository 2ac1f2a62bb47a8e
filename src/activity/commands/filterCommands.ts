import * as vscode from 'vscode';
import type { AccountStore } from '../../accounts/accountStore.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import { noonOf, readPeriod } from '../../common/dates.ts';
import { separator, showInputBox, showQuickPick } from '../../common/inertWindow.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { eventKind } from '../events/eventKind.ts';
import { actionLabel, targetTypeLabel } from '../events/kindLabels.ts';
import type { Feed } from '../feed/feed.ts';
import { feedLabelAmong, type OpenFeeds } from '../feed/openFeeds.ts';
import { lacksMergeRequests } from '../feed/feedRef.ts';
import { type FeedFilter, isEmptyFilter, usernameOf } from '../feed/filter.ts';
import { type FilterMemory, filterLabel } from '../feed/filterMemory.ts';
import type { Projects } from '../feed/projects.ts';

/** What the instance filters by, the most frequent first. */
const actions = [
  ...['pushed', 'commented', 'created', 'merged', 'closed', 'approved'],
  ...['reopened', 'updated', 'joined', 'left', 'expired', 'destroyed'],
];
const targetTypes = [
  ...['issue', 'merge_request', 'note', 'milestone', 'epic', 'project'],
  ...['snippet', 'user', 'wiki', 'design'],
];

/** What filtering depends on. */
export interface FilterCommandsDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly memory: FilterMemory;
  readonly feeds: Pick<OpenFeeds, 'setFilter'>;
  readonly context: ViewContext;
  readonly projects: Projects;
  readonly clock: Pick<Clock, 'date'>;
}

interface Line extends vscode.QuickPickItem {
  /** The filter with the condition of the line, or without it if it has that already; undefined if the user gave up. */
  readonly change?: () => FeedFilter | Promise<FeedFilter | undefined>;
}

/** Narrows feeds down. */
export class FilterCommands {
  readonly #deps: FilterCommandsDeps;
  readonly commands = {
    'beacon.activity.filter': (target?: Target) => this.edit(target),
    'beacon.activity.changeFilter': (target?: Target) => this.edit(target),
    'beacon.activity.clearFilter': (target?: Target) => this.clear(target),
    'beacon.activity.filterByAuthor': (target?: Target) => this.filterByAuthor(target),
    'beacon.activity.filterByProject': (target?: Target) => this.filterByProject(target),
    'beacon.activity.filterByKind': (target?: Target) => this.filterByKind(target),
  } satisfies Commands;

  constructor(deps: FilterCommandsDeps) {
    this.#deps = deps;
  }

  /** Lets the user add a condition, take one back or clear all. */
  async edit(target?: Target): Promise<void> {
    const feed = this.#deps.context.feed(target);
    if (!feed) {
      return;
    }
    const filter = this.#deps.memory.of(feed.id);
    const chosen = await showQuickPick(this.#lines(filter, feed), {
      title: vscode.l10n.t('Filter Activity: {0}', feedLabelAmong(feed.ref, this.#deps.accounts)),
      placeHolder: filterLabel(filter) || vscode.l10n.t('All events are shown, the newest first'),
    });
    const changed = await chosen?.change?.();
    if (changed) {
      await this.#deps.feeds.setFilter(feed.id, changed);
    }
  }

  /** Shows a feed without its filter again. */
  async clear(target?: Target): Promise<void> {
    const feed = this.#deps.context.feed(target);
    if (feed) {
      await this.#deps.feeds.setFilter(feed.id, {});
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
      const path = this.#deps.projects.get(feed.ref.accountId, id)?.path;
      return typeof id === 'number' && path !== undefined ? { project: { id, path } } : undefined;
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
      await this.#deps.feeds.setFilter(node.feed.id, { ...this.#deps.memory.of(node.feed.id), ...added });
    }
  }

  #lines(filter: FeedFilter, { ref }: Feed): Line[] {
    const { t } = vscode.l10n;
    const any = t('any');
    const { order, ...unordered } = filter;
    // By these the platform finds what rows call by other words.
    const others: { readonly [action: string]: string } = {
      pushed: t('includes new and deleted branches and tags'),
      created: t('includes what was opened'),
    };
    // What happens to merge requests and epics alone.
    const lacking = (name: string): string | undefined =>
      lacksMergeRequests(ref) && ['approved', 'merged', 'merge_request', 'epic'].includes(name)
        ? t('only in the feeds of projects')
        : undefined;
    return [
      ...(isEmptyFilter(filter) ? [] : [{ label: t('Clear Filter'), change: () => ({}) }]),
      { label: t('Since'), description: filter.since ?? any, change: () => this.#askDay(filter, 'since') },
      { label: t('Until'), description: filter.until ?? any, change: () => this.#askDay(filter, 'until') },
      {
        label: t('Order'),
        description: order === 'asc' ? t('oldest first') : t('newest first'),
        change: () => (order === 'asc' ? unordered : { ...unordered, order: 'asc' }),
      },
      separator(t('Action')),
      ...actions.map((action) =>
        conditionLine(filter, 'action', action, actionLabel(action), others[action] ?? lacking(action)),
      ),
      separator(t('Target Type')),
      ...targetTypes.map((type) => conditionLine(filter, 'targetType', type, targetTypeLabel(type), lacking(type))),
    ];
  }

  async #askDay(filter: FeedFilter, limit: 'since' | 'until'): Promise<FeedFilter | undefined> {
    const { [limit]: current, ...others } = filter;
    const { language } = vscode.env;
    const typed = await showInputBox({
      title: limit === 'since' ? vscode.l10n.t('Events Since') : vscode.l10n.t('Events Until'),
      prompt: vscode.l10n.t('Such as yesterday, 3 days ago or 2026-11-21; that day is included. Empty: any day.'),
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
export function conditionsOfKind(kind: string): FeedFilter {
  switch (kind) {
    case 'push':
      return { action: 'pushed' };
    case 'comment':
      return { action: 'commented' };
    default:
      return { kind };
  }
}

/** The line of a condition, with a check if it holds: then it is taken back. */
function conditionLine(
  filter: FeedFilter,
  condition: 'action' | 'targetType',
  value: string,
  label: string,
  note: string | undefined,
): Line {
  const { [condition]: current, ...others } = filter;
  return {
    label,
    ...(note === undefined ? {} : { description: note }),
    ...(current === value ? { iconPath: new vscode.ThemeIcon('check') } : {}),
    change: () => (current === value ? others : { ...others, [condition]: value }),
  };
}

function longDate(date: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(noonOf(date));
}
