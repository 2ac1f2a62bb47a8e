import { inspect } from 'node:util';
import { isApiError } from '../../../src/api/errors.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { addDays, readPeriod } from '../../../src/common/dates.ts';
import type { ActivityNode, Feed } from '../../unit/activity/activityWindow.ts';
import { usernameOf } from '../actors/permissions.ts';
import type { Instance } from '../host/instance.ts';
import type { Violations } from './violations.ts';

/** Compares what feeds hold, when all is calm and they were refreshed, with what the instance holds. */
export async function checkFeeds(
  feeds: readonly Feed[],
  rows: readonly ActivityNode[],
  instance: Instance,
  now: Date,
  violations: Violations,
): Promise<void> {
  // The embedded sandbox is an instance of its own.
  for (const feed of feeds.filter(({ ref }) => ref.accountId !== 'sandbox')) {
    const problem = (await problemOf(feed, instance, now)) ?? rowsProblem(feed, rows);
    if (problem !== undefined) {
      violations.add('feeds', `${feed.id} ${JSON.stringify(feed.filter)}: ${problem}`);
    }
  }
}

async function problemOf(feed: Feed, instance: Instance, now: Date): Promise<string | undefined> {
  const { ref, filter, state } = feed;
  const expected = await instance.list(usernameOf(ref.accountId), addressOf(feed, now));
  if (!expected) {
    return isApiError(state.error) ? undefined : 'the instance has no such feed, and the view does not say so';
  }
  if (state.error !== undefined) {
    return `it still fails when all is calm: ${inspect(state.error)}`;
  }
  if (!state.loaded) {
    return undefined;
  }
  const ids = state.items.filter((item) => !isOfDeleted(item, instance)).map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    return `events are doubled: ${ids.filter((id, index) => ids.indexOf(id) < index).join(', ')}`;
  }
  const there = expected.map(({ id }) => id);
  const known = new Set(ids);
  // Oldest first, new events come after pages that are not loaded yet.
  const reach = state.complete ? there.length : Math.max(...ids.map((id) => there.indexOf(id))) + 1;
  const lost = there.slice(0, reach).filter((id) => !known.has(id));
  if (lost.length > 0) {
    return `events are lost: ${lost.slice(0, 10).join(', ')} of ${there.length} (${ids.length} loaded)`;
  }
  const extra = ids.filter((id) => !there.includes(id));
  if (extra.length > 0) {
    return `events are shown that the instance does not have: ${extra.slice(0, 10).join(', ')}`;
  }
  if (filter.order !== 'asc' && there.length > 0 && ids[0] !== there[0]) {
    return `the newest event is ${String(ids[0])} and not ${String(there[0])}`;
  }
  return ids.every((id, index) => id === there[index]) ? undefined : 'events are in another order';
}

/** Each event that is to be shown is below one day, and below one alone. */
function rowsProblem(feed: Feed, rows: readonly ActivityNode[]): string | undefined {
  const days = rows.filter((row) => row.kind === 'day').filter((day) => day.feed === feed);
  const shown = days.flatMap(({ events }) => events.map(({ item }) => item));
  return shown.length === feed.state.shown.length && new Set(shown).size === shown.length
    ? undefined
    : `the view has ${shown.length} rows for ${feed.state.shown.length} events`;
}

/** The part of a filter that the instance knows: one action, one type, and days, whose limits exclude the day that they name. */
function queryOf({ actions = [], types = [], since = '', until = '', order }: Feed['filter'], now: Date): object {
  const [from, to] = [readPeriod(since, now)?.from, readPeriod(until, now)?.to];
  return {
    ...(actions.length === 1 && { action: actions[0] }),
    ...(types.length === 1 && { target_type: types[0] }),
    // The calendar of the instance may be a day off.
    ...(from !== undefined && { after: addDays(from, -2) }),
    ...(to !== undefined && { before: addDays(to, 2) }),
    ...(order && { sort: order }),
  };
}

function addressOf({ ref, filter }: Feed, now: Date): string {
  const query = new URLSearchParams({ ...queryOf(filter, now), per_page: '100' });
  switch (ref.kind) {
    case 'mine':
      return `/events?${query.toString()}`;
    case 'allProjects':
      return `/events?scope=all&${query.toString()}`;
    case 'project':
      return `/projects/${encodeURIComponent(ref.id ?? ref.path)}/events?${query.toString()}`;
    case 'user':
      return `/users/${ref.id}/events?${query.toString()}`;
  }
}

/** What was loaded of a project before it was deleted may still be there. */
function isOfDeleted(item: EventRecord, { deleted }: Instance): boolean {
  return typeof item.project_id === 'number' && deleted.has(item.project_id);
}
