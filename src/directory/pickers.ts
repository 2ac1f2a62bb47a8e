import * as vscode from 'vscode';
import type { Connection } from '../accounts/connections.ts';
import type { GroupRecord, ProjectRecord } from '../api/directory.ts';
import type { UserRecord } from '../api/users.ts';
import { groupSource, projectSource, userSource } from './sources.ts';
import { pick } from './recordPicker.ts';

/** What a picker says of itself. */
export interface PickerOptions {
  readonly title: string;
  /** What was typed already. */
  readonly text?: string;
}

/**
 * Lets the person choose a project: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickProject(connection: Connection, options: PickerOptions): Promise<ProjectRecord | undefined> {
  return await pick(projectSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search projects, or type an ID or a full path such as group/project'),
    describe: ({ path_with_namespace: path, name }) => ({ label: path, description: name }),
    icon: 'repo',
  });
}

/**
 * Lets the person choose a group: by searching as they type, by numeric id, full path or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickGroup(connection: Connection, options: PickerOptions): Promise<GroupRecord | undefined> {
  return await pick(groupSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search groups, or type an ID or a full path such as group/subgroup'),
    describe: ({ full_path: path, name }) => ({ label: path, description: name }),
    icon: 'organization',
  });
}

/**
 * Lets the person choose a user: by searching as they type, by numeric id, username or web address.
 *
 * @returns undefined if they gave up.
 */
export async function pickUser(connection: Connection, options: PickerOptions): Promise<UserRecord | undefined> {
  return await pick(userSource(connection), {
    ...options,
    placeholder: vscode.l10n.t('Search users, or type an ID or a username'),
    describe: ({ username, name }) => ({ label: name, description: `@${username}` }),
    icon: 'person',
  });
}
