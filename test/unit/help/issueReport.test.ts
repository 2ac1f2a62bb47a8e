import assert from 'node:assert/strict';
import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { issueReport, knownSecrets, lastLogLines, redact } from '../../../src/help/issueReport.ts';
import { MemorySecrets } from '../../support/editorState.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

describe('an issue report', () => {
  it('has no secret that the store holds, in any of its forms', async () => {
    const secrets = new MemorySecrets();
    const account = { id: 'ada@host', instanceUrl: 'https://host' };
    await secrets.store(
      'account:ada@host',
      JSON.stringify({ account, token: 'first secret/1', refresh: { token: 'second-secret' } }),
    );
    await secrets.store('passphrase:host', 'open sesame');
    const known = await knownSecrets(secrets);
    const report = issueReport(
      'Beacon for GitLab 1.2.3\nhttps://host of ada@host: first secret/1',
      ['second-secret, open sesame', 'first%20secret%2F1'],
      known,
    );
    assert.doesNotMatch(report, /secret\/1|second-secret|sesame|secret%2F1/);
    assert.match(report, /Beacon for GitLab 1\.2\.3/);
    assert.match(report, /https:\/\/host of ada@host/);
  });

  it('has no secret by its form, though nobody keeps it', () => {
    const cases = [
      ['glpat-abcdefgh_12345678.01.abc', '[token]'],
      ['PRIVATE-TOKEN: hunter2 and more', 'PRIVATE-TOKEN: [removed]'],
      [`{ 'authorization': 'Basic aGk6aG8=' }`, `{ 'authorization': [removed]`],
      ['sent Bearer abcdef0123456789.x', 'sent Bearer [token]'],
      ['https://glet_0123abc@host/api/1', 'https://[removed]@host/api/1'],
      ['socks5://me:pass@proxy:1080', 'socks5://[removed]@proxy:1080'],
      ['GET /api?search=tender&page=2', 'GET /api?search=[removed]&page=[removed]'],
      ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', '[removed]'],
    ] as const;
    for (const [text, expected] of cases) {
      assert.equal(redact(text, [], ''), expected);
    }
  });

  it('has no secret between whose letters stands what is not seen, however long the text is', () => {
    const tokens = ['glpat-abcdefgh_12345678', 'kept secret'];
    for (const unseen of ['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u{E0041}', '\u200D', '\uFE0F', '\u0301']) {
      const hidden = tokens.map((token) => token.split('').join(unseen)).join('\n');
      const text = redact(`${'x'.repeat(3990)} ${hidden}`, ['kept secret'], '');
      assert.equal(text, `${'x'.repeat(3990)} [token]\n[removed]`, JSON.stringify(unseen));
    }
    // What ends a line hides no secret that is known.
    for (const control of ['\0', '\t', '\n', '\r\n', '\u2028', '\u0085']) {
      const text = redact(`a ${Array.from('kept sécret').join(control)} b`, ['kept sécret'], '');
      assert.equal(text, 'a [removed] b', JSON.stringify(control));
    }
    assert.equal(redact(encodeURIComponent('kept sécret'), ['kept sécret'], ''), '[removed]');
  });

  it('has what can be read of the secrets where one entry cannot', async () => {
    const secrets = new MemorySecrets();
    await secrets.store('passphrase:one', 'open sesame');
    await secrets.store('passphrase:two', 'other words');
    const get = secrets.get.bind(secrets);
    secrets.get = async (key) => await (key.endsWith('one') ? Promise.reject(new Error('locked')) : get(key));
    assert.deepEqual(await knownSecrets(secrets), ['other words']);
    secrets.failure = new Error('gone');
    assert.deepEqual(await knownSecrets(secrets), []);
  });

  it('says where the home folder is on no platform, and keeps all other text', () => {
    assert.equal(redact('/home/ada/x.pem', [], '/home/ada'), '~/x.pem');
    assert.equal(redact('C:\\Users\\ada\\x.pem C:/Users/ada/y', [], 'C:\\Users\\ada'), '~\\x.pem ~/y');
    assert.equal(
      redact('file:///c%3A/Users/ada/x c:\\\\users\\\\Ada\\\\y', [], 'C:\\Users\\ada'),
      'file:///~/x ~\\\\y',
    );
    assert.equal(redact('/home/a.b/x /home/aXb/x', [], '/home/a.b'), '~/x /home/aXb/x');
    const text = 'Requests to host: by the proxy proxy:8080, 3 of 4 (ada@host)';
    assert.equal(redact(text, [], '/'), text);
  });

  it('cannot be left by its log', () => {
    for (const fence of ['```', '`\u200B``', '\u2060```', '`\u00AD`\u{E0041}`']) {
      const report = issueReport('x', [fence, '# heading'], []);
      assert.equal(report.match(/^```/gm)?.length, 4, JSON.stringify(fence));
    }
  });

  it('has the end of the newest log, and none where there is no log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beacon-log-'));
    assert.deepEqual(await lastLogLines(Uri.file(folder)), []);
    assert.deepEqual(await lastLogLines(Uri.file(join(folder, 'none'))), []);
    await writeFile(join(folder, 'old.log'), 'old\n');
    await utimes(join(folder, 'old.log'), 1, 1);
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    await writeFile(join(folder, 'Beacon for GitLab.log'), `${lines.join('\r\n')}\r\n`);
    const last = await lastLogLines(Uri.file(folder));
    assert.deepEqual(last, lines.slice(-60));
  });
});
