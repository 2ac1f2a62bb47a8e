import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import type { ClientKeyRecord, ErrorTrackingSettingsRecord } from '../../api/errorTracking.ts';
import {
  badParameters,
  existing,
  forbidden,
  notFound,
  type RequestState,
  requireScope,
  visible,
} from '../authentication.ts';
import { answerPage } from '../pagination.ts';
import { booleanParameter, declaredParameters } from '../parameters.ts';
import type { ClientKey, ErrorTrackingSetting } from '../state/errorTracking.ts';
import { type Dialect, type Project, roles, type User } from '../state/model.ts';
import type { World } from '../state/world.ts';

const creation = z.object({ active: booleanParameter, integrated: booleanParameter });
const change = z.object({ active: booleanParameter, integrated: z.optional(booleanParameter) });

const ofProject = (what: string) => ({ name: `Error Tracking ${what}`, boundary: 'project' }) as const;

/**
 * Error tracking settings and client keys, for Maintainers and Owners.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export function errorTrackingRoutes(world: World, instanceUrl: string, dialect: Dialect): Hono<RequestState> {
  const { errorTracking } = world;
  const project = (user: User, id: string) => maintained(world, user, id);
  const settingsOf = (found: Project) => existing(errorTracking.setting(found), 'Error Tracking Setting');
  const answer = (context: Context, found: Project) => context.json(settingsRecord(settingsOf(found), dialect));
  const settings = '/projects/:id/error_tracking/settings';
  const keys = '/projects/:id/error_tracking/client_keys';
  return new Hono<RequestState>()
    .get(settings, requireScope(ofProject('Setting: Read'), 'api'), (context) =>
      answer(context, project(context.get('token').user, context.req.param('id'))),
    )
    .put(settings, requireScope(ofProject('Setting: Update'), 'api'), async (context) => {
      const found = project(context.get('token').user, context.req.param('id'));
      if (!errorTracking.available) {
        throw notFound();
      }
      const switches = await declaredParameters(context, creation);
      errorTracking.configure(found, { ...errorTracking.setting(found), ...switches });
      return answer(context, found);
    })
    .patch(settings, requireScope(ofProject('Setting: Update'), 'api'), async (context) => {
      const found = project(context.get('token').user, context.req.param('id'));
      const { active, integrated } = await declaredParameters(context, change);
      const setting = settingsOf(found);
      errorTracking.configure(found, { ...setting, active, integrated: integrated ?? setting.integrated });
      return answer(context, found);
    })
    .get(keys, requireScope(ofProject('Client Key: Read'), 'api'), (context) => {
      const all = errorTracking.keys(project(context.get('token').user, context.req.param('id')));
      return answerPage(context, instanceUrl, all.length, (from, to) =>
        all.slice(from, to).map((key) => keyRecord(key, instanceUrl, dialect)),
      );
    })
    .post(keys, requireScope(ofProject('Client Key: Create'), 'api'), (context) => {
      const found = project(context.get('token').user, context.req.param('id'));
      return context.json(keyRecord(errorTracking.addKey(found), instanceUrl, dialect), 201);
    })
    .delete(`${keys}/:key_id`, requireScope(ofProject('Client Key: Delete'), 'api'), (context) => {
      const found = project(context.get('token').user, context.req.param('id'));
      const id = context.req.param('key_id');
      if (!/^\d+$/.test(id)) {
        throw badParameters('key_id is invalid');
      }
      const deleted = existing(errorTracking.deleteKey(found, Number(id)));
      return context.json(keyRecord(deleted, instanceUrl, dialect));
    });
}

/** A project that the user maintains or owns. */
function maintained(world: World, user: User, id: string): Project {
  const project = visible(world, user, world.project(id), 'Project');
  if (world.accessLevel(user, project) < roles.maintainer) {
    throw forbidden();
  }
  return project;
}

/** The settings as a record, by the documented names, or with the live platform's name of a field. */
function settingsRecord({ active, integrated, tracker }: ErrorTrackingSetting, dialect: Dialect) {
  const shown = integrated ? undefined : tracker;
  const record = {
    active,
    project_name: shown?.projectName ?? null,
    tracker_external_url: shown?.externalUrl ?? null,
    api_url: shown?.apiUrl ?? null,
    integrated,
  } satisfies ErrorTrackingSettingsRecord;
  const { tracker_external_url: externalUrl, ...others } = record;
  return dialect === 'spec' ? record : { ...others, sentry_external_url: externalUrl };
}

/** A client key as a record, by the documented names, or with the live platform's name of a field. The DSN's scheme is the sandbox's own. */
function keyRecord({ id, active, publicKey, project }: ClientKey, instanceUrl: string, dialect: Dialect) {
  const dsn = new URL(`/errortracking/api/v1/projects/${project.id}`, instanceUrl);
  dsn.username = publicKey;
  const record = { id, active, public_key: publicKey, tracker_dsn: dsn.href } satisfies ClientKeyRecord;
  const { tracker_dsn: href, ...others } = record;
  return dialect === 'spec' ? record : { ...others, sentry_dsn: href };
}
