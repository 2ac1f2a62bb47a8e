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
  type NotificationSettingStore,
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
  const settings = new Settings(world.notificationSettings, dialect, tier);
  const places: Readonly<Record<string, (user: User, id: string) => NotificationPlace>> = {
    '': () => 'global',
    '/groups/:id': (user, id) => visible(world, user, world.group(id), 'Group'),
    '/projects/:id': (user, id) => visible(world, user, world.project(id), 'Project'),
  };
  const routes = new Hono<RequestState>();
  for (const [path, place] of Object.entries(places)) {
    routes.get(`${path}/notification_settings`, requireScope(reading, 'api'), (context) => {
      const { user } = context.get('token');
      return context.json(settings.record(user, place(user, context.req.param('id') ?? '')));
    });
    routes.put(`${path}/notification_settings`, requireScope(updating, 'api'), (context) => {
      const { user } = context.get('token');
      return settings.update(context, user, place(user, context.req.param('id') ?? ''));
    });
  }
  return routes;
}

/** Reads and changes settings by the names of one dialect. */
class Settings {
  readonly #dialect: Dialect;
  readonly #tier: Tier;
  readonly #store: NotificationSettingStore;

  constructor(store: NotificationSettingStore, dialect: Dialect, tier: Tier) {
    this.#store = store;
    this.#dialect = dialect;
    this.#tier = tier;
  }

  /** Settings as a record. On the live platform global settings show their events, too. */
  record(user: User, place: NotificationPlace): NotificationSettingsRecord {
    const setting = this.#store.of(user, place);
    const live = this.#dialect === 'live';
    const showsEvents = setting.level === 'custom' && (place !== 'global' || live);
    const events = live ? liveEvents(place, this.#tier) : documentedEvents(this.#tier);
    return {
      level: setting.level,
      ...(place === 'global' ? { notification_email: setting.email ?? user.email } : {}),
      ...(showsEvents
        ? {
            events: Object.fromEntries(events.map((event) => [event, flagOf(setting, event)])),
          }
        : {}),
    };
  }

  /** Applies all parameters of a request, or none if one is refused. */
  async update(context: Context, user: User, place: NotificationPlace): Promise<Response> {
    const known = this.#dialect === 'live' ? liveEvents(place, this.#tier) : writableEvents(this.#tier);
    const { level, notification_email: email, ...flags } = await declaredParameters(context, updateSchema(known));
    if (level !== undefined && !isNotificationLevel(level)) {
      throw badValue(`'${level}' is not a valid level`);
    }
    if (place === 'global' && email && !verifiedEmails(user).includes(email)) {
      throw badValue({ notification_email: ['must be an email you have verified'] });
    }
    const setting = this.#store.of(user, place);
    setting.level = level ?? setting.level;
    if (place === 'global' && email !== undefined) {
      setting.email = email || undefined;
    }
    for (const [event, flag] of Object.entries(flags)) {
      if (typeof flag === 'boolean') {
        setting.flags.set(event, flag);
      }
    }
    return context.json(this.record(user, place));
  }
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
