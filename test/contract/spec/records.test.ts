import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import { isApiError } from '../../../src/api/errors.ts';
import { allPages, clientOf, sampleEvent, sampleUser, withValue } from '../../support/clientSamples.ts';

const key = { id: 1, active: true, public_key: 'glet_1', tracker_dsn: 'https://glet_1@gitlab.example/1' };
const settings = { active: true, project_name: 'x', tracker_external_url: null, api_url: null, integrated: false };
const first = async (pages: AsyncIterable<{ items: readonly unknown[] }>): Promise<unknown> =>
  (await allPages(pages as ReturnType<Client['events']['mine']>))[0]?.items[0];

/** The records of the API documentation, with the fields that are read. Left out is what is null there and nowhere shown. */
const records: readonly [
  section: string,
  sample: object,
  read: (client: Client) => Promise<unknown>,
  fields: string,
][] = [
  [
    'global notification settings',
    { level: 'watch', notification_email: 'a@b.example' },
    ({ notificationSettings }) => notificationSettings.get('global'),
    'level notification_email',
  ],
  [
    'notification settings of a project',
    { level: 'custom', events: {} },
    ({ notificationSettings }) => notificationSettings.get({ project: 1 }),
    `level events events.change_reviewer_merge_request events.close_issue events.close_merge_request
       events.failed_pipeline events.fixed_pipeline events.issue_due events.merge_merge_request
       events.merge_when_pipeline_succeeds events.moved_project events.new_epic events.new_issue
       events.new_merge_request events.new_note events.new_release events.push_to_merge_request events.reassign_issue
       events.reassign_merge_request events.reopen_issue events.reopen_merge_request events.success_pipeline`,
  ],
  [
    'activity event',
    { ...sampleEvent(1), push_data: {}, wiki_page: {} },
    ({ events }) => first(events.mine()),
    `id project_id action_name target_id target_iid target_type target_title author_id author author.name
       author.username author.id author.state author.avatar_url author.web_url author_username created_at imported
       imported_from note note.id note.body note.author note.created_at note.system note.noteable_id note.noteable_type
       note.noteable_iid push_data push_data.commit_count push_data.action push_data.ref_type push_data.commit_from
       push_data.commit_to push_data.ref push_data.commit_title push_data.ref_count group_id note.type note.internal
       note.confidential note.position wiki_page wiki_page.format wiki_page.slug wiki_page.title`,
  ],
  [
    'error tracking settings',
    settings,
    ({ errorTracking }) => errorTracking.settings(1),
    'active project_name tracker_external_url api_url integrated',
  ],
  ['client key', key, ({ errorTracking }) => first(errorTracking.clientKeys(1)), 'id active public_key tracker_dsn'],
  ['user', sampleUser, ({ directory }) => directory.currentUser(), 'id username name state avatar_url web_url'],
];

describe('the API documentation: fields of records', () => {
  for (const [section, sample, read, fields] of records) {
    for (const path of fields.split(/\s+/)) {
      it(`${section}: ${path} is looked at, and nothing else passes for it`, async () => {
        const odd = ['odd', { of: 'the instance' }];
        const names = path.split('.');
        const body = withValue(sample, names, odd);
        const fetch = async () =>
          new Response(JSON.stringify(section === 'activity event' || section === 'client key' ? [body] : body), {
            headers: { 'content-type': 'application/json' },
          });
        const record = await read(clientOf('https://gitlab.example', { fetch })).catch((error: unknown) => {
          assert.ok(isApiError(error, 'notAnInstance') && error.message.includes(`${path}: has another form`));
        });
        if (record !== undefined) {
          const value = names.reduce<unknown>(
            (inner, name) => (inner as Record<string, unknown> | null)?.[name],
            record,
          );
          assert.notDeepEqual(value, odd);
        }
      });
    }
  }
});
