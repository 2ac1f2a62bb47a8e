import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  areRelated,
  instanceUrlOf,
  configuredRemotes,
  insteadOfRules,
  parseFolderUri,
  parseRemoteUrl,
  projectPathOf,
  withInsteadOf,
} from '../../../src/workspace/remoteUrl.ts';

const hosted = 'https://gitlab.com';
const own = 'https://gitlab.example.com';
const withPort = 'https://gitlab.example.com:8443';
const withPath = 'https://host.example/gitlab';
const ipv6 = 'http://[::1]:3000';
const aliases: Readonly<Record<string, string>> = { work: 'gitlab.example.com', 'gl.com': 'altssh.gitlab.com' };

/** The project that a remote leads to on an instance, if any. */
function pathOf(remote: string, instanceUrl: string): string | undefined {
  const address = parseRemoteUrl(remote);
  return address && projectPathOf(address, instanceUrl, (alias) => aliases[alias] ?? alias);
}

describe('the project of a remote', () => {
  const cases: readonly [remote: string, instanceUrl: string, path: string | undefined][] = [
    // HTTPS
    ['https://gitlab.com/group/project.git', hosted, 'group/project'],
    ['https://GitLab.com/Group/Project.git', hosted, 'Group/Project'],
    ['https://gitlab.com:443/group/project.git', hosted, 'group/project'],
    ['http://gitlab.com/group/project.git', hosted, 'group/project'],
    ['https://oauth2:glpat-secret@gitlab.com/group/project.git', hosted, 'group/project'],
    ['https://gitlab.com./group/project.git', hosted, 'group/project'],
    ['https://gitlab.com//group//project.git', hosted, 'group/project'],
    ['  https://gitlab.com/group/project.git\n', hosted, 'group/project'],
    ['https://gitlab.com/gr%C3%BCn/project.git', hosted, 'grün/project'],
    ['https://gitlab.com/group/my.project.js.git', hosted, 'group/my.project.js'],
    // No project is called so: the path of a request would lead out of the API, or out of the instance
    ['https://gitlab.com/group%2F..%2F..%2Fother/project.git', hosted, undefined],
    ['https://gitlab.com/group/..%5C..%5Cother.git', hosted, undefined],
    ['git@gitlab.com:../../other/project.git', hosted, undefined],
    ['git@gitlab.com:group/pro%0Aject.git', hosted, undefined],
    // Ports of HTTP distinguish instances
    ['https://gitlab.example.com:8443/group/project.git', withPort, 'group/project'],
    ['https://gitlab.example.com:8443/group/project.git', own, undefined],
    ['http://[::1]:3000/group/project.git', ipv6, 'group/project'],
    // Instances below a path
    ['https://host.example/gitlab/group/project.git', withPath, 'group/project'],
    ['https://host.example/group/project.git', withPath, undefined],
    ['https://host.example/gitlab-other/group/project.git', withPath, undefined],
    ['git@host.example:group/project.git', withPath, 'group/project'],
    // SSH
    ['git@gitlab.com:group/project.git', hosted, 'group/project'],
    ['ada.l@GitLab.Example.com:group/project.git', own, 'group/project'],
    ['ssh://git@gitlab.example.com:2222/group/project.git', own, 'group/project'],
    ['git+ssh://git@gitlab.example.com/group/project.git', own, 'group/project'],
    ['ssh://git@altssh.gitlab.com:443/group/project.git', hosted, 'group/project'],
    ['git@altssh.gitlab.com:team/app.git', hosted, 'team/app'],
    ['git@-oProxyCommand=x:group/project.git', own, undefined],
    ['ssh://git@[::1]:2222/group/project.git', ipv6, 'group/project'],
    ['git://gitlab.example.com/group/project.git', own, 'group/project'],
    ['ssh://git@[0:0:0:0:0:0:0:1]/group/project.git', ipv6, 'group/project'],
    ['git@Bücher.example:group/project.git', 'https://xn--bcher-kva.example', 'group/project'],
    ['https://bücher.example/group/project.git', 'https://xn--bcher-kva.example', 'group/project'],
    // Aliases of SSH; HTTP knows none
    ['work:group/project.git', own, 'group/project'],
    ['ssh://git@work/group/project.git', own, 'group/project'],
    ['git@gl.com:group/project.git', hosted, 'group/project'],
    ['https://work/group/project.git', own, undefined],
    // Other hosts
    ['https://github.com/owner/project.git', hosted, undefined],
    ['https://gitlab.com.evil.example/group/project.git', hosted, undefined],
    ['https://evil.example/gitlab.com/group/project.git', hosted, undefined],
    ['https://gitlab.com@evil.example/group/project.git', hosted, undefined],
    ['git@evil.example:gitlab.com/group/project.git', hosted, undefined],
    ['https://gitlab.com\\@evil.example/project.git', hosted, '@evil.example/project'],
    ['https://sub.gitlab.com/group/project.git', hosted, undefined],
    // Repositories beside that of a project
    ['https://gitlab.example.com/snippets/1.git', own, undefined],
    ['https://gitlab.example.com/team/app/snippets/41.git', own, 'team/app'],
    ['https://gitlab.example.com/team/app.wiki.git', own, 'team/app'],
    ['git@gitlab.example.com:team/app.design.git', own, 'team/app'],
    ['https://gitlab.example.com/snippets/app.git', own, 'snippets/app'],
    ['https://gitlab.example.com/team/app/-/snippets/41.git', own, 'team/app'],
    // Not a project
    ['https://gitlab.com/project.git', hosted, undefined],
    // No host at all
    ['/srv/git/group/project.git', hosted, undefined],
    ['file:///srv/git/group/project.git', hosted, undefined],
    ['C:\\git\\group\\project.git', hosted, undefined],
    ['https://', hosted, undefined],
    ['git+https://a%20b/group/project.git', hosted, undefined],
    ['ext::sh -c "curl evil"', hosted, undefined],
    ['', hosted, undefined],
  ];
  for (const [remote, instanceUrl, path] of cases) {
    it(`is ${path ?? 'none'} for ${JSON.stringify(remote)} on ${instanceUrl}`, () => {
      assert.equal(pathOf(remote, instanceUrl), path);
    });
  }
});

describe('the instance to sign in to for a remote', () => {
  for (const [remote, url] of [
    ['git@gitlab.example.com:group/project.git', 'https://gitlab.example.com'],
    ['https://user:secret@gitlab.example.com:8443/group/project.git', 'https://gitlab.example.com:8443'],
    ['http://gitlab.example.com/group/project.git', 'http://gitlab.example.com'],
    ['ssh://git@altssh.gitlab.com:443/group/project.git', 'https://gitlab.com'],
    ['git@ssh.gitlab.example.com:team/app.git', undefined],
    ['git@gitlab-ssh.prod.aws.example.com:team/app.git', undefined],
    ['ssh://git@git.example.com:2222/team/app.git', undefined],
    ['http://[::1]:3000/group/project.git', 'http://[::1]:3000'],
    ['git@[::1]:group/project.git', 'https://[::1]'],
  ] as const) {
    it(`is ${url ?? 'none'} for ${remote}`, () => {
      const address = parseRemoteUrl(remote);
      assert.ok(address);
      assert.equal(instanceUrlOf(address), url);
    });
  }
});

describe('hosts of one company', () => {
  for (const [one, other, isRelated] of [
    ['ssh.gitlab.example.com', 'gitlab.example.com', true],
    ['gitlab-ssh.prod.aws.example.com', 'gitlab-tools.example.com', true],
    ['git.example.com', 'gitlab.example.com', true],
    ['ssh.localhost', 'localhost', true],
    ['git.one.co.uk', 'gitlab.other.co.uk', false],
    ['git.other.com', 'gitlab.example.com', false],
    ['10.0.0.1', '10.0.0.2', false],
  ] as const) {
    it(`are ${isRelated ? '' : 'not '}${one} and ${other}`, () => assert.equal(areRelated(one, other), isRelated));
  }
});

describe('a remote by SSH', () => {
  it('leads to the host and the path that git takes it for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'beacon-git-'));
    const ssh = join(folder, 'ssh');
    writeFileSync(ssh, '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done > "$SAID"\n', { mode: 0o700 });
    const said = join(folder, 'said');
    const env = { ...process.env, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh', SAID: said };
    for (const [remote, isRead = true] of [
      ['git@host.example:group/project.git'],
      ['git@host.example:2222/group/project.git'],
      ['[git@host.example:2222]:group/project.git'],
      ['[host.example:2222]:group/project.git'],
      ['git@[::1]:group/project.git'],
      ['[::1]:group/project.git'],
      ['[host.example]:group/project.git'],
      ['git@[host.example]:group/project.git'],
      ['[git@host.example]:group/project.git'],
      ['user@name@host.example:group/project.git'],
      ['git@host.example:/group//project.git/'],
      ['git@host.example:2222/3333/project.git'],
      ['ssh://git@host.example:/group/project.git'],
      ['ssh+git://git@host.example/group/project.git'],
      ['ssh://git@host.example/group/pr%6Fject.git'],
      ['-oProxyCommand=x:group/project.git', false],
      ['ssh://git@host.example:2222/group/project.git'],
      ['ssh://git@[::1]:2222/group/project.git'],
      ['host.example::group/project.git', false],
    ] as const) {
      rmSync(said, { force: true });
      spawnSync('git', ['ls-remote', remote], { env });
      const words = existsSync(said) ? readFileSync(said, 'utf8').trim().split('\n') : [];
      const [host = '', path = ''] = words.slice(-2);
      const read = parseRemoteUrl(remote);
      assert.deepEqual([read !== undefined, words.length > 0], [isRead, isRead], remote);
      assert.deepEqual(
        read && [read.host, read.port, read.path],
        read && [
          host.replace(/^.*@/, '').replace(/^\[(.*)\]$/, '$1'),
          words.includes('-p') ? Number(words[words.indexOf('-p') + 1]) : undefined,
          path.replaceAll(/^[^']*'\/?|(?:\.git)?\/?'$/g, '').replaceAll('//', '/'),
        ],
        remote,
      );
    }
  });
});

describe('the rules insteadOf of git', () => {
  const rules = [
    { key: 'url.https://gitlab.com/.insteadof', value: 'gl:' },
    { key: 'url.git@gitlab.com:group/.insteadOf', value: 'gl:group/' },
    { key: 'url.https://elsewhere/.pushinsteadof', value: 'https://gitlab.com/' },
    { key: 'url.https://first/.insteadof', value: 'same:' },
    { key: 'url.https://second/.insteadof', value: 'same:' },
    { key: 'url.https://GitLab.com/Group/.insteadof', value: 'GL:' },
    { key: 'user.name', value: 'gl:' },
  ];
  for (const [url, replaced] of [
    ['gl:other/project.git', 'https://gitlab.com/other/project.git'],
    ['gl:group/project.git', 'git@gitlab.com:group/project.git'],
    ['https://gitlab.com/group/project.git', 'https://gitlab.com/group/project.git'],
    ['git@host:gl:group/project', 'git@host:gl:group/project'],
    ['same:project.git', 'https://first/project.git'],
    ['GL:project.git', 'https://GitLab.com/Group/project.git'],
  ] as const) {
    it(`make ${replaced} of ${url}, as git does`, () => {
      assert.equal(withInsteadOf(url, rules), replaced);
      const settings = rules.flatMap(({ key, value }) => ['-c', `${key}=${value}`]);
      const said = spawnSync('git', [...settings, 'ls-remote', '--get-url', url], { encoding: 'utf8' });
      assert.equal(said.stdout.trim(), replaced);
    });
  }

  it('counts a bounded number of rules of a configuration, among any other entries', () => {
    const rules = Array.from({ length: 5000 }, (_, index) => ({
      key: `url.https://h/${index}.insteadof`,
      value: `${index}:`,
    }));
    const others = rules.map(({ value }) => ({ key: `alias.${value}`, value }));
    const counted = insteadOfRules([...others, ...rules]);
    assert.deepEqual(counted, rules.slice(0, 1000));
    assert.equal(withInsteadOf('7:x', counted), 'https://h/7x');
  });
});

describe('the remotes of a git configuration', () => {
  it('have the first of their URLs, and any name', () => {
    const configs = [
      { key: 'remote.origin.url', value: 'https://h/a/b.git' },
      { key: 'remote.origin.url', value: 'https://other/a/b.git' },
      { key: 'remote.origin.fetch', value: '+refs/heads/*' },
      { key: 'remote.of.ada.url', value: 'h:ada/b.git' },
      { key: 'url.https://h/.insteadof', value: 'h:' },
    ];
    assert.deepEqual(configuredRemotes(configs), [
      { name: 'origin', fetchUrl: 'https://h/a/b.git' },
      { name: 'of.ada', fetchUrl: 'h:ada/b.git' },
    ]);
  });
});

describe('the project of a virtual folder', () => {
  const pathOfFolder = (address: string, instanceUrl: string): string | undefined => {
    const [, scheme = '', authority = '', path = '', query = ''] =
      /^([\w-]+):\/\/([^/]*)([^?]*)\??(.*)$/.exec(address) ?? [];
    const remote = parseFolderUri({ scheme, authority, path, query });
    return remote && projectPathOf(remote, instanceUrl);
  };

  for (const [address, instanceUrl, path] of [
    ['gitlab-remote://gitlab.com/GitLab?project=gitlab-org/gitlab&ref=master', hosted, 'gitlab-org/gitlab'],
    ['gitlab-remote://gitlab.com/GitLab/?project=gitlab-org%2Fgitlab&ref=master', hosted, 'gitlab-org/gitlab'],
    ['gitlab-remote://gitlab.example.com:8443/x?project=a/b/c', withPort, 'a/b/c'],
    ['gitlab-remote://host.example/gitlab/label?project=templates/ui&ref=main', withPath, 'templates/ui'],
    ['gitlab-remote://gitlab.com/GitLab?project=gitlab-org/gitlab', own, undefined],
    ['gitlab-remote://gitlab.com/GitLab?project=278964&ref=master', hosted, undefined],
    ['gitlab-remote://gitlab.com/GitLab?project=../../evil', hosted, undefined],
    ['gitlab-remote://gitlab.com/GitLab?ref=master', hosted, undefined],
    ['gitlab-remote:///GitLab?project=a/b', hosted, undefined],
    ['vscode-vfs://github/gitlab-org/gitlab?project=a/b', hosted, undefined],
  ] as const) {
    it(`of ${address} on ${instanceUrl} is ${path ?? 'none'}`, () => {
      assert.equal(pathOfFolder(address, instanceUrl), path);
    });
  }
});
