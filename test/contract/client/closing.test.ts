import { Agent } from 'undici';
import { ProxyFailure } from '../../../src/network/connect.ts';
import { editorFetch, editorHttps, withEditorCredentials } from '../../../src/network/editorFetch.ts';
import { platformTransport } from '../../../src/platform/node/transport.ts';
import { browserFetch } from '../../../src/platform/web/transport.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { carrierOf, describeClosedClient } from '../../support/closedClient.ts';
import { startTlsFront } from '../../support/tlsFront.ts';

const certificate = makeCertificate({ name: 'gitlab', hosts: ['localhost'] });

describe('client: closing', () => {
  describeClosedClient('undici', async ({ origin }) => carrierOf(origin, {}));

  describeClosedClient('undici by a dispatcher', async ({ origin }) => {
    const dispatcher = new Agent();
    return { ...carrierOf(origin, { dispatcher }), [Symbol.asyncDispose]: () => dispatcher.destroy() };
  });

  describeClosedClient("the editor's fetch", async ({ origin }) => carrierOf(origin, { fetch: editorFetch() }));

  describeClosedClient("the editor's https", async ({ origin }) => {
    const front = await startTlsFront(Number(new URL(origin).port), certificate);
    return {
      ...carrierOf(`https://localhost:${front.port}`, { fetch: editorHttps([certificate.cert], {}) }),
      [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
    };
  });

  describeClosedClient('undici until the proxy wants credentials', async ({ origin }) => {
    const dispatcher = new Agent();
    const fetch = withEditorCredentials(platformTransport(0, dispatcher), editorFetch());
    return { ...carrierOf(origin, { fetch }), [Symbol.asyncDispose]: () => dispatcher.destroy() };
  });

  describeClosedClient('the editor once the proxy wants credentials', async ({ origin }) => {
    const refusing = { send: () => Promise.reject(new ProxyFailure('proxy:80', 407)), close: async () => undefined };
    return carrierOf(origin, { fetch: withEditorCredentials(refusing, editorFetch()) });
  });

  describeClosedClient("the browser's fetch", async ({ origin }) => carrierOf(origin, { fetch: browserFetch }));
});
