import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../src/accounts/connections.ts';
import type { FeedChoice } from '../../src/activity/feed/feed.ts';
import { FeedLoader } from '../../src/activity/feed/feedLoader.ts';
import { FeedStore } from '../../src/activity/feed/feedStore.ts';
import { FilterMemory } from '../../src/activity/feed/filterMemory.ts';
import { FeedChoices, OpenFeed, OpenFeeds } from '../../src/activity/feed/openFeeds.ts';
import { Projects } from '../../src/activity/feed/projects.ts';
import { Mutes, ReadState } from '../../src/activity/feed/readState.ts';
import { ActivityTree } from '../../src/activity/tree/activityTree.ts';
import type { ActivityNode, EventNode } from '../../src/activity/tree/nodes.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { MemoryMemento } from './editorState.ts';

/** The services of the Activity view without the view itself, with the clock and the state of a test. */
export class ActivityParts {
  now = new Date(2026, 10, 21, 15, 0);
  onlyNew = false;
  isNoteRead = true;
  isSignedIn = true;
  /** What is shown until a test chooses something. */
  first = (): FeedChoice => ({ kind: 'mine' });
  workspaceProject: { readonly accountId: string; readonly path: string } | undefined;
  commits: readonly string[] = [];
  readonly memento = new MemoryMemento();
  readonly folder: string;
  readonly choices: FeedChoices;
  readonly filters = new FilterMemory(this.memento);
  readonly readState = new ReadState(this.memento);
  readonly mutes = new Mutes(this.memento);
  readonly store: FeedStore;
  readonly projects: Projects;
  readonly feeds: OpenFeeds;
  readonly loader: FeedLoader;
  readonly tree: ActivityTree;

  /**
   * @param folder what several windows share; one of its own if not given.
   * @param load loads a feed that is looked at for the first time; from the instance if not given.
   */
  constructor(
    connect: (accountId: string) => Promise<Connection>,
    folder?: string,
    load: (open: OpenFeed) => Promise<void> = async (open) => this.loader.refresh(open),
  ) {
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'beacon-activity-'));
    this.store = new FeedStore(this.folder, { isKept: () => this.isSignedIn });
    this.choices = new FeedChoices(this.memento, this.memento, () => this.first());
    this.projects = new Projects(async (accountId) => (await connect(accountId)).client);
    const isOnlyNew = (): boolean => this.onlyNew;
    this.feeds = new OpenFeeds(
      this.choices,
      this.filters,
      () => ({ accountId: 'sandbox', workspaceProject: this.workspaceProject }),
      (feed, filter) =>
        new OpenFeed(feed, filter, {
          connect,
          today: () => ({ now: this.now, language: 'en' }),
          reading: {
            isNew: (id, item) => this.readState.isNew(id, item),
            muted: (accountId) => this.mutes.test(accountId),
            get onlyNew() {
              return isOnlyNew();
            },
          },
        }),
    );
    this.loader = new FeedLoader({
      projects: this.projects,
      readState: this.readState,
      store: this.store,
      clock: { date: () => this.now },
      withProgress: async (step) => step(),
      log: { error: () => {} },
      onChange: (open, what) => (what === 'events' ? this.tree.update(open) : this.tree.redrawEvents(open)),
    });
    this.tree = new ActivityTree({
      feeds: this.feeds,
      projects: this.projects,
      clock: { date: () => this.now },
      isSignedIn: () => this.isSignedIn,
      isNoteRead: () => this.isNoteRead,
      load,
      commitsOf: async () => this.commits,
    });
    this.feeds.onDidChange(() => this.tree.rebuild());
  }

  /** The one feed that is shown. */
  get open(): OpenFeed {
    const [open] = this.feeds.all;
    if (!open) {
      throw new Error('No feed is shown');
    }
    return open;
  }

  async choose(choice: FeedChoice): Promise<void> {
    await this.choices.choose(choice);
  }

  /** All rows as labels, with those below them indented. */
  async rows(parent?: ActivityNode, indent = ''): Promise<string[]> {
    const rows: string[] = [];
    for (const node of await this.tree.getChildren(parent)) {
      rows.push(`${indent}${this.labelOf(node)}`, ...(await this.rows(node, `${indent}  `)));
    }
    return rows;
  }

  labelOf(node: ActivityNode): string {
    const { label = '' } = this.tree.getTreeItem(node);
    return typeof label === 'string' ? label : label.label;
  }

  /** The nodes of all events, from the top. */
  async events(parent?: ActivityNode): Promise<EventNode[]> {
    const found: EventNode[] = [];
    for (const node of await this.tree.getChildren(parent)) {
      found.push(...(node.kind === 'event' ? [node] : await this.events(node)));
    }
    return found;
  }

  dispose(): void {
    [this.tree, this.feeds, this.choices, this.filters, this.readState, this.mutes].forEach((part) => part.dispose());
  }
}

/** An event record with what a test says of it; the rest as an opened issue has it. */
export function sampleEvent(fields: Partial<EventRecord> = {}): EventRecord {
  return {
    id: 1,
    project_id: 7,
    action_name: 'opened',
    target_id: 70,
    target_iid: 3,
    target_type: 'Issue',
    target_title: 'Crash at start',
    author_id: 1,
    author_username: 'ada',
    author: { id: 1, username: 'ada', name: 'Ada Byron', web_url: 'https://gitlab.example.com/ada' },
    created_at: new Date(2026, 10, 21, 14, 0).toISOString(),
    ...fields,
  };
}
