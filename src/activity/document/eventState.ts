import * as vscode from 'vscode';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { plainLines, plainText } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import { fullTimeLabel } from '../../common/timeText.ts';
import { authorDetails, authorFullName, eventLabel, momentOf } from '../events/eventLabel.ts';
import { authorLink, encodePath } from '../events/eventLink.ts';
import { type EventNode, projectFacts } from '../tree/nodes.ts';
import type { EventState } from './messages.ts';

/** Characters of a comment, and of an event in an unknown format, that are shown. */
const longestShown = 100_000;

/** What the page of an event shows besides the event itself. */
export interface EventSurroundings {
  /** The name of the account that read it, where there are several. */
  readonly account: string | undefined;
  /** Whether its token may not read which project it is. */
  readonly isProjectHidden: boolean;
  /** The web address of what the event is about. */
  readonly link: string | undefined;
  /** The titles of the commits of a push, the newest first, as far as they are known. */
  readonly commits: readonly string[];
  /** Whether there is a Git that could show what a push changed. */
  readonly hasGit: boolean;
}

/** All that the page of an event shows. */
export function eventState(
  node: Pick<EventNode, 'item' | 'feed' | 'key'>,
  { account, isProjectHidden, link, commits, hasGit }: EventSurroundings,
): EventState {
  const { item, feed, key } = node;
  const { state } = feed;
  const id = { feed: feed.id, key };
  if (isUnrecognized(item)) {
    const title = { text: vscode.l10n.t('Event in an unknown format'), link: undefined };
    const raw = plainLines(JSON.stringify(item.raw, null, 2), longestShown);
    return { type: 'state', id, title, notes: [], raw };
  }
  const instanceUrl = webAddress(state.instanceUrl);
  const facts = projectFacts(item, state);
  const projectUrl = webAddress(facts?.webUrl)?.replace(/(?<!\/)\/+$/, '');
  const created = momentOf(item);
  const name = authorDetails(item);
  return {
    type: 'state',
    id,
    title: { text: eventLabel(item), link },
    author: {
      text: name,
      initials: initialsOf(authorFullName(item)),
      link: instanceUrl === undefined ? undefined : authorLink(item, instanceUrl),
    },
    time: created && { text: fullTimeLabel(created, vscode.env.language), iso: created.toISOString() },
    project: facts
      ? { text: facts.path, link: projectUrl }
      : isProjectHidden
        ? {
            text: vscode.l10n.t(
              'Project {0}, not named: the token has neither api nor read_api',
              item.project_id ?? '',
            ),
            link: undefined,
          }
        : undefined,
    account: account === undefined ? undefined : vscode.l10n.t('Account: {0}', account),
    notes: notesOf(item),
    comment:
      item.note && instanceUrl !== undefined
        ? { ...commentOf(item.note.body), instanceUrl, projectUrl, projectPath: facts?.path }
        : undefined,
    // The API gives no text of what an event is about.
    elsewhere:
      item.target_type && !item.note && !item.push_data && link !== undefined
        ? elsewhereOf(isProjectHidden)
        : undefined,
    push: item.push_data ? pushOf(item.push_data, { link, commits, hasGit, projectUrl }) : undefined,
  };
}

/** Where the token may not read projects, no address of what is in one is known. */
function elsewhereOf(isProjectHidden: boolean): EventState['elsewhere'] {
  return isProjectHidden
    ? {
        sentence: vscode.l10n.t('The browser can open the project alone: the token may not read its path.'),
        button: vscode.l10n.t('Open Project in Browser'),
      }
    : {
        sentence: vscode.l10n.t('The description can be read in the browser.'),
        button: vscode.l10n.t('Open in Browser'),
      };
}

/** The first letters of the first and the last name. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => [
    ...(/[\p{L}\p{N}]/u.exec(word) ?? []),
  ]);
  return letters.flat().join('').toLocaleUpperCase(vscode.env.language);
}

function notesOf({ note, imported, imported_from: from }: EventRecord): string[] {
  return [
    ...(note?.internal === true || note?.confidential === true ? [vscode.l10n.t('internal comment')] : []),
    ...(imported !== true
      ? []
      : [from ? vscode.l10n.t('imported from {0}', plainText(from)) : vscode.l10n.t('imported')]),
  ];
}

function commentOf(body: string): { readonly text: string; readonly isCut: boolean } {
  const text = body.slice(0, longestShown);
  return { text: plainLines(text.replaceAll('\t', '    '), 4 * longestShown), isCut: text !== body };
}

function pushOf(
  push: EventPush,
  {
    link,
    commits,
    hasGit,
    projectUrl,
  }: Omit<EventSurroundings, 'account' | 'isProjectHidden'> & { readonly projectUrl: string | undefined },
): EventState['push'] {
  const { t } = vscode.l10n;
  const {
    ref,
    ref_type: type,
    action,
    commit_from: from,
    commit_to: to,
    commit_title: title,
    commit_count: count,
  } = push;
  const isTag = type === 'tag';
  const refLink =
    ref && projectUrl !== undefined && action !== 'removed'
      ? `${projectUrl}/-/${isTag ? 'tags' : 'tree'}/${encodePath(ref)}`
      : undefined;
  const range = [from, to].filter((commit) => typeof commit === 'string').map((commit) => commit.slice(0, 8));
  const titles = commits.length > 0 ? commits : [title].filter((line) => typeof line === 'string');
  const left = (push.ref_count ? 0 : (count ?? 0)) - titles.length;
  return {
    facts: [
      ...(ref ? [{ name: isTag ? t('Tag') : t('Branch'), text: plainText(ref), link: refLink }] : []),
      ...(range.length > 0
        ? [{ name: range.length > 1 ? t('Range') : t('Commit'), text: plainText(range.join('…')), link }]
        : []),
      ...(count
        ? [{ name: t('Commits'), text: new Intl.NumberFormat(vscode.env.language).format(count), link: undefined }]
        : []),
    ],
    commits: titles.map((line) => plainText(line)),
    more:
      left <= 0 || titles.length === 0
        ? undefined
        : left === 1
          ? t('and 1 more commit')
          : t('and {0} more commits', left),
    canShowChanges: hasGit && Boolean(to),
  };
}
