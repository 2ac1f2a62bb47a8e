import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { allowScope, existing, type RequestState, requireScope, visible } from '../authentication.ts';
import { answerPage } from '../pagination.ts';
import type { Records } from '../records.ts';
import { eventActions, eventTargetTypes, liveTarget } from '../state/eventTemplates.ts';
import type { Dialect, Event, User } from '../state/model.ts';
import type { World } from '../state/world.ts';

const day = 86_400_000;

/** Which events of a feed are asked for, and in what order. */
export interface EventQuery {
  /** Undefined if no filter is given: every event passes, without being looked at. */
  readonly accepts: ((event: Event) => boolean) | undefined;
  readonly ascending: boolean;
}

/**
 * Reads the filters out of a query. An empty value counts as none.
 *
 * @returns the filter, or a sentence that says which values are bad.
 */
function readEventFilter(query: (name: string) => string | undefined, dialect: Dialect): EventQuery | string {
  const problems: string[] = [];
  const value = (name: string) => query(name) || undefined;
  const oneOf = (name: string, allowed: readonly string[]) => {
    const given = value(name);
    if (given !== undefined && !allowed.includes(given)) {
      problems.push(`${name} does not have a valid value`);
    }
    return given;
  };
  const date = (name: string) => {
    const given = value(name);
    const start = given === undefined ? undefined : startOfDay(given);
    if (given !== undefined && start === undefined) {
      problems.push(`${name} is invalid`);
    }
    return start;
  };
  const action = oneOf('action', eventActions);
  const type = eventTargetTypes.get(oneOf('target_type', [...eventTargetTypes.keys()]) ?? '');
  const targetOf = dialect === 'live' ? liveTarget : ({ target }: Event) => target;
  const [before, after] = [date('before'), date('after')];
  const ascending = oneOf('sort', ['asc', 'desc']) === 'asc';
  if (problems.length > 0) {
    return problems.join(', ');
  }
  const tests: ((event: Event) => boolean)[] = [
    ...(action === undefined ? [] : [(event: Event) => event.action === action]),
    ...(type === undefined ? [] : [(event: Event) => targetOf(event)?.type === type]),
    ...(before === undefined ? [] : [({ createdAt }: Event) => createdAt.getTime() < before]),
    // Neither limit lets the day pass that it names.
    ...(after === undefined ? [] : [({ createdAt }: Event) => createdAt.getTime() >= after + day]),
  ];
  return { accepts: tests.length > 0 ? (event) => tests.every((test) => test(event)) : undefined, ascending };
}

/** The time at which a day starts in UTC, the sandbox's time zone. Days may be written `2016-12-1` and have a time after them. */
function startOfDay(text: string): number | undefined {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || dayOfMonth === undefined) {
    return undefined;
  }
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth ? date.getTime() : undefined;
}

/**
 * The activity events.
 *
 * @see https://docs.gitlab.com/api/events/
 */
export function eventRoutes(world: World, records: Records, instanceUrl: string, dialect: Dialect): Hono<RequestState> {
  // On the live platform public events need no token, and `read_user` does not do for projects.
  const live = dialect === 'live';
  const own = { name: 'Event: Read', boundary: 'user' } as const;
  const ownScope = requireScope(own, 'read_user', 'api', ...(live ? ['read_api', 'ai_workflows'] : []));
  const userScope = allowScope(live, own, 'read_user', 'api', ...(live ? ['read_api'] : []));
  const ofProject = { ...own, boundary: 'project' } as const;
  const projectScope = allowScope(live, ofProject, 'api', live ? 'read_api' : 'read_user');

  /** Answers with those of the events that the query asks for and the test lets the caller see. */
  const answer = (context: Context, feed: Feed): Response => {
    const filter = readEventFilter((name) => context.req.query(name), dialect);
    if (typeof filter === 'string') {
      return context.json({ error: filter }, 400);
    }
    const events = filter.accepts ? feed.events.filter(filter.accepts) : feed.events;
    const slice = (from: number, to: number) =>
      filter.ascending ? events.slice(from, to) : events.slice(events.length - to, events.length - from).reverse();
    return answerPage(context, instanceUrl, events.length, (from, to) =>
      slice(from, to)
        .filter(feed.isVisible ?? (() => true))
        .map((event) => records.event(event, feed.isOfProject ?? false)),
    );
  };
  return new Hono<RequestState>()
    .get('/events', ownScope, (context) => {
      const { user } = context.get('token');
      const isMember = ({ project }: Event) => project !== undefined && world.accessLevel(user, project) > 0;
      const ofAll = context.req.query('scope') === 'all';
      return answer(context, {
        events: ofAll ? world.events.contributions().filter(isMember) : world.events.contributionsOf(user),
      });
    })
    .get('/users/:id/events', userScope, (context) => {
      const caller = context.get('token')?.user;
      const user = existing(world.user(context.req.param('id')), 'User');
      return answer(context, feedOfUser(world, caller, user, live));
    })
    .get('/projects/:id/events', projectScope, (context) => {
      const project = visible(world, context.get('token')?.user, world.project(context.req.param('id')), 'Project');
      return answer(context, { events: world.events.ofProject(project), isOfProject: true });
    });
}

interface Feed {
  /** In order of id, the oldest first. */
  readonly events: readonly Event[];
  /** Takes events out of a page after they were counted. */
  readonly isVisible?: (event: Event) => boolean;
  readonly isOfProject?: boolean;
}

/** The contributions of a user that the caller may see. The live platform counts events before it leaves out those that are hidden. */
function feedOfUser(world: World, caller: User | undefined, user: User, live: boolean): Feed {
  const events = world.events.contributionsOf(user);
  if (caller === user) {
    return { events };
  }
  if (user.privateProfile) {
    return { events: [] };
  }
  const isVisible = ({ project }: Event) => project !== undefined && world.canSee(caller, project);
  return live ? { events, isVisible } : { events: events.filter(isVisible) };
}
