import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/common/commands.ts';
import { DismissedInput, replaced, signOut } from '../support/answeredInputs.ts';
import { closeTabs } from '../support/recordedPanel.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration?: unknown;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const extension = vscode.extensions.getExtension<unknown>('beacon-gitlab.beacon-gitlab');

/** The bundled files that were loaded by now. */
const loadedFiles = (): string[] => {
  const dist = join(extension?.extensionPath ?? '', 'dist');
  return Object.keys(require.cache).flatMap((file) => (dirname(file) === dist ? basename(file) : []));
};

/** The files that were loaded before any test ran, with the views seen: tests of other files sign in, and open documents. */
let loadedSignedOut: readonly string[] = [];
before(async () => {
  await extension?.activate();
  for (const view of ['beacon.activity', 'beacon.errorTracking']) {
    await vscode.commands.executeCommand(`${view}.focus`);
  }
  loadedSignedOut = loadedFiles();
});

describe('the extension', () => {
  before(() => assert.ok(extension, 'the extension is there'));

  it('loads nothing but what registers it while nobody is signed in, also where the views are seen', async () => {
    assert.deepEqual(loadedSignedOut, ['extension.js']);
    await vscode.commands.executeCommand('beacon.showLog');
    assert.deepEqual(loadedFiles().toSorted(), ['app.js', 'extension.js']);
  });

  it('registers every command of its table and no other', async () => {
    const manifest = extension?.packageJSON as Manifest;
    const registered = (await vscode.commands.getCommands(true)).filter((command) => command.startsWith('beacon.'));
    // The editor adds commands of its own to each view.
    const views = Object.values(manifest.contributes.views).flat();
    const names = ['focus', 'open', 'removeView', 'resetViewLocation', 'toggleVisibility'];
    const ofViews = new Set(views.flatMap(({ id }) => names.map((name) => `${id}.${name}`)));
    const own = registered.filter((command) => !ofViews.has(command));
    assert.deepEqual(own.sort(), Object.values(commandIds).flat().sort());
  });

  it('has no setting that holds a token', () => {
    const manifest = extension?.packageJSON as Manifest;
    assert.doesNotMatch(
      JSON.stringify(manifest.contributes.configuration ?? {}),
      /"beacon\.[^"]*(token|secret|password|passphrase)/i,
    );
  });

  describe('runs every command of its manifest', () => {
    const manifest = extension?.packageJSON as Manifest | undefined;
    const commands = (manifest?.contributes.commands ?? []).map(({ command }) => command);
    let messages: string[];
    let stubs: vscode.Disposable;
    before(async () => {
      const message = async (sentence: string): Promise<undefined> => void messages.push(sentence);
      const dismissed = async (): Promise<undefined> => undefined;
      const { openExternal } = vscode.env;
      Object.assign(vscode.env, { openExternal: async () => true });
      // What is opened here is the project itself, whose settings stay as they are.
      const { getConfiguration } = vscode.workspace;
      const unchanged = { update: { value: async () => {} } };
      Object.assign(vscode.workspace, {
        getConfiguration: (...of: Parameters<typeof getConfiguration>) =>
          Object.create(getConfiguration(...of), unchanged) as vscode.WorkspaceConfiguration,
      });
      stubs = vscode.Disposable.from(
        { dispose: () => void Object.assign(vscode.env, { openExternal }) },
        { dispose: () => void Object.assign(vscode.workspace, { getConfiguration }) },
        replaced({
          showInformationMessage: message,
          showWarningMessage: message,
          showErrorMessage: message,
          showQuickPick: dismissed,
          showInputBox: dismissed,
          showOpenDialog: dismissed,
          showSaveDialog: dismissed,
          createQuickPick: () => new DismissedInput(),
          createInputBox: () => new DismissedInput(),
        }),
      );
    });
    beforeEach(() => (messages = []));
    after(async () => {
      await signOut();
      await closeTabs();
      stubs.dispose();
    });

    describe('while nobody is signed in', () => {
      const withoutAccount = commands.filter((command) => command !== 'beacon.trySandbox');
      for (const command of withoutAccount) {
        it(command, async () => {
          await vscode.commands.executeCommand(command);
          assert.deepEqual(messages.filter(isUnexpected), []);
        });
      }

      it('and says where an account is needed', async () => {
        await vscode.commands.executeCommand('beacon.activity.refresh');
        assert.deepEqual(messages, ['You are signed out.']);
      });
    });

    describe('in the sandbox, on no row', () => {
      for (const command of commands) {
        it(command, async () => {
          await vscode.commands.executeCommand('beacon.trySandbox');
          await vscode.commands.executeCommand(command);
          assert.deepEqual(
            messages.filter((one) => isUnexpected(one) || one === 'You are signed out.'),
            [],
          );
        });
      }
    });
  });
});

/** Whether a message says that a command failed for a reason that Beacon does not know. */
function isUnexpected(message: string): boolean {
  return message.startsWith('An unexpected error');
}
