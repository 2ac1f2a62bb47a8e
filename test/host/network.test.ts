import assert from 'node:assert/strict';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { startProxy } from '../support/proxyServer.ts';
import { PersonalSettings, Reader } from '../support/reader.ts';

/** A host that only a proxy knows. */
const hidden = 'gitlab.proxied.test';
/** An address of this computer that no rule calls so: it is reached through a proxy unless an exception says otherwise. */
const open = '0.0.0.0';
const basic = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;

describe('the way to an instance through proxies', () => {
  let sandbox: Sandbox;
  let port: number;
  let reader: Reader;
  const settings = new PersonalSettings();
  const variables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'];
  const before_ = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

  before(async () => {
    sandbox = await startSandbox({ anyHost: true });
    port = Number(new URL(sandbox.url).port);
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
      assert.equal(await failure(), `The proxy 127.0.0.1:${proxy.port} wants credentials, or other ones (status 407).`);
    });
  }

  it('says that the proxy cannot be reached', async () => {
    const gone = await startProxy({ hosts: {} });
    await gone[Symbol.asyncDispose]();
    await settings.set({ 'http.proxy': gone.url });
    assert.equal(await failure(), `The proxy 127.0.0.1:${gone.port} cannot be reached (ECONNREFUSED).`);
  });

  it('says that there is no host of the name of the proxy', async () => {
    await settings.set({ 'http.proxy': 'http://proxy.unknown.test:3128' });
    assert.match(await failure(), /^There is no host for the proxy proxy\.unknown\.test:3128 \(E/);
  });

  it('says that the setting holds no proxy that can be used', async () => {
    process.env['HTTPS_PROXY'] = 'gopher://proxy:70';
    assert.equal(await failure(`https://${hidden}`), 'The proxy in HTTPS_PROXY cannot be used as it is written.');
  });

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
