import { editorFetch, editorHttps } from '../../../src/platform/node/editorFetch.ts';
import { browserFetch } from '../../../src/platform/web/transport.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { carrierOf, describeClosedClient } from './closedClient.ts';
import { startTlsFront } from '../../support/tlsFront.ts';

const certificate = makeCertificate({ name: 'gitlab', hosts: ['localhost'] });

describe('client: closing', () => {
  describeClosedClient('undici', async ({ origin }) => carrierOf(origin, {}));

  describeClosedClient("the editor's fetch", async ({ origin }) => carrierOf(origin, { fetch: editorFetch }));

  describeClosedClient("the editor's https", async ({ origin }) => {
    const front = await startTlsFront(Number(new URL(origin).port), certificate);
    return {
      ...carrierOf(`https://localhost:${front.port}`, { fetch: editorHttps([certificate.cert], {}) }),
      [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
    };
  });

  describeClosedClient("the browser's fetch", async ({ origin }) => carrierOf(origin, { fetch: browserFetch }));
});
