import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { problemOf } from '../../../src/accounts/problem.ts';
import { createClient } from '../../../src/api/client.ts';
import { InsertCommands } from '../../../src/errorTracking/insertion/insertCommands.ts';
import { GitIgnoring } from '../../../src/errorTracking/insertion/workspaceEdits.ts';
import { KeyCommands } from '../../../src/errorTracking/keyCommands.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { RotationCommands } from '../../../src/errorTracking/rotation/rotationCommands.ts';
import { SettingsCommands } from '../../../src/errorTracking/settingsCommands.ts';
import { VerifyCommands } from '../../../src/errorTracking/testError.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import { WorkspaceFiles } from '../../../src/workspace/files.ts';
import { ErrorTrackingWindow, placesOf } from '../../support/errorTrackingWindow.ts';
import { failing } from '../../support/sandbox/transforms.ts';

const settingsOperations = ['setUp', 'enable', 'disable', 'switchToIntegrated'] as const;
const keyOperations = [
  ...(['createKey', 'deleteKey', 'copyDsn', 'copyPublicKey', 'copyAs', 'insertDsn', 'rotateKey'] as const),
  'sendTestError',
] as const;
const operations = [...settingsOperations, ...keyOperations];
type Operation = (typeof operations)[number];

/** What an operation comes to. */
interface Outcome {
  /** What is shown, a line each; nothing by default. */
  readonly messages?: readonly RegExp[];
  /** The buttons of what is shown last. */
  readonly buttons?: readonly string[];
  /** What the tree shows of the project then; as before by default. */
  readonly tree?: readonly (string | RegExp)[];
  /** Whether a question is answered before anything happens. */
  readonly asks?: boolean;
  /** What is written: onto the clipboard, or into the document. */
  readonly writes?: RegExp;
}

const on = 'Integrated error tracking [enabled]';
const off = 'Integrated error tracking [disabled]';
const none = 'Error tracking is not set up';
const external = 'External tracker: Harbor / Winch [enabled]';
const externalOff = 'External tracker: Harbor / Winch [disabled]';
const notOffered = ['Integrated error tracking is not offered', 'Open Instructions for Administrators', 'Check Again'];
const active = /^glet_[0-9a-f]{4}…[0-9a-f]{4} \[(?!inactive).+\]$/;
const inactive = /^glet_[0-9a-f]{4}…[0-9a-f]{4} \[inactive(?: · test failed .*)?\]$/;
/** Where a project has two keys, these ask which one is meant; the others mean the only one that is active. */
const asksForKey: readonly Operation[] = ['deleteKey', 'copyDsn', 'copyPublicKey', 'sendTestError'];
const administrators = /^This instance does not offer integrated error tracking; its administrators can enable it\.$/;
const keyIsInactive = /^Client key glet_.* is inactive: errors that are sent with it are refused\.$/;
const dsn = /^http:\/\/glet_[0-9a-f]{32}@127\.0\.0\.1:\d+\/errortracking\/api\/v1\/projects\/\d+$/;

/** The operations on a key that is active, where the project's errors are not tracked now. */
function unheard(tree: readonly (string | RegExp)[], path: string, buttons: readonly string[]) {
  const [state = ''] = tree;
  return {
    createKey: {
      messages: [
        /^Client key glet_.* was created, but errors are refused until integrated error tracking is enabled\.$/,
      ],
      buttons: ['Insert DSN…', 'Copy DSN'],
      tree: [...tree, active],
    },
    deleteKey: { asks: true, messages: [/was deleted\.$/], tree: [state, ...tree.slice(2)] },
    copyDsn: { writes: dsn },
    copyPublicKey: { writes: /^glet_[0-9a-f]{32}$/ },
    copyAs: { writes: dsn },
    insertDsn: {
      messages: [new RegExp(`^The DSN was inserted, but the instance does not track the errors of ${path} now\\.$`)],
      buttons,
      writes: dsn,
    },
    rotateKey: {
      asks: true,
      messages: [/was rotated: glet_.* replaces glet_.*, which was deleted\.$/],
      buttons: ['Send Test Error'],
      tree: [state, ...tree.slice(2), active],
    },
    sendTestError: {
      messages: [new RegExp(`\\(status 403\\): .* The instance does not track the errors of ${path} now\\.$`)],
      buttons,
    },
  } satisfies Partial<Record<Operation, Outcome>>;
}

/** Where there is no key to choose, all operations on keys say the same. */
function keyless(messages: RegExp, buttons: readonly string[], ...but: readonly Operation[]) {
  const outcomes = keyOperations
    .filter((operation) => operation !== 'createKey' && !but.includes(operation))
    .map((operation) => [operation, { messages: [messages], buttons }] as const);
  return Object.fromEntries(outcomes) as Partial<Record<Operation, Outcome>>;
}

const heard = {
  setUp: { messages: [/set up and enabled already/], buttons: [] },
  enable: { messages: [/^Error tracking is enabled already\.$/], buttons: [] },
  disable: {
    asks: true,
    messages: [/^Error tracking is disabled\.$/],
    buttons: ['Undo'],
    tree: [off, active, inactive],
  },
  switchToIntegrated: { messages: [/uses integrated error tracking already/], buttons: [] },
  createKey: {
    messages: [/^Client key glet_.* was created\.$/],
    buttons: ['Insert DSN…', 'Copy DSN'],
    tree: [on, active, inactive, active],
  },
  deleteKey: {
    asks: true,
    messages: [/^Client key glet_.* of harbor\/tide-table was deleted\.$/],
    tree: [on, inactive],
  },
  copyDsn: { writes: dsn },
  copyPublicKey: { writes: /^glet_[0-9a-f]{32}$/ },
  copyAs: { writes: dsn },
  insertDsn: { writes: dsn },
  rotateKey: {
    asks: true,
    messages: [/^A client key of harbor\/tide-table was rotated: glet_.* replaces glet_.*, which was deleted\.$/],
    buttons: ['Send Test Error'],
    tree: [on, inactive, active],
  },
  sendTestError: {
    messages: [/accepted the test error \(status 200\)/],
    buttons: ['Open Errors in Browser', 'Copy Event ID'],
  },
} satisfies Record<Operation, Outcome>;

const moved = 'Moved to harbor/tide-table';
const away = [/internal error \(status 503\)/, 'Try Again', on, active, inactive];
const internalError = { messages: [/internal error \(status 503\)/], buttons: [] };

interface State {
  readonly path: string;
  /** The path of the remote, for a project of the workspace instead of a pinned one. */
  readonly remote?: string;
  readonly tree: readonly (string | RegExp)[];
  readonly outcomes: Partial<Record<Operation, Outcome>>;
  readonly prepare?: (parts: { window: ErrorTrackingWindow; project: TrackedProject }) => Promise<unknown>;
}

const client = async (window: ErrorTrackingWindow) => (await window.connection()).client.errorTracking;
const notKnown = [{ answer: failing(404, '{"error":"404 Not Found"}'), path: '/projects/*/error_tracking/*' }];

const states: Record<string, State> = {
  'no settings': {
    path: 'harbor/berth-planner',
    tree: [none, 'Set Up Error Tracking…'],
    outcomes: {
      ...keyless(/^harbor\/berth-planner has no client key\.$/, ['Set Up Error Tracking…']),
      createKey: {
        messages: [/was created, but errors are refused until integrated error tracking is enabled\.$/],
        buttons: ['Insert DSN…', 'Copy DSN'],
        tree: [none, 'Set Up Error Tracking…', active],
      },
    },
  },
  'integrated, enabled': { path: 'harbor/tide-table', tree: [on, active, inactive], outcomes: heard },
  'integrated, enabled, without a key': {
    path: 'harbor/tide-table',
    tree: [on, 'Create Client Key'],
    prepare: async ({ window }) => {
      const { tracking } = await window.states.load({ accountId: window.account.id, idOrPath: 501 });
      for (const { id } of tracking?.keys ?? []) {
        await (await client(window)).deleteClientKey(501, id);
      }
    },
    outcomes: {
      ...keyless(/^harbor\/tide-table has no client key\.$/, ['Create Client Key']),
      createKey: { messages: [/ was created\.$/], buttons: ['Insert DSN…', 'Copy DSN'], tree: [on, active] },
    },
  },
  'integrated, enabled, with an inactive key alone': {
    path: 'harbor/tide-table',
    tree: [on, inactive],
    prepare: async ({ window }) => {
      const { tracking } = await window.states.load({ accountId: window.account.id, idOrPath: 501 });
      const key = tracking?.keys.find((candidate) => candidate.active);
      await (await client(window)).deleteClientKey(501, key?.id ?? 0);
    },
    outcomes: {
      createKey: { messages: [/ was created\.$/], buttons: ['Insert DSN…', 'Copy DSN'], tree: [on, inactive, active] },
      deleteKey: { asks: true, messages: [/was deleted\.$/], tree: [on, 'Create Client Key'] },
      copyDsn: { messages: [keyIsInactive], writes: dsn },
      copyPublicKey: { messages: [keyIsInactive], writes: /^glet_/ },
      copyAs: { messages: [/^harbor\/tide-table has no active client key\.$/], buttons: ['Create Client Key'] },
      insertDsn: { messages: [/^harbor\/tide-table has no active client key\.$/], buttons: ['Create Client Key'] },
      rotateKey: { messages: [/^harbor\/tide-table has no active client key\.$/], buttons: ['Create Client Key'] },
      sendTestError: { messages: [/refuses errors with this client key \(status 403\)/], buttons: [] },
    },
  },
  'integrated, disabled': {
    path: 'harbor/tide-table',
    tree: [off, active, inactive],
    prepare: async ({ window }) => (await client(window)).change(501, { active: false }),
    outcomes: unheard([off, active, inactive], 'harbor/tide-table', ['Enable Error Tracking…']),
  },
  'an external tracker, enabled': {
    path: 'harbor/tools/winch',
    tree: [external, active],
    prepare: async ({ window }) => (await client(window)).createClientKey(503),
    outcomes: unheard([external, active], 'harbor/tools/winch', ['Switch to Integrated Error Tracking…']),
  },
  'an external tracker, enabled, without a key': {
    path: 'harbor/tools/winch',
    tree: [external],
    outcomes: keyless(/^harbor\/tools\/winch has no client key\.$/, ['Switch to Integrated Error Tracking…']),
  },
  'an external tracker, disabled': {
    path: 'harbor/tools/winch',
    tree: [externalOff, active],
    prepare: async ({ window }) => {
      await (await client(window)).createClientKey(503);
      await (await client(window)).change(503, { active: false });
    },
    outcomes: unheard([externalOff, active], 'harbor/tools/winch', ['Switch to Integrated Error Tracking…']),
  },
  'an instance that has it switched off, and has said so': {
    path: 'harbor/berth-planner',
    tree: notOffered,
    prepare: async ({ window, project }) => {
      window.sandbox.control.offerErrorTracking(false);
      await new SettingsCommands(window.targets, window.states, window.dialogs).run('setUp', { project });
    },
    outcomes: {
      ...keyless(administrators, []),
      createKey: { messages: [administrators], buttons: [] },
    },
  },
  'an instance that does not know error tracking': {
    path: 'harbor/tide-table',
    tree: notOffered,
    prepare: async ({ window }) => window.sandbox.control.transform(...notKnown),
    outcomes: {
      ...Object.fromEntries(
        settingsOperations.map((operation) => [operation, { messages: [administrators], buttons: [] }]),
      ),
      ...keyless(administrators, []),
      createKey: { messages: [administrators], buttons: [] },
    },
  },
  'a project that has moved': {
    path: 'harbor/tide-table',
    remote: 'harbor/almanac',
    tree: [moved, on, active, inactive],
    outcomes: Object.fromEntries(
      operations.map((operation) => {
        const outcome: Outcome = heard[operation];
        return [operation, { ...outcome, ...(outcome.tree ? { tree: [moved, ...outcome.tree] } : {}) }];
      }),
    ),
  },
  'an instance that is away since the project was loaded': {
    path: 'harbor/tide-table',
    tree: away,
    prepare: async ({ window, project }) => {
      await window.states.load(project);
      window.sandbox.control.transform({ answer: 503 });
    },
    outcomes: {
      ...Object.fromEntries(settingsOperations.map((operation) => [operation, internalError])),
      createKey: internalError,
      deleteKey: { asks: true, ...internalError },
      copyDsn: { writes: dsn },
      copyPublicKey: { writes: /^glet_/ },
      copyAs: internalError,
      insertDsn: internalError,
      rotateKey: internalError,
    },
  },
};

describe('the operations of error tracking', () => {
  let window: ErrorTrackingWindow;
  let project: TrackedProject;
  /** Where the cursor is. One is shown for all tests: to show another one takes longer than an operation. */
  let editor: vscode.TextEditor;

  before(async () => {
    editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
  });
  after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  afterEach(() => window.close());

  async function emptyDocument(): Promise<void> {
    const { document } = editor;
    if (document.getText() !== '') {
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      assert.ok(await editor.edit((edit) => edit.delete(all)));
    }
    assert.deepEqual([vscode.window.activeTextEditor, document.getText()], [editor, '']);
  }

  /** Runs an operation as the editor does: what it throws is shown. Answers with what is written. */
  async function run(operation: Operation): Promise<string> {
    await emptyDocument();
    await vscode.env.clipboard.writeText('');
    const { targets, states: loaded, dialogs, journal, keyFacts } = window;
    const usages = { find: async () => placesOf() };
    const parts = [
      new SettingsCommands(targets, loaded, dialogs),
      new KeyCommands(targets, loaded, usages, dialogs),
      new InsertCommands({
        targets,
        ignoring: new GitIgnoring(new WorkspaceFiles(), dialogs),
        dialogs,
        keyFacts,
        pathOf: async () => undefined,
      }),
      new VerifyCommands({
        ...{ targets, dialogs, keyFacts },
        createTransport: async () => ({ close: async () => undefined }),
      }),
      new RotationCommands({
        targets,
        states: loaded,
        usages,
        dialogs,
        journal,
        client: async () => (await window.connection()).client,
      }),
    ];
    const commands = Object.assign({}, ...parts.map((part) => part.commands)) as Record<
      string,
      (chosen: object) => Promise<void>
    >;
    dialogs.messages.length = 0;
    dialogs.asked.length = 0;
    dialogs.offered.length = 0;
    dialogs.choices = asksForKey.includes(operation) ? [/glet_/] : [/At the Cursor|^DSN$/];
    try {
      await commands[`beacon.errorTracking.${operation}`]?.({ project });
    } catch (error) {
      dialogs.notify('warning', problemOf(error).sentence);
    }
    return (await vscode.env.clipboard.readText()) + editor.document.getText();
  }

  async function assertTree(expected: readonly (string | RegExp)[]): Promise<void> {
    const lines = await window.lines(project);
    assert.equal(lines.length, expected.length, lines.join(' | '));
    expected.forEach((line, index) =>
      typeof line === 'string' ? assert.equal(lines[index], line) : assert.match(lines[index] ?? '', line),
    );
  }

  function assertMessages({ messages = [], buttons, asks = false }: Outcome): void {
    const { dialogs } = window;
    const sentences = dialogs.messages.map(({ sentence }) => sentence);
    assert.equal(sentences.length, messages.length, sentences.join(' | '));
    messages.forEach((pattern, index) => assert.match(sentences[index] ?? '', pattern));
    if (buttons) {
      assert.deepEqual(dialogs.messages.at(-1)?.buttons, buttons);
    }
    assert.equal(dialogs.asked.length > 0, asks, 'asks');
  }

  describe('in each state of the settings', () => {
    for (const [name, { path, remote, tree, outcomes, prepare }] of Object.entries(states)) {
      for (const operation of operations) {
        const outcome = outcomes[operation];
        if (!outcome) {
          continue;
        }
        it(`${name}: ${operation}`, async () => {
          window = await ErrorTrackingWindow.open();
          project = remote
            ? window.openRepository(remote, vscode.Uri.file('/repositories/0'))
            : await window.pin(path, path === 'harbor/tide-table' ? 501 : undefined);
          await prepare?.({ window, project });
          await window.states.reload(project);
          await assertTree(tree);
          const written = await run(operation);
          assertMessages(outcome);
          assert.match(written, outcome.writes ?? /^$/);
          await assertTree(outcome.tree ?? tree);
        });
      }
    }
  });

  const role = /^Error tracking needs the role Maintainer or Owner in harbor\/tide-table\.$/;
  const hidden = /The project harbor\/tide-table was not found on .*, or is not visible to you\.$/;
  const scope = /^The token for marta@sandbox may not read this: that needs the token scope read_api/;
  const lacksRole = { messages: role, row: 'Maintainer or Owner needed' };
  const maintainers = ['Open Project Members'];
  interface Participant {
    readonly username: string;
    readonly scopes?: string[];
    readonly prepare?: () => Promise<unknown>;
    /** What every operation says, and the tree first; undefined for a user who may do all. */
    readonly messages?: RegExp;
    /** What the tree says, where it is not the same. */
    readonly row?: string;
    readonly buttons?: readonly string[];
  }
  const people: Record<string, Participant> = {
    'an Owner': { username: 'marta' },
    'a Maintainer': { username: 'femi' },
    'a Developer': { username: 'tomasz', ...lacksRole, buttons: maintainers },
    'a Reporter': { username: 'lucia', ...lacksRole, buttons: maintainers },
    'a Planner': {
      username: 'jonas',
      prepare: async () => window.sandbox.control.setRole('harbor/tide-table', 'jonas', 'planner'),
      ...lacksRole,
      buttons: maintainers,
    },
    'a Guest': { username: 'ines', ...lacksRole, buttons: maintainers },
    'somebody without a role': { username: 'jonas', messages: hidden, buttons: ['Unpin'] },
    'an Owner whose token can read users alone': {
      username: 'marta',
      scopes: ['read_user'],
      messages: scope,
      buttons: ['Renew Token…'],
    },
    'an Owner whose token is revoked': {
      username: 'marta',
      prepare: async () => {
        window.sandbox.control.revokeToken(window.sandbox.control.tokens().at(-1)?.value ?? '');
      },
      messages: /^The token for marta@sandbox is wrong, expired or revoked\.$/,
      buttons: ['Renew Token…'],
    },
    'somebody who is signed out': {
      username: 'marta',
      prepare: async () => (window.signedIn = false),
      messages: /^You are signed out\.$/,
      buttons: ['Sign In…'],
    },
  };

  describe('by each role and token', () => {
    for (const [name, { username, scopes = ['api'], prepare, messages, row, buttons }] of Object.entries(people)) {
      for (const operation of operations) {
        it(`${name}: ${operation} ${messages ? 'is refused, and says why' : 'works'}`, async () => {
          window = await ErrorTrackingWindow.open(username, { scopes });
          project = await window.pin('harbor/tide-table', 501);
          await prepare?.();
          const written = await run(operation);
          if (!messages) {
            const outcome: Outcome = heard[operation];
            assertMessages(outcome);
            assert.match(written, outcome.writes ?? /^$/);
            await assertTree(outcome.tree ?? [on, active, inactive]);
            return;
          }
          assertMessages({ messages: [messages], buttons: buttons ?? [] });
          assert.deepEqual(window.dialogs.offered, []);
          assert.equal(written, '');
          if (window.signedIn) {
            await assertTree([row ?? messages, ...(buttons ?? []), 'Try Again']);
          }
          const owner = createClient({ instanceUrl: window.sandbox.url, token: window.sandbox.tokens.owner });
          const settings = await owner.errorTracking.settings(501);
          const { keys } = await allKeys(owner, 501);
          await owner.close();
          assert.deepEqual([settings.active, settings.integrated, keys.length], [true, true, 2]);
        });
      }
    }
  });

  describe('with a token that can read alone', () => {
    const changes: readonly Operation[] = ['disable', 'createKey', 'deleteKey', 'rotateKey'];
    for (const operation of operations) {
      it(`${operation} ${changes.includes(operation) ? 'is refused, and says what changes need' : 'works'}`, async () => {
        window = await ErrorTrackingWindow.open('marta', { scopes: ['read_api'] });
        project = await window.pin('harbor/tide-table', 501);
        const written = await run(operation);
        if (changes.includes(operation)) {
          const { sentence } = window.dialogs.messages.at(-1) ?? {};
          assert.match(
            sentence ?? '',
            /^The token for marta@sandbox may not change this: that needs the token scope api\.$/,
          );
        } else {
          const outcome: Outcome = heard[operation];
          assertMessages(outcome);
          assert.match(written, outcome.writes ?? /^$/);
        }
        await assertTree([on, active, inactive]);
      });
    }
  });
});
