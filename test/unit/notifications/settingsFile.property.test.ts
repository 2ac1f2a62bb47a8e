import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hostileText, hugeText, runs } from '../../support/properties.ts';
import { type Settings, settingsFile } from './notificationSettings.ts';

const format = 'beacon-gitlab-notification-settings';
const level = fc.constantFrom('disabled', 'participating', 'watch', 'global', 'mention', 'custom');
const event = fc.stringMatching(/^[a-z][a-z0-9_]{1,30}$/);
const snapshot = fc
  .record(
    {
      level,
      notification_email: fc.string({ minLength: 1, maxLength: 50 }),
      events: fc.dictionary(event, fc.constantFrom(true, false, null)),
    },
    { requiredKeys: ['level', 'events'] },
  )
  .map(({ events, ...texts }): Settings => ({ ...events, ...texts }));
const path = fc.string({ minLength: 1, maxLength: 80 });

/** Reads a text as a user's file; undefined if it is none. */
function read(text: string) {
  const { entries, place } = settingsFile.read(text);
  return place === undefined ? entries : undefined;
}

/** The first place of a text that is wrong. */
function placeIn(text: string): string {
  return settingsFile.read(text).place ?? 'nothing is wrong';
}

describe('files of notification settings', () => {
  it('are read as they were written', () => {
    const scope = fc.record({ kind: fc.constantFrom('group' as const, 'project' as const), id: fc.integer(), path });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ scope, snapshot }), {
          minLength: 1,
          maxLength: 6,
          selector: ({ scope: { kind, path: at } }) => `${kind} ${at}`,
        }),
        fc.webUrl(),
        (settings, instance) => {
          const text = settingsFile.write(
            instance,
            settings.map(({ scope: one, snapshot: kept }) => ({
              scope: { ...one, accountId: 'ada@host' },
              settings: { ...kept, new_unknown: undefined },
            })),
          );
          assert.ok(!text.includes('ada@host'), 'accounts stay here');
          const { entries } = settingsFile.read(`\uFEFF${text}`);
          assert.deepEqual(
            structuredClone(entries),
            structuredClone(
              settings.map(({ scope: one, snapshot: kept }) => ({ scope: one.kind, path: one.path, settings: kept })),
            ),
          );
        },
      ),
      runs(200),
    );
  });

  it('of any text and any JSON are read, or refused with the reason', () => {
    const entry = fc.dictionary(
      fc.constantFrom('scope', 'path', 'level', 'events', 'notification_email', '__proto__', 'odd'),
      fc.oneof(
        fc.jsonValue(),
        hostileText,
        fc.constantFrom('global', 'project', 'watch'),
        fc.dictionary(hostileText, fc.boolean()),
      ),
    );
    const file = fc.record(
      {
        format: fc.constantFrom(format, 'x'),
        version: fc.constantFrom(1, 2, '1'),
        settings: fc.oneof(fc.array(entry), fc.jsonValue()),
      },
      { requiredKeys: ['format'] },
    );
    const text = fc.oneof(
      hostileText,
      fc.json(),
      file.map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(text, fc.nat(), (whole, cut) => {
        const settings = read(whole) ?? [];
        assert.ok(settings.every((one) => one.scope === 'global' || one.path.length <= 1000));
        assert.equal(({} as Record<string, unknown>)['level'], undefined);
        read(whole.slice(0, cut % (whole.length + 1)));
      }),
      runs(500),
    );
  });

  it('that are huge or deep are refused', () => {
    assert.equal(read(hugeText), undefined);
    assert.equal(read('['.repeat(100_000)), undefined);
    assert.equal(read(`${'['.repeat(5000)}${']'.repeat(5000)}`), undefined);
    const deep = (levels: number): string =>
      `{"format":"${format}","version":1,"settings":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    assert.equal(placeIn(deep(1000)), '', 'not even parsed');
    assert.equal(placeIn(deep(2)), 'settings[0]');
    assert.equal(placeIn(`{"settings":[0${',0'.repeat(1_000_001)}]}`), '');
    const settings = Array.from({ length: 10_001 }, (_, id) => ({ scope: 'project', path: `a/${id}`, level: 'watch' }));
    assert.equal(read(JSON.stringify({ format, version: 1, settings })), undefined);
  });
});
