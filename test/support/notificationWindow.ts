import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Account, SignedOutError } from '../../src/accounts/account.ts';
import type { Connection } from '../../src/accounts/connections.ts';
import { Pins } from '../../src/accounts/pins.ts';
import type { WorkspaceProject } from '../../src/accounts/workspaceProjects.ts';
import { createClient } from '../../src/api/client.ts';
import type { NotificationSettingsChange } from '../../src/api/notificationSettings.ts';
import { NoiseEstimates } from '../../src/notifications/noise/estimates.ts';
import { EndMessages, ProfileCommands } from '../../src/notifications/profiles/profileCommands.ts';
import { ProfileStore } from '../../src/notifications/profiles/profileStore.ts';
import { heldSchema, TimedProfiles } from '../../src/notifications/profiles/timedProfiles.ts';
import {
  type Alternative,
  BulkChanges,
  planLabels,
  type PlanDialogs,
} from '../../src/notifications/settings/bulkChanges.ts';
import { SettingsEngine } from '../../src/notifications/settings/engine.ts';
import { scopeLabel } from '../../src/notifications/settings/labels.ts';
import { ScopeFiles } from '../../src/notifications/settings/scopeFiles.ts';
import { ScopeFinder } from '../../src/notifications/settings/scopePicker.ts';
import {
  apiScope,
  isEmptyChange,
  type NotificationScope,
  scopeKey,
  type ScopePlan,
} from '../../src/notifications/settings/settings.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';
import { MemoryMemento } from './editorState.ts';
import { ScriptedDialogs } from './scriptedDialogs.ts';

/** A user who reviews plans as well. */
class ScriptedPlanDialogs extends ScriptedDialogs implements PlanDialogs {
  /** What was reviewed: title, then scope by scope what would change. */
  readonly reviewed: string[] = [];
  /** What a user leaves of the plans that they review; undefined if they cancel. */
  onReview: (plans: readonly ScopePlan[]) => Promise<readonly ScopePlan[] | undefined> = async (plans) => plans;

  /** What was asked, and what was said of answers that could not be taken. */
  get questions(): string[] {
    return [...this.asked.map(({ question }) => question), ...this.refused];
  }

  /** Whether the user takes what a review offers instead; once. */
  takesAlternative = false;

  async review(
    title: string,
    plans: readonly ScopePlan[],
    alternative?: Alternative,
  ): Promise<readonly ScopePlan[] | undefined> {
    if (this.takesAlternative && alternative) {
      this.takesAlternative = false;
      await alternative.run();
      return undefined;
    }
    this.reviewed.push(
      title,
      ...plans.map((plan) => `${scopeLabel(plan.scope, vscode.l10n)}: ${planLabels(plan).join(' · ')}`),
    );
    return (await this.onReview(plans))?.filter(({ change }) => !isEmptyChange(change));
  }
}

/** The services for notification settings of many scopes, in a window that is signed in to its own sandbox. */
export class NotificationWindow {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly memento: MemoryMemento;
  readonly dialogs = new ScriptedPlanDialogs();
  readonly pins: Pins;
  readonly account: Account;
  readonly workspace: WorkspaceProject[] = [];
  readonly finder: ScopeFinder;
  readonly engine: SettingsEngine;
  readonly bulk: BulkChanges;
  readonly estimates: NoiseEstimates;
  readonly profiles: ProfileStore;
  readonly timed: TimedProfiles;
  readonly profileCommands: ProfileCommands;
  readonly #connection: Connection;
  readonly global: NotificationScope;
  readonly tideTable: NotificationScope;
  readonly tools: NotificationScope;
  /** The templates of the paths that were asked for. */
  readonly requests: string[] = [];
  signedIn = true;
  /** Whether the user is signed in to other accounts as well. */
  hasOthers = false;
  /** Milliseconds since 1970. */
  time = Date.now();
  readonly clock = { date: () => new Date(this.time) };
  /** How often other profiles have held than before. */
  timedChanges = 0;

  private constructor(sandbox: Sandbox, token: string, folder: string, memento: MemoryMemento, retries: number) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.memento = memento;
    this.account = {
      ...{ kind: 'instance', id: 'marta@sandbox', instanceUrl: sandbox.url },
      ...{ username: 'marta', tokenStoredAt: 1 },
    } as Account;
    const { id: accountId } = this.account;
    this.global = { kind: 'global', accountId };
    this.tideTable = { kind: 'project', accountId, id: 501, path: 'harbor/tide-table' };
    this.tools = { kind: 'group', accountId, id: 12, path: 'harbor/tools' };
    this.pins = new Pins(memento);
    const client = createClient({
      ...{ instanceUrl: sandbox.url, token, retries },
      log: ({ pathTemplate }) => this.requests.push(pathTemplate),
    });
    this.#connection = { account: this.account, instanceUrl: sandbox.url, client };
    const connections = { of: (id: string) => this.connection(id), current: () => this.connection() };
    const { clock } = this;
    this.finder = new ScopeFinder({
      accountInUse: { account: this.account, state: 'instance' },
      workspaceProjects: { all: this.workspace },
      pins: this.pins,
      connections,
    });
    this.engine = new SettingsEngine(connections);
    const { dialogs, engine } = this;
    this.bulk = new BulkChanges(engine, dialogs, connections);
    this.estimates = new NoiseEstimates({ connections, clock });
    this.profiles = new ProfileStore(memento, { warn: (sentence) => assert.fail(sentence) });
    const { bulk, finder, profiles } = this;
    const messages = new EndMessages({
      bulk,
      dialogs,
      accountLabels: (scopes) => this.profileCommands.accountLabels(scopes),
      retry: (scope) => this.timed.end((held) => scopeKey(held.scope) === scopeKey(scope)),
    });
    this.timed = new TimedProfiles({
      files: new ScopeFiles(join(folder, 'profiles'), heldSchema, { warn: (sentence) => assert.fail(sentence) }),
      lock: join(folder, 'profiles', 'end.lease'),
      engine,
      clock,
      log: { error: () => {} },
      onDidEnd: (profile, results) => messages.show(profile, results),
    });
    this.profileCommands = new ProfileCommands({
      finder,
      bulk,
      profiles,
      timed: this.timed,
      dialogs,
      clock,
      isNamed: () => this.hasOthers,
      onTimedChanged: () => (this.timedChanges += 1),
    });
  }

  static async open({
    retries = 0,
    ...options
  }: SandboxOptions & { retries?: number } = {}): Promise<NotificationWindow> {
    const sandbox = await startSandbox({ liveEvents: false, ...options });
    const folder = await mkdtemp(join(tmpdir(), 'beacon-notifications-'));
    return new NotificationWindow(sandbox, sandbox.tokens.owner, folder, new MemoryMemento(), retries);
  }

  /** Another window of the same editor, or the same after a restart. */
  another(): NotificationWindow {
    const { sandbox, folder, memento, time } = this;
    const other = new NotificationWindow(sandbox, sandbox.tokens.owner, folder, memento, 0);
    other.time = time;
    return other;
  }

  async connection(accountId?: string): Promise<Connection> {
    if (!this.signedIn) {
      throw new SignedOutError(accountId);
    }
    return this.#connection;
  }

  /** Pins what tests are about: the project tide-table and the group tools. */
  async pinSamples(): Promise<void> {
    for (const scope of [this.tideTable, this.tools]) {
      if (scope.kind !== 'global') {
        await this.pins.add(scope);
      }
    }
  }

  /** Changes settings as someone elsewhere would. */
  async change(scope: NotificationScope, change: NotificationSettingsChange): Promise<void> {
    await this.#connection.client.notificationSettings.update(apiScope(scope), change);
  }

  async level(scope: NotificationScope): Promise<string> {
    return (await this.#connection.client.notificationSettings.get(apiScope(scope))).level;
  }

  async events(scope: NotificationScope): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#connection.client.notificationSettings.get(apiScope(scope))).events ?? {};
  }

  /** Closes the window, its sandbox and all that it kept. */
  async close(): Promise<void> {
    await this.#connection.client.close();
    await this.sandbox.close();
    // What is still being stored may add a file meanwhile.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
