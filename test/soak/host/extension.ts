import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activate as activateProduct } from '../../../src/extension.ts';
import { usernames } from '../actors/accounts.ts';
import { pinsOf } from '../actors/pins.ts';
import { watchFailures } from '../invariants/failures.ts';
import type { DayResult } from '../report.ts';
import { time } from '../time/globals.ts';
import { Instance } from './instance.ts';
import { learnKeys, Play } from './play.ts';
import {
  budget,
  elsewhere,
  ledger,
  memory,
  moment,
  outputs,
  port,
  resultsFile,
  seed,
  simulatedHours,
  trace,
  violations,
} from './surroundings.ts';

let play: Play | undefined;

/** What the editor calls first: starts the instance of the day, and then the product. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  watchFailures(violations, context.extensionPath);
  const instance = await Instance.start(port, seed, () => time.now, {
    token: (token) => outputs.hide(token),
    write: (write) => {
      trace(`write: ${write.method} ${write.path} ${write.body} by ${write.username ?? ''}: ${write.status}`);
      ledger.take(write);
    },
    request: () => budget.take(),
  });
  moment.instance = instance;
  instance.elsewhere = elsewhere;
  for (const username of usernames) {
    instance.makeToken(username);
  }
  await learnKeys(instance);
  await context.globalState.update('pins', pinsOf(instance));
  await writeProgram(instance);
  activateProduct(context);
  play = new Play(seed, instance, {
    state: () => keptState(context),
    isSignedIn: (username) => JSON.stringify(context.globalState.get('accounts', [])).includes(`"${username}"`),
  });
}

/** What the editor calls when all is there: plays the day. */
export async function run(): Promise<void> {
  await vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.activate();
  if (!play) {
    throw new Error('The product was not activated.');
  }
  await play.run();
  if (budget.count < play.actions) {
    violations.add('actions', `${budget.count} requests of ${play.actions} actions: the product is not at work`);
  }
  const result: DayResult = {
    seed,
    hours: simulatedHours(),
    actions: play.actions,
    requests: budget.count,
    mostPerHour: budget.mostPerHour,
    writes: ledger.count,
    faults: play.faults,
    heap: [memory.first ?? 0, memory.last],
    violations: violations.all,
  };
  await writeFile(resultsFile, JSON.stringify({ result, tokens: outputs.tokens }));
  await moment.instance?.close();
}

/** A program in the workspace that has the DSN of a client key, for rotations. */
async function writeProgram(instance: Instance): Promise<void> {
  const folder = process.env['BEACON_SOAK_WORKSPACE'] ?? '';
  const [key] = (await instance.list('marta', '/projects/501/error_tracking/client_keys')) ?? [];
  const { tracker_dsn: dsn } = key as unknown as { readonly tracker_dsn: string };
  await mkdir(join(folder, 'app'), { recursive: true });
  await writeFile(join(folder, 'app', 'start.js'), `Sentry.init({ dsn: '${dsn}' });\n`);
  await writeFile(join(folder, '.env'), `SENTRY_DSN=${dsn}\n`);
}

/** All that the product keeps outside of the secret store. */
function keptState({ globalState, workspaceState, globalStorageUri }: vscode.ExtensionContext): unknown {
  const mementos = [globalState, workspaceState].map((memento) => memento.keys().map((key) => [key, memento.get(key)]));
  return { mementos, files: filesBelow(globalStorageUri.fsPath) };
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  } catch {
    // Nothing was kept yet, or a file is just being replaced.
    return [];
  }
}
