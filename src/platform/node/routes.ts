import * as vscode from 'vscode';
import type { OpenTransport } from '../../api/transport.ts';
import { instanceName } from '../../common/instanceUrl.ts';
import { editorFetch, editorHttps } from './editorFetch.ts';
import { connectTo, openTransport } from './transport.ts';
import {
  affectsRouting,
  isDirect,
  lockedFile,
  personal,
  readTlsSetting,
  tlsEntryOf,
} from '../../network/networkSettings.ts';
import { Passphrases } from '../../network/passphrases.ts';
import { type InstanceTls, loadInstanceTls, trustedRoots } from '../../network/tls.ts';
import type { AppOptions } from '../../sandbox/app.ts';
import type { Sandbox } from '../../sandbox/server.ts';

export class Network implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly passphrases: Passphrases;
  readonly commands: Passphrases['commands'];
  /** Fires when a route may have changed, so that clients have to be created again. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
    this.#log = log;
    this.passphrases = new Passphrases(secrets);
    this.commands = this.passphrases.commands;
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affectsRouting(event)) {
          this.passphrases.updateContext();
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
   * Where no proxy is asked for, undici. Otherwise the editor's `fetch`, which finds the proxy. Its `node:https` where `beacon.tls` says
   * something of the instance; also where NODE_EXTRA_CA_CERTS adds certificates, of which its `fetch` knows nothing, or where a SOCKS
   * proxy is named, to which its `fetch` speaks TLS in vain. Sends nothing itself.
   *
   * @throws TlsSettingError if the setting cannot be used.
   */
  async createTransport(instanceUrl: string): Promise<OpenTransport> {
    const url = new URL(instanceUrl);
    const direct = isDirect(url);
    const tls = await this.tlsOf(instanceUrl);
    const isSecure = url.protocol === 'https:';
    const roots = isSecure ? trustedRoots(personal('http', 'systemCertificates') !== false) : [];
    const route = direct ? 'direct' : 'as the editor finds it';
    this.#log.info(`Requests to ${instanceName(instanceUrl)}: ${route}${tlsLabel(tls)}`);
    const isBeyondFetch = process.env['NODE_EXTRA_CA_CERTS'] !== undefined || namesSocks();
    if (isSecure && (Object.keys(tls).length > 0 || (!direct && isBeyondFetch))) {
      return { fetch: editorHttps(roots, tls), close: async () => undefined };
    }
    if (direct) {
      return openTransport(connectTo(roots));
    }
    return { fetch: editorFetch, close: async () => undefined };
  }

  /** What `beacon.tls` says of an instance, with the files that it names. @throws TlsSettingError */
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

/** Whether the proxy that the settings name, or else the environment, is a SOCKS one. */
function namesSocks(): boolean {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = process.env;
  const setting = personal('http', 'proxy');
  const named = typeof setting === 'string' && setting !== '' ? setting : undefined;
  return /^socks/i.test(named ?? https_proxy ?? HTTPS_PROXY ?? http_proxy ?? HTTP_PROXY ?? '');
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
