import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { allRecords, clientOf, errorOf, sampleEvent } from '../support/clientSamples.ts';
import { editorFetch, editorHttps } from '../../src/platform/node/editorFetch.ts';
import { carrierOf, describeClosedClient } from '../contract/client/closedClient.ts';
import { listening } from '../support/listening.ts';
import { startProxy } from './proxyServer.ts';
import { PersonalSettings } from './personalSettings.ts';
import { Reader } from './reader.ts';
import { startSocks } from './socksServer.ts';
import { storedAuthority } from './storedAuthority.ts';
import { startTlsFront } from '../support/tlsFront.ts';

/** A host that only a proxy knows. */
const hidden = 'gitlab.proxied.test';
/** An address of this computer that no rule calls so: it is reached through a proxy unless an exception says otherwise. */
const open = '0.0.0.0';
/**
 * Whether the editor's `fetch` is an older one: it keeps the first proxy that it has used until the window is reloaded, and takes authorities
 * of the operating system from its usual files alone. See docs/network-and-sign-in.md.
 */
const hasOldFetch = Number(vscode.version.split('.')[1]) < 117;
const authority = makeCertificate({ name: 'Company CA', isAuthority: true });
const certificate = makeCertificate({ name: 'gitlab', issuer: authority, hosts: [hidden, open] });
/** An authority that the editor's `fetch` trusts. */
const editorAuthority = storedAuthority(hasOldFetch ? 'extra' : 'system');
const trusted = makeCertificate({ name: 'gitlab', issuer: editorAuthority, hosts: [open] });
const basic = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;

describe('the route to an instance through proxies', () => {
  let sandbox: Sandbox;
  let port: number;
  let folder: string;
  let authorityFile: string;
  let reader: Reader;
  const settings = new PersonalSettings();
  /** Those of `forgetProxy`, which `settings.use` must not take back. */
  const settingsToForget = new PersonalSettings();

  before(async () => {
    sandbox = await startSandbox({ anyHost: true });
    port = Number(new URL(sandbox.url).port);
    folder = mkdtempSync(join(tmpdir(), 'beacon-proxies-'));
    authorityFile = join(folder, 'authority.pem');
    writeFileSync(authorityFile, authority.cert);
  });
  after(async () => {
    await settings.takeBack();
    await settingsToForget.takeBack();
    await sandbox.close();
  });
  beforeEach(async () => {
    reader = new Reader();
    await forgetProxy();
  });
  afterEach(() => reader.dispose());

  /** What a reload of the window does to an older `fetch`, which opens other connections once authorities of the operating system do not count. */
  async function forgetProxy(): Promise<void> {
    if (hasOldFetch) {
      await settings.set({ 'http.proxy': 'http://127.0.0.1:1' });
      await settingsToForget.set({ 'http.systemCertificates': true });
      await fetch(`http://${hidden}`).catch(() => undefined);
      await settings.set({ 'http.proxy': undefined });
      await settingsToForget.set({ 'http.systemCertificates': false });
    }
  }

  /** Hides that Node has read authorities besides: with them, nothing that is secure goes by the editor's `fetch`. */
  function withoutMoreAuthorities(): Disposable {
    // Node reads them once, when it is first asked: other tests need them.
    getCACertificates('default');
    const file = process.env['NODE_EXTRA_CA_CERTS'];
    delete process.env['NODE_EXTRA_CA_CERTS'];
    return { [Symbol.dispose]: () => void (process.env['NODE_EXTRA_CA_CERTS'] = file) };
  }

  const read = (url = `http://${hidden}`): Promise<number> => reader.read(url, sandbox.tokens.owner);
  const failure = (url = `http://${hidden}`): Promise<string> => reader.failure(url, sandbox.tokens.owner);

  it('goes by http.proxy, which alone can resolve the host', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.use({ 'http.proxy': proxy.url });
    assert.equal(await read(), 5);
    assert.ok(proxy.asked.includes(`${hidden}:80`));
  });

  it('says that there is no such host without the proxy', async () => {
    await settings.use({});
    assert.equal(await failure(), `There is no host ${hidden}, or the network is down.`);
  });

  it('shows the proxy the credentials in its URL', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, authorization: basic });
    await settings.use({ 'http.proxy': proxy.url.replace('//', '//ada:s3cret@') });
    assert.equal(await read(), 5);
    assert.doesNotMatch(reader.logged.join('\n'), /s3cret|YWRhOnMzY3JldA/);
  });

  for (const [credentials, more] of [
    ['', {}],
    ['ada:wrong@', {}],
    ['', { 'http.proxyAuthorization': basic }],
  ] as const) {
    it(`says that the proxy wants other credentials than "${credentials}" ${Object.keys(more).join()}`, async () => {
      await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, authorization: basic });
      await settings.use({ 'http.proxy': proxy.url.replace('//', `//${credentials}`), ...more });
      assert.equal(await failure(), `The proxy for ${hidden} requires valid credentials (407).`);
    });
  }

  for (const [what, issuer] of [
    ['an authority of the editor', editorAuthority],
    ['beacon.tls', authority],
  ] as const) {
    it(`goes by a SOCKS proxy, which resolves the host, with ${what}`, async () => {
      await using front = await startTlsFront(port, makeCertificate({ name: 'gitlab', issuer, hosts: [hidden] }));
      await using socks = await startSocks({ [`${hidden}:443`]: front.port });
      using _ = withoutMoreAuthorities();
      await settings.use({
        'http.proxy': `socks5h://127.0.0.1:${socks.port}`,
        'beacon.tls': what === 'beacon.tls' ? { [hidden]: { ca: authorityFile } } : {},
      });
      assert.equal(await read(`https://${hidden}`), 5);
      assert.ok(socks.asked.length > 0);
    });
  }

  it('says that the proxy cannot be reached', async () => {
    const gone = await startProxy({ hosts: {} });
    await gone[Symbol.asyncDispose]();
    await settings.use({ 'http.proxy': gone.url });
    assert.equal(await failure(), `The proxy 127.0.0.1:${gone.port} cannot be reached (ECONNREFUSED).`);
  });

  it('says that there is no host of the name of the proxy', async () => {
    await settings.use({ 'http.proxy': 'http://proxy.unknown.test:3128' });
    assert.match(await failure(), /^The proxy proxy\.unknown\.test was not found \(E/);
  });

  it('calls the proxy by https, if its certificate is trusted', async () => {
    await using front = await startTlsFront(port, certificate);
    const hosts = { [`${hidden}:80`]: port, [`${hidden}:443`]: front.port };
    const strange = makeCertificate({ name: 'proxy', hosts: ['localhost'] });
    await using proxy = await startProxy({ hosts, certificate: strange });
    await settings.use({ 'http.proxy': proxy.url, 'beacon.tls': { [hidden]: { ca: authorityFile } } });
    assert.match(await failure(), /^The certificate of gitlab\.proxied\.test is self-signed/);
    assert.match(await failure(`https://${hidden}`), /^The proxy localhost:\d+ cannot be reached \(UNREACHABLE\)/);
    const known = makeCertificate({ name: 'proxy', issuer: editorAuthority, hosts: ['localhost'] });
    await using knownProxy = await startProxy({ hosts, certificate: known });
    await forgetProxy();
    await settings.set({ 'http.proxy': knownProxy.url });
    assert.equal(await read(), 5);
    assert.equal(await read(`https://${hidden}`), 5);
  });

  it('goes past the proxy where http.noProxy says so', async () => {
    await using proxy = await startProxy({ hosts: {} });
    await settings.use({ 'http.proxy': proxy.url, 'http.noProxy': [open] });
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.deepEqual(proxy.asked, []);
  });

  it('goes by the proxy where http.noProxy names another host', async () => {
    await using proxy = await startProxy({ hosts: {}, refusal: 403 });
    await settings.use({ 'http.proxy': proxy.url, 'http.noProxy': ['gitlab.example.com'] });
    assert.match(await failure(`https://${open}:${port}`), /^The proxy for 0\.0\.0\.0:\d+ does not work \(403\)\.$/);
    assert.ok(proxy.asked.includes(`${open}:${port}`));
  });

  it('goes past every proxy where http.proxySupport is off', async () => {
    await using proxy = await startProxy({ hosts: {} });
    await settings.use({ 'http.proxy': proxy.url, 'http.proxySupport': 'off' });
    assert.equal(await read(`http://${open}:${port}`), 5);
    assert.deepEqual(proxy.asked, []);
    assert.match(reader.logged.join('\n'), /: direct$/m);
  });

  for (const [tls, what] of [
    [{ ca: authority.cert }, 'a private authority'],
    [{ fingerprint: certificate.fingerprint }, 'a fingerprint'],
  ] as const) {
    it(`is the one that the editor finds, with ${what} by its node:https`, async () => {
      await using front = await startTlsFront(port, certificate);
      await using proxy = await startProxy({ hosts: { [`${hidden}:443`]: front.port }, authorization: basic });
      await settings.use({ 'http.proxy': proxy.url.replace('//', '//ada:s3cret@') });
      const client = clientOf(`https://${hidden}`, { token: sandbox.tokens.owner, fetch: editorHttps([], tls) });
      assert.notEqual((await client.directory.currentUser()).username, '');
      const written = await client.notificationSettings.update('global', { level: 'watch' });
      assert.deepEqual(written, await client.notificationSettings.get('global'));
      assert.ok(proxy.asked.includes(`${hidden}:443`));
    });
  }

  it('distinguishes a proxy that refuses from the instance', async () => {
    await using proxy = await startProxy({ hosts: {}, refusal: 403 });
    await settings.use({ 'http.proxy': proxy.url });
    const { fingerprint } = certificate;
    for (const fetch of [editorFetch, editorHttps([], { ca: authority.cert }), editorHttps([], { fingerprint })]) {
      const client = clientOf(`https://${hidden}`, { retries: 0, fetch });
      const error = await errorOf(client.directory.currentUser(), 'unavailable');
      assert.deepEqual([error.kind, error.detail], ['proxy', '403'], error.message);
    }
  });

  it('changes with the settings, for who is signed in; in an older editor once the window is reloaded', async () => {
    const proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.use({ 'http.proxy': proxy.url });
    await read();
    await proxy[Symbol.asyncDispose]();
    await using other = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.set({ 'http.proxy': other.url });
    if (hasOldFetch) {
      assert.equal(await failure(), `The proxy 127.0.0.1:${proxy.port} cannot be reached (ECONNREFUSED).`);
      await forgetProxy();
      await settings.set({ 'http.proxy': other.url });
    }
    assert.equal(await reader.readAgain(), 5);
    assert.ok(other.asked.includes(`${hidden}:80`));
  });

  it('is logged, the requests with method, path template, status and time, and no secret', async () => {
    await using proxy = await startProxy({ hosts: { [`${hidden}:80`]: port } });
    await settings.use({ 'http.proxy': proxy.url });
    await read();
    const log = reader.logged.join('\n');
    assert.match(log, new RegExp(`info: Requests to http://${hidden}: as the editor finds it`));
    assert.match(log, /^debug: GET \/events 200 \d+ ms$/m);
    assert.ok(!log.includes(sandbox.tokens.owner));
  });

  it('keeps its connections, and unpacks what is compressed', async () => {
    await settings.use({});
    for (const way of ['fetch', 'https'] as const) {
      let connections = 0;
      const body = gzipSync(JSON.stringify([sampleEvent(1)]));
      const server = createServer(way === 'fetch' ? trusted : certificate, (request, response) => {
        const page = Number(new URL(request.url ?? '', 'https://server').searchParams.get('page') ?? 1);
        response.writeHead(200, {
          ...{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
          ...(page < 20 ? { link: `</api/v4/events?page=${page + 1}>; rel="next"`, 'x-total-pages': '20' } : {}),
        });
        response.end(body);
      });
      server.on('secureConnection', () => (connections += 1));
      await using listens = await listening(server, open);
      const instanceUrl = `https://${open}:${listens.port}`;
      const fetch = way === 'fetch' ? editorFetch : editorHttps([authority.cert], {});
      const client = clientOf(instanceUrl, { fetch });
      const records = await allRecords(client.events.mine({}, { prefetch: 6 }));
      assert.equal(records.length, 20);
      // That of node:https opens one for each request, see docs/network-and-sign-in.md.
      assert.ok(way === 'https' || connections <= 8, `${connections} connections`);
      await client.close();
    }
  });
});

// As the editor patches it for extensions.
describeClosedClient("the extension host's fetch", async ({ origin }) => carrierOf(origin, { fetch: editorFetch }));
