import * as vscode from 'vscode';
import { showInformationMessage } from '../../common/inertWindow.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { feedName } from '../feeds/feedNames.ts';
import type { OpenFeed } from '../feeds/openFeed.ts';
import type { FeedItem } from '../loading/loadedFeed.ts';
import type { ReadState } from './readState.ts';

/** Tells of new events, if the person has asked for that: never more than one message about a feed at a time. */
export class NewsNotifier {
  readonly #readState: ReadState;
  readonly #isVisible: () => boolean;
  /** The feeds about which a message is waiting to be read. */
  readonly #telling = new Set<string>();
  /** How many events of a feed were new when it was last told about. */
  readonly #told = new Map<string, number>();

  constructor(readState: ReadState, isVisible: () => boolean) {
    this.#readState = readState;
    this.#isVisible = isVisible;
  }

  get isOn(): boolean {
    return vscode.workspace.getConfiguration('beacon.activity').get('notifications', false);
  }

  /** Tells what is new in a feed, until the person answers. Whoever sees the view sees it there. */
  async tell(open: OpenFeed): Promise<void> {
    const news = open.newItems;
    const before = this.#told.get(open.id) ?? 0;
    this.#told.set(open.id, news.length);
    if (!this.isOn || this.#isVisible() || news.length <= before || !this.#readState.counts(open.id)) {
      return;
    }
    if (this.#telling.has(open.id)) {
      return;
    }
    this.#telling.add(open.id);
    try {
      const show = vscode.l10n.t('Show');
      if ((await showInformationMessage(await sentenceOf(open, news), show)) === show) {
        await vscode.commands.executeCommand('beacon.activity.focus');
      }
    } finally {
      this.#telling.delete(open.id);
    }
  }
}

async function sentenceOf({ feed }: OpenFeed, news: readonly FeedItem[]): Promise<string> {
  const [newest] = news;
  if (news.length !== 1 || !newest || isUnrecognized(newest)) {
    return news.length === 1
      ? vscode.l10n.t('1 new event in {0}', feedName(feed))
      : vscode.l10n.t('{0} new events in {1}', news.length, feedName(feed));
  }
  const { authorName, eventText } = await import('../events/eventText.ts');
  return eventText(newest, { by: authorName(newest) });
}
