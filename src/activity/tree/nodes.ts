import type * as vscode from 'vscode';
import type { ShownFeed } from '../feeds/openFeeds.ts';
import type { OpenFeed } from '../feeds/openFeed.ts';
import type { FeedItem } from '../loading/loadedFeed.ts';

/** What the tree consists of. Nodes stay the same objects from refresh to refresh, as long as what they stand for is there. */
export type ActivityNode = FeedNode | DayNode | EventNode | StepNode;

/** A feed among several. */
export interface FeedNode {
  readonly kind: 'feed';
  readonly shown: ShownFeed;
}

/** The events of a feed on one day. */
export interface DayNode {
  readonly kind: 'day';
  readonly open: OpenFeed;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** All of the day's, whether they are shown or not. */
  events: readonly EventNode[];
  /** How many of them are shown. */
  limit: number;
  /** Whether it was open when it first showed. */
  readonly isExpanded: boolean;
}

export interface EventNode {
  readonly kind: 'event';
  readonly open: OpenFeed;
  readonly item: FeedItem;
  readonly key: string;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Something to do, in the place where it is wanted. */
export interface StepNode {
  readonly kind: 'step';
  readonly id: string;
  readonly open: OpenFeed | undefined;
  readonly command: vscode.Command;
  /** The id of a codicon. */
  readonly icon: string;
  readonly description?: string;
  /** What menus ask for. */
  readonly contextValue?: string;
}
