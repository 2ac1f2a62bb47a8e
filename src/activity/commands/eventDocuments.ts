import * as vscode from 'vscode';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { plainText } from '../../common/inertText.ts';
import { fullTimeLabel } from '../../common/timeText.ts';
import { eventScheme } from '../events/eventKind.ts';
import { authorDetails, authorName, eventLabel, momentOf, rowTexts } from '../events/eventLabel.ts';
import { itemKey } from '../feed/feedState.ts';
import type { OpenFeeds } from '../feed/openFeeds.ts';
import { type EventNode, projectFacts } from '../tree/nodes.ts';

/** Characters of an event in an unknown format that are shown. */
const longestRaw = 100_000;

/** Shows events as documents that can only be read: who, what, where and when, and the text of a comment as it was written. */
export class EventDocuments implements vscode.TextDocumentContentProvider {
  readonly #feeds: Pick<OpenFeeds, 'all'>;
  readonly #linkOf: (node: Pick<EventNode, 'item' | 'feed'>) => string | undefined;

  constructor(feeds: Pick<OpenFeeds, 'all'>, linkOf: (node: Pick<EventNode, 'item' | 'feed'>) => string | undefined) {
    this.#feeds = feeds;
    this.#linkOf = linkOf;
  }

  /** The address of an event's document. */
  uriOf({ item, feed, key }: EventNode): vscode.Uri {
    const title = isUnrecognized(item) ? vscode.l10n.t('Event') : rowTexts(item).label;
    // The name of the tab: without what would end a path's segment.
    const name = plainText(title.replaceAll(/[/\\?#%:]+/g, ' ').trim(), 60);
    return vscode.Uri.from({ scheme: eventScheme, path: `/${name}.md`, query: JSON.stringify([feed.id, key]) });
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const [feedId, key] = namesIn(query);
    const feed = this.#feeds.all.find(({ id }) => id === feedId);
    const item = feed?.state.items.find((candidate) => String(itemKey(candidate)) === key?.replace(/(?<!\+)\++$/, ''));
    if (!feed || !item) {
      return vscode.l10n.t('This event is not loaded. Choose it in the Activity view again.');
    }
    if (isUnrecognized(item)) {
      return `\`\`\`json\n${JSON.stringify(item.raw, null, 2).slice(0, longestRaw)}\n\`\`\`\n`;
    }
    const created = momentOf(item);
    const project = projectFacts(item, feed.state)?.path;
    const facts = [
      inLine(authorDetails(item)),
      project === undefined ? undefined : inLine(project),
      created && fullTimeLabel(created, vscode.env.language),
      this.#linkOf({ item, feed }),
    ];
    const { push_data: push, note } = item;
    const range = [push?.commit_from, push?.commit_to].filter(Boolean).join('...');
    const body = note?.body ?? [push?.commit_title ?? '', range].filter(Boolean).map(inLine).join('\n\n');
    const lines = facts.filter((fact) => fact !== undefined).map((fact) => `- ${fact}`);
    return `# ${inLine(eventLabel(item, authorName(item)))}\n\n${lines.join('\n')}\n${body === '' ? '' : `\n${body}\n`}`;
  }
}

/** The id of the feed and the key of the event in the address of a document, which anybody can make. */
function namesIn(query: string): readonly (string | undefined)[] {
  try {
    const names: unknown = JSON.parse(query);
    return Array.isArray(names) ? names.map((name: unknown) => (typeof name === 'string' ? name : undefined)) : [];
  } catch {
    return [];
  }
}

/** Text of the instance in one line of Markdown, where it means nothing but itself. */
function inLine(text: string): string {
  // Only what has to be: the document is read as its source.
  return plainText(text, 1000)
    .replaceAll(/[\\`*_[\]<>&~$|]|:(?=\/\/)|(?<!:)\/(?=\/)/g, String.raw`\$&`)
    .replace(/^(\s*)([#+=-]|\d+[.)])/, String.raw`$1\$2`);
}
