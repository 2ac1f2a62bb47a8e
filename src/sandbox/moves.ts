import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { RequestState } from './authentication.ts';
import type { Dialect } from './dialect.ts';
import type { Project } from './state/model.ts';
import type { World } from './state/world.ts';

/** Points requests for a project by a path that it had before to its id (section 4.1, rule 9). */
export function movedProjects(world: World, instanceUrl: string) {
  return createMiddleware<RequestState>(async (context, next) => {
    const id = context.req.param('id') ?? '';
    const project = world.project(id) ? undefined : world.movedProject(id);
    if (!project || !world.canSee(context.get('token')?.user, project)) {
      return next();
    }
    return isRead(context)
      ? redirect(context, instanceUrl, 'projects', project)
      : context.json({ message: 'Non GET methods are not allowed for moved projects' }, 405);
  });
}

/** The same for groups, which the live platform does not redirect. */
export function movedGroups(world: World, instanceUrl: string, dialect: Dialect) {
  return createMiddleware<RequestState>(async (context, next) => {
    const id = context.req.param('id') ?? '';
    const group = world.group(id) ? undefined : world.movedGroup(id);
    const isRedirected = dialect === 'spec' && isRead(context);
    return group && isRedirected && world.canSee(context.get('token')?.user, group)
      ? redirect(context, instanceUrl, 'groups', group)
      : next();
  });
}

function isRead({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

function redirect(
  context: Context,
  instanceUrl: string,
  collection: 'projects' | 'groups',
  { id }: Pick<Project, 'id'>,
): Response {
  const { pathname, search } = new URL(context.req.url);
  const rest = pathname.split('/').slice(5);
  const location = `${instanceUrl}/api/v4/${[collection, id, ...rest].join('/')}${search}`;
  return context.text(`This resource has been moved permanently to ${location}`, 301, { location });
}
