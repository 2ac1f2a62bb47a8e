import * as vscode from 'vscode';
import { type OpenWebview, webviews } from '../host/editor.ts';
import { groups, type Instance, projects } from '../host/instance.ts';
import { time } from '../time/globals.ts';
import type { NotificationScope, ToPage } from '../../support/notificationPage.ts';
import { accountIdOf, usernames } from './accounts.ts';
import type { Action } from './action.ts';
import { permitButton, permitChange, permitUndo, scopeKey, settingsPath } from './permissions.ts';
import type { UserAction } from './userAction.ts';

const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;
const events = ['new_note', 'new_issue', 'close_issue', 'failed_pipeline', 'push_to_merge_request'] as const;

/** A scope that the user of an account may see. */
function randomScope({ random }: Action, accountId: string): NotificationScope {
  const kind = random.pick(['global', 'group', 'project', 'project'] as const);
  if (kind === 'global') {
    return { kind, accountId };
  }
  return { kind, accountId, ...random.pick(kind === 'group' ? groups : projects) };
}

const pageType = 'beacon.notificationSettings';

/** Waits until the page shows what a test asks for, a minute at most. */
async function shown(
  test: (state: ToPage) => boolean,
): Promise<{ readonly page: OpenWebview; readonly state: ToPage } | undefined> {
  for (let second = 0; second < 60; second += 1) {
    const page = webviews.get(pageType);
    const state = page?.state as ToPage | undefined;
    if (page && state !== undefined && test(state)) {
      return { page, state };
    }
    await time.wait(1000);
  }
  return undefined;
}

function isReady({ phase }: ToPage): boolean {
  return phase === 'ready';
}

/** What the page would send of a scope, by its form. */
function draftOf({ form }: ToPage): Readonly<Record<string, unknown>> {
  const { level, email, subjects = [] } = form?.fields ?? {};
  const flags = subjects.flatMap((subject) => subject.events.map(({ event, isOn }) => [event, isOn === true] as const));
  return { level, notification_email: email?.value, ...Object.fromEntries(flags) };
}

async function changeByForm(action: Action, instance: Instance): Promise<void> {
  const { random } = action;
  const scope = randomScope(action, accountIdOf(random.pick(usernames), instance));
  const key = scopeKey(scope);
  await vscode.commands.executeCommand('beacon.notifications.open', scope);
  webviews.get(pageType)?.send({ type: 'ready' });
  const isOf = (state: ToPage): boolean => isReady(state) && state.form?.keys.join() === key;
  const open = await shown((state) => isOf(state) && state.form?.fields !== undefined);
  if (!open) {
    return;
  }
  // The page may show what was chosen last only after it was asked to save that.
  let chosen: Readonly<Record<string, unknown>> = {};
  for (let edits = random.integer(1, 3); edits > 0; edits -= 1) {
    const edit = random.pick([
      { level: random.pick(levels) },
      { level: 'custom' },
      { [random.pick(events)]: random.pick([true, false, null]) },
    ]);
    chosen = { ...chosen, ...edit };
    open.page.send({ type: 'edit', keys: [key], edit });
    await time.wait(random.integer(1, 8) * 1000);
  }
  for (let tries = 0; tries < 3; tries += 1) {
    // With the level Custom come the events that an earlier draft holds.
    const hasLevel = ({ form }: ToPage): boolean => form?.fields?.level === (chosen['level'] ?? form?.fields?.level);
    const now = await shown((state) => isOf(state) && hasLevel(state));
    if (!now) {
      return;
    }
    if ((now.state.form?.conflicts.length ?? 0) > 0) {
      const isKept = random.next() < 0.5;
      chosen = isKept ? chosen : {};
      now.page.send({ type: isKept ? 'keep' : 'discard', keys: [key] });
      await time.wait(2000);
      continue;
    }
    if (random.next() < 0.1) {
      now.page.send({ type: 'discard', keys: [key] });
      return;
    }
    // A save would send what another action has left as well.
    const left = now.state.changes.map((change) => change.key).filter((one) => one !== key);
    if (left.length > 0) {
      now.page.send({ type: 'discard', keys: left });
      await time.wait(2000);
      continue;
    }
    permitChange(action, scope, { ...draftOf(now.state), ...chosen });
    now.page.send({ type: 'save', seen: now.state.seen });
    await time.wait(3000);
    const after = await shown(isReady);
    const button = after?.state.message?.actions[0];
    if (after && button !== undefined && random.next() < 0.25) {
      if (button === 'Undo') {
        permitUndo(action, scope, ['level', 'notification_email', ...Object.keys(draftOf(after.state)), ...events]);
      }
      permitButton(action, button);
      after.page.send({ type: 'answer', title: button });
      await shown(isReady);
    }
    if ((after?.state.changes.length ?? 0) === 0) {
      return;
    }
  }
}

async function changeSeveral(action: Action): Promise<void> {
  const { random } = action;
  await vscode.commands.executeCommand('beacon.notifications.open');
  webviews.get(pageType)?.send({ type: 'ready' });
  const open = await shown((state) => isReady(state) && state.isAll && state.rows.length > 1);
  const rows = (open?.state.rows ?? []).filter(({ level }) => level !== '');
  if (!open || rows.length === 0) {
    return;
  }
  if (random.next() < 0.3) {
    open.page.send({ type: 'act', action: random.pick(['reload', 'mails']) });
    return;
  }
  const keys = Array.from({ length: random.integer(1, 3) }, () => random.pick(rows).key);
  const level = random.pick(levels.filter((one) => one !== 'custom' && one !== 'global'));
  open.page.send({ type: 'select', keys });
  open.page.send({ type: 'edit', keys, edit: { level } });
  await time.wait(5000);
  const now = await shown(isReady);
  // What was left by another action is not sent by this one.
  if (now && now.state.changes.every(({ key }) => keys.includes(key))) {
    for (const key of new Set(keys)) {
      const [accountId = '', kind = '', id = ''] = key.split(' ');
      const owner = { accountId, id: Number(id), path: '' };
      permitChange(
        action,
        kind === 'global' ? { kind, accountId } : { ...owner, kind: kind === 'group' ? kind : 'project' },
        { level },
      );
    }
    now.page.send({ type: 'save', seen: now.state.seen });
    await time.wait(10_000);
  }
}

function command(name: string, weight: number): UserAction {
  return {
    name: `notifications: ${name}`,
    weight,
    run: async () => await vscode.commands.executeCommand(`beacon.notifications.${name}`),
  };
}

let isPageInUse = false;

/** An action on the page, which is left out while another one is under way: that one would save what this one has chosen. */
function onPage(run: UserAction['run']): UserAction['run'] {
  return async (action, instance) => {
    if (isPageInUse) {
      return;
    }
    isPageInUse = true;
    await run(action, instance).finally(() => (isPageInUse = false));
  };
}

export const notificationActions: readonly UserAction[] = [
  { name: 'change notification settings by the form', weight: 9, run: onPage(changeByForm) },
  { name: 'change notification levels of several scopes', weight: 3, run: onPage(changeSeveral) },
  command('manageProfiles', 6),
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
