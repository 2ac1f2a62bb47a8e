import * as vscode from 'vscode';
import type { ToForm } from '../../../src/notifications/form/messages.ts';
import type { ToOverview } from '../../../src/notifications/overview/messages.ts';
import { type NotificationScope, scopeKey } from '../../../src/notifications/settings/settings.ts';
import { type OpenWebview, webviews } from '../host/editor.ts';
import { type Instance, projects } from '../host/instance.ts';
import { time } from '../time/globals.ts';
import { accountIdOf, usernames } from './accounts.ts';
import type { Action } from './action.ts';
import { permitChange, permitUndo, settingsPath } from './permissions.ts';
import type { UserAction } from './userAction.ts';

const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;
const events = ['new_note', 'new_issue', 'close_issue', 'failed_pipeline', 'push_to_merge_request'] as const;
const groups = [
  { id: 11, path: 'harbor' },
  { id: 12, path: 'harbor/tools' },
] as const;

/** A scope that the user of an account may see. */
function randomScope({ random }: Action, accountId: string): NotificationScope {
  const kind = random.pick(['global', 'group', 'project', 'project'] as const);
  if (kind === 'global') {
    return { kind, accountId };
  }
  return { kind, accountId, ...random.pick(kind === 'group' ? groups : projects) };
}

/** Waits until a page shows what a test asks for, a minute at most. */
async function shown<T>(
  page: string,
  test: (state: T) => boolean,
): Promise<{ page: OpenWebview; state: T } | undefined> {
  for (let second = 0; second < 60; second += 1) {
    const open = webviews.get(page);
    const state = open?.state as T | undefined;
    if (open && state !== undefined && test(state)) {
      return { page: open, state };
    }
    await time.wait(1000);
  }
  return undefined;
}

const form = 'beacon.notificationSettings';
const overview = 'beacon.notificationOverview';

async function changeByForm(action: Action, instance: Instance): Promise<void> {
  const { random } = action;
  const scope = randomScope(action, accountIdOf(random.pick(usernames), instance));
  const key = scopeKey(scope);
  await vscode.commands.executeCommand('beacon.notifications.open', scope);
  webviews.get(form)?.send({ type: 'ready' });
  const isReady = (state: ToForm): boolean => state.scopeKey === key && state.phase === 'ready';
  const open = await shown<ToForm>(form, (state) => isReady(state) && state.settings !== undefined);
  if (!open) {
    return;
  }
  for (let edits = random.integer(1, 3); edits > 0; edits -= 1) {
    const edit = random.pick([
      { level: random.pick(levels) },
      { level: 'custom' },
      { [random.pick(events)]: random.pick([true, false, null]) },
    ]);
    open.page.send({ type: 'edit', scope: key, edit });
    await time.wait(random.integer(1, 8) * 1000);
  }
  await save(action, scope);
  if (random.next() < 0.25) {
    const after = await shown<ToForm>(form, isReady);
    if (after?.state.undo) {
      permitUndo(action, scope, ['level', 'notification_email', ...Object.keys(after.state.settings?.flags ?? {})]);
      after.page.send({ type: 'act', action: 'undo', scope: key });
      await shown<ToForm>(form, isReady);
    }
  }
}

/** Saves what is chosen, or discards it; a conflict is resolved and saved again. */
async function save(action: Action, scope: NotificationScope): Promise<void> {
  const { random } = action;
  const key = scopeKey(scope);
  for (let tries = 0; tries < 3; tries += 1) {
    const open = await shown<ToForm>(form, (state) => state.scopeKey === key && state.phase === 'ready');
    if (!open?.state.settings) {
      return;
    }
    const { page } = open;
    // The page may have been hidden, and have missed what changed meanwhile.
    page.send({ type: 'ready' });
    const state = page.state as ToForm;
    if (state.scopeKey !== key || !state.settings) {
      return;
    }
    if (state.conflict) {
      page.send({ type: 'resolve', scope: key, discardedFields: random.next() < 0.5 ? ['level'] : [] });
      await time.wait(2000);
      continue;
    }
    if (random.next() < 0.1) {
      page.send({ type: 'act', action: 'discard', scope: key });
      return;
    }
    permitChange(action, scope, state.draft);
    page.send({ type: 'act', action: 'save', scope: key });
    await time.wait(3000);
    const after = await shown<ToForm>(form, (now) => now.scopeKey !== key || now.phase === 'ready');
    if (!after?.state.conflict) {
      return;
    }
  }
}

async function changeByOverview({ random }: Action): Promise<void> {
  await vscode.commands.executeCommand('beacon.notifications.overview');
  webviews.get(overview)?.send({ type: 'ready' });
  await time.wait(1000);
  const open = await shown<ToOverview>(overview, ({ phase, rows }) => phase === 'ready' && rows.length > 0);
  const rows = (open?.state.rows ?? []).filter(({ level }) => level !== undefined);
  if (!open || rows.length === 0) {
    return;
  }
  if (random.next() < 0.3) {
    open.page.send({ type: 'act', action: 'reload' });
    return;
  }
  const changes = Array.from({ length: random.integer(1, 3) }, () => ({
    key: random.pick(rows).key,
    level: random.pick(levels.filter((level) => level !== 'custom' && level !== 'global')),
  }));
  open.page.send({ type: 'change', changes });
  await time.wait(30_000);
}

function command(name: string, weight: number): UserAction {
  return {
    name: `notifications: ${name}`,
    weight,
    run: async () => await vscode.commands.executeCommand(`beacon.notifications.${name}`),
  };
}

export const notificationActions: readonly UserAction[] = [
  { name: 'change notification settings by the form', weight: 9, run: changeByForm },
  { name: 'change notification levels by the overview', weight: 3, run: changeByOverview },
  command('saveProfile', 1.5),
  command('applyProfile', 3),
  command('manageProfiles', 1.5),
  command('estimateNoise', 1),
];

/** Someone changes a setting on the instance itself. */
export async function changeElsewhere(action: Action, instance: Instance): Promise<void> {
  const { random } = action;
  const username = random.pick(usernames);
  const scope = randomScope(action, accountIdOf(username, instance));
  const body = { level: random.pick(levels.filter((level) => level !== 'global')) };
  // They meet the same faults, and cancel.
  await instance.call(username, settingsPath(scope), 'PUT', body).catch(() => undefined);
}
