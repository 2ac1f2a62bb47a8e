import * as vscode from 'vscode';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { plainLines, plainText } from '../../plainText.ts';
import { timeAgo } from '../../time/timeAgo.ts';
import { fullTime } from '../../time/timeText.ts';
import { authorName, eventText, momentOf } from '../events/eventText.ts';
import type { Projects } from '../loading/projects.ts';
import type { EventNode } from './nodes.ts';

/** Longer comments are cut; a tooltip is for a glance. */
const maxNoteLength = 1000;
/** So many commits of a push are listed. */
const maxCommits = 10;

/**
 * The details of an event. Text of the instance is shown as plain text: it is neither Markdown nor HTML nor a command.
 *
 * @param commits the titles of the commits of a push, the newest first, as far as they are known.
 */
export function eventTooltip(
  { item: event, open }: EventNode,
  projects: Projects,
  commits: readonly string[],
  now: Date,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  if (isUnrecognized(event)) {
    return tooltip.appendCodeblock(JSON.stringify(event.raw, null, 2).slice(0, maxNoteLength), 'json');
  }
  tooltip.appendMarkdown('**').appendText(eventText(event)).appendMarkdown('**\n\n');
  tooltip.appendText(factsOf(event, projects.get(open.feed.accountId, event.project_id)?.path, now).join(' · '));
  if (event.note) {
    tooltip.appendMarkdown('\n\n---\n\n').appendText(plainLines(event.note.body, maxNoteLength));
  } else if (event.push_data) {
    appendPush(tooltip, event.push_data, commits);
  }
  return tooltip;
}

function factsOf(event: EventRecord, project: string | undefined, now: Date): string[] {
  const username = plainText(event.author?.username ?? event.author_username ?? '');
  const created = momentOf(event);
  const { language } = vscode.env;
  return [
    username ? `${authorName(event)} (@${username})` : authorName(event),
    ...(project === undefined ? [] : [project]),
    ...(created ? [timeAgo(created, now, language), fullTime(created, language)] : []),
    ...(event.imported === true
      ? [
          event.imported_from
            ? vscode.l10n.t('imported from {0}', plainText(event.imported_from))
            : vscode.l10n.t('imported'),
        ]
      : []),
  ];
}

function appendPush(tooltip: vscode.MarkdownString, push: EventPush, commits: readonly string[]): void {
  const { commit_from: from, commit_to: to, commit_title: title, commit_count: count, ref_count: refs } = push;
  const lines = commits.length > 0 ? commits.slice(0, maxCommits) : [title].filter((line) => typeof line === 'string');
  const left = (refs ? 0 : (count ?? 0)) - lines.length;
  if (lines.length > 0) {
    tooltip.appendMarkdown('\n\n---\n\n');
    lines.forEach((line) => tooltip.appendMarkdown('- ').appendText(plainText(line)).appendMarkdown('\n'));
    if (left > 0) {
      const more = left === 1 ? vscode.l10n.t('and 1 more commit') : vscode.l10n.t('and {0} more commits', left);
      tooltip.appendMarkdown('- ').appendText(more).appendMarkdown('\n');
    }
  }
  const range = [from, to].filter((commit) => typeof commit === 'string').map((commit) => commit.slice(0, 8));
  if (range.length > 0) {
    tooltip.appendMarkdown('\n\n').appendText(plainText(`${push.ref ?? ''} ${range.join('…')}`.trim()));
  }
}
