import { Hono } from 'hono/tiny';
import { HTTPException } from 'hono/http-exception';
import { Control } from './control.ts';

/**
 * Lets other processes control a sandbox: `POST /-/sandbox/addEvents` with `[{"count": 2}]` calls `addEvents({ count: 2 })`. Web pages
 * may not, who say where they are from when they call another origin.
 */
export function controlRoutes(control: Control): Hono {
  const routes = new Hono().post('/-/sandbox/:action', async (context) => {
    if (context.req.header('origin') !== undefined) {
      return context.json({ error: 'Web pages may not control the sandbox' }, 403);
    }
    const action: unknown = Reflect.get(Control.prototype, context.req.param('action'));
    const values: unknown = await context.req.json().catch(() => undefined);
    if (typeof action !== 'function' || !Array.isArray(values)) {
      return context.json({ error: 'There is no such action, or the body is no list of its arguments' }, 400);
    }
    const result: unknown = Reflect.apply(action, control, values);
    return context.json(result ?? null);
  });
  routes.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : context.json({ error: error.message }, 400),
  );
  return routes;
}
