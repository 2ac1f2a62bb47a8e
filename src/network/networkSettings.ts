import * as vscode from 'vscode';
import { isLoopback } from '../common/instanceUrl.ts';

/** What `beacon.tls` holds for one instance. Paths are absolute or begin with `~`. */
export interface InstanceTlsSetting {
  /** A PEM file of authorities to trust besides the others. */
  readonly ca?: string;
  /** A PEM file with the certificate to show to the instance, and those that vouch for it. */
  readonly certificate?: string;
  readonly key?: string;
  /** A PKCS #12 file with both, instead of them. */
  readonly pfx?: string;
  /** The SHA-256 fingerprint of the one certificate to trust, by any issuer. */
  readonly fingerprint?: string;
}

/** The settings that affect routing: the editor heeds the others for each request. */
const sections = ['http.proxySupport', 'http.systemCertificates', 'beacon.tls'];

/** Whether no proxy is asked for on the way to an instance; else the editor finds out. */
export function isDirect({ hostname }: URL): boolean {
  return isLoopback(hostname) || personal('http', 'proxySupport') === 'off';
}

export function readTlsSetting(): Readonly<Record<string, InstanceTlsSetting>> {
  const entries = Object.entries(objectOf(personal('beacon', 'tls')));
  return Object.fromEntries(
    entries.map(([key, entry]) => {
      const texts = Object.entries(objectOf(entry)).filter(([, value]) => typeof value === 'string' && value !== '');
      return [key, Object.fromEntries(texts)];
    }),
  );
}

export async function trustFingerprint(instanceUrl: string, fingerprint: string): Promise<void> {
  const all = readTlsSetting();
  const key = tlsEntryOf(all, instanceUrl) ?? new URL(instanceUrl).host;
  await vscode.workspace
    .getConfiguration('beacon')
    .update('tls', { ...all, [key]: { ...all[key], fingerprint } }, vscode.ConfigurationTarget.Global);
}

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

/** The key of the entry of `beacon.tls` for an instance: its URL or its host, with or without the port. */
export function tlsEntryOf(all: Readonly<Record<string, InstanceTlsSetting>>, instanceUrl: string): string | undefined {
  const { host, hostname } = new URL(instanceUrl);
  const entries = Object.keys(all);
  return [instanceUrl, host, hostname]
    .map((name) => entries.find((entry) => canonicalEntry(entry) === canonicalEntry(name)))
    .find((entry) => entry !== undefined);
}

/** The key of an entry in one spelling of several: without the scheme and the slash at the end. */
export function canonicalEntry(entry: string): string {
  return entry
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** The file of an entry that may need a passphrase: the key, or both in one. */
export function lockedFile({ key, pfx }: InstanceTlsSetting): string | undefined {
  return pfx ?? key;
}
