import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import type { NotificationSettingsRecord } from '../../api/notificationSettings.ts';
import { notificationEvents } from '../../api/notificationVocabulary.ts';
import { badValue, type RequestState, requireScope, visible } from '../authentication.ts';
import { booleanParameter, declaredParameters, textParameter } from '../parameters.ts';
import { type Dialect, type User, verifiedEmails } from '../state/model.ts';
import {
  documentedEvents,
  flagOf,
  isNotificationLevel,
  liveEvents,
  type NotificationPlace,
  type Tier,
} from '../state/notificationSettings.ts';
import type { World } from '../state/world.ts';

const reading = { name: 'Notification Setting: Read', boundary: 'user' } as const;
const updating = { name: 'Notification Setting: Update', boundary: 'user' } as const;

/**
 * The notification settings of the caller.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export function notificationSettingRoutes(world: World, dialect: Dialect, tier: Tier): Hono<RequestState> {
  const { notificationSettings } = world;
  const live = dialect === 'live';
  const places: Readonly<Record<string, (user: User, id: string) => NotificationPlace>> = {
    '': () => 'global',
    '/groups/:id': (user, id) => visible(world, user, world.group(id), 'Group'),
    '/projects/:id': (user, id) => visible(world, user, world.project(id), 'Project'),
  };

  /** Settings as a record. On the live platform global settings show their events, too. */
  function recordOf(user: User, place: NotificationPlace): NotificationSettingsRecord {
    const setting = notificationSettings.of(user, place);
    const showsEvents = setting.level === 'custom' && (place !== 'global' || live);
    const events = live ? liveEvents(place, tier) : documentedEvents(tier);
    return {
      level: setting.level,
      ...(place === 'global' ? { notification_email: setting.email ?? user.email } : {}),
      ...(showsEvents ? { events: Object.fromEntries(events.map((event) => [event, flagOf(setting, event)])) } : {}),
    };
  }

  /** Applies all parameters of a request, or none if one is refused. */
  async function update(context: Context, user: User, place: NotificationPlace): Promise<void> {
    const known = live ? liveEvents(place, tier) : writableEvents(tier);
    const { level, notification_email: email, ...flags } = await declaredParameters(context, updateSchema(known));
    if (level !== undefined && !isNotificationLevel(level)) {
      throw badValue(`'${level}' is not a valid level`);
    }
    if (place === 'global' && email && !verifiedEmails(user).includes(email)) {
      throw badValue({ notification_email: ['must be an email you have verified'] });
    }
    const setting = notificationSettings.of(user, place);
    setting.level = level ?? setting.level;
    if (place === 'global' && email !== undefined) {
      setting.email = email || undefined;
    }
    for (const [event, flag] of Object.entries(flags)) {
      if (typeof flag === 'boolean') {
        setting.flags.set(event, flag);
      }
    }
  }

  const routes = new Hono<RequestState>();
  for (const [path, placeOf] of Object.entries(places)) {
    routes.get(`${path}/notification_settings`, requireScope(reading, 'api'), (context) => {
      const { user } = context.get('token');
      return context.json(recordOf(user, placeOf(user, context.req.param('id') ?? '')));
    });
    routes.put(`${path}/notification_settings`, requireScope(updating, 'api'), async (context) => {
      const { user } = context.get('token');
      const place = placeOf(user, context.req.param('id') ?? '');
      await update(context, user, place);
      return context.json(recordOf(user, place));
    });
  }
  return routes;
}

/** The events that can be set in the API documentation's words, `approver` among them. */
function writableEvents(tier: Tier): readonly string[] {
  return notificationEvents.filter((event) => event !== 'new_epic' || tier !== 'free');
}

function updateSchema(events: readonly string[]) {
  // Which flags there are depends on place and tier, so the type does not name them.
  const flags: object = Object.fromEntries(events.map((event) => [event, z.optional(booleanParameter)]));
  return z.object({
    ...flags,
    level: z.optional(textParameter),
    notification_email: z.optional(textParameter),
  });
}
