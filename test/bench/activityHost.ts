import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { EventRecord } from '../../src/api/events.ts';
import { type ActivityNode, ActivityWindow } from '../unit/activity/activityWindow.ts';
import { sampleEvent } from '../unit/activity/anyEvent.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { ScriptedInstance } from '../support/scriptedInstance.ts';

/** What was measured in the extension host: times in milliseconds, spans since 1970. */
export interface ActivityMeasurements {
  readonly refreshes: readonly { readonly took: number; readonly from: number; readonly to: number }[];
  readonly firstItems: readonly number[];
}

const loadedEvents = 10_000;
const eventsPerDay = 100;
const rounds = 10;
/** Without a call of the editor for so long, it has all that it wants. */
const quiet = 400;

/** Runs inside the extension host; writes its measurements as JSON to the file that BEACON_BENCH_RESULTS names. */
export async function run(): Promise<void> {
  await vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.activate();
  const measurements: ActivityMeasurements = {
    firstItems: await measureFirstItems(),
    refreshes: await measureRefreshes(),
  };
  await writeFile(process.env['BEACON_BENCH_RESULTS'] ?? '', JSON.stringify(measurements));
}

/** Events of many days, the newest first, up to now. */
function makeEvents(count: number, newestId: number, now: Date): EventRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - Math.floor(index / eventsPerDay), 0, 30);
    return sampleEvent({ id: newestId - index, created_at: day.toISOString() });
  });
}

/** From the event that tells of changes until the editor asks for no more rows. */
async function measureRefreshes(): Promise<ActivityMeasurements['refreshes']> {
  let events = makeEvents(loadedEvents, 1_000_000, new Date());
  let pageSize = 50;
  const instance = new ScriptedInstance((url) =>
    url.pathname.endsWith('/events') ? { json: events.slice(0, pageSize) } : { status: 404, json: {} },
  );
  const window = await ActivityWindow.open(async () => instance.connection, { clock: new FakeClock(new Date()) });
  const { feed, tree } = window;
  pageSize = loadedEvents;
  await feed.refresh();
  pageSize = 50;
  const watched = new Watched(tree);
  await vscode.commands.executeCommand('beacon.activity.focus');
  await settled(watched);
  const refreshes = [];
  for (let round = 1; round <= rounds; round += 1) {
    events = [...makeEvents(3, 1_000_000 + round * 3, new Date()), ...events];
    let from = 0;
    // The editor asks some time after it was told.
    watched.lastCall = 0;
    const heard = tree.onDidChangeTreeData(() => (from ||= performance.now()));
    const before = Date.now();
    await feed.check();
    await settled(watched);
    heard.dispose();
    refreshes.push({ took: watched.lastCall - from, from: before, to: Date.now() - quiet });
  }
  watched.dispose();
  window.dispose();
  return refreshes;
}

/** From the editor's first question for rows until the first events of the file on disk are there. */
async function measureFirstItems(): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const instance = new ScriptedInstance(() => new Promise(() => {}));
  const connect = async () => instance.connection;
  const first = await ActivityWindow.open(connect, { folder });
  const items = makeEvents(200, 1000, new Date());
  const saved = { checkedAt: new Date(), instanceUrl: 'https://gitlab.example.com', items, projects: {} };
  await first.activity.store.write(first.feed.key, saved);
  first.dispose();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const window = await ActivityWindow.open(connect, { folder, clock: new FakeClock(new Date()) });
    const watched = new Watched(window.tree);
    await vscode.commands.executeCommand('beacon.activity.focus');
    await settled(watched);
    times.push(watched.firstEvent - watched.firstCall);
    watched.dispose();
    window.dispose();
  }
  return times;
}

/** A tree in the place of the extension's own, which notes when the editor asks it for what. */
class Watched implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  firstCall = 0;
  firstEvent = 0;
  lastCall = 0;
  readonly onDidChangeTreeData: ActivityWindow['tree']['onDidChangeTreeData'];
  readonly #tree: ActivityWindow['tree'];
  readonly #view: vscode.TreeView<ActivityNode>;

  constructor(tree: ActivityWindow['tree']) {
    this.#tree = tree;
    this.onDidChangeTreeData = tree.onDidChangeTreeData;
    this.#view = vscode.window.createTreeView('beacon.activity', { treeDataProvider: this });
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    return this.#tree.getParent(node);
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    this.firstCall ||= performance.now();
    const children = await this.#tree.getChildren(node);
    this.lastCall = performance.now();
    return children;
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    const item = this.#tree.getTreeItem(node);
    this.lastCall = performance.now();
    if (node.kind === 'event') {
      this.firstEvent ||= this.lastCall;
    }
    return item;
  }

  dispose(): void {
    this.#view.dispose();
  }
}

async function settled(watched: Watched): Promise<void> {
  while (watched.lastCall === 0 || performance.now() - watched.lastCall < quiet) {
    await wait(20);
  }
}
