import { Hono, type Context } from 'hono';
import { allowScope, requireScope, type RequestState } from '../authentication.ts';
import type { Dialect } from '../dialect.ts';
import { answerPage } from '../pagination.ts';
import type { Records } from '../records.ts';
import type { Event, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { readEventFilter } from './eventFilter.ts';

/** The activity events (section 4.4). */
export function eventRoutes(world: World, records: Records, instanceUrl: string, dialect: Dialect): Hono<RequestState> {
  const feeds = new Feeds(world);
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
      return answer(context, context.req.query('scope') === 'all' ? feeds.ofAllProjects(user) : feeds.own(user));
    })
    .get('/users/:id/events', userScope, (context) => {
      const caller = context.get('token')?.user;
      const user = world.user(context.req.param('id'));
      return user
        ? answer(context, live ? feeds.ofUserLive(caller, user) : feeds.ofUser(caller, user))
        : context.json({ message: '404 User Not Found' }, 404);
    })
    .get('/projects/:id/events', projectScope, (context) => {
      const project = world.project(context.req.param('id'));
      return project && world.canSee(context.get('token')?.user, project)
        ? answer(context, { events: world.events.ofProject(project), isOfProject: true })
        : context.json({ message: '404 Project Not Found' }, 404);
    });
}

interface Feed {
  /** In order of id, the oldest first. */
  readonly events: readonly Event[];
  /** Takes events out of a page after they were counted. */
  readonly isVisible?: (event: Event) => boolean;
  readonly isOfProject?: boolean;
}

/** What each feed holds. */
class Feeds {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  own(user: User): Feed {
    return { events: this.#world.events.contributionsOf(user) };
  }

  /** Everyone's events in all projects of a user. */
  ofAllProjects(user: User): Feed {
    const isMember = ({ project }: Event) => project !== undefined && this.#world.accessLevel(user, project) > 0;
    return { events: this.#world.events.contributionsThat(`projects of ${user.id}`, undefined, isMember) };
  }

  /** The contributions of a user that the caller may see. */
  ofUser(caller: User | undefined, user: User): Feed {
    if (caller === user) {
      return this.own(user);
    }
    const isVisible = (event: Event) => this.#isVisible(caller, event);
    const name = `visible to ${caller?.id ?? 'all'}`;
    return { events: user.privateProfile ? [] : this.#world.events.contributionsThat(name, user, isVisible) };
  }

  /** As the live platform does it: events are counted before those are left out that the caller may not see. */
  ofUserLive(caller: User | undefined, user: User): Feed {
    if (caller !== user && user.privateProfile) {
      return { events: [] };
    }
    return { ...this.own(user), isVisible: (event) => caller === user || this.#isVisible(caller, event) };
  }

  #isVisible(caller: User | undefined, { project }: Event): boolean {
    return project !== undefined && this.#world.canSee(caller, project);
  }
}
