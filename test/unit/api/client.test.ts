import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/client.ts';

describe('createClient', () => {
  const unusable: Record<string, readonly unknown[]> = {
    retries: [NaN, -1, 1.5, Infinity, '2'],
    maxWait: [NaN, -1, '1000'],
    maxTargetLength: [NaN, 0, -1, 1.5],
    timeouts: [{ connect: 0 }, { headers: NaN }, { body: -1 }, { connect: '1000' }],
    fetch: ['fetch', {}],
    token: [7, null, {}],
    userAgent: ['', 'a\nb', 'Ä'],
    log: ['console'],
    onMoved: [{}],
    instanceUrl: ['', 'gitlab.example', 'ftp://gitlab.example', 'https://user:secret@gitlab.example', 'https://h/?a'],
  };
  for (const [name, values] of Object.entries(unusable)) {
    it(`refuses what ${name} cannot be, without repeating it`, () => {
      for (const value of values) {
        assert.throws(
          () => createClient({ instanceUrl: 'https://gitlab.example', [name]: value }),
          (error) => error instanceof TypeError && !error.message.includes('secret'),
          String(value),
        );
      }
    });
  }

  it('takes a wait without end, and undefined for what is not given', () => {
    const { instanceUrl, ...rest } = Object.fromEntries(
      ['instanceUrl', ...Object.keys(unusable)].map((name) => [name, undefined]),
    );
    assert.equal(instanceUrl, undefined);
    createClient({ ...rest, instanceUrl: 'https://gitlab.example', maxWait: Infinity, timeouts: { body: Infinity } });
  });
});
