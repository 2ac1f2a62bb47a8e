import { authorFields } from './directory.ts';
import { field, type RecordOf, RecordReader } from './fields.ts';
import { isObject, type Sha } from './grammar.ts';
import type { CallOptions, Requester } from './request.ts';
import { apiPath, type ApiPath } from './url.ts';

const longestTitle = 1000;
/** The platform's bound for a description. */
const longestDescription = 1_048_576;

const targetFields = {
  id: field.requiredId(),
  iid: field.number(),
  title: field.text(longestTitle),
  state: field.text(100),
  description: field.text(longestDescription),
  author: field.record(authorFields),
};

/** An issue, merge request, milestone, snippet or epic as it is now; `labels` and `assignees` are lists if they are there at all. */
export type TargetRecord = RecordOf<typeof targetFields>;

/** Where the API has such records, by what they are of: the first address of which all is known. */
const templates: Readonly<Record<string, readonly string[]>> = {
  issue: ['/projects/:project/issues/:iid'],
  merge_request: ['/projects/:project/merge_requests/:iid'],
  milestone: ['/projects/:project/milestones/:id'],
  snippet: ['/projects/:project/snippets/:id', '/snippets/:id'],
  epic: ['/groups/:group/epics/:iid'],
};

/** The path of a record; undefined where the API has none of its kind, or too little is known. */
export function targetPath(
  kind: string,
  known: Readonly<Record<'project' | 'group' | 'id' | 'iid', number | null | undefined>>,
): ApiPath | undefined {
  const values = Object.fromEntries(Object.entries(known).filter(([, value]) => typeof value === 'number'));
  const template = templates[kind]?.find((one) =>
    Array.from(one.matchAll(/:(\w+)/g)).every(([, name = '']) => Object.hasOwn(values, name)),
  );
  return template === undefined ? undefined : apiPath(template, values);
}

const targets = new RecordReader(targetFields);
const comparisons = new RecordReader({});

/** What events are about. @see https://docs.gitlab.com/api/api_resources/ */
export function targetsOf(requester: Requester) {
  return {
    /** @param path by `targetPath`. */
    read: async (path: ApiPath, { signal }: CallOptions = {}): Promise<TargetRecord> =>
      await targets.fetch(requester, { path, signal }),
    /**
     * The titles of the later ones of two commits, the newest first, and the paths of the files that changed.
     *
     * @see https://docs.gitlab.com/api/repositories/#compare-branches-tags-or-commits
     */
    compare: async (project: number, from: Sha, to: Sha, { signal }: CallOptions = {}) => {
      const path = apiPath('/projects/:id/repository/compare', { id: project });
      const { commits, diffs } = await comparisons.fetch(requester, { path, query: { from, to }, signal });
      return { commits: textsOf(commits, 'title').toReversed(), files: textsOf(diffs, 'new_path') };
    },
  };
}

/** What the elements of a list have as text under a name; nothing of what is no list. */
function textsOf(list: unknown, name: string): string[] {
  const elements: readonly unknown[] = Array.isArray(list) ? list : [];
  return elements.flatMap((element) => {
    const text = isObject(element) ? element[name] : undefined;
    return typeof text === 'string' ? text.slice(0, longestTitle) : [];
  });
}
