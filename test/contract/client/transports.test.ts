import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { connectTo, openTransport } from '../../../src/platform/node/transport.ts';
import { clientOf, errorOf, sampleUser, serveClient } from '../../support/clientSamples.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startTlsFront } from '../../support/tlsFront.ts';

describe('client: transports', () => {
  it('answers come in any pieces, after hints, and with bytes that are no text', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
    const body = Buffer.concat([Buffer.from('{"version":"18é€😀'), Buffer.of(0xff), Buffer.from('"}')]);
    await using server = await serveClient((_, response) => {
      const socket = response.socket;
      socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n');
      socket?.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      for (const byte of body) {
        socket?.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
      }
      socket?.end('0\r\n\r\n');
    });
    for (const options of [{}, { fetch: globalThis.fetch }]) {
      assert.equal((await clientOf(server.origin, options).directory.version()).version, '18é€😀\uFFFD');
    }
  });

  it('answers that break the rules of HTTP are faults', async () => {
    for (const answer of [
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`,
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'not HTTP at all\r\n\r\n',
    ]) {
      await using server = await serveClient((_, response) => response.socket?.end(answer));
      const error = await errorOf(server.client.directory.version(), 'unavailable');
      assert.equal(error.kind, 'network');
      assert.equal(server.requests.length, 3);
    }
  });

  it('an answer without a body is none, even where it is called compressed', async () => {
    await using server = await serveClient(({ method }, response) => {
      response.writeHead(method === 'GET' ? 304 : 204, { 'content-encoding': 'gzip' }).end();
    });
    const { client } = server;
    await client.errorTracking.deleteClientKey(1, 2);
    const { value: page } = await client.events.mine({}, { etag: '"a"' }).next();
    assert.equal(page?.notModified, true);
    assert.equal(server.requests.length, 2);
  });

  it('an answer that is not the gzip that it says is as malformed as any other that cannot be read', async () => {
    const whole = gzipSync(JSON.stringify(sampleUser));
    for (const body of [Buffer.from('<html>'), whole.subarray(0, 20), Buffer.from([0x1f, 0x8b, 8, 0, 1])]) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      await using server = await serveClient({ text: body, headers });
      const error = await errorOf(server.client.directory.currentUser(), 'unavailable');
      assert.equal(error.detail, 'MALFORMED_BODY');
    }
  });

  it('a connection that the other end closes is named as Node names it', async () => {
    await using server = await serveClient((_, response) => response.socket?.end());
    const error = await errorOf(server.client.directory.currentUser(), 'unavailable');
    assert.deepEqual([error.kind, error.detail], ['network', 'ECONNRESET']);
  });

  it('faults that a browser engine reports are named', async () => {
    for (const [message, kind, detail] of [
      ['net::ERR_NAME_NOT_RESOLVED', 'dns', 'ERR_NAME_NOT_RESOLVED'],
      ['net::ERR_CERT_AUTHORITY_INVALID', 'tls', 'ERR_CERT_AUTHORITY_INVALID'],
      ['net::ERR_CONNECTION_TIMED_OUT', 'timeout', 'connect'],
      ['something else', 'network', 'UNKNOWN'],
    ] as const) {
      const fetch = () => Promise.reject(new TypeError(message));
      const error = await errorOf(clientOf('https://gitlab.example', { fetch }).directory.version(), 'unavailable');
      assert.deepEqual([error.kind, error.detail], [kind, detail]);
    }
  });

  it('a proxy that the editor has found is told from the instance, and named where it is known', async () => {
    const cause = (fields: object) => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), fields) });
    const unreachable = 'Failed to establish a socket connection to proxies: PROXY 127.0.0.1:3128';
    for (const [error, detail, proxy] of [
      [new Error(unreachable), 'UNREACHABLE', '127.0.0.1:3128'],
      // As editors before 1.117 write what stands in the setting, and those after it.
      [new Error(unreachable.replace('127', 'ada:12345@127')), 'UNREACHABLE', '127.0.0.1:3128'],
      [new Error(unreachable.replace('127', '<credentials>@127')), 'UNREACHABLE', '127.0.0.1:3128'],
      [new Error(unreachable.replace('127.0.0.1:3128', 'ada:12345@proxy')), 'UNREACHABLE', undefined],
      [new Error('Proxy response (407) !== 200 when HTTP Tunneling'), '407', undefined],
      [new TypeError('net::ERR_PROXY_CONNECTION_FAILED'), 'ERR_PROXY_CONNECTION_FAILED', undefined],
      [cause({ code: 'ECONNREFUSED', address: '10.0.0.7', port: 3128 }), 'ECONNREFUSED', '10.0.0.7:3128'],
      [cause({ code: 'ENOTFOUND', hostname: 'proxy.example' }), 'ENOTFOUND', 'proxy.example'],
    ] as const) {
      const client = clientOf('https://gitlab.example', { fetch: () => Promise.reject(error) });
      const failure = await errorOf(client.directory.version(), 'unavailable');
      assert.deepEqual([failure.kind, failure.detail, failure.proxy], ['proxy', detail, proxy]);
    }
    for (const [fields, kind] of [
      [{ code: 'ECONNREFUSED', address: '10.0.0.8', port: 443 }, 'network'],
      [{ code: 'ENOTFOUND', hostname: 'gitlab.example' }, 'dns'],
    ] as const) {
      const client = clientOf('https://gitlab.example', { fetch: () => Promise.reject(cause(fields)) });
      assert.equal((await errorOf(client.directory.version(), 'unavailable')).kind, kind);
    }
  });

  it('what the web server of an instance says of client certificates and of http is passed on', async () => {
    for (const [title, detail] of [
      ['400 No required SSL certificate was sent', 'CLIENT_CERTIFICATE_REQUIRED'],
      ['400 The SSL certificate error', 'CLIENT_CERT_REFUSED'],
      ['400 The plain HTTP request was sent to HTTPS port', 'PLAIN_HTTP_TO_HTTPS_PORT'],
    ]) {
      const text = `<html>\r\n<head><title>${title}</title></head>\r\n<body>nginx</body>\r\n</html>`;
      await using server = await serveClient({ status: 400, headers: { 'content-type': 'text/html' }, text });
      const error = await errorOf(server.client.directory.currentUser(), 'unavailable');
      assert.deepEqual([error.kind, error.detail], ['tls', detail]);
    }
  });

  it('an alert after the handshake says what is wrong, where nothing is set for the instance', async () => {
    const authority = makeCertificate({ name: 'Company CA', isAuthority: true });
    const certificate = makeCertificate({ name: 'gitlab', issuer: authority, hosts: ['localhost'] });
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const demands = { requestCert: true, rejectUnauthorized: true, maxVersion };
      await using front = await startTlsFront(0, { ...certificate, ...demands });
      const client = clientOf(`https://localhost:${front.port}`, {
        transport: openTransport(connectTo([authority.cert])),
      });
      const error = await errorOf(client.directory.version(), 'unavailable');
      assert.equal(error.kind, 'tls', error.detail);
      await client.close();
    }
  });

  it('a change that is aborted while the connection is opened fails at once, and is never sent', async () => {
    const connecting = Promise.withResolvers<void>();
    const held: (() => void)[] = [];
    const { fetch, close } = openTransport(() => ({ hostname, port }, callback) => {
      const open = () => callback(null, connect(Number(port), hostname));
      // The first alone takes its time.
      if (held.push(open) > 1) {
        queueMicrotask(open);
      }
      connecting.resolve();
    });
    await using server = await serveClient({ json: { level: 'watch' } }, { fetch });
    const { notificationSettings, directory } = server.client;
    const controller = new AbortController();
    const call = notificationSettings.update('global', { level: 'watch' }, { signal: controller.signal });
    await connecting.promise;
    controller.abort();
    await errorOf(call, 'aborted');
    held[0]?.();
    // What goes the same way after it comes through alone.
    await directory.version().catch(() => undefined);
    assert.equal(server.requests.length, 1);
    await close();
  });
});
