import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import { ToolInputError } from '../../assistants/toolInputError.ts';
import type { NotificationScope } from '../model/scope.ts';
import { scopeOfArgument } from '../scopes/scopeArgument.ts';

/** How a model names a scope of notification settings. */
export const scopeInput = {
  scope: z._default(z.enum(['global', 'group', 'project']), 'global'),
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
};

/**
 * The scope that a model means, of the account in use.
 *
 * @throws ToolInputError if the path of a group or project is missing, or any error of the API client.
 */
export async function scopeOfInput(
  { scope: kind, path }: { readonly scope: NotificationScope['kind']; readonly path?: string | undefined },
  connections: Pick<Connections, 'current' | 'of'>,
): Promise<NotificationScope> {
  const { account } = await connections.current();
  const accountId = account.id;
  if (kind === 'global') {
    return { kind, accountId };
  }
  const workspaceProjects = { current: undefined };
  const scope = path && (await scopeOfArgument({ kind, accountId, path }, { connections, workspaceProjects }));
  if (!scope) {
    throw new ToolInputError(`The notification settings of a ${kind} need "path", its full path.`);
  }
  return scope;
}
