import * as vscode from 'vscode';
import type { Commands } from '../../common/commands.ts';
import { chooseSeveral, separator } from '../../common/inertWindow.ts';
import type { ActivityContext, Target } from '../context.ts';
import { actionLabel } from '../events/eventLabel.ts';
import { targetTypeLabel } from '../events/targets.ts';
import type { Feed } from '../feed/feed.ts';
import { feedLabelAmong, lacksMergeRequests } from '../feed/feedRef.ts';
import {
  conditionsOfKind,
  type FeedFilter,
  filterLabel,
  isEmptyFilter,
  limitsOf,
  withoutEmpty,
} from '../feed/filter.ts';
import type { Mute } from '../feed/readState.ts';
import { askPeriod } from './summary.ts';

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
  /** What the filter has while the line is ticked. */
  readonly condition?: FeedFilter;
  /** Whether the days are asked for once the line was ticked. */
  readonly asksDays?: true;
}

export function filterCommands(view: ActivityContext) {
  const { feeds, app } = view;

  async function edit(target?: Target): Promise<void> {
    const feed = view.feedOf(target);
    if (!feed) {
      return;
    }
    const filter = feeds.filterOf(feed.id);
    const title = t('Filter Activity: {0}', feedLabelAmong(feed.ref, app.accountInUse));
    const placeHolder = t('Choose what to show; nothing for all events');
    const chosen = await chooseSeveral<Line>(linesOf(filter, feed), { title, placeHolder });
    const areDaysAsked = chosen?.some(({ asksDays }) => asksDays) === true;
    const days = areDaysAsked ? await askPeriod(title, t('Choose the days'), app.clock.date(), true) : '';
    if (!chosen || days === undefined) {
      return;
    }
    const conditions = chosen.flatMap(({ condition }) => condition ?? []);
    const changed: FeedFilter = {
      ...conditions.reduce<FeedFilter>((all, one) => ({ ...all, ...one }), {}),
      actions: conditions.flatMap(({ actions: some = [] }) => some),
      types: conditions.flatMap(({ types: some = [] }) => some),
      ...(days === '' ? {} : limitsOf(days)),
    };
    await feeds.setFilter(feed.id, withoutEmpty(changed));
  }

  /** All that can be filtered by, in one list; what the filter has is ticked. */
  function linesOf(filter: FeedFilter, feed: Feed): Line[] {
    const { actions: shownActions = [], types: shownTypes = [], order, since, until, ...others } = filter;
    const conditions = [
      ...Object.entries(others).map(([name, value]): FeedFilter => ({ [name]: value })),
      withoutEmpty({ since, until }),
    ];
    const note = (name: string): string =>
      lacksMergeRequests(feed.ref) && ofMergeRequests.has(name)
        ? t('only in the feed of a single project')
        : (hints.get(name) ?? '');
    return [
      separator(t('Actions')),
      ...[...new Set([...actions, ...shownActions])].map((name) => ({
        ...{ label: actionLabel(name), description: note(name), picked: shownActions.includes(name) },
        condition: { actions: [name] },
      })),
      separator(t('Target Types')),
      ...[...new Set([...types, ...shownTypes])].map((name) => ({
        ...{ label: targetTypeLabel(name), description: note(name), picked: shownTypes.includes(name) },
        condition: { types: [name] },
      })),
      separator(t('More Conditions')),
      ...conditions
        .filter((condition) => !isEmptyFilter(condition))
        .map((condition) => ({ label: filterLabel(condition, app.clock.date()), picked: true, condition })),
      { label: t('Days…'), asksDays: true },
      { label: t('oldest first'), picked: order === 'asc', condition: { order: 'asc' } },
    ];
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
