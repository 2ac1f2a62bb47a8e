import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { lacksReadScope } from '../../accounts/account.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Client } from '../../api/client.ts';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import type { ListOptions, Pages } from '../../api/pagination.ts';
import { plainText } from '../../common/inertText.ts';

const accountId = z.string();
const ownFeed = z.object({ kind: z.enum(['mine', 'allProjects']), accountId });
/** The numeric id survives a move; there is none where the path alone is known, as of a repository's remote. */
const projectFeed = z.object({
  kind: z.literal('project'),
  accountId,
  id: z.exactOptional(z.number()),
  path: z.string(),
});
const userFeed = z.object({
  kind: z.literal('user'),
  accountId,
  id: z.number(),
  username: z.string(),
  name: z.string(),
});
const workspaceProject = z.object({ kind: z.literal('workspaceProject') });

/**
 * A list of events of an account: of its user, of everyone in all projects of that user, of a project, or of another user. Holds what
 * is needed to ask for it and to name it.
 */
export type FeedRef = Readonly<z.infer<typeof ownFeed | typeof projectFeed | typeof userFeed>>;

const choiceSchema = z.union([ownFeed, projectFeed, userFeed, workspaceProject]);
/** What a user chose to see: a feed, or that of the project whose repository is open, which is another one in another window. */
export type FeedChoice = Readonly<z.infer<typeof choiceSchema>>;

export function feedId(feed: FeedRef): string {
  switch (feed.kind) {
    case 'mine':
    case 'allProjects':
      return `${feed.accountId}/${feed.kind}`;
    case 'project':
      return `${feed.accountId}/project/${feed.id ?? feed.path}`;
    case 'user':
      return `${feed.accountId}/user/${feed.id}`;
  }
}

export function choiceId(choice: FeedChoice): string {
  return choice.kind === 'workspaceProject' ? choice.kind : feedId(choice);
}

/** @param inUse the account whose feed it is where that is not said. */
export function readChoice(remembered: unknown, inUse?: string): FeedChoice | undefined {
  return choiceSchema.safeParse({ accountId: inUse, ...(remembered as object) }).data;
}

/**
 * Whether merge requests and epics are left out of a feed: they are in those of projects alone.
 *
 * @see https://docs.gitlab.com/api/events/#list-all-events
 */
export function lacksMergeRequests({ kind }: FeedChoice): boolean {
  return kind !== 'project' && kind !== 'workspaceProject';
}

export function pagesOf(client: Client, feed: FeedRef, filter: EventFilter, options: ListOptions): Pages<EventRecord> {
  switch (feed.kind) {
    case 'mine':
      return client.events.mine(filter, options);
    case 'allProjects':
      return client.events.mine({ ...filter, scope: 'all' }, options);
    case 'project':
      return client.events.ofProject(feed.id ?? feed.path, filter, options);
    case 'user':
      return client.events.ofUser(feed.id, filter, options);
  }
}

export function feedLabel(feed: FeedChoice): string {
  switch (feed.kind) {
    case 'mine':
      return vscode.l10n.t('My Activity');
    case 'allProjects':
      return vscode.l10n.t('All My Projects');
    case 'workspaceProject':
      return vscode.l10n.t('Workspace Project');
    case 'project':
      return plainText(feed.path);
    case 'user':
      return plainText(feed.name).trim() || plainText(feed.username);
  }
}

/** The name of a feed where nothing else says whose it is: with its account, if there are several to tell apart. */
export function feedLabelAmong(feed: FeedRef, accountInUse: AccountInUse): string {
  return accountInUse.named(feedLabel(feed), feed.accountId);
}

/**
 * What a feed lacks: what the instance leaves out of all feeds but those of projects, and what a token may not read.
 *
 * @param areProjectsNamed whether all projects are known by name nevertheless, as from a token before.
 */
export function feedNote(feed: FeedChoice, accounts: AccountStore, areProjectsNamed = false): string {
  const { t } = vscode.l10n;
  const accountId = 'accountId' in feed ? feed.accountId : undefined;
  const isUnnamed = feed.kind !== 'project' && !areProjectsNamed && lacksReadScope(accounts.find(accountId ?? ''));
  return [
    ...(isUnnamed ? [t('no project names (token without read_api)')] : []),
    ...(lacksMergeRequests(feed) ? [t('GitLab leaves out MRs and epics')] : []),
  ].join(' · ');
}

export const feedIcons = {
  mine: 'account',
  allProjects: 'repo-clone',
  workspaceProject: 'root-folder',
  project: 'repo',
  user: 'person',
} as const;
