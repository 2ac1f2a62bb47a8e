import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readLink } from '../../../src/links/linkHandler.ts';

const instance = 'instance=https%3A%2F%2Fgitlab.example.com';
const instanceUrl = 'https://gitlab.example.com';
const project = { kind: 'project', idOrPath: 'harbor/tide-table' } as const;

describe('a link of the editor', () => {
  const atGit = { instanceUrl: `${instanceUrl}/git`, place: { kind: 'group', idOrPath: 'harbor' } };
  for (const [path, query, expected] of [
    ['/activity', `${instance}&project=harbor%2Ftide-table`, { target: 'activity', place: project }],
    ['/activity', `${instance}&project=harbor/tide-table`, { target: 'activity', place: project }],
    ['/activity', `${instance}&project=42`, { target: 'activity', place: { kind: 'project', idOrPath: 42 } }],
    ['/error-tracking', `project=harbor/tide-table&${instance}`, { target: 'errorTracking', place: project }],
    ['/notification-settings', instance, { target: 'notificationSettings' }],
    ['/notification-settings', `${instance}%2Fgit%2F&group=harbor`, { target: 'notificationSettings', ...atGit }],
  ] as const) {
    it(`leads somewhere: ${path}?${query}`, () =>
      assert.deepEqual(readLink(path, query), { instanceUrl, ...expected }));
  }

  const refused = [
    ['/', instance],
    ['/sign-in', `${instance}&token=x`],
    ['/activity', instance],
    ['/activity', 'project=harbor/tide-table'],
    ['/activity', `${instance}&project=harbor/tide-table&token=x`],
    ['/activity', `${instance}&${instance}&project=a/b`],
    ['/activity', `${instance}&group=harbor`],
    ['/activity', 'instance=file:///etc/passwd&project=a/b'],
    ['/activity', 'instance=https://user:secret@gitlab.example.com&project=a/b'],
    ['/activity', `${instance}&project=../../admin`],
    ['/activity', `${instance}&project=harbor//tide`],
    ['/activity', `${instance}&project=a/b%3Fprivate_token=1`],
    ['/activity', `${instance}&project=a/%E2%80%AEb`],
    ['/activity', `${instance}&project=0`],
    ['/activity', `${instance}&project=99999999999999999999`],
    ['/activity', `${instance}&project=${'a'.repeat(3000)}`],
    ['/error-tracking', instance],
    ['/notification-settings', `${instance}&group=a&project=a/b`],
    ['/notification-settings', `${instance}&level=disabled`],
  ] as const;
  for (const [path, query] of refused) {
    it(`leads nowhere: ${path}?${query.slice(0, 100)}`, () => assert.equal(readLink(path, query), undefined));
  }

  it('names what its address names, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/activity', '/error-tracking', '/notification-settings'),
        fc.string(),
        (path, query) => {
          const link = readLink(path, query);
          if (link) {
            assert.match(link.instanceUrl, /^https?:\/\/[^/@]/);
          }
        },
      ),
    );
  });
});
