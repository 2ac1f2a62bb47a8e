import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration?: unknown;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

/** The source files that went into a bundled file, by its source map. */
function sourcesOf(file: string): readonly string[] {
  const [, map = ''] =
    /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/.exec(readFileSync(file, 'utf8')) ?? [];
  return (JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] }).sources;
}

describe('the extension', () => {
  const extension = vscode.extensions.getExtension<unknown>('beacon-gitlab.beacon-gitlab');

  before(async () => {
    assert.ok(extension, 'the extension is there');
    await extension.activate();
  });

  it('loads the API client, its packages and the sandbox no sooner than they are needed', () => {
    const dist = join(extension?.extensionPath ?? '', 'dist');
    const sources = Object.keys(require.cache)
      .filter((file) => dirname(file) === dist)
      .flatMap(sourcesOf);
    assert.ok(sources.includes('../src/extension.ts'), 'the sources of what was loaded are known');
    assert.deepEqual(
      sources.filter((source) => /\/(undici|zod|hono|sandbox\/server|api\/client)(\/|\.ts$)/.test(source)),
      [],
    );
  });

  it('registers every command of its manifest and no other', async () => {
    const manifest = extension?.packageJSON as Manifest;
    const declared = manifest.contributes.commands.map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter((command) => command.startsWith('beacon.'));
    // The editor adds commands of its own to each view.
    const views = Object.values(manifest.contributes.views).flat();
    const names = ['focus', 'open', 'removeView', 'resetViewLocation', 'toggleVisibility'];
    const ofViews = new Set(views.flatMap(({ id }) => names.map((name) => `${id}.${name}`)));
    const own = registered.filter((command) => !ofViews.has(command));
    assert.deepEqual(own.sort(), declared.sort());
  });

  it('answers every command that needs an account when there is none, without an error', async () => {
    for (const command of ['beacon.activity.refresh', 'beacon.activity.loadMore', 'beacon.signOut']) {
      await vscode.commands.executeCommand(command);
    }
  });

  it('has no setting that holds a token', () => {
    const manifest = extension?.packageJSON as Manifest;
    assert.doesNotMatch(
      JSON.stringify(manifest.contributes.configuration ?? {}),
      /"beacon\.[^"]*(token|secret|password|passphrase)/i,
    );
  });
});
