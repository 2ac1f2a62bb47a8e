import type { NotificationScope, Plan } from '../../support/notificationPage.ts';
import type { Action } from './action.ts';

/** A PUT may be repeated when its answer gets lost. */
const repetitions = 6;

/** The path of the settings of a scope, without `/api/v4`. */
export function settingsPath(scope: NotificationScope): string {
  return scope.kind === 'global' ? '/notification_settings' : `/${scope.kind}s/${scope.id}/notification_settings`;
}

/** The key of a scope in messages of the page of its settings. */
export function scopeKey(scope: NotificationScope): string {
  return [scope.accountId, scope.kind, ...('id' in scope ? [scope.id] : [])].join(' ');
}

/** The user of an account, by its id. */
export function usernameOf(accountId: string): string {
  return accountId.split('@')[0] ?? '';
}

/** Allows what a user saves in a form: these fields with these values. */
export function permitChange(
  action: Action,
  scope: NotificationScope,
  change: Readonly<Record<string, unknown>>,
): void {
  action.permit({
    username: usernameOf(scope.accountId),
    methods: ['PUT'],
    path: settingsPath(scope),
    accepts: (body) => Object.entries(body).every(([field, value]) => field in change && same(change[field], value)),
    times: repetitions,
  });
}

/** Allows to set the notification level of a project. */
export function permitLevel(action: Action, username: string, projectId: number, level: string): void {
  action.permit({
    username,
    methods: ['PUT'],
    path: `/projects/${projectId}/notification_settings`,
    accepts: (body) => same(body['level'], level) && Object.keys(body).length === 1,
    times: repetitions,
  });
}

/** Allows what a user takes back: these fields, with whatever values they had. */
export function permitUndo(action: Action, scope: NotificationScope, fields: readonly string[]): void {
  action.permit({
    username: usernameOf(scope.accountId),
    methods: ['PUT'],
    path: settingsPath(scope),
    accepts: (body) => Object.keys(body).every((field) => fields.includes(field)),
    times: repetitions,
  });
}

/** Allows plans that a user has reviewed, and to put back later what was there before. */
export function permitPlans(action: Action, plans: readonly Plan[]): void {
  for (const { scope, change, expected: before } of plans) {
    permitChange(action, scope, change);
    action.permitForever({
      username: usernameOf(scope.accountId),
      methods: ['PUT'],
      path: settingsPath(scope),
      accepts: (body) => Object.entries(body).every(([field, value]) => same(before[field], value)),
      times: repetitions,
    });
  }
}

/** Allows what the button of a message does: what its action has allowed once more, or to take that back. */
export function permitButton(action: Action | undefined, button: string): void {
  if (button.startsWith('Try Again')) {
    action?.permitAgain();
  } else if (button.startsWith('Undo')) {
    action?.permitBack();
  }
}

/** Allows one new client key. */
export function permitKey(action: Action, username: string, projectId: number): void {
  const path = `/projects/${projectId}/error_tracking/client_keys`;
  action.permit({ username, methods: ['POST'], path, times: 1 });
}

/** Allows to delete a client key. */
export function permitDeletion(action: Action, username: string, projectId: number, keyId: number): void {
  const path = `/projects/${projectId}/error_tracking/client_keys/${keyId}`;
  action.permit({ username, methods: ['DELETE'], path, times: 1 });
}

/** Allows to replace a client key by a new one, whenever that gets to its end. */
export function permitRotation(action: Action, username: string, projectId: number, keyId: number): void {
  permitKey(action, username, projectId);
  const path = `/projects/${projectId}/error_tracking/client_keys/${keyId}`;
  action.permitForever({ username, methods: ['DELETE'], path, times: 1, isRotation: true });
}

/** Allows to change the error tracking settings of a project, and to take that back. */
export function permitSwitches(action: Action, username: string, projectId: number, active: boolean): void {
  const path = `/projects/${projectId}/error_tracking/settings`;
  action.permit({
    username,
    methods: ['PUT', 'PATCH'],
    path,
    accepts: (body) => same(body['active'], active),
    times: repetitions,
  });
}

/** Parameters come as JSON or as text. */
function same(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}
