import * as vscode from 'vscode';
import type { Fetch, OpenTransport } from '../../api/transport.ts';
import type { Commands } from '../../common/commands.ts';
import { instanceName } from '../../common/instanceUrl.ts';
import type { AppOptions, SandboxApp } from '../../sandbox/app.ts';
import { browserFetch, readable } from './transport.ts';

/** The browser knows the route to each instance, its proxies and certificates, and keeps them to itself. */
export class Network implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Never fires: what changes for the browser, the browser does not tell. */
  readonly onDidChange = this.#changed.event;
  /** Nowhere offered: certificates are those of the browser. */
  readonly commands = { 'beacon.enterPassphrase': () => undefined } satisfies Commands;

  readonly #log: Pick<vscode.LogOutputChannel, 'info'>;

  constructor(_secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  async createTransport(instanceUrl: string): Promise<OpenTransport> {
    this.#log.info(`Requests to ${instanceName(instanceUrl)}: by the browser`);
    const isSandbox = instanceUrl === sandboxUrl;
    const fetch: Fetch = (url, init) => (isSandbox && sandboxFetch ? sandboxFetch : browserFetch)(url, init);
    return { fetch, close: async () => undefined };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** An address that nobody else can have: no name ends like this. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const sandboxUrl = 'https://sandbox.invalid';

/** Answers in this worker: it takes the place of a server that listens. */
let sandboxFetch: Fetch | undefined;

/** Starts a sandbox instance in this worker. No request to it leaves the worker. */
export async function startSandbox(
  options: AppOptions,
): Promise<{ readonly url: string; readonly tokens: SandboxApp['tokens']; close(): Promise<void> }> {
  const { createSandboxApp } = await import('../../sandbox/app.ts');
  const app = createSandboxApp(sandboxUrl, options);
  sandboxFetch = async (address, init) => {
    const answer = await app.fetch(new Request(address, init));
    init.signal.throwIfAborted();
    return readable(answer);
  };
  return {
    url: sandboxUrl,
    tokens: app.tokens,
    close: async () => {
      sandboxFetch = undefined;
      app.close();
    },
  };
}
