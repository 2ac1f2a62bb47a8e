import * as vscode from 'vscode';
import type { NetworkSettings } from './route.ts';
import { type InstanceTlsSetting, tlsEntryOf } from './tlsSetting.ts';

/** The settings that affect routing. */
const sections = [
  'http.proxy',
  'http.proxyAuthorization',
  'http.noProxy',
  'http.proxyStrictSSL',
  'http.proxySupport',
  'http.systemCertificates',
  'beacon.tls',
];

/** Reads what the user set about proxies; what a workspace says is not looked at. */
export function readNetworkSettings(): NetworkSettings {
  const authorization = personal<string | null>('http', 'proxyAuthorization');
  const exceptions = personal<unknown>('http', 'noProxy');
  return {
    proxySupport: String(personal('http', 'proxySupport') ?? 'override'),
    proxy: String(personal('http', 'proxy') ?? ''),
    proxyAuthorization: authorization || undefined,
    noProxy: Array.isArray(exceptions) ? exceptions.map(String) : [],
    proxyStrictSSL: personal('http', 'proxyStrictSSL') !== false,
    systemCertificates: personal('http', 'systemCertificates') !== false,
  };
}

/** Reads the setting `beacon.tls`: what is trusted and shown, by instance. */
export function readTlsSetting(): Readonly<Record<string, InstanceTlsSetting>> {
  const entries = Object.entries(objectOf(personal('beacon', 'tls')));
  return Object.fromEntries(entries.map(([key, entry]) => [key, textsOf(objectOf(entry))]));
}

/** Trusts a certificate for one instance, in the user's own settings. */
export async function trustFingerprint(instanceUrl: string, fingerprint: string): Promise<void> {
  const all = readTlsSetting();
  const key = tlsEntryOf(all, instanceUrl) ?? new URL(instanceUrl).host;
  await vscode.workspace
    .getConfiguration('beacon')
    .update('tls', { ...all, [key]: { ...all[key], fingerprint } }, vscode.ConfigurationTarget.Global);
}

/** Whether a change of settings affects the route to an instance. */
export function affectsRouting(event: vscode.ConfigurationChangeEvent): boolean {
  return sections.some((section) => event.affectsConfiguration(section));
}

/** The value that a user chose for all workspaces, or the default: no workspace decides where a token goes. */
export function personal<T>(section: string, key: string): T | undefined {
  const found = vscode.workspace.getConfiguration(section).inspect<T>(key);
  return found?.globalValue ?? found?.defaultValue;
}

/** A settings file may hold anything: what is no object counts as an empty one. */
function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function textsOf(entry: object): InstanceTlsSetting {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value === 'string' && value !== ''));
}
