import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPeriod } from '../../../src/common/dates.ts';
import { assertInert, rendered } from '../../support/harmless.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { inZone } from '../../support/zone.ts';
import { anyEvent } from './anyEvent.ts';
import { filtering, remembered, said, type SummaryEntry, summaryOf } from './eventTexts.ts';

insideWindow(import.meta.filename);

describe('events of any text', () => {
  it('lead to web addresses alone, inside of the instance unless it says another of an account or a project', () => {
    fc.assert(
      fc.property(
        anyEvent,
        fc.oneof(hostileText, fc.constant(undefined), fc.constant('https://host/a/b')),
        (event, projectUrl) => {
          const { link } = said(event, { instanceUrl: 'https://host', projectUrl });
          assert.match(new URL(link).protocol, /^https?:$/);
          assert.doesNotMatch(link, /[\s\p{Cc}]/u);
          const known = [projectUrl, event.author?.web_url].filter(
            (url) => typeof url === 'string' && URL.canParse(url),
          );
          assert.ok(
            known.some((url) => link.startsWith(url?.replace(/\/+$/, '') ?? ' ')) || new URL(link).host === 'host',
            link,
          );
        },
      ),
      runs(500),
    );
  });

  it('have every word of a title in the label of their row, where Find looks, whatever they are and however long it is', () => {
    const word = fc.oneof(
      fc.constantFrom('Überlauf', '潮汐', '{0}', '“so”', '$(zap)', '&amp;', '[x](y)', '#12', 'w'.repeat(60)),
      fc.stringMatching(/^[a-z0-9-]{1,12}$/),
    );
    fc.assert(
      fc.property(anyEvent, fc.array(word, { minLength: 1, maxLength: 150 }), (any, words) => {
        // The platform lets a title have 1,000 characters at most.
        const title = words.join(' ').slice(0, 1000).trim();
        const texts = said({ ...any, push_data: null, target_title: title });
        for (const label of [texts.label, texts.sentence]) {
          for (const one of title.split(' ')) {
            assert.ok(label.includes(one), `${one} in ${label}`);
          }
        }
        const push = { commit_count: 1, action: 'pushed', ref_type: 'branch', ref: 'main', commit_title: title };
        assert.equal(said({ ...any, push_data: push }).label, title);
      }),
      runs(500),
    );
  });

  it('pass or do not pass any remembered filter', () => {
    const filter = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('action', 'since', 'until', 'author', 'project', 'kind', 'order', '__proto__'),
        fc.oneof(fc.jsonValue(), hostileText),
      ),
    );
    const today = new Date('2026-11-21T12:00:00Z');
    fc.assert(
      fc.property(filter, anyEvent, (left, event) => {
        const { passes, asked } = filtering(remembered(left), today);
        assert.equal(typeof passes(event), 'boolean');
        const { after, before } = asked;
        for (const date of [after, before]) {
          assert.ok(date === undefined || /^\d{4}-\d\d-\d\d$/.test(date), date);
        }
      }),
      runs(500),
    );
  });
});

describe('relative dates', () => {
  const words = fc.constantFrom(
    ...'last past next this ago in day days week month year years monday mon today yesterday gestern vor'.split(' '),
    ...'Tagen 0 1 31 99 2026 9999 1/1 31.12. - -- 0000-01-01 9999-12-31 2026-02-30 275760-09-13 1e3'.split(' '),
    ...['\u0663', '\u00a0', '\u202e'],
  );

  it('are days, the first not after the last, or none, in any time zone', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText,
          fc.array(words, { maxLength: 4 }).map((all) => all.join(' ')),
        ),
        fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/St_Johns'),
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (text, timeZone, now) => {
          const period = inZone(timeZone, () => readPeriod(text, now));
          if (period) {
            assert.match(period.from, /^\d{4}-\d\d-\d\d$/);
            assert.match(period.to, /^\d{4}-\d\d-\d\d$/);
            assert.ok(period.from <= period.to, `${text}: ${period.from} to ${period.to}`);
          }
        },
      ),
      runs(400),
    );
  });

  it('are none beyond the calendar, rather than fail', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    for (const text of ['last 9999 years', 'last 2026 years', '0000-01-01', '9999-12-31']) {
      assert.equal(readPeriod(text, now), undefined, text);
    }
    assert.deepEqual(
      inZone('UTC', () => readPeriod('last 100 years', now)),
      { from: '1926-12-17', to: '2026-11-21' },
    );
  });
});

describe('a summary of any text', () => {
  const entry: fc.Arbitrary<SummaryEntry> = fc.record({
    at: hostileText,
    date: fc.constant('2026-11-16'),
    time: hostileText,
    project: hostileText,
    projectUrl: fc.option(hostileText, { nil: undefined }),
    author: hostileText,
    username: fc.option(hostileText, { nil: undefined }),
    kind: hostileText,
    action: hostileText,
    targetType: fc.option(hostileText, { nil: undefined }),
    targetTitle: fc.option(hostileText, { nil: undefined }),
    commits: fc.nat(),
    text: hostileText,
    link: hostileText,
  });
  /** Reads comma-separated values as RFC 4180 has them. */
  function cellsOf(csv: string): string[][] {
    const rows: string[][] = [[]];
    for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy)) {
      rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
      if (end === '\r\n') {
        rows.push([]);
      }
    }
    return rows.slice(0, -1);
  }

  it('is text as a document, with links to the web alone', () => {
    const linked = fc
      .tuple(entry, fc.constantFrom(undefined, 'https://host/a b', 'https://host/a)(b<c>'), fc.webUrl())
      .map(([one, projectUrl, url]) => ({ ...one, projectUrl, link: `${url})[x](command:y)` }));
    fc.assert(
      fc.property(fc.array(linked, { maxLength: 4 }), hostileText, (entries, title) => {
        const html = rendered(summaryOf(entries, { title }).markdown);
        assertInert(html);
        assert.equal(html.match(/<h1/g)?.length, 1);
        assert.equal(html.match(/<h2/g)?.length ?? 0, new Set(entries.map(({ project }) => project)).size);
        assert.equal(html.match(/<li/g)?.length ?? 0, entries.length);
      }),
      runs(100),
    );
  });

  it('is a table in which every text is a value and none a formula', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
        const { csv } = summaryOf(entries);
        const rows = cellsOf(csv);
        assert.equal(rows.length, entries.length + 1);
        rows.forEach((row, index) => {
          const of = entries[index - 1];
          assert.equal(row.length, 10);
          row.forEach((cell, column) => assert.ok(column === 7 || !/^[=+\-@\t\r\n＝＋－＠]/.test(cell), cell));
          // What is put before a formula is an apostrophe, and nothing else is another but breaks and tabs.
          const bare = (text: string) => text.replaceAll(/['\p{Cc}\p{Zl}\p{Zp} ]+/gu, '');
          assert.ok(!of || bare(row[6] ?? '') === bare(of.targetTitle ?? ''));
        });
        // Nor for a spreadsheet that splits fields at other characters and ignores quotation marks.
        for (const separator of [',', ';', '|', '\t', '\r\n']) {
          for (const piece of csv.split(separator)) {
            assert.doesNotMatch(piece, /^[ "]*[=+\-@＝＋－＠]/, JSON.stringify([separator, piece]));
          }
        }
      }),
      runs(300),
    );
  });
});
