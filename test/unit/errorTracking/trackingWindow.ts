import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { TestWindow, type WindowOptions } from '../../support/testWindow.ts';

/** The view of error tracking, and the project that its tests are about. */
export const trackingView = 'beacon.errorTracking';
export const trackedProject = { id: 501, path: 'harbor/tide-table' };

/** A client key as the instance has it. */
export interface KeyRecord {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly tracker_dsn: string;
}

/** How a key is called in rows and sentences. */
export function shortName({ public_key: key }: Pick<KeyRecord, 'public_key'>): string {
  return `${key.slice(0, 9)}…${key.slice(-4)}`;
}

/** A window that shows the keys of the project, which it has pinned; with the one that is active there and the other one. */
export async function openTracking(options: WindowOptions = {}): Promise<readonly [TestWindow, KeyRecord, KeyRecord]> {
  const window = await TestWindow.open({ signedInAs: 'owner', ...options });
  await pin(window, trackedProject.path);
  await window.row(trackingView, /^glet_/);
  const [key, inactive] = await keysOf(window);
  assert.ok(key?.active === true && inactive?.active === false);
  return [window, key, inactive];
}

export async function pin(window: TestWindow, path: string): Promise<void> {
  window.answer('Pin Project', { type: path, next: path });
  await window.run('beacon.errorTracking.pinProject');
}

/** Makes the workspace a repository of git, which the Git extension has open. */
export function makeRepository(window: TestWindow): void {
  execFileSync('git', ['init', '-q'], { cwd: window.path('').fsPath });
  window.repositories.open({ folder: window.path(''), remotes: {} });
}

export const keysPath = `/projects/${trackedProject.id}/error_tracking/client_keys`;

/** Opens the repository of a project in the Git extension, and waits until its row is the first. */
export async function openProject(window: TestWindow, path: string, folder = window.path('')): Promise<void> {
  window.repositories.open({ folder, remotes: { origin: `${window.sandbox.url}/${path}.git` } });
  await window.until(async () => (await window.rows(trackingView))[0]?.startsWith(`${path} this workspace`));
}

export async function keysOf(window: TestWindow): Promise<readonly KeyRecord[]> {
  return await window.elsewhere(keysPath);
}

export async function createKey(window: TestWindow): Promise<KeyRecord> {
  return await window.elsewhere(keysPath, {}, 'POST');
}

/** One more key, which the window knows. */
export async function addKey(window: TestWindow): Promise<KeyRecord> {
  const key = await createKey(window);
  await window.run('beacon.errorTracking.refresh');
  return key;
}

export async function deleteKey(window: TestWindow, { id }: Pick<KeyRecord, 'id'>): Promise<void> {
  await window.elsewhere(`${keysPath}/${id}`, undefined, 'DELETE');
}
