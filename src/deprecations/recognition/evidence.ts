import type { Resource } from '../catalogue.ts';
import type { Token } from './tokens.ts';

/** How much a program tells of its being a client of API v4 beyond a single path. */
export type Evidence = 'none' | 'gitlab' | 'apiV4';

/** What the code and texts of a program, not its comments, say of GitLab. */
export function evidenceIn(tokens: readonly Token[]): Evidence {
  let found: Evidence = 'none';
  for (const { kind, text } of tokens) {
    if (kind === 'text' || kind === 'word') {
      if (/api\/v4\b|API_V4|apiV4|\bglab\b/i.test(text)) {
        return 'apiV4';
      }
      if (found === 'none' && /gitlab|^(?:private|job)-token/i.test(text)) {
        found = 'gitlab';
      }
    }
  }
  return found;
}

const names: Readonly<Partial<Record<Resource, RegExp>>> = {
  applicationSettings: /(?:^|_)(?:application|instance|admin)_settings$/,
  group: /(?:^|_)groups?$/,
  mergeRequest: /(?:^|_)(?:mrs?|merge_?requests?)$/,
  project: /(?:^|_)projects?$/,
  projectApprovals: /(?:^|_)(?:approvals?|approval_(?:config|configuration|settings?))$/,
  runner: /(?:^|_)runners?$/,
};

/** The resource that a name speaks of: `mr`, `openMergeRequests`, `GitlabRunnerResponse`. */
export function resourceNamed(name: string): Resource | undefined {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^i_(?=[a-z]{2})/, '')
    .replace(
      /_(?:response|result|dto|data|info|model|record|payload|details?|json|entity|item|schema|type|body|list|attributes?|attrs|struct)$/,
      '',
    );
  return (Object.keys(names) as Resource[]).find((resource) => names[resource]?.test(words));
}
