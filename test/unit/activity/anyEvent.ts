import * as fc from 'fast-check';
import type { EventRecord } from '../../../src/api/events.ts';
import { hostileText } from '../../support/properties.ts';

const maybe = (text: fc.Arbitrary<string>) => fc.option(text, { nil: null });
const number = fc.option(fc.integer(), { nil: null });
const types = ['Issue', 'MergeRequest', 'Note', 'Snippet', 'WikiPage::Meta', 'Milestone', 'Project', 'Epic', 'Odd'];

/** Any event that an instance may send and that passes for one. */
export const anyEvent: fc.Arbitrary<EventRecord> = fc.record({
  id: fc.nat(),
  project_id: number,
  action_name: fc.oneof(hostileText, fc.constantFrom('opened', 'destroyed', 'pushed')),
  target_id: number,
  target_iid: number,
  target_type: fc.oneof(maybe(hostileText), fc.constantFrom(...types)),
  target_title: maybe(hostileText),
  author_username: maybe(hostileText),
  author: fc.option(
    fc.record({ id: fc.nat(), name: hostileText, username: hostileText, web_url: maybe(hostileText) }),
    { nil: null },
  ),
  created_at: hostileText,
  note: fc.option(
    fc.record({
      id: fc.nat(),
      body: hostileText,
      created_at: hostileText,
      noteable_type: fc.oneof(maybe(hostileText), fc.constantFrom(...types, 'Commit')),
      noteable_id: number,
      noteable_iid: number,
      commit_id: hostileText,
    }),
    { nil: null },
  ),
  push_data: fc.option(
    fc.record({
      commit_count: number,
      action: maybe(hostileText),
      ref_type: fc.constantFrom('branch', 'tag', null),
      commit_from: maybe(hostileText),
      commit_to: maybe(hostileText),
      ref: maybe(hostileText),
      commit_title: maybe(hostileText),
      ref_count: number,
    }),
    { nil: null },
  ),
  wiki_page: fc.option(fc.record({ slug: hostileText, title: maybe(hostileText) }), { nil: null }),
});

/** An event record with what a test says of it; the rest as an opened issue has it. */
export function sampleEvent(fields: Partial<EventRecord> = {}): EventRecord {
  return {
    id: 1,
    project_id: 7,
    action_name: 'opened',
    target_id: 70,
    target_iid: 3,
    target_type: 'Issue',
    target_title: 'Crash at start',
    author_id: 1,
    author_username: 'ada',
    author: { id: 1, username: 'ada', name: 'Ada Byron', web_url: 'https://gitlab.example.com/ada' },
    created_at: new Date(2026, 10, 21, 14, 0).toISOString(),
    ...fields,
  };
}
