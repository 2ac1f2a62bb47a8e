import * as vscode from 'vscode';
import type { Fetch } from '../../api/transport.ts';
import type { Commands } from '../../common/commands.ts';
import { instanceName } from '../../common/instanceUrl.ts';
import { editorFetch, editorHttps, withEditorCredentials } from '../../network/editorFetch.ts';
import { ProxySettingError } from '../../network/networkErrors.ts';
import { affectsRouting, readNetworkSettings, readTlsSetting } from '../../network/networkSettings.ts';
import { PassphraseCommands, Passphrases } from '../../network/passphrases.ts';
import { resolveRoute, type Proxy, proxyName, speaksSocks, type Route } from '../../network/route.ts';
import { type InstanceTls, loadInstanceTls, trustedRoots } from '../../network/tls.ts';
import { lockedFile, tlsEntryOf } from '../../network/tlsSetting.ts';
import type { Dispatcher } from './transport.ts';
import type { AppOptions } from '../../sandbox/app.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** Sends the requests of one client to its instance: either a dispatcher or a `fetch`. */
export interface HttpTransport {
  readonly dispatcher?: Dispatcher;
  readonly fetch?: Fetch;
  /** Closes the connections; requests under route fail. */
  close(): Promise<void>;
}

/** What is known of the route to an instance before anything is sent. */
export interface ResolvedRoute {
  readonly route: Route;
  /** Whether the certificate of a proxy that is itself called by https has to be trusted. */
  readonly proxyStrictSSL: boolean;
  /** The authorities trusted for every instance, PEM. */
  readonly roots: readonly string[];
}

/** Resolves the route to each instance: proxies, certificates, and whether the editor or Beacon handles them. */
export class Network implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly passphrases: Passphrases;
  /** The commands for what only some routes need. */
  readonly commands: Commands;
  /** Fires when a route may have changed, so that clients have to be created again. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.passphrases = new Passphrases(secrets);
    this.commands = new PassphraseCommands(this.passphrases).commands;
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affectsRouting(event)) {
          this.#changed.fire();
        }
      }),
      secrets.onDidChange((event) => {
        if (this.passphrases.isMeant(event)) {
          this.#changed.fire();
        }
      }),
    ];
  }

  /**
   * Creates the transport to an instance. Sends nothing itself.
   *
   * - A direct connection and a proxy that a setting or the environment names are Beacon's own business, by undici. If that
   *   proxy wants credentials that are not set, the editor takes over, who can get them.
   * - Otherwise the editor finds the proxy, by its `fetch`; by its `node:https` where `beacon.tls` or NODE_EXTRA_CA_CERTS
   *   adds certificates, of which its `fetch` knows nothing.
   *
   * @throws TlsSettingError or ProxySettingError if a setting cannot be used.
   */
  async createTransport(instanceUrl: string): Promise<HttpTransport> {
    const url = new URL(instanceUrl);
    const { route, proxyStrictSSL, roots } = this.resolveRoute(instanceUrl);
    const tls = await this.tlsOf(instanceUrl);
    this.#log.info(`Requests to ${instanceName(instanceUrl)}: ${routeLabel(route)}${tlsLabel(tls)}`);
    if (route.kind === 'unusable') {
      throw new ProxySettingError(route.source);
    }
    const ownCertificates =
      url.protocol === 'https:' && (Object.keys(tls).length > 0 || process.env['NODE_EXTRA_CA_CERTS'] !== undefined);
    const editor = ownCertificates ? editorHttps(roots, tls) : editorFetch();
    if (route.kind === 'editor') {
      return { fetch: editor, close: async () => undefined };
    }
    const proxy = route.kind === 'proxy' ? route.proxy : undefined;
    const { openDispatcher } = await import('../../network/dispatcher.ts');
    const opened = openDispatcher({ instanceUrl: url, proxy, proxyStrictSSL, roots, tls });
    if (!proxy || proxy.authorization !== undefined || !editorKnows(proxy)) {
      return opened;
    }
    const { platformTransport } = await import('./transport.ts');
    // The dispatcher has its own idea of how long connecting may take.
    const transport = platformTransport(0, opened.dispatcher);
    return { fetch: withEditorCredentials(transport, editor), close: () => opened.close() };
  }

  /** The route to an instance by the present settings. */
  resolveRoute(instanceUrl: string): ResolvedRoute {
    const url = new URL(instanceUrl);
    const settings = readNetworkSettings();
    const route = resolveRoute(url, settings, process.env);
    const needsRoots = url.protocol === 'https:' || (route.kind === 'proxy' && route.proxy.origin.startsWith('https:'));
    return {
      route,
      proxyStrictSSL: settings.proxyStrictSSL,
      roots: needsRoots ? trustedRoots(settings.systemCertificates) : [],
    };
  }

  /**
   * What `beacon.tls` says of an instance, with the files that it names.
   *
   * @throws TlsSettingError if it cannot be used.
   */
  async tlsOf(instanceUrl: string): Promise<InstanceTls> {
    const all = readTlsSetting();
    const entry = tlsEntryOf(all, instanceUrl);
    const setting = entry === undefined ? undefined : all[entry];
    if (entry === undefined || !setting) {
      return {};
    }
    const passphrase = lockedFile(setting) === undefined ? undefined : await this.passphrases.of(entry);
    return loadInstanceTls(setting, instanceUrl, passphrase);
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }
}

/** The editor reads the same setting and variables, but for one. */
function editorKnows(proxy: Proxy): boolean {
  return !speaksSocks(proxy) && proxy.source !== 'ALL_PROXY';
}

/** A route for the log: in English, without credentials. */
function routeLabel(route: Route): string {
  switch (route.kind) {
    case 'direct':
      return `direct (${route.reason})`;
    case 'proxy':
      return `by the proxy ${proxyName(route.proxy)} (${route.proxy.source}${route.proxy.authorization === undefined ? '' : ', with credentials'})`;
    case 'editor':
      return 'as the editor finds it';
    case 'unusable':
      return `by no proxy that could be used (${route.source})`;
  }
}

function tlsLabel(tls: InstanceTls): string {
  const names = Object.keys(tls).filter((name) => name !== 'passphrase');
  return names.length === 0 ? '' : `, beacon.tls with ${names.join(', ')}`;
}

/** Starts a sandbox instance in this process, reached by HTTP. */
export async function startSandbox(options: AppOptions): Promise<Pick<Sandbox, 'url' | 'tokens' | 'close'>> {
  const server = await import('../../sandbox/server.ts');
  return await server.startSandbox(options);
}
