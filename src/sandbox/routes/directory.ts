import { Hono } from 'hono';
import { requireScope, type RequestState } from '../authentication.ts';
import type { Records } from '../records.ts';
import type { World } from '../state/world.ts';

/** Users and projects, as far as a client needs them. */
export function directoryRoutes(world: World, records: Records): Hono<RequestState> {
  return new Hono<RequestState>()
    .get('/user', requireScope('read_user', 'api'), (context) =>
      context.json(records.currentUser(context.get('token').user)),
    )
    .get('/projects/:id', requireScope('api'), (context) => {
      const project = world.project(context.req.param('id'));
      return project && world.canSee(context.get('token').user, project)
        ? context.json(records.project(project))
        : context.json({ message: '404 Project Not Found' }, 404);
    });
}
