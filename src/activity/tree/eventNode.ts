import * as vscode from 'vscode';
import { type ProjectRef, isReadOnly, lacksReadScope } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { calendarDate, timeAgo } from '../../common/dates.ts';
import { escapeMarkdown, plainText } from '../../common/inertText.ts';
import { fullTimeLabel, timeOnDay } from '../../common/timeText.ts';
import {
  authorDetails,
  authorName,
  eventIcon,
  eventLabel,
  momentOf,
  numberLabel,
  rowTexts,
  usernameOf,
} from '../events/eventLabel.ts';
import { authorPicture } from '../events/targets.ts';
import type { Feed } from '../feed/feed.ts';
import { isNew } from '../feed/readState.ts';
import type { ProjectFacts } from '../feed/projects.ts';

const scheme = 'beacon-new-event';

/** Marks new events as the editor marks changed files: by a dot at the end of the row and by colour. */
export function markNewEvents(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === scheme
        ? {
            badge: '●',
            tooltip: vscode.l10n.t('New'),
            color: new vscode.ThemeColor('notificationsInfoIcon.foreground'),
          }
        : undefined,
  });
}

export interface Look {
  readonly now: Date;
  readonly authorPictures: boolean;
  readonly accounts: AccountStore;
  /** Whether feeds of several accounts are shown, so that each says whose it is. */
  readonly hasSeveralAccounts: boolean;
}

/** By which the menus leave out what the token of an account cannot do. They come last in a context value. */
export function accessContext(accountId: string, accounts: AccountStore): string[] {
  const account = accounts.find(accountId);
  return [...(isReadOnly(account) ? ['readOnly'] : []), ...(lacksReadScope(account) ? ['feedOnly'] : [])];
}

export class EventNode {
  readonly kind = 'event';
  readonly feed: Feed;
  readonly item: EventRecord;

  constructor(feed: Feed, item: EventRecord) {
    this.feed = feed;
    this.item = item;
  }

  /** Where it happened; undefined if the instance does not say. */
  get project(): ProjectRef | undefined {
    const { project_id: id } = this.item;
    return typeof id === 'number' ? { accountId: this.feed.ref.accountId, idOrPath: id } : undefined;
  }

  get id(): string {
    return `${this.feed.id}/event/${this.item.id}`;
  }

  get isNew(): boolean {
    return isNew(this.feed.state.reading, this.item);
  }

  get facts(): ProjectFacts | undefined {
    const { project_id: id } = this.item;
    return typeof id === 'number' ? this.feed.state.projects[id] : undefined;
  }

  /** When it happened, as it stands in its row; it changes as time goes by. */
  time(now: Date): string {
    const created = momentOf(this.item);
    return created ? timeOnDay(created, now, vscode.env.language) : '';
  }

  treeItem(look: Look): vscode.TreeItem {
    const { item: event, feed, facts } = this;
    const { ref, state } = feed;
    const icon = eventIcon(event);
    const picture = look.authorPictures ? authorPicture(event, state.instanceUrl ?? '') : undefined;
    // A picture does not say what was done, as the icon does.
    const { label, detail } = picture ? { label: eventLabel(event) } : rowTexts(event, facts?.defaultBranch);
    const row = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
    // In the feed of one user, who did it goes without saying, and in that of a project, where. A narrow view cuts the end.
    row.description = [
      ref.kind === 'mine' || ref.kind === 'user' ? undefined : authorName(event),
      ref.kind === 'project' ? undefined : facts?.path.split('/').at(-1),
      this.time(look.now),
      detail,
    ]
      .filter(Boolean)
      .join(' · ');
    row.id = this.id;
    row.iconPath =
      (picture && vscode.Uri.parse(picture)) ??
      new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
    row.contextValue = this.contextValue(look);
    const sentence = this.sentence(look.now);
    row.accessibilityInformation = { label: this.isNew ? vscode.l10n.t('New: {0}', sentence) : sentence };
    row.command = { command: 'beacon.activity.showEvent', title: vscode.l10n.t('Show Event'), arguments: [this] };
    if (this.isNew) {
      row.resourceUri = vscode.Uri.from({ scheme, path: `/${encodeURIComponent(this.id)}` });
    }
    return row;
  }

  /** What the menus match of it, as words; of a page, whatever the token may do. */
  contextValue(look?: Look): string {
    const { item: event, feed, facts } = this;
    return [
      'event',
      this.isNew ? 'unread' : 'read',
      event.push_data?.commit_to ? 'push' : '',
      event.note?.body ? 'comment' : '',
      // Without its name there is nothing to choose it by, and the token cannot read it.
      facts === undefined ? '' : 'project',
      typeof event.project_id === 'number' ? 'projectId' : '',
      usernameOf(event) === undefined ? '' : 'author',
      ...(look ? accessContext(feed.ref.accountId, look.accounts) : []),
    ]
      .filter(Boolean)
      .join(' ');
  }

  sentence(now: Date): string {
    const { item: event, facts } = this;
    const created = momentOf(event);
    const { language } = vscode.env;
    const isToday = created !== undefined && calendarDate(created) === calendarDate(now);
    const time = created && (isToday ? timeAgo(created, now, language) : fullTimeLabel(created, language));
    return [eventLabel(event, authorName(event)), facts?.path, time].filter(Boolean).join(', ');
  }

  /** Text of the instance is shown as text: neither HTML nor a link nor a command, and nothing is loaded. */
  async tooltip({ now, accounts }: Look): Promise<vscode.MarkdownString> {
    const { item: event, feed, facts } = this;
    const { t } = vscode.l10n;
    const created = momentOf(event);
    const { accountId } = feed.ref;
    const isUnnamed = !facts && lacksReadScope(accounts.find(accountId));
    const lines = [
      [authorDetails(event), created && fullTimeLabel(created, vscode.env.language), importLabel(event)]
        .filter(Boolean)
        .join(' · '),
      accounts.all.length > 1 ? t('Account: {0}', accountLabel(accountId)) : '',
      isUnnamed
        ? t(
            'Project {0} is not named, and links lead no further than to it: the token has neither api nor read_api.',
            event.project_id ?? '',
          )
        : '',
    ];
    const body = event.note?.body;
    const comment = body ? (await import('../document/markdown.ts')).inertMarkdown(body) : '';
    const text = event.push_data ? pushText(event.push_data) : comment;
    return new vscode.MarkdownString(
      [
        `**${escapeMarkdown(this.sentence(now))}**`,
        ...lines.filter(Boolean).map(escapeMarkdown),
        ...(text === '' ? [] : ['---', text]),
      ].join('\n\n'),
    );
  }
}

export function importLabel({ imported, imported_from: from }: EventRecord): string | undefined {
  if (imported !== true) {
    return undefined;
  }
  return from ? vscode.l10n.t('imported from {0}', plainText(from)) : vscode.l10n.t('imported');
}

function pushText(push: EventPush): string {
  const lines = commitLines(push, []).map((line) => `- ${escapeMarkdown(line)}`);
  const range = commitRange(push);
  const place = [push.ref === range ? '' : push.ref, range].filter(Boolean).join(' ');
  return [lines.join('\n'), escapeMarkdown(plainText(place))].filter(Boolean).join('\n\n');
}

/** The first lines of the commits of a push, and how many more there are. */
export function commitLines(push: EventPush, commits: readonly string[]): string[] {
  const { commit_title: title, commit_count: count, ref_count: refs } = push;
  const lines = commits.length > 0 ? commits : title ? [title] : [];
  const left = lines.length === 0 || refs ? 0 : (count ?? 0) - lines.length;
  const more =
    left === 1 ? vscode.l10n.t('and 1 more commit') : vscode.l10n.t('and {0} more commits', numberLabel(left));
  return [...lines.map((line) => plainText(line)), ...(left > 0 ? [more] : [])];
}

/** The commits of a push as people write them: `1a2b3c4d…5e6f7a8b`. */
export function commitRange({ commit_from: from, commit_to: to }: EventPush): string {
  return [from, to].flatMap((commit) => commit?.slice(0, 8) ?? []).join('…');
}
