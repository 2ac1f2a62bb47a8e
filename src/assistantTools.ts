import { ReadActivityTool } from './activity/readActivityTool.ts';
import type { App } from './app.ts';
import { ToolRunner } from './assistants/toolRunner.ts';
import { ListClientKeysTool } from './errorTracking/tool.ts';
import type { SettingsService } from './notifications/settingsService.ts';
import { ChangeNotificationLevelTool, ReadNotificationSettingsTool } from './notifications/tool.ts';

/** The tools of all features for language models, by their names in the manifest. @param service that of the page, which follows what it changes. */
export function assistantTools(app: App, service: SettingsService) {
  return new ToolRunner(
    {
      beacon_read_activity: new ReadActivityTool(app),
      beacon_read_notification_settings: new ReadNotificationSettingsTool(app, service),
      beacon_change_notification_level: new ChangeNotificationLevelTool(app, service),
      beacon_list_client_keys: new ListClientKeysTool(app),
    },
    app.log,
  );
}
