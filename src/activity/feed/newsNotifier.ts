import * as vscode from 'vscode';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { showInformationMessage } from '../../common/inertWindow.ts';
import type { FeedItem } from './loadedFeed.ts';
import { feedLabel, type OpenFeed } from './openFeeds.ts';
import type { ReadState } from './readState.ts';

/** Notifies of new events, if the user has enabled that: at most one notification per feed at a time. */
export class NewsNotifier {
  readonly #readState: ReadState;
  readonly #isVisible: () => boolean;
  /** The feeds about which a message is waiting to be read. */
  readonly #notifying = new Set<string>();
  /** How many events of a feed were new at its last notification. */
  readonly #notified = new Map<string, number>();

  constructor(readState: ReadState, isVisible: () => boolean) {
    this.#readState = readState;
    this.#isVisible = isVisible;
  }

  get isOn(): boolean {
    return vscode.workspace.getConfiguration('beacon.activity').get('notifications', false);
  }

  /** Notifies of new events in a feed, unless the view is visible; waits until the user has answered. */
  async notify(open: OpenFeed): Promise<void> {
    const news = open.newItems;
    const before = this.#notified.get(open.id) ?? 0;
    this.#notified.set(open.id, news.length);
    if (!this.isOn || this.#isVisible() || news.length <= before || !this.#readState.counts(open.id)) {
      return;
    }
    if (this.#notifying.has(open.id)) {
      return;
    }
    this.#notifying.add(open.id);
    try {
      const show = vscode.l10n.t('Show');
      if ((await showInformationMessage(await newsLabel(open, news), show)) === show) {
        await vscode.commands.executeCommand('beacon.activity.focus');
      }
    } finally {
      this.#notifying.delete(open.id);
    }
  }
}

async function newsLabel({ feed }: OpenFeed, news: readonly FeedItem[]): Promise<string> {
  const [newest] = news;
  if (news.length !== 1 || !newest || isUnrecognized(newest)) {
    return news.length === 1
      ? vscode.l10n.t('1 new event in {0}', feedLabel(feed))
      : vscode.l10n.t('{0} new events in {1}', news.length, feedLabel(feed));
  }
  const { authorName, eventLabel: eventText } = await import('../events/eventLabel.ts');
  return eventText(newest, { by: authorName(newest) });
}
