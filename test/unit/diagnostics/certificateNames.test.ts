import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { shownCertificate } from '../../../src/platform/node/diagnostics.ts';
import { makeCertificate } from '../../support/certificates.ts';

describe('the names in a certificate', () => {
  it('are one line of bounded length each, so that nothing passes for text of the question', async () => {
    const { cert, key } = makeCertificate({ name: `Good\n\nIssuer: An authority that you trust ${'x'.repeat(1000)}` });
    const server = createServer({ cert, key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const certificate = await shownCertificate(`https://127.0.0.1:${port}`, {}, new AbortController().signal);
      for (const name of [certificate.subject, certificate.issuer]) {
        assert.match(name, /^Good Issuer: An authority that you trust x+…$/);
        assert.ok(name.length <= 201);
      }
    } finally {
      server.close();
    }
  });
});
