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

/** Where such a record is: by its number within the project or group, else by its id. */
export type TargetPlace =
  | { readonly kind: 'issue' | 'merge_request'; readonly project: number; readonly iid: number }
  | { readonly kind: 'milestone'; readonly project: number; readonly id: number }
  | { readonly kind: 'snippet'; readonly project: number | undefined; readonly id: number }
  | { readonly kind: 'epic'; readonly group: number; readonly iid: number };

const targets = new RecordReader(targetFields);
const comparisons = new RecordReader({});

/**
 * What events are about.
 *
 * @see https://docs.gitlab.com/api/issues/
 * @see https://docs.gitlab.com/api/merge_requests/
 * @see https://docs.gitlab.com/api/milestones/
 * @see https://docs.gitlab.com/api/snippets/
 */
export function targetsOf(requester: Requester) {
  return {
    read: async (place: TargetPlace, { signal }: CallOptions = {}): Promise<TargetRecord> =>
      await targets.fetch(requester, { path: pathOf(place), signal }),
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

function pathOf(place: TargetPlace): ApiPath {
  switch (place.kind) {
    case 'issue':
      return apiPath('/projects/:id/issues/:issue_iid', { id: place.project, issue_iid: place.iid });
    case 'merge_request':
      return apiPath('/projects/:id/merge_requests/:iid', { id: place.project, iid: place.iid });
    case 'milestone':
      return apiPath('/projects/:id/milestones/:milestone_id', { id: place.project, milestone_id: place.id });
    case 'snippet':
      return place.project === undefined
        ? apiPath('/snippets/:id', { id: place.id })
        : apiPath('/projects/:id/snippets/:snippet_id', { id: place.project, snippet_id: place.id });
    case 'epic':
      return apiPath('/groups/:id/epics/:epic_iid', { id: place.group, epic_iid: place.iid });
  }
}
