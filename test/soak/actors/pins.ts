import { groups, type Instance, projects } from '../host/instance.ts';
import { accountIdOf, usernames } from './accounts.ts';

/** Projects and groups that users have pinned. */
export function pinsOf(instance: Instance): readonly object[] {
  return usernames.flatMap((username) => {
    const accountId = accountIdOf(username, instance);
    return [
      ...projects.slice(1, username === 'marta' ? 4 : 3).map((project) => ({ kind: 'project', accountId, ...project })),
      ...groups.map((group) => ({ kind: 'group', accountId, ...group })),
    ];
  });
}
