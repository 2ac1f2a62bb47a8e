import assert from 'node:assert/strict';
import { findDsns, parseDsn, shortKey } from '../../../src/errorTracking/dsn.ts';

const key = 'glet_0123456789abcdef0123456789abcdef';

describe('a DSN', () => {
  const forms: readonly [name: string, text: string, envelopeUrl: string][] = [
    [
      'of an instance',
      `https://${key}@gitlab.example/errortracking/api/v1/projects/42`,
      'https://gitlab.example/errortracking/api/v1/projects/api/42/envelope/',
    ],
    [
      'with a port',
      `https://${key}@observe.gitlab.example:8443/errortracking/api/v1/projects/42`,
      'https://observe.gitlab.example:8443/errortracking/api/v1/projects/api/42/envelope/',
    ],
    [
      'of an instance below a path',
      `http://${key}@127.0.0.1:3000/gitlab/errortracking/api/v1/projects/42`,
      'http://127.0.0.1:3000/gitlab/errortracking/api/v1/projects/api/42/envelope/',
    ],
    [
      'of the older collector',
      `https://${key}@gitlab.example/api/v4/error_tracking/collector/42`,
      'https://gitlab.example/api/v4/error_tracking/collector/api/42/envelope/',
    ],
    [
      'with an IPv6 host',
      `http://${key}@[::1]:3000/errortracking/api/v1/projects/42`,
      'http://[::1]:3000/errortracking/api/v1/projects/api/42/envelope/',
    ],
  ];
  for (const [name, text, envelopeUrl] of forms) {
    it(`${name} is recognized in code and on its own`, () => {
      const code = `init({ dsn: "${text}", debug: true });`;
      const [found] = findDsns(code);
      assert.equal(found?.dsn.text, text);
      assert.equal(code.slice(found?.offset).startsWith(text), true);
      assert.deepEqual(parseDsn(` ${text}\n`), { ...found?.dsn });
      assert.equal(found?.dsn.publicKey, key);
      assert.equal(found?.dsn.projectId, 42);
      assert.equal(found?.dsn.envelopeUrl, envelopeUrl);
    });
  }

  const places = [
    `SENTRY_DSN=${forms[0]?.[1]}`,
    `dsn: '${forms[0]?.[1]}'`,
    `{"dsn":"${forms[0]?.[1]}"}`,
    `(${forms[0]?.[1]})`,
  ];
  for (const text of places) {
    it(`is found in ${text.slice(0, 12)}`, () => assert.equal(findDsns(text)[0]?.dsn.text, forms[0]?.[1]));
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

  it('is looked for in time that grows with the text alone', () => {
    const hostile = `error_tracking/ ${'https://a@'.repeat(20_000)}${'/a'.repeat(20_000)}`;
    assert.deepEqual(findDsns(hostile), []);
  });

  it('has a key that is shortened with its ends', () => {
    assert.equal(shortKey(key), 'glet_0123…cdef');
    assert.equal(shortKey('short'), 'short');
  });
});
