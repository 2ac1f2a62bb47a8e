import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { allowScope, badValue, existing, type RequestState, requireScope, visible } from '../authentication.ts';
import { answerKeyset, answerPage, type KeysetOrder, sortByKey } from '../pagination.ts';
import type { Records } from '../records.ts';
import { type Dialect, type Group, groupPath, type Project, projectPath, type User } from '../state/model.ts';
import type { World } from '../state/world.ts';

const bothWays = ['asc', 'desc'];
const id = ({ id: value }: { readonly id: number }) => value;
const name = ({ name: value }: { readonly name: string }) => value;
const username = (user: User) => user.username;

const projectOrders: readonly KeysetOrder<Project>[] = [{ orderBy: 'id', sorts: bothWays, key: id, filter: 'id' }];
const groupOrders: readonly KeysetOrder<Group>[] = [{ orderBy: 'name', sorts: ['asc'], key: name, filter: 'cursor' }];
const userOrders: readonly KeysetOrder<User>[] = [
  { orderBy: 'id', sorts: bothWays, key: id, filter: 'cursor' },
  { orderBy: 'name', sorts: bothWays, key: name, filter: 'cursor' },
  { orderBy: 'username', sorts: bothWays, key: username, filter: 'cursor' },
];

/** Users, projects, groups, and what the token and the instance say of themselves, as far as a client needs them. */
export function directoryRoutes(
  world: World,
  records: Records,
  instanceUrl: string,
  dialect: Dialect,
  now: () => Date,
): Hono<RequestState> {
  const answer = <T extends Project | Group | User>(context: Context, list: List<T>): Response => {
    const query = context.req.query();
    const asked = query['pagination'] ?? (list.keysetByDefault && !query['page'] ? 'keyset' : 'offset');
    const sort = query['sort'] ?? list.defaultSort;
    const key = new Map(Object.entries(list.keys)).get(query['order_by'] ?? list.defaultOrder);
    const problems = [
      ...(['keyset', 'offset', 'legacy'].includes(asked) ? [] : ['pagination does not have a valid value']),
      ...(key ? [] : ['order_by does not have a valid value']),
      ...(bothWays.includes(sort) ? [] : ['sort does not have a valid value']),
    ];
    if (!key || problems.length > 0) {
      return context.json({ error: problems.join(', ') }, 400);
    }
    const items = list.items.filter((item) => isAskedFor(item, query, list.words));
    if (asked === 'keyset') {
      return answerKeyset(context, instanceUrl, dialect, items, list.record, list.orders);
    }
    const sorted = sortByKey(items, key, sort);
    const slice = (from: number, to: number) => sorted.slice(from, to).map(list.record);
    return answerPage(context, instanceUrl, sorted.length, slice, list.type);
  };
  const anyScope = ['read_user', 'api', 'read_api'];
  const metadata = { name: 'Metadata: Read', boundary: 'instance' } as const;
  const ofUser = { name: 'User: Read', boundary: 'user' } as const;
  const ofToken = { name: 'Personal Access Token: Read', boundary: 'user' } as const;
  const ofProject = { name: 'Project: Read', boundary: 'project' } as const;
  const ofGroup = { name: 'Group: Read', boundary: 'group' } as const;
  return new Hono<RequestState>()
    .get('/version', requireScope(metadata, ...anyScope), (context) => context.json(world.version))
    .get('/metadata', requireScope(metadata, ...anyScope), (context) =>
      context.json({ ...world.version, enterprise: true }),
    )
    .get('/personal_access_tokens/self', requireScope(ofToken, ...anyScope), (context) => {
      const token = context.get('token');
      if (token.isOAuth) {
        throw badValue('400 Bad request - This endpoint requires token type to be a personal access token');
      }
      return context.json(records.token(token, now()));
    })
    .get('/user', requireScope(ofUser, ...anyScope), (context) =>
      context.json(records.currentUser(context.get('token').user)),
    )
    .get('/users', allowScope(true, ofUser, ...anyScope), (context) => {
      const exact = context.req.query('username');
      return answer(context, {
        type: 'User',
        items: world.users.filter((user) => exact === undefined || user.username === exact),
        words: (user) => [user.name, user.username],
        record: (user) => records.author(user),
        orders: userOrders,
        keys: { id, name, username, created_at: id, updated_at: id },
        defaultOrder: 'id',
        defaultSort: 'desc',
        keysetByDefault: true,
      });
    })
    .get('/users/:id', requireScope(ofUser, ...anyScope), (context) => {
      const user = /^\d+$/.test(context.req.param('id')) ? world.user(context.req.param('id')) : undefined;
      return context.json(records.author(existing(user, 'User')));
    })
    .get('/projects', allowScope(true, ofProject, 'api', 'read_api'), (context) => {
      const user = context.get('token')?.user;
      const { membership, simple, visibility } = context.req.query();
      const isIncluded = (project: Project) =>
        world.canSee(user, project) &&
        (visibility === undefined || project.visibility === visibility) &&
        (membership !== 'true' || (user !== undefined && world.accessLevel(user, project) > 0));
      return answer(context, {
        type: 'Project',
        items: world.projects.filter(isIncluded),
        words: (project) => [project.name, projectPath(project)],
        record: (project) => (simple === 'true' ? records.simpleProject(project) : records.project(project)),
        orders: projectOrders,
        keys: { id, name, path: projectPath, created_at: id, updated_at: id, last_activity_at: id },
        defaultOrder: 'created_at',
        defaultSort: 'desc',
      });
    })
    .get('/projects/:id', allowScope(true, ofProject, 'api', 'read_api'), (context) => {
      const project = visible(world, context.get('token')?.user, world.project(context.req.param('id')), 'Project');
      return context.json(records.project(project));
    })
    .get('/groups', allowScope(true, ofGroup, 'api', 'read_api'), (context) => {
      const user = context.get('token')?.user;
      return answer(context, {
        type: 'Group',
        items: world.groups.filter((group) => world.canSee(user, group)),
        words: (group) => [group.name, groupPath(group)],
        record: (group) => records.group(group),
        orders: groupOrders,
        keys: { id, name, path: groupPath },
        defaultOrder: 'name',
        defaultSort: 'asc',
      });
    })
    .get('/groups/:id', allowScope(true, ofGroup, 'api', 'read_api'), (context) => {
      const group = visible(world, context.get('token')?.user, world.group(context.req.param('id')), 'Group');
      return context.json(records.group(group));
    });
}

/** One of the lists, with what can be asked of it. */
interface List<T> {
  readonly type: string;
  readonly items: readonly T[];
  /** What `search` looks into. */
  readonly words: (item: T) => readonly string[];
  readonly record: (item: T) => object;
  readonly orders: readonly KeysetOrder<T>[];
  /** What each value of `order_by` stands for. Ids grow with time. */
  readonly keys: Readonly<Record<string, (item: T) => string | number>>;
  readonly defaultOrder: string;
  readonly defaultSort: 'asc' | 'desc';
  readonly keysetByDefault?: boolean;
}

/** Whether an item is of the search and between the ids of a query. */
function isAskedFor<T extends { readonly id: number }>(
  item: T,
  { search, id_after: after, id_before: before }: Readonly<Record<string, string>>,
  words: (item: T) => readonly string[],
): boolean {
  const wanted = search?.toLowerCase();
  return (
    (!wanted || words(item).some((word) => word.toLowerCase().includes(wanted))) &&
    (!after || item.id > Number(after)) &&
    (!before || item.id < Number(before))
  );
}
