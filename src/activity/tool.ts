import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connection } from '../accounts/connections.ts';
import type { EventRecord } from '../api/events.ts';
import type { App } from '../app.ts';
import { type AssistantTool, projectMeant, readInput, ToolInputError } from '../assistants/toolRunner.ts';
import { readPeriod } from '../common/dates.ts';
import { entryOf } from './commands/summary.ts';
import { feedLabel, type FeedRef, lacksMergeRequests, pagesOf } from './feed/feedRef.ts';
import { passes, requestFilter, withoutEmpty } from './feed/filter.ts';
import { Projects } from './feed/projects.ts';

const mostEvents = 100;
/** Pages that are looked through for events that the input asks for. */
const mostPages = 10;

const inputSchema = () =>
  z.object({
    feed: z._default(z.enum(['mine', 'allProjects', 'project', 'user']), 'mine'),
    project: z.optional(z.union([z.int(), z.string().check(z.minLength(1), z.maxLength(1000))])),
    user: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    action: z.optional(z.string().check(z.maxLength(50))),
    targetType: z.optional(z.string().check(z.maxLength(50))),
    since: z.optional(z.string().check(z.maxLength(50))),
    until: z.optional(z.string().check(z.maxLength(50))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(mostEvents)), 20),
  });
type Input = z.output<ReturnType<typeof inputSchema>>;

/** Lets a language model read events of a feed of the account in use. */
export function readActivityTool(app: App): AssistantTool {
  const projects = new Projects(app.connections);

  /** The newest events that the input asks for, at most `limit` of them. */
  async function run(given: unknown, signal: AbortSignal) {
    const input = readInput(inputSchema(), given);
    const now = app.clock.date();
    for (const text of [input.since, input.until]) {
      if (text !== undefined && !readPeriod(text, now)) {
        throw new ToolInputError(`"${text}" is no day. Give a date such as 2026-11-21, or words such as "last week".`);
      }
    }
    const connection = await app.connections.current();
    const feed = await feedOf(input, connection, signal);
    const { action, targetType, since, until } = input;
    const filter = withoutEmpty({
      actions: action === undefined ? undefined : [action],
      types: targetType === undefined ? undefined : [targetType],
      since,
      until,
    });
    const isAskedFor = passes(filter, now);
    const events: EventRecord[] = [];
    const options = { perPage: Math.max(input.limit, 20), maxPages: mostPages, signal };
    let hasMore = false;
    for await (const { items, next } of pagesOf(connection.client, feed, requestFilter(filter, now), options)) {
      events.push(...items.filter(isAskedFor));
      hasMore = next !== undefined;
      if (events.length > input.limit) {
        break;
      }
    }
    const shown = events.slice(0, input.limit);
    await projects.learn(
      feed.accountId,
      shown.flatMap(({ project_id: id }) => id ?? []),
    );
    const { inertMarkdown } = await import('./document/markdown.ts');
    return {
      feed: feedLabel(feed),
      ...(lacksMergeRequests(feed)
        ? { note: 'The instance leaves merge requests and epics out of this feed; the feed of a project has them.' }
        : {}),
      events: shown.map((event) => ({
        ...answerOf(event, feed, connection),
        // As people see it: what only defines a link stays out.
        comment: event.note?.body ? inertMarkdown(event.note.body) : undefined,
      })),
      more: hasMore || events.length > shown.length,
    };
  }

  async function feedOf({ feed, project, user }: Input, connection: Connection, signal: AbortSignal): Promise<FeedRef> {
    const { account, client } = connection;
    switch (feed) {
      case 'mine':
      case 'allProjects':
        return { kind: feed, accountId: account.id };
      case 'user': {
        if (user === undefined) {
          throw new ToolInputError('The feed of a user needs "user", a username.');
        }
        const { id, username, name } = await client.directory.user(user.replace(/^@/, ''), { signal });
        return { kind: 'user', accountId: account.id, id, username, name: name ?? username };
      }
      case 'project':
        return { ...(await projectMeant(project, app, connection, signal)), kind: feed };
    }
  }

  /** What a summary says of an event, as far as a model needs it. */
  function answerOf(event: EventRecord, feed: FeedRef, { instanceUrl }: Connection) {
    const entry = entryOf(event, feed, projects, instanceUrl);
    const { at, author: by, username, text, action, targetType, project, link } = entry;
    return { at, by, username, text, action, targetType, project, link };
  }

  return { prepare: async () => ({ invocationMessage: vscode.l10n.t('Reading the activity feed') }), run };
}
