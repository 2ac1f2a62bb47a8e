import { Hono, type Context } from 'hono';
import { requireScope, type RequestState } from '../authentication.ts';
import { answerPage } from '../pagination.ts';
import type { Records } from '../records.ts';
import type { Event } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** The activity events (section 4.4). */
export function eventRoutes(world: World, records: Records, instanceUrl: string): Hono<RequestState> {
  const answer = (context: Context, events: readonly Event[]): Response => {
    const ascending = context.req.query('sort') === 'asc';
    const ordered = (from: number, to: number) =>
      ascending ? events.slice(from, to) : events.slice(events.length - to, events.length - from).reverse();
    return answerPage(context, instanceUrl, events.length, (from, to) =>
      ordered(from, to).map((event) => records.event(event)),
    );
  };
  return new Hono<RequestState>()
    .get('/events', requireScope('read_user', 'api'), (context) =>
      answer(context, world.eventsOfUser(context.get('token').user).filter(isInUserFeeds)),
    )
    .get('/projects/:id/events', requireScope('read_user', 'api'), (context) => {
      const project = world.project(context.req.param('id'));
      return project && world.canSee(context.get('token').user, project)
        ? answer(context, world.eventsOfProject(project))
        : context.json({ message: '404 Project Not Found' }, 404);
    });
}

/** The feeds of users leave out epics and merge requests. */
function isInUserFeeds({ target, note }: Event): boolean {
  return ![target?.type, note?.noteableType].some((type) => type === 'MergeRequest' || type === 'Epic');
}
