import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nextIn } from '../../../src/api/pagination.ts';
import { RateLimitPause, retryAfterOf } from '../../../src/api/rateLimits.ts';
import { SleeplessClock } from '../../support/fakeClock.ts';
import { hostileText, runs } from '../../support/properties.ts';

const day = 24 * 60 * 60 * 1000;

describe('headers that an instance sends', () => {
  it('links: of any text, at most what stands between angle brackets is a target', () => {
    const piece = fc.constantFrom('<', '>', ';', ',', '=', '"', '\\', ' ', 'rel', 'rel=next', 'rel="next"', '<a>', 'b');
    const header = fc.oneof(
      hostileText,
      fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(header, (text) => {
        const target = nextIn(text);
        assert.ok(target === undefined || text.includes(`<${target}>`));
        assert.ok(target === undefined || /rel/i.test(text));
      }),
      runs(1000),
    );
  });

  it('links: among any others the first of a relation is found, whatever its parameters quote', () => {
    const target = fc.stringMatching(/^[\w/?=&.,;" -]{1,20}$/);
    const quoted = fc.stringMatching(/^[\w <>,;=]{0,12}$/).map((text) => `title="${text}\\""`);
    const link = fc.record({
      target,
      before: fc.option(quoted, { nil: undefined }),
      relation: fc.constantFrom('prev', 'next', 'first', 'last next', 'NEXT'),
      bare: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(link, { maxLength: 5 }), (links) => {
        const header = links.map(({ target: address, before, relation, bare }) =>
          [
            `<${address}>`,
            ...(before === undefined ? [] : [before]),
            bare && !relation.includes(' ') ? `rel=${relation}` : `rel="${relation}"`,
          ].join('; '),
        );
        const expected = links.find(({ relation }) => /\bnext\b/i.test(relation));
        assert.equal(nextIn(header.join(', ')), expected?.target);
      }),
      runs(500),
    );
  });

  it('pauses: of any text, a pause is none or from nothing to a day', () => {
    const value = fc.oneof(
      hostileText,
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.constantFrom('0', '-1', '1e99', 'NaN', 'Infinity', '0x10', '9'.repeat(400), '+275760-09-13T00:00:00Z', '2026'),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    const headers = fc.record(
      {
        'retry-after': value,
        'ratelimit-reset': value,
        'ratelimit-resettime': value,
        'ratelimit-remaining': fc.oneof(value, fc.constant('0')),
        date: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(headers, fc.constantFrom(200, 429, 503), (given, status) => {
        const clock = new SleeplessClock();
        const pause = new RateLimitPause(clock);
        const header = (name: string) => (given as Record<string, string | undefined>)[name];
        const after = retryAfterOf({ header });
        assert.ok(after === undefined || (after >= 0 && after <= day), String(after));
        pause.observe({ status, header }, 1000);
        assert.ok(pause.remaining >= 0 && pause.remaining <= day, String(pause.remaining));
        assert.ok(status !== 429 || pause.remaining > 0);
        assert.ok(!Number.isNaN(pause.retryAt?.getTime() ?? 0));
      }),
      runs(1000),
    );
  });
});
