import * as vscode from 'vscode';
import { Random } from '../../../src/sandbox/state/random.ts';
import { accountActions, renewToken, signIn, usernames } from '../actors/accounts.ts';
import { Action } from '../actors/action.ts';
import { activityActions, activityRows, feedsOf } from '../actors/activity.ts';
import { assistantActions } from '../actors/assistants.ts';
import { errorTrackingActions, errorTrackingRows } from '../actors/errorTracking.ts';
import { linkActions } from '../actors/links.ts';
import { changeElsewhere, notificationActions } from '../actors/notifications.ts';
import type { UserAction } from '../actors/userAction.ts';
import { planDay, type Step } from '../day.ts';
import { type Episode, makeEpisode, offline } from '../faults.ts';
import { checkFeeds } from '../invariants/feeds.ts';
import { files } from '../time/files.ts';
import { time } from '../time/globals.ts';
import { settled } from '../time/settled.ts';
import { focusWindow, trees } from './editor.ts';
import { type Instance, projects } from './instance.ts';
import { activeKeys, ledger, memory, moment, outputs, trace, violations } from './surroundings.ts';

const minute = 60_000;
const userActions: readonly UserAction[] = [
  ...activityActions,
  ...errorTrackingActions,
  ...notificationActions,
  ...accountActions,
  ...linkActions,
  ...assistantActions,
];
const allWeights = userActions.reduce((sum, { weight }) => sum + weight, 0);

/** Plays a day: its steps, one after the other, while time passes and the product works on. */
export class Play {
  readonly #seed: number;
  readonly #instance: Instance;
  readonly #state: () => unknown;
  readonly #isSignedIn: (username: string) => boolean;
  readonly #running = new Map<Promise<void>, Running>();
  #episode: Episode | undefined;
  actions = 0;
  faults = 0;

  /**
   * @param product `state` is what it keeps on disk outside of the secret store, `isSignedIn` whether it has an account of a user.
   */
  constructor(
    seed: number,
    instance: Instance,
    product: { readonly state: () => unknown; readonly isSignedIn: (username: string) => boolean },
  ) {
    this.#seed = seed;
    this.#instance = instance;
    this.#state = product.state;
    this.#isSignedIn = product.isSignedIn;
  }

  async run(): Promise<void> {
    await this.#begin();
    let start = time.now;
    for (const step of planDay(this.#seed)) {
      await this.#pass(start + step.at - time.now);
      moment.step = step.number;
      trace(step.kind);
      await this.#take(step);
      await this.#settled();
      // What takes time, such as sleep, puts off all that comes after it.
      start = Math.max(start, time.now - step.at);
    }
    await this.#pass(30 * minute);
    for (const { action, step } of this.#running.values()) {
      violations.add(
        'actions',
        `"${action.name}" of step ${step} is still under way half an hour after the end of the day`,
      );
    }
  }

  async #begin(): Promise<void> {
    await loadLanguages();
    await vscode.commands.executeCommand('beacon.activity.focus');
    for (const username of usernames.toReversed()) {
      this.#act(`sign in as ${username}`, 1, signIn);
      await this.#pass(5 * minute);
    }
  }

  async #take(step: Step): Promise<void> {
    const random = new Random(step.seed);
    const instance = this.#instance;
    switch (step.kind) {
      case 'user': {
        const userAction = choose(random);
        this.#act(userAction.name, step.seed, async (action) => await userAction.run(action, instance));
        return;
      }
      case 'elsewhere':
        this.#act('a change elsewhere', step.seed, async (action) => await changeElsewhere(action, instance));
        return;
      case 'events':
        instance.control.addEvents({
          count: random.next() < 0.04 ? random.integer(100, 700) : random.integer(1, 6),
          rare: random.next() < 0.3,
        });
        return;
      case 'fault':
        await this.#meet(makeEpisode(random));
        return;
      case 'offline':
        await this.#meet(offline(random));
        return;
      case 'revokeToken': {
        const username = random.pick(usernames);
        instance.revokeToken(username);
        // The user gets another token soon, and enters it when Beacon asks for one.
        this.#later(random.integer(1, 20) * minute, async () => instance.makeToken(username));
        return;
      }
      case 'moveProject':
        instance.control.moveProject(
          String(random.pick(projects.filter(({ id }) => !instance.deleted.has(id))).id),
          `moved-${step.number}`,
        );
        return;
      case 'deleteProject':
        // The one that the fewest feeds and settings are about.
        instance.deleted.add(505);
        instance.control.deleteProject('505');
        return;
      case 'sleep': {
        const asleep = random.integer(5, 75) * minute;
        time.sleep(asleep);
        ledger.prolong(asleep);
        return;
      }
      case 'clock':
        time.ahead = random.integer(1, 8 * 60) * minute * (random.next() < 0.5 ? -1 : 1);
        trace(`the clock is set by ${time.ahead / minute} minutes`);
        this.#later(random.integer(5, 60) * minute, async () => void (time.ahead = 0));
        return;
      case 'away':
        focusWindow(false);
        this.#later(random.integer(2, 25) * minute, async () => focusWindow(true));
        return;
      case 'calm':
        await this.#calm();
    }
  }

  /** Lets all that goes wrong be over, and compares what the product shows with what there is. */
  async #calm(): Promise<void> {
    await this.#end(this.#episode);
    time.ahead = 0;
    focusWindow(true);
    for (const username of usernames) {
      this.#instance.makeToken(username);
      // Users close one question in a few: whoever is signed out then tries again.
      for (let tries = 0; tries < 4 && !this.#isSignedIn(username); tries += 1) {
        this.#act(`sign in as ${username}`, 7 + tries, signIn);
        await this.#pass(3 * minute);
      }
      this.#act(`renew the token of ${username}`, 7, async () => await renewToken(username, this.#instance));
      await this.#pass(3 * minute);
    }
    // Pauses that the instance has asked for before end by then, and what waits for one of them.
    await this.#pass(20 * minute);
    this.#act('refresh', 7, async () => await vscode.commands.executeCommand('beacon.activity.refresh'));
    await this.#pass(3 * minute);
    const rows = await activityRows();
    await this.#settled();
    await checkFeeds(feedsOf(rows), rows, this.#instance, new Date(time.now), violations);
    await this.#look(rows);
    await closeDocuments();
    memory.measure();
  }

  /** Searches all that is shown and stored for what must not be there. */
  async #look(rows: readonly unknown[]): Promise<void> {
    for (const [id, of] of [
      ['beacon.activity', rows],
      ['beacon.errorTracking', await errorTrackingRows()],
    ] as const) {
      const tree = trees.get(id);
      for (const row of of) {
        const item = await tree?.getTreeItem(row);
        outputs.see(`the view ${id}`, item);
        if (item) {
          const cancelled = new vscode.CancellationTokenSource();
          outputs.see(`a tooltip of ${id}`, await tree?.resolveTreeItem?.(item, row, cancelled.token));
          cancelled.dispose();
        }
      }
    }
    outputs.see('the state on disk', JSON.stringify(this.#state()));
  }

  async #meet(episode: Episode): Promise<void> {
    this.faults += 1;
    this.#episode = episode;
    trace(`fault: ${JSON.stringify(episode)}`);
    this.#instance.transform(episode.rule);
    this.#later(episode.lasts, async () => await this.#end(episode));
  }

  async #end(episode: Episode | undefined): Promise<void> {
    if (this.#episode === episode) {
      this.#episode = undefined;
      this.#instance.transform();
    }
  }

  /** Begins an action, which goes on while other things happen. Commands show their failures; none rejects. */
  #act(name: string, seed: number, run: (action: Action) => Promise<void>): void {
    this.actions += 1;
    const action = new Action(name, seed, ledger, () => time.now);
    const step = moment.step;
    trace(`user: ${name}`);
    const done = action
      .run(async () => await run(action))
      .catch((error: unknown) => violations.add('actions', `"${name}" of step ${step} failed: ${String(error)}`))
      .finally(() => void this.#running.delete(done));
    this.#running.set(done, { action, step, heldFor: 0 });
  }

  /** Whether an action is at work other than waiting for time to pass, such as in the editor's other processes. */
  #hold(milliseconds: number): boolean {
    let isHeld = false;
    for (const running of this.#running.values()) {
      running.heldFor = running.action.timers > 0 ? 0 : running.heldFor + milliseconds;
      isHeld ||= running.action.timers === 0 && running.heldFor < mostHeld;
    }
    return isHeld;
  }

  #later(milliseconds: number, run: () => Promise<void>): void {
    time.setTimeout(() => void run(), milliseconds);
  }

  async #pass(milliseconds: number): Promise<void> {
    if (milliseconds > 0) {
      await time.passUntil(time.now + milliseconds, () => this.#settled());
    }
  }

  /** Waits until everything that does not wait for a timer is idle, as far as can be detected. */
  async #settled(): Promise<void> {
    await settled(quietTurns, (milliseconds) => this.#hold(milliseconds) || this.#instance.isBusy || files.pending > 0);
  }
}

interface Running {
  readonly action: Action;
  readonly step: number;
  /** For how long, in milliseconds of the machine, the day has waited for it. */
  heldFor: number;
}

/** After so many idle turns of the event loop nothing is expected any more: a day has to pass in minutes. */
const quietTurns = 2;
/** So long the day waits for an action that works without waiting for time, in milliseconds; it may wait for another one. */
const mostHeld = 1500;

/** Lets the editor load what it has for the languages of files that are opened later, so that memory can be compared. */
async function loadLanguages(): Promise<void> {
  for (const language of ['markdown', 'json', 'javascript', 'html']) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language }));
  }
}

/** Closes what was opened to be read or written: what the editor keeps of it is not the product's. */
async function closeDocuments(): Promise<void> {
  // The editor keeps how it understood the last Markdown document, however long that was.
  const short = await vscode.workspace.openTextDocument({ language: 'markdown', content: '# Short\n' });
  await vscode.window.showTextDocument(short);
  await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', short.uri);
  for (const { input } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    if (input instanceof vscode.TabInputText) {
      await vscode.window.showTextDocument(input.uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  }
}

function choose(random: Random): UserAction {
  let left = random.next() * allWeights;
  return userActions.find(({ weight }) => (left -= weight) < 0) ?? random.pick(userActions);
}

/** The keys that the instance has at the start, by which those of later are judged. */
export async function learnKeys(instance: Instance): Promise<void> {
  for (const { id } of projects) {
    const keys = await instance.list('marta', `/projects/${id}/error_tracking/client_keys`);
    activeKeys.set(String(id), (keys ?? []) as readonly { id: number; active: boolean }[]);
  }
}
