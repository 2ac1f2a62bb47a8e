import assert from 'node:assert/strict';
import { instanceName, isUnencrypted, normalizeInstanceUrl } from '../../../src/common/instanceUrl.ts';

describe('the URL of an instance', () => {
  const accepted = {
    'gitlab.com': 'https://gitlab.com',
    ' https://gitlab.com/ ': 'https://gitlab.com',
    'HTTPS://GitLab.Example.COM': 'https://gitlab.example.com',
    'https://host:8443/gitlab/': 'https://host:8443/gitlab',
    'https://host/api/v4': 'https://host',
    'https://host/gitlab/api/v4/': 'https://host/gitlab',
    'https://host:443': 'https://host',
    'https://host/group/project/-/tree/a%2Fb..c': 'https://host/group/project/-/tree/a%2Fb..c',
    'host:8080': 'https://host:8080',
    'http://127.0.0.1:3000?x=1#y': 'http://127.0.0.1:3000',
    'http://[::1]:3000': 'http://[::1]:3000',
  };
  for (const [typed, url] of Object.entries(accepted)) {
    it(`is ${url} for "${typed}"`, () => assert.equal(normalizeInstanceUrl(typed), url));
  }

  for (const typed of [
    '',
    '   ',
    'git@host:group/project.git',
    'ssh://host/x',
    'https://user:secret@host',
    'a b',
    ' glpat-AbCdEfGh1234567890xy',
    'https://',
    'ftp://host',
    // To its server it is another program of the host.
    'https://host/gitlab/..%2fother',
    'https://host/gitlab/%252e%252e/other',
    'https://host/gitlab/..;/other',
  ]) {
    it(`is none for "${typed}"`, () => assert.equal(normalizeInstanceUrl(typed), undefined));
  }

  it('is called by its host, port and path', () => {
    assert.equal(instanceName('https://host:8443/gitlab'), 'host:8443/gitlab');
    assert.equal(instanceName('http://127.0.0.1:3000'), '127.0.0.1:3000');
    assert.equal(instanceName('http://host/gitlab'), 'http://host/gitlab', 'apart from that by https');
  });

  it('is of this computer only by names that lead nowhere else', () => {
    const urls = ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]', 'http://evil.localhost', 'http://host'];
    assert.deepEqual(urls.map(isUnencrypted), [false, false, false, true, true]);
  });
});
