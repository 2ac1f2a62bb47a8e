import assert from 'node:assert/strict';
import { type NetworkSettings, proxyName, resolveRoute, type Route } from '../../../src/network/route.ts';

const unset: NetworkSettings = {
  proxySupport: 'override',
  proxy: '',
  proxyAuthorization: undefined,
  noProxy: [],
  proxyStrictSSL: true,
  systemCertificates: true,
};

function wayTo(url: string, settings: Partial<NetworkSettings> = {}, environment: Record<string, string> = {}): Route {
  return resolveRoute(new URL(url), { ...unset, ...settings }, environment);
}

/** The short label of a route. */
function described(way: Route): string {
  switch (way.kind) {
    case 'direct':
      return `direct: ${way.reason}`;
    case 'proxy':
      return `${way.proxy.origin} by ${way.proxy.source}`;
    default:
      return way.kind;
  }
}

describe('the route to an instance', () => {
  const gitlab = 'https://gitlab.example.com';
  const proxy = 'http://proxy.example.com:3128';
  const cases: readonly [string, Partial<NetworkSettings>, Record<string, string>, string][] = [
    [gitlab, {}, {}, 'editor'],
    ['http://127.0.0.1:3000', { proxy }, {}, 'direct: loopback'],
    ['http://127.8.9.10:3000', { proxy }, {}, 'direct: loopback'],
    ['http://localhost:3000', { proxy }, { HTTP_PROXY: proxy }, 'direct: loopback'],
    ['https://[::1]:8443', { proxy }, {}, 'direct: loopback'],
    [gitlab, { proxy, proxySupport: 'off' }, { HTTPS_PROXY: proxy }, 'direct: proxySupport'],
    [gitlab, { proxy }, {}, `${proxy} by http.proxy`],
    [gitlab, { proxy, proxySupport: 'fallback' }, {}, `${proxy} by http.proxy`],
    [gitlab, { proxy: ' proxy.example.com:3128 ' }, {}, `${proxy} by http.proxy`],
    [gitlab, { proxy: 'https://proxy.example.com' }, {}, 'https://proxy.example.com by http.proxy'],
    [gitlab, { proxy: 'http://[fe80::1]:3128' }, {}, 'http://[fe80::1]:3128 by http.proxy'],
    [gitlab, { proxy: 'socks5://proxy.example.com' }, {}, 'socks5://proxy.example.com:1080 by http.proxy'],
    [gitlab, { proxy: 'socks4a://ada@proxy.example.com:9050' }, {}, 'socks4a://proxy.example.com:9050 by http.proxy'],
    [gitlab, { proxy: 'ftp://proxy.example.com' }, {}, 'unusable'],
    [gitlab, { proxy: 'http://' }, {}, 'unusable'],
    [gitlab, { proxy }, { HTTPS_PROXY: 'http://other.example.com' }, `${proxy} by http.proxy`],
    [gitlab, {}, { HTTPS_PROXY: proxy }, `${proxy} by HTTPS_PROXY`],
    [gitlab, {}, { https_proxy: proxy, HTTPS_PROXY: 'http://other.example.com' }, `${proxy} by HTTPS_PROXY`],
    [gitlab, {}, { ALL_PROXY: proxy, HTTP_PROXY: 'http://other.example.com' }, `${proxy} by ALL_PROXY`],
    [gitlab, {}, { all_proxy: proxy }, `${proxy} by ALL_PROXY`],
    [gitlab, {}, { http_proxy: proxy }, `${proxy} by HTTP_PROXY`],
    [gitlab, {}, { ALL_PROXY: 'socks5h://proxy.example.com' }, 'socks5h://proxy.example.com:1080 by ALL_PROXY'],
    [gitlab, {}, { ALL_PROXY: 'gopher://proxy.example.com' }, 'unusable'],
    ['http://gitlab.example.com', {}, { HTTP_PROXY: proxy }, `${proxy} by HTTP_PROXY`],
    ['http://gitlab.example.com', {}, { HTTPS_PROXY: proxy }, 'editor'],
    ['http://gitlab.example.com', {}, { ALL_PROXY: proxy }, `${proxy} by ALL_PROXY`],
    [gitlab, {}, { HTTPS_PROXY: '' }, 'editor'],
    [gitlab, { proxy, noProxy: ['example.com'] }, {}, 'direct: noProxy'],
    [gitlab, { proxy }, { NO_PROXY: 'example.org, example.com' }, 'direct: noProxy'],
    [gitlab, { proxy }, { no_proxy: '*' }, 'direct: noProxy'],
    [gitlab, { proxy, noProxy: ['example.org'] }, { NO_PROXY: 'example.com' }, `${proxy} by http.proxy`],
  ];
  for (const [url, settings, environment, way] of cases) {
    it(`is "${way}" to ${url} with ${JSON.stringify({ ...settings, ...environment })}`, () => {
      assert.equal(described(wayTo(url, settings, environment)), way);
    });
  }

  const exceptions: readonly [string, string, boolean][] = [
    ['gitlab.example.com', 'https://gitlab.example.com', true],
    ['GitLab.Example.com', 'https://gitlab.example.com', true],
    ['example.com', 'https://gitlab.example.com', true],
    ['.example.com', 'https://gitlab.example.com', true],
    ['*.example.com', 'https://gitlab.example.com', true],
    ['ample.com', 'https://gitlab.example.com', false],
    ['gitlab.example.com.evil.test', 'https://gitlab.example.com', false],
    ['gitlab.example.com:443', 'https://gitlab.example.com', true],
    ['gitlab.example.com:443', 'https://gitlab.example.com:8443', false],
    ['gitlab.example.com:8443', 'https://gitlab.example.com:8443', true],
    ['gitlab.example.com', 'https://gitlab.example.com.', true],
    ['*', 'https://gitlab.example.com', true],
    ['', 'https://gitlab.example.com', false],
    ['.', 'https://gitlab.example.com', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/33', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3:8443', true],
    ['10.1.2.3:80', 'https://10.1.2.3:8443', false],
    ['2.3', 'https://10.1.2.3', false],
    ['2001:db8::/32', 'https://[2001:db8::7]', true],
    ['2001:db8::/32', 'https://[2001:db9::7]', false],
    ['2001:0db8::0007', 'https://[2001:db8::7]', true],
    ['[2001:db8::7]', 'https://[2001:db8::7]', true],
    ['[2001:db8::7]:443', 'https://[2001:db8::7]', true],
    ['[2001:db8::7]:444', 'https://[2001:db8::7]', false],
  ];
  for (const [entry, url, excepted] of exceptions) {
    it(`is ${excepted ? 'past' : 'by'} the proxy to ${url} with http.noProxy "${entry}"`, () => {
      assert.equal(wayTo(url, { proxy, noProxy: [entry] }).kind === 'direct', excepted);
    });
  }

  const credentials: readonly [Partial<NetworkSettings>, string | undefined][] = [
    [{ proxy }, undefined],
    [{ proxy: 'http://ada:p%40ss@proxy:3128' }, 'Basic YWRhOnBAc3M='],
    [{ proxy: 'http://ada@proxy:3128' }, 'Basic YWRhOg=='],
    [{ proxy: 'http://ada:100%@proxy:3128' }, 'Basic YWRhOjEwMCU='],
    [{ proxy, proxyAuthorization: 'Bearer x' }, 'Bearer x'],
    [{ proxy: 'http://ada:secret@proxy:3128', proxyAuthorization: 'Bearer x' }, 'Bearer x'],
  ];
  for (const [settings, authorization] of credentials) {
    it(`shows the proxy "${authorization ?? 'nothing'}" with ${JSON.stringify(settings)}`, () => {
      const way = wayTo(gitlab, settings);
      assert.equal(way.kind === 'proxy' ? way.proxy.authorization : 'no proxy', authorization);
      assert.doesNotMatch(way.kind === 'proxy' ? way.proxy.origin : '', /ada|@/);
    });
  }

  it('names a proxy by host and port alone', () => {
    const way = wayTo(gitlab, { proxy: 'https://ada:secret@proxy.example.com' });
    assert.equal(way.kind === 'proxy' && proxyName(way.proxy), 'proxy.example.com:443');
  });
});
