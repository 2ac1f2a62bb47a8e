import assert from 'node:assert/strict';
import { findDsns, parseDsn, shortKey } from '../../../src/errorTracking/dsn.ts';

const key = 'glet_0123456789abcdef0123456789abcdef';

describe('a DSN', () => {
  // Of each form, what programs post to begins with what comes before the id.
  const forms: readonly [name: string, before: string][] = [
    ['of an instance', 'gitlab.example/errortracking/api/v1/projects'],
    ['with a port', 'observe.gitlab.example:8443/errortracking/api/v1/projects'],
    ['of an instance below a path', '127.0.0.1:3000/gitlab/errortracking/api/v1/projects'],
    ['of the older collector', 'gitlab.example/api/v4/error_tracking/collector'],
    ['with an IPv6 host', '[::1]:3000/errortracking/api/v1/projects'],
  ];
  for (const [name, before] of forms) {
    it(`${name} is recognized in code and on its own`, () => {
      const text = `https://${key}@${before}/42`;
      const code = `init({ dsn: "${text}", debug: true });`;
      const [found] = findDsns(code);
      assert.equal(found?.dsn.text, text);
      assert.equal(code.slice(found?.offset).startsWith(text), true);
      assert.deepEqual(parseDsn(` ${text}\n`), { ...found?.dsn });
      assert.equal(found?.dsn.publicKey, key);
      assert.equal(found?.dsn.projectId, 42);
      assert.equal(found?.dsn.envelopeUrl, `https://${before}/api/42/envelope/`);
    });
  }

  const others = [
    'https://gitlab.example/errortracking/api/v1/projects/42',
    `https://${key}@gitlab.example/api/v4/projects/42`,
    `https://${key}@gitlab.example/errortracking/api/v1/projects/`,
    `https://${key}@gitlab.example/errortracking/api/v1/projects/42abc`,
    `ftp://${key}@gitlab.example/errortracking/api/v1/projects/42`,
    'https://abc@o1.ingest.sentry.io/42',
    '',
  ];
  for (const text of others) {
    it(`is not "${text}"`, () => {
      assert.deepEqual(findDsns(text), []);
      assert.equal(parseDsn(text), undefined);
    });
  }

  it('has a key that is shortened with its ends', () => {
    assert.equal(shortKey(key), 'glet_0123…cdef');
    assert.equal(shortKey('short'), 'short');
  });
});
