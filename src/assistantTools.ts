import type * as vscode from 'vscode';
import type { Connections } from './accounts/connections.ts';
import type { WorkspaceProjects } from './accounts/workspaceProjects.ts';
import { ReadActivityTool } from './activity/readActivityTool.ts';
import type { App } from './app.ts';
import { ToolRunner } from './assistants/toolRunner.ts';
import { systemClock } from './common/clock.ts';
import { ListClientKeysTool } from './errorTracking/tool.ts';
import { ChangeNotificationLevelTool, ReadNotificationSettingsTool } from './notifications/assistantTools.ts';
import type { SettingsEngine } from './notifications/settings/engine.ts';

/** What the tools depend on. */
export interface AssistantToolsDeps {
  readonly app: App;
  readonly connections: Connections;
  readonly workspaceProjects: WorkspaceProjects;
  readonly log: vscode.LogOutputChannel;
  /** That of the pages, which follow what it changes. */
  readonly engine: SettingsEngine;
}

/** The tools of all features for language models, by their names in the manifest. */
export function assistantTools({ app, connections, workspaceProjects, log, engine }: AssistantToolsDeps) {
  const notifications = { connections, engine };
  return new ToolRunner(
    {
      beacon_read_activity: new ReadActivityTool({ connections, workspaceProjects, clock: systemClock }),
      beacon_read_notification_settings: new ReadNotificationSettingsTool(notifications),
      beacon_change_notification_level: new ChangeNotificationLevelTool(notifications),
      beacon_list_client_keys: new ListClientKeysTool(app),
    },
    log,
  );
}
