import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { activate as activateProduct } from '../../src/extension.ts';
import { accountIdOf, signIn, usernames } from '../soak/actors/accounts.ts';
import { Action } from '../soak/actors/action.ts';
import { activityRows, feedsOf } from '../soak/actors/activity.ts';
import { errorTrackingRows } from '../soak/actors/errorTracking.ts';
import { pinsOf } from '../soak/actors/pins.ts';
import { focusWindow } from '../soak/host/editor.ts';
import { Instance, projects } from '../soak/host/instance.ts';
import { ledger, moment, outputs, port, resultsFile } from '../soak/host/surroundings.ts';
import { Memory } from '../soak/invariants/memory.ts';
import { Violations } from '../soak/invariants/violations.ts';
import { time } from '../soak/time/globals.ts';
import { settled } from '../soak/time/settled.ts';

/** The measurements of an hour in which the view is visible and nothing is done. */
export interface HourMeasurement {
  readonly name: 'nothing' | 'much' | 'muchAndOften';
  /** Of the product to the instance. */
  readonly requests: number;
  /** Feeds that were shown. */
  readonly feeds: number;
  /** Events that these feeds had at the end. */
  readonly events: number;
  /** Megabytes after a garbage collection, before and after. */
  readonly heap: readonly [number, number];
}

const minute = 60_000;
/** Reading and writing files, and requests under way, take some milliseconds that no event reports. */
const quietTurns = 30;
let instance: Instance;
let requests = 0;

/** What the editor calls first: starts the instance, and then the product. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  instance = await Instance.start(port, 1, () => time.now, {
    token: (token) => outputs.hide(token),
    write: () => undefined,
    request: () => (requests += 1),
  });
  moment.instance = instance;
  for (const username of usernames) {
    instance.makeToken(username);
  }
  await context.globalState.update('pins', pinsOf(instance));
  const inUse = accountIdOf(usernames[0], instance);
  await context.globalState.update('activity.pinnedFeeds', [
    ...[{ kind: 'mine', accountId: inUse }, { kind: 'allProjects', accountId: inUse }, { kind: 'workspaceProject' }],
    ...usernames.flatMap((username) =>
      projects.slice(1).map((project) => ({ kind: 'project', accountId: accountIdOf(username, instance), ...project })),
    ),
  ]);
  activateProduct(context);
}

/** What the editor calls when all is there: opens everything, and lets the hours pass. */
export async function run(): Promise<void> {
  await vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.activate();
  for (const username of usernames.toReversed()) {
    // Users give up now and then.
    for (let seed = 1; seed <= 9 && !(await isSignedIn(username)); seed += 1) {
      void new Action(`sign in as ${username}`, seed, ledger, () => time.now).run(signIn);
      await pass(5 * minute);
    }
  }
  await openEverything();
  // The first hour loads and settles, and is not measured.
  await pass(60 * minute);
  const measurements = [await measure('nothing', 0), await measure('much', 3)];
  const configuration = vscode.workspace.getConfiguration('beacon.activity');
  await configuration.update('pollingInterval', 1, vscode.ConfigurationTarget.Global);
  measurements.push(await measure('muchAndOften', 3));
  writeFileSync(resultsFile, JSON.stringify(measurements));
  await instance.close();
}

async function isSignedIn(username: string): Promise<boolean> {
  const accounts = await vscode.authentication.getAccounts('beacon-gitlab');
  return accounts.some(({ label }) => label.startsWith(`${username}@`));
}

async function openEverything(): Promise<void> {
  focusWindow(true);
  await vscode.commands.executeCommand('beacon.errorTracking.focus');
  await vscode.commands.executeCommand('beacon.activity.focus');
  await errorTrackingRows();
  await activityRows();
  await pass(minute);
  await vscode.commands.executeCommand('beacon.notifications.open');
  await pass(minute);
  await vscode.commands.executeCommand('workbench.action.splitEditorRight');
  await vscode.commands.executeCommand('beacon.notifications.open', {
    kind: 'global',
    accountId: accountIdOf('marta', instance),
  });
  await pass(minute);
}

/** @param events that happen each minute. */
async function measure(name: HourMeasurement['name'], events: number): Promise<HourMeasurement> {
  const memory = new Memory(new Violations(() => ({ step: 0, at: '' })));
  memory.measure();
  requests = 0;
  for (let passed = 0; passed < 60; passed += 1) {
    if (events > 0) {
      instance.control.addEvents({ count: events, rare: true });
    }
    await pass(minute);
  }
  const measured = requests;
  const feeds = feedsOf(await activityRows());
  memory.measure();
  return {
    ...{ name, requests: measured, feeds: feeds.length },
    events: feeds.reduce((sum, feed) => sum + feed.state.shown.length, 0),
    heap: [memory.first ?? 0, memory.last],
  };
}

async function pass(milliseconds: number): Promise<void> {
  await time.passUntil(time.now + milliseconds, async () => await settled(quietTurns, () => instance.isBusy));
}
