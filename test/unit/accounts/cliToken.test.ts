import assert from 'node:assert/strict';
import { cliTokenIn } from '../../../src/accounts/borrowedTokens.ts';

const configuration = `# What is above
git_protocol: ssh
host: gitlab.com
hosts:
    # of the company
    gitlab.com:
        api_protocol: https
        token: !!null glpat-first # mine
        user: ada
    "gitlab.example.com:8443":
        token: 'glpat-second'
        is_oauth2: "true"

    ssh.example.com:
        api_host: API.example.com
        token: glpat-third
    empty.example.com:
        token:
token: glpat-outside
`;

describe('the configuration file of the GitLab CLI', () => {
  for (const newline of ['\n', '\r\n']) {
    it(`tells the token of each host, and none of another (${JSON.stringify(newline)})`, () => {
      const tokenSource = { kind: 'cli' };
      const tokenOf = (url: string) => cliTokenIn(configuration.replaceAll('\n', newline), url);
      assert.deepEqual(tokenOf('https://gitlab.com'), { token: 'glpat-first', tokenSource });
      assert.deepEqual(tokenOf('https://gitlab.example.com:8443/git'), {
        token: 'glpat-second',
        tokenSource,
        bearer: true,
      });
      assert.deepEqual(tokenOf('https://api.example.com'), { token: 'glpat-third', tokenSource });
      for (const other of ['gitlab.example.com', 'empty.example.com', 'example.com', 'evil-gitlab.com', 'hosts']) {
        assert.equal(tokenOf(`https://${other}`), undefined, other);
      }
    });
  }

  it('has no token of an account where it is signed in as another user', () => {
    const isThere = (url: string, username: string): boolean => cliTokenIn(configuration, url, username) !== undefined;
    assert.deepEqual([isThere('https://gitlab.com', 'ada'), isThere('https://gitlab.com', 'eve')], [true, false]);
    assert.ok(isThere('https://api.example.com', 'eve'), 'it does not say whose it is');
  });

  it('is one that anything may stand in', () => {
    for (const odd of [
      '',
      'hosts:',
      'hosts: {}',
      'hosts:\n',
      'hosts:\n\tgitlab.com:\n\t\ttoken: x',
      'gitlab.com:\n  token: x',
    ]) {
      assert.equal(cliTokenIn(odd, 'https://gitlab.com'), undefined, odd);
    }
    assert.equal(cliTokenIn(`hosts:\n${' \n'.repeat(50_000)}`, 'https://gitlab.com'), undefined);
  });
});
