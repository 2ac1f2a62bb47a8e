import * as vscode from 'vscode';
import { isUnrecognized } from '../api/unrecognized.ts';
import { eventLabel } from './eventText.ts';
import type { FeedItem } from './feed.ts';
import type { Projects } from './projects.ts';

/** Longer comments are cut; a tooltip is for a glance. */
const maxNoteLength = 1000;

/** The details of an event. Text of the instance is shown as plain text: it is neither Markdown nor HTML nor a command. */
export function eventTooltip(event: FeedItem, projects: Projects): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  if (isUnrecognized(event)) {
    return tooltip.appendCodeblock(JSON.stringify(event.raw, null, 2).slice(0, maxNoteLength), 'json');
  }
  const created = new Date(event.created_at);
  const when = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full', timeStyle: 'short' }).format(created);
  tooltip.appendMarkdown('**').appendText(eventLabel(event)).appendMarkdown('**\n\n');
  const author = event.author?.name ?? event.author_username;
  const project = projects.get(event.project_id)?.path;
  tooltip.appendText([author, project, when].filter((part) => part !== undefined).join(' · '));
  if (event.note) {
    tooltip.appendMarkdown('\n\n---\n\n').appendText(event.note.body.slice(0, maxNoteLength));
  } else if (event.push_data?.commit_title) {
    const { commit_title, commit_to } = event.push_data;
    tooltip.appendMarkdown('\n\n---\n\n').appendText([commit_to?.slice(0, 8), commit_title].join(' '));
  }
  return tooltip;
}
