import * as vscode from 'vscode';
import type { Commands } from '../../common/commands.ts';
import { noonOf, readPeriod } from '../../common/dates.ts';
import { showInputBox, showQuickPick } from '../../common/inertWindow.ts';
import type { ActivityContext, Target } from '../context.ts';
import { actionLabel } from '../events/eventLabel.ts';
import { targetTypeLabel } from '../events/targets.ts';
import type { Feed } from '../feed/feed.ts';
import { feedLabelAmong, lacksMergeRequests } from '../feed/feedRef.ts';
import { conditionsOfKind, type FeedFilter, filterLabel, isEmptyFilter, withoutEmpty } from '../feed/filter.ts';
import type { Mute } from '../feed/readState.ts';

const { t } = vscode.l10n;

/** What the instance filters by, the most frequent first. */
const actions = 'pushed commented created merged closed approved reopened updated joined left expired destroyed'.split(
  ' ',
);
const types = 'issue merge_request note milestone epic project snippet user wiki design'.split(' ');
/** By these the platform finds what rows call by other words. */
const hints: ReadonlyMap<string, string> = new Map([
  ['pushed', t('includes new and deleted branches and tags')],
  ['created', t('includes what was opened')],
]);
/** What happens to merge requests and epics alone. */
const ofMergeRequests = new Set(['approved', 'merged', 'merge_request', 'epic']);

interface Line extends vscode.QuickPickItem {
  /** The filter with another condition; undefined if the user gave up. */
  readonly change: () => FeedFilter | Promise<FeedFilter | undefined>;
}

export function filterCommands(view: ActivityContext) {
  const { feeds, app } = view;

  async function edit(target?: Target): Promise<void> {
    const feed = view.feedOf(target);
    if (!feed) {
      return;
    }
    const filter = feeds.filterOf(feed.id);
    const title = t('Filter Activity: {0}', feedLabelAmong(feed.ref, app.accounts));
    const chosen = await showQuickPick(linesOf(filter, feed, title), {
      title,
      placeHolder: filterLabel(filter) || t('All events are shown, the newest first'),
    });
    const changed = await chosen?.change();
    if (changed) {
      await feeds.setFilter(feed.id, withoutEmpty(changed));
    }
  }

  function linesOf(filter: FeedFilter, feed: Feed, title: string): Line[] {
    const any = t('any');
    const several = (
      own: 'actions' | 'types',
      label: string,
      placeHolder: string,
      offered: readonly string[],
      nameOf: (name: string) => string,
    ): Line => {
      const chosen = filter[own] ?? [];
      const lines = [...new Set([...offered, ...chosen])].map((name) => ({
        name,
        label: nameOf(name),
        description:
          lacksMergeRequests(feed.ref) && ofMergeRequests.has(name)
            ? t('only in the feed of a single project')
            : (hints.get(name) ?? ''),
        picked: chosen.includes(name),
      }));
      return {
        label,
        description: chosen.map(nameOf).join(', ') || any,
        change: async () => {
          const picked = await showQuickPick(lines, { title, placeHolder, canPickMany: true });
          return picked && { ...filter, [own]: picked.map(({ name }) => name) };
        },
      };
    };
    return [
      ...(isEmptyFilter(filter) ? [] : [{ label: t('Clear Filter'), change: () => ({}) }]),
      several('actions', t('Actions…'), t('Choose actions; none for any'), actions, actionLabel),
      several('types', t('Target Types…'), t('Choose what events are about; nothing for any'), types, targetTypeLabel),
      { label: t('Since…'), description: filter.since ?? any, change: () => askDay(filter, 'since') },
      { label: t('Until…'), description: filter.until ?? any, change: () => askDay(filter, 'until') },
      {
        label: t('Order'),
        description: filter.order === 'asc' ? t('oldest first') : t('newest first'),
        change: () => withoutEmpty({ ...filter, order: filter.order === 'asc' ? undefined : 'asc' }),
      },
    ];
  }

  async function askDay(filter: FeedFilter, limit: 'since' | 'until'): Promise<FeedFilter | undefined> {
    const typed = await showInputBox({
      title: limit === 'since' ? t('Events Since') : t('Events Until'),
      prompt: t('Such as yesterday, 3 days ago or 2026-11-21; that day is included. Empty: any day.'),
      value: filter[limit] ?? '',
      validateInput: (text) => {
        const period = readPeriod(text, app.clock.date());
        if (text.trim() === '') {
          return undefined;
        }
        return period === undefined
          ? t('This is not a day. Try yesterday, last week, 3 days ago, or 2026-11-21.')
          : {
              message: longDate(limit === 'since' ? period.from : period.to),
              severity: vscode.InputBoxValidationSeverity.Info,
            };
      },
    });
    return typed === undefined ? undefined : withoutEmpty({ ...filter, [limit]: typed.trim() || undefined });
  }

  async function narrow(target: Target, what: Mute['what']): Promise<void> {
    const node = view.eventOf(target);
    const subject = node?.subject(what);
    if (node && subject) {
      const { value, name } = subject;
      const ofProject = { project: { id: Number(value), path: name } };
      const added = { author: { author: value }, project: ofProject, kind: conditionsOfKind(value) }[what];
      await feeds.setFilter(node.feed.id, { ...feeds.filterOf(node.feed.id), ...added });
    }
  }

  return {
    'beacon.activity.filter': edit,
    'beacon.activity.clearFilter': async (target?: Target) => {
      const feed = view.feedOf(target);
      await (feed && feeds.setFilter(feed.id, {}));
    },
    'beacon.activity.filterByAuthor': (target?: Target) => narrow(target, 'author'),
    'beacon.activity.filterByProject': (target?: Target) => narrow(target, 'project'),
    'beacon.activity.filterByKind': (target?: Target) => narrow(target, 'kind'),
  } satisfies Commands;
}

function longDate(date: string): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full', timeZone: 'UTC' }).format(noonOf(date));
}
