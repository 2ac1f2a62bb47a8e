import { Hono } from 'hono/tiny';
import { existing, type RequestState, requireScope, visible } from '../authentication.ts';
import type { Records } from '../records.ts';
import type { Event } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** The class names of the records behind each route, and whether they are found by their number within the project. */
const kinds = {
  issues: { types: ['Issue', 'WorkItem'], isByNumber: true },
  merge_requests: { types: ['MergeRequest'], isByNumber: true },
  milestones: { types: ['Milestone'], isByNumber: false },
  snippets: { types: ['Snippet', 'ProjectSnippet'], isByNumber: false },
} as const;

/** The states that actions lead to. */
const states: ReadonlyMap<string, string> = new Map([
  ['closed', 'closed'],
  ['merged', 'merged'],
  ['accepted', 'merged'],
]);

/**
 * What events are about, as far as the events tell.
 *
 * @see https://docs.gitlab.com/api/issues/
 */
export function targetRoutes(world: World, records: Records): Hono<RequestState> {
  const routes = new Hono<RequestState>();
  const ofCode = { name: 'Project: Read', boundary: 'project' } as const;
  routes.get('/projects/:id/repository/compare', requireScope(ofCode, 'api', 'read_api'), (context) => {
    const project = visible(world, context.get('token')?.user, world.project(context.req.param('id')), 'Project');
    const { from, to } = context.req.query();
    const { push } = existing(
      world.events.ofProject(project).find((one) => one.push?.commitFrom === from && one.push?.commitTo === to),
    );
    const titles = Array.from({ length: push?.commitCount ?? 0 }, (_, index) => `Step ${index + 1}`);
    return context.json({
      commits: [...titles.slice(1), push?.commitTitle].map((title) => ({ title })),
      diffs: [{ old_path: 'README.md', new_path: 'README.md' }],
    });
  });
  for (const [folder, { types, isByNumber }] of Object.entries(kinds)) {
    const permission = { name: 'Project: Read', boundary: 'project' } as const;
    routes.get(`/projects/:id/${folder}/:number`, requireScope(permission, 'api', 'read_api'), (context) => {
      const project = visible(world, context.get('token')?.user, world.project(context.req.param('id')), 'Project');
      const number = Number(context.req.param('number'));
      const about = world.events.ofProject(project).filter(({ target }) => {
        const found = isByNumber ? target?.iid : target?.id;
        return target !== undefined && (types as readonly string[]).includes(target.type) && found === number;
      });
      return context.json(recordOf(existing(about[0]), about, records));
    });
  }
  return routes;
}

function recordOf(first: Event, about: readonly Event[], records: Records) {
  const { target, author } = first;
  const state = about.reduce(
    (before, { action }) => states.get(action) ?? (action === 'reopened' ? 'opened' : before),
    'opened',
  );
  return {
    id: target?.id,
    iid: target?.iid,
    title: target?.title,
    state,
    description: `Found by @${author.username}. See #1 for what was agreed before.`,
    labels: ['planning', 'harbor::north'],
    author: records.author(author),
    assignees: [records.author(about.at(-1)?.author ?? author)],
  };
}
