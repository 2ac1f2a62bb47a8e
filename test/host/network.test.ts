import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { UnavailableError } from '../../src/api/errors.ts';
import { editorFetch, editorHttps } from '../../src/network/editorFetch.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { errorOf } from '../support/clientSamples.ts';
import { startProxy } from '../support/proxyServer.ts';
import { PersonalSettings, Reader } from '../support/reader.ts';
import { startSocks } from '../support/socksServer.ts';
import { storedAuthority } from '../support/storedAuthority.ts';
import { startTlsFront } from '../support/tlsFront.ts';

/** A host that only a proxy knows. */
const hidden = 'gitlab.proxied.test';
/** An address of this computer that no rule calls so: it is reached through a proxy unless an exception says otherwise. */
const open = '0.0.0.0';
const authority = makeCertificate({ name: 'Company CA', isAuthority: true });
const certificate = makeCertificate({ name: 'gitlab', issuer: authority, hosts: [hidden] });
const basic = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;

describe('the route to an instance through proxies', () => {
  let sandbox: Sandbox;
  let port: number;
  let folder: string;
  let authorityFile: string;
  let reader: Reader;
  const settings = new PersonalSettings();
  const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'];
  const before_ = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

  before(async () => {
    sandbox = await startSandbox({ anyHost: true });
    port = Number(new URL(sandbox.url).port);
    folder = mkdtempSync(join(tmpdir(), 'beacon-proxies-'));
    authorityFile = join(folder, 'authority.pem');
    writeFileSync(authorityFile, authority.cert);
    variables.forEach((name) => delete process.env[name]);
  });
  after(async () => {
    await sandbox.close();
    Object.assign(process.env, Object.fromEntries(Object.entries(before_).filter(([, value]) => value !== undefined)));
  });
  beforeEach(() => {
    reader = new Reader();
  });
  afterEach(async () => {
    reader.dispose();
    await settings.takeBack();
    variables.forEach((name) => delete process.env[name]);
  });

  const read = (url = `http://${hidden}`): Promise<number> => reader.read(url, sandbox.tokens.owner);
  const failure = (url = `http://${hidden}`): Promise<string> => reader.failure(url, sandbox.tokens.owner);

  it('goes by http.proxy, which alone can resolve the host', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': proxy.url });
    assert.equal(await read(), 5);
    assert.ok(proxy.asked.includes(`${hidden}:80`));
  });

  it('says that there is no such host without the proxy', async () => {
    assert.equal(await failure(), `There is no host ${hidden}, or the network is down.`);
  });

  it('shows the proxy the credentials in its URL', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, authorization: basic });
    await settings.set({ 'http.proxy': proxy.url.replace('//', '//ada:s3cret@') });
    assert.equal(await read(), 5);
    assert.doesNotMatch(reader.logged.join('\n'), /s3cret|YWRhOnMzY3JldA/);
  });

  it('shows the proxy what http.proxyAuthorization says', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, authorization: 'Bearer s3cret' });
    await settings.set({ 'http.proxy': proxy.url, 'http.proxyAuthorization': 'Bearer s3cret' });
    assert.equal(await read(), 5);
    assert.doesNotMatch(reader.logged.join('\n'), /s3cret/);
  });

  for (const credentials of ['', 'ada:wrong@']) {
    it(`says that the proxy wants other credentials than "${credentials}"`, async () => {
      await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, authorization: basic });
      await settings.set({ 'http.proxy': proxy.url.replace('//', `//${credentials}`) });
      assert.equal(await failure(), `The proxy 127.0.0.1:${proxy.port} requires valid credentials (407).`);
    });
  }

  for (const scheme of ['http', 'https']) {
    it(`goes by a SOCKS proxy to ${scheme}, which resolves the host`, async () => {
      await using front = await startTlsFront(port, certificate);
      const hosts = { [`${hidden}:80`]: port, [`${hidden}:443`]: front.port };
      await using socks = await startSocks(hosts, 'ada:s3cret');
      process.env['ALL_PROXY'] = `socks5://ada:s3cret@127.0.0.1:${socks.port}`;
      await settings.set({ 'beacon.tls': { [hidden]: { ca: authorityFile } } });
      assert.equal(await read(`${scheme}://${hidden}`), 5);
      assert.ok(socks.asked.length > 0);
      assert.doesNotMatch(reader.logged.join('\n'), /s3cret/);
      assert.equal(
        await failure(`${scheme}://gitlab.unknown.test`),
        `The proxy 127.0.0.1:${socks.port} cannot reach gitlab.unknown.test (SOCKS_HOST_UNREACHABLE).`,
      );
      process.env['ALL_PROXY'] = `socks5://ada:wrong@127.0.0.1:${socks.port}`;
      assert.match(await failure(`${scheme}://${hidden}`), /^The proxy 127\.0\.0\.1:\d+ requires valid credentials/);
    });
  }

  it('says that a SOCKS proxy cannot be reached', async () => {
    const gone = await startSocks({});
    await gone[Symbol.asyncDispose]();
    await settings.set({ 'http.proxy': `socks5://127.0.0.1:${gone.port}` });
    assert.equal(await failure(), `The proxy 127.0.0.1:${gone.port} cannot be reached (ECONNREFUSED).`);
  });

  it('says that the proxy cannot be reached', async () => {
    const gone = await startProxy({ hosts: {} });
    await gone[Symbol.asyncDispose]();
    await settings.set({ 'http.proxy': gone.url });
    assert.equal(await failure(), `The proxy 127.0.0.1:${gone.port} cannot be reached (ECONNREFUSED).`);
  });

  it('says that there is no host of the name of the proxy', async () => {
    await settings.set({ 'http.proxy': 'http://proxy.unknown.test:3128' });
    assert.match(await failure(), /^The proxy proxy\.unknown\.test:3128 was not found \(E/);
  });

  it('says that the setting holds no proxy that can be used', async () => {
    process.env['HTTPS_PROXY'] = 'gopher://proxy:70';
    assert.equal(await failure(`https://${hidden}`), 'The proxy in HTTPS_PROXY cannot be used as written.');
  });

  for (const scheme of ['http', 'https']) {
    it(`calls the proxy by https, to ${scheme}, and trusts its certificate only where http.proxyStrictSSL is off`, async () => {
      await using front = await startTlsFront(port, certificate);
      const hosts = { [`${hidden}:80`]: port, [`${hidden}:443`]: front.port };
      const strange = makeCertificate({ name: 'proxy', hosts: ['localhost'] });
      await using proxy = await startProxy({ hosts, certificate: strange });
      await settings.set({ 'http.proxy': proxy.url, 'beacon.tls': { [hidden]: { ca: authorityFile } } });
      assert.match(
        await failure(`${scheme}://${hidden}`),
        /^The certificate of the proxy localhost:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
      );
      const known = makeCertificate({ name: 'proxy', issuer: storedAuthority('system'), hosts: ['localhost'] });
      await using knownProxy = await startProxy({ hosts, certificate: known });
      await settings.set({ 'http.proxy': knownProxy.url });
      assert.equal(await read(`${scheme}://${hidden}`), 5);
      await settings.set({ 'http.proxy': proxy.url, 'http.proxyStrictSSL': false });
      assert.equal(await read(`${scheme}://${hidden}`), 5);
      await settings.set({ 'beacon.tls': {} });
      if (scheme === 'https') {
        assert.match(
          await failure(`https://${hidden}`),
          /^The certificate of gitlab\.proxied\.test comes from an authority/,
        );
      }
    });
  }

  it('goes past the proxy where http.noProxy says so', async () => {
    await using proxy = await startProxy({ hosts: {} });
    await settings.set({ 'http.proxy': proxy.url, 'http.noProxy': [open] });
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.deepEqual(proxy.asked, []);
  });

  it('goes by the proxy where http.noProxy names another host', async () => {
    await using proxy = await startProxy({ hosts: {}, refusal: 403 });
    await settings.set({ 'http.proxy': proxy.url, 'http.noProxy': ['gitlab.example.com'] });
    assert.match(
      await failure(`https://${open}:${port}`),
      /^The proxy .* refuses to connect to 0\.0\.0\.0:\d+ \(status 403\)\.$/,
    );
    assert.ok(proxy.asked.includes(`${open}:${port}`));
  });

  it('goes past every proxy where http.proxySupport is off', async () => {
    await using proxy = await startProxy({ hosts: {} });
    await settings.set({ 'http.proxy': proxy.url, 'http.proxySupport': 'off' });
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.deepEqual(proxy.asked, []);
  });

  it('goes by the proxy of the environment where no setting names one', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    process.env['HTTP_PROXY'] = proxy.url;
    assert.equal(await read(), 5);
    assert.ok(proxy.asked.includes(`${hidden}:80`));
  });

  it('goes past it where NO_PROXY says so', async () => {
    await using proxy = await startProxy({ hosts: {} });
    Object.assign(process.env, { HTTP_PROXY: proxy.url, NO_PROXY: `gitlab.example.com,${open}` });
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.deepEqual(proxy.asked, []);
  });

  it('is left to the editor where nothing names a proxy', async () => {
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.match(reader.logged.join('\n'), /info: Requests to 0\.0\.0\.0:\d+: as the editor finds it/);
  });

  it('is then the one that the editor finds, by its fetch', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': proxy.url });
    const instance = { instanceUrl: `http://${hidden}`, token: sandbox.tokens.owner };
    const { username } = await createClient({ ...instance, fetch: editorFetch() }).directory.currentUser();
    assert.notEqual(username, '');
    assert.ok(proxy.asked.includes(`${hidden}:80`));
  });

  for (const [tls, what] of [
    [{ ca: authority.cert }, 'a private authority'],
    [{ fingerprint: certificate.fingerprint }, 'a fingerprint'],
  ] as const) {
    it(`is then the one that the editor finds, with ${what} by its node:https`, async () => {
      await using front = await startTlsFront(port, certificate);
      await using proxy = await startProxy({ hosts: { [`${hidden}:443`]: front.port }, authorization: basic });
      await settings.set({ 'http.proxy': proxy.url.replace('//', '//ada:s3cret@') });
      const instance = { instanceUrl: `https://${hidden}`, token: sandbox.tokens.owner };
      const client = createClient({ ...instance, fetch: editorHttps([], tls) });
      assert.notEqual((await client.directory.currentUser()).username, '');
      assert.deepEqual(await client.notificationSettings.update('global', { level: 'watch' }), {
        ...(await client.notificationSettings.get('global')),
      });
      assert.ok(proxy.asked.includes(`${hidden}:443`));
    });
  }

  it('distinguishes a proxy that the editor finds and that refuses from the instance', async () => {
    await using proxy = await startProxy({ hosts: {}, refusal: 403 });
    await settings.set({ 'http.proxy': proxy.url });
    const { fingerprint } = certificate;
    for (const fetch of [editorFetch(), editorHttps([], { ca: authority.cert }), editorHttps([], { fingerprint })]) {
      const client = createClient({ instanceUrl: `https://${hidden}`, retries: 0, fetch });
      const error = await errorOf(client.directory.currentUser(), UnavailableError);
      assert.equal(error.kind, 'proxy', error.message);
    }
  });

  it('changes with the settings, for who is signed in', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': proxy.url });
    await read();
    await using other = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': other.url });
    assert.equal(await reader.readAgain(), 5);
    assert.ok(other.asked.includes(`${hidden}:80`));
  });

  it('is logged with its proxy, the requests with method, path template, status and time, and no secret', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': proxy.url });
    await read();
    const log = reader.logged.join('\n');
    assert.match(
      log,
      new RegExp(`info: Requests to ${hidden}: by the proxy 127\\.0\\.0\\.1:${proxy.port} \\(http\\.proxy\\)`),
    );
    assert.match(log, /^debug: GET \/events 200 \d+ ms$/m);
    assert.ok(!log.includes(sandbox.tokens.owner));
  });
});
