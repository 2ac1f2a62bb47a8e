import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestWindow } from '../support/testWindow.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};
const commands = manifest.contributes.commands.map(({ command }) => command);

describe('every command of the manifest', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  /** Runs all commands but some, on no row and without an answer to what they ask. @returns what was said after each. */
  async function runAll(before: () => Promise<void>, except: readonly string[] = []) {
    window.closeMessages({ andQuestions: true });
    const said: Record<string, readonly string[]> = {};
    for (const command of commands.filter((one) => !except.includes(one))) {
      await before();
      window.messages.splice(0);
      await window.run(command);
      said[command] = window.messages.map(({ text }) => text);
    }
    return said;
  }
  const unexpected = (said: object): string[] =>
    Object.entries(said).flatMap(([command, texts]: [string, readonly string[]]) =>
      texts.filter((text) => text.startsWith('An unexpected error')).map((text) => `${command}: ${text}`),
    );

  it('fails for no unknown reason while nobody is signed in, and says where an account is needed', async () => {
    window = await TestWindow.open({ sandbox: false });
    const said = await runAll(async () => undefined, ['beacon.trySandbox']);
    assert.deepEqual(unexpected(said), []);
    assert.deepEqual(said['beacon.activity.refresh'], ['You are signed out.']);
  });

  it('fails for no unknown reason while somebody is signed in', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const said = await runAll(async () => {
      if ((await window.secrets.keys()).length === 0) {
        await window.signIn('owner');
      }
    });
    assert.deepEqual(unexpected(said), []);
    assert.ok(!Object.values(said).flat().includes('You are signed out.'));
  });
});
