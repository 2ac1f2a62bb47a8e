import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/client.ts';
import { apiPath } from '../../../src/api/encoding.ts';
import { changingNamesOf, type LogEntry } from '../../../src/api/exchange.ts';
import { announcedChanges } from '../../../src/apiChanges/catalogue.ts';

describe('announced changes in the calls of the client', () => {
  it('are described where a call sends or reads them', () => {
    const path = apiPath('/groups/:id', { id: 7 });
    assert.deepEqual(changingNamesOf({ method: 'GET', path, reads: ['id', 'default_branch_protection'] }), [
      'default_branch_protection',
    ]);
    assert.deepEqual(changingNamesOf({ method: 'PUT', path, body: { default_branch_protection: 2 } }), [
      'default_branch_protection',
    ]);
    assert.deepEqual(changingNamesOf({ method: 'GET', path, reads: ['id', 'mirror'] }), []);
    const tracking = apiPath('/projects/:id/error_tracking/settings', { id: 7 });
    assert.deepEqual(changingNamesOf({ method: 'PATCH', path: tracking, body: { active: true } }), []);
  });

  it('are names of the catalogue', () => {
    const known = new Set(announcedChanges.flatMap(({ subject }) => (subject.kind === 'field' ? subject.names : [])));
    for (const template of [
      '/projects/:id',
      '/groups/:id',
      '/runners/:id',
      '/projects/:id/approvals',
      '/merge_requests',
    ]) {
      const path = apiPath(template, template.includes(':id') ? { id: 1 } : {});
      const names = changingNamesOf({ method: 'GET', path, reads: [...known] });
      assert.ok(names.length > 0, template);
    }
  });

  it('are none in what the client asks for, and its log would say so', async () => {
    const entries: LogEntry[] = [];
    const client = createClient({
      instanceUrl: 'https://gitlab.example.com',
      fetch: async (url) =>
        Response.json(
          url.includes('?')
            ? []
            : {
                ...{ id: 1, name: 'a', username: 'a', state: 'active', path: 'a', full_path: 'a', full_name: 'a' },
                ...{
                  path_with_namespace: 'a/a',
                  name_with_namespace: 'a / a',
                  default_branch_protection: 2,
                  mirror: true,
                },
              },
        ),
      log: (entry) => entries.push(entry),
    });
    await client.directory.project(1);
    await client.directory.group(1);
    assert.equal(entries.length, 2);
    assert.ok(entries.every((entry) => !('changing' in entry)));
    await client.close();
  });
});
