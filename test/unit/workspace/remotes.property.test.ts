import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { normalizeInstanceUrl } from '../../../src/common/instanceUrl.ts';
import { instanceUrlOf, parseRemoteUrl, projectPathOf, withInsteadOf } from '../../../src/workspace/remoteUrl.ts';
import { readSshConfig } from '../../../src/platform/node/disk.ts';
import { hostileText, runs } from '../../support/properties.ts';

const piece = fc.constantFrom(
  ...'https:// http:// ssh:// git:// git+https:// git+ssh:// file:// git@ user:token@ @ : :22 :99999'.split(' '),
  ...'gitlab.com host [::1] %20 %zz %2F / // .. a/b.git ~ \\ C: $h'.split(' '),
);
const remote = fc.oneof(
  hostileText,
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
);

describe('remotes of a repository, which anybody may have written', () => {
  it('lead to a host that an instance can have, or nowhere', () => {
    fc.assert(
      fc.property(remote, (text) => {
        const address = parseRemoteUrl(text);
        if (address) {
          assert.notEqual(address.path, '');
          const instanceUrl = instanceUrlOf(address) ?? 'https://none';
          assert.match(instanceUrl, /^https?:\/\/[^/@\s]+$/);
          assert.notEqual(normalizeInstanceUrl(instanceUrl), undefined, instanceUrl);
          const path = projectPathOf(address, 'https://gitlab.com');
          assert.ok(path === undefined || path.includes('/'));
        }
      }),
      runs(1000),
    );
  });

  it('are rewritten by any rules of git, which never fail', () => {
    const rule = fc.record({
      key: fc.oneof(
        hostileText,
        hostileText.map((base) => `url.${base}.insteadof`),
      ),
      value: fc.string({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(remote, fc.array(rule), (text, rules) => {
        const rewritten = withInsteadOf(text, rules);
        assert.ok(rules.length > 0 || rewritten === text);
        parseRemoteUrl(rewritten);
      }),
      runs(300),
    );
  });
});

describe('an SSH configuration of any text', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-ssh-'));
  });

  const line = fc.oneof(
    hostileText,
    fc
      .tuple(
        fc.constantFrom('Host', 'HostName', 'Match', 'Include', 'CanonicalizeHostname', 'User', 'ProxyCommand', '#'),
        fc.constantFrom(' ', '=', ' = ', '\t'),
        fc.oneof(
          hostileText,
          fc.constantFrom(...'*|?|!*|work|"|"a b|exec "touch pwned"|host a exec true|%h.example|%%|%'.split('|')),
          fc.constantFrom('config', '/', '[', '**', 'final all', 'canonical', 'host'),
        ),
      )
      .map((parts) => parts.join('')),
  );

  it('gives every alias a name, and runs nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.oneof(fc.constantFrom('work', 'a$&b', '%h'), hostileText),
        async (lines, alias) => {
          await writeFile(join(folder, 'config'), lines.filter((one) => !/include[\s=]+.*[/*]/i.test(one)).join('\n'));
          const hostNameOf = await readSshConfig(folder);
          assert.equal(typeof hostNameOf(alias), 'string');
          assert.equal(typeof hostNameOf('work'), 'string');
        },
      ),
      runs(150),
    );
  });

  it('puts an alias where it says, as it is', async () => {
    await writeFile(join(folder, 'config'), 'Host *\n  HostName %h.100%%.example');
    assert.equal((await readSshConfig(folder))('a$&b%%'), 'a$&b%%.100%.example');
  });
});
