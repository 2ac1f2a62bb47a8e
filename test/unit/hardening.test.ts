import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

interface Setting {
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean | string } };
  readonly contributes: {
    readonly configuration:
      | { readonly properties: Readonly<Record<string, Setting>> }
      | readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Files in whose code a pattern stands, outside of comments. */
function filesWith(pattern: RegExp): string[] {
  return sources
    .filter(({ text }) => pattern.test(text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')))
    .map(({ file }) => file);
}

describe('what no part of the extension does', () => {
  it('no setting that a workspace can bring decides about connections, tokens or notifications of the user', () => {
    const { configuration } = manifest.contributes;
    const properties = [configuration].flat().flatMap(({ properties: own }) => Object.entries(own));
    assert.ok(properties.length > 0);
    const ofWorkspaces = properties.filter(([, { scope }]) => scope !== 'machine' && scope !== 'application');
    assert.deepEqual(
      ofWorkspaces.map(([name]) => name).filter((name) => !name.startsWith('beacon.apiHints.')),
      [],
    );
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('no Markdown is trusted to hold HTML or icons, or to run commands but those of a key, which are named', () => {
    assert.deepEqual(filesWith(/supportHtml\s*=|supportThemeIcons\s*=|new vscode\.MarkdownString\([^)]*,/), []);
    assert.deepEqual(filesWith(/\bisTrusted\s*=/), ['src/errorTracking/lens/dsnHover.ts']);
    assert.deepEqual(filesWith(/\bisTrusted\s*=(?! \{ enabledCommands: )/), []);
  });

  it('no text becomes HTML or code, but the files of the extension itself that a browser loads on demand', () => {
    assert.deepEqual(
      filesWith(
        /\binnerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|unsafeSVG|\beval\(|enableCommandUris/,
      ),
      [],
    );
    assert.deepEqual(filesWith(/new Function\(/), ['src/platform/web/loader.ts']);
  });

  it('no program is started but git, in repositories that the editor lists, which it does only in trusted workspaces', () => {
    const starting = /child_process|worker_threads|createTerminal|ShellExecution|sendText\(/;
    assert.deepEqual(filesWith(starting), ['src/platform/node/git.ts']);
    assert.deepEqual(filesWith(/execSync|\bspawn(?:Sync)?\(|\bfork\(|shell: true/), []);
    assert.match(sources.find(({ file }) => file.endsWith('/node/git.ts'))?.text ?? '', /vscode\.workspace\.isTrusted/);
  });

  it('certificates are not left unchecked for anybody else', () => {
    assert.deepEqual(filesWith(/NODE_TLS_REJECT_UNAUTHORIZED|setGlobalDispatcher|globalAgent/), []);
  });

  it('text reaches messages, choices, inputs, progress and the status bar by one door, which makes neither links nor icons', () => {
    const door = 'src/common/inertWindow.ts';
    // What shows no text, or none in which the editor makes links and icons.
    const others = [
      ...['activeTextEditor', 'createOutputChannel', 'createTreeView', 'createWebviewPanel'],
      ...['onDidChangeActiveTextEditor', 'onDidChangeWindowState', 'registerFileDecorationProvider'],
      ...['registerUriHandler', 'registerWebviewPanelSerializer', 'showOpenDialog', 'showSaveDialog'],
      ...['showTextDocument', 'state', 'tabGroups'],
    ];
    const reaches = new RegExp(String.raw`vscode\.window(?!\.(?:${others.join('|')})\b)`);
    assert.deepEqual(filesWith(reaches), [door]);
    // By no other name of it, either.
    assert.deepEqual(filesWith(/\bwindow\b[^;={}]*\}\s*(?:=\s*vscode\b|from 'vscode')/), []);
  });
});
