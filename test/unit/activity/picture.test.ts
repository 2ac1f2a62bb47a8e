import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { badge, circled, pictureAddress, pictureUri } from '../../../src/activity/events/picture.ts';
import { hostileText, runs } from '../../support/properties.ts';

const place = '/uploads/-/system/user/avatar/7';

describe('the address of a picture', () => {
  it('is one of the instance itself, where GitLab has the pictures of users, in the size that is shown', () => {
    const addressOf = (instanceUrl: string, address: unknown): string | undefined =>
      pictureAddress(instanceUrl, address)?.href;
    const own = `https://gitlab.example.com${place}/avatar.png`;
    assert.equal(addressOf('https://gitlab.example.com', own), `${own}?width=64`);
    assert.equal(addressOf('https://gitlab.example.com', `${own}?width=900&a=b#c`), `${own}?width=64`);
    assert.equal(
      addressOf('https://h.example:8443/git', `https://h.example:8443/git${place}/%C3%A9.jpg`),
      `https://h.example:8443/git${place}/%C3%A9.jpg?width=64`,
    );
    for (const address of [
      null,
      undefined,
      7,
      '',
      '/uploads/-/system/user/avatar/7/avatar.png',
      'https://secure.gravatar.com/avatar/00?s=80&d=identicon',
      `https://gitlab.example.com.evil.example${place}/a.png`,
      `https://gitlab.example.com@evil.example${place}/a.png`,
      `https://ada:secret@gitlab.example.com${place}/a.png`,
      `https://gitlab.example.com:8443${place}/a.png`,
      `http://gitlab.example.com${place}/a.png`,
      `data:image/png;base64,AA==`,
      'https://gitlab.example.com/users/sign_out',
      'https://gitlab.example.com/api/v4/user',
      `https://gitlab.example.com${place}/../../../../../../api/v4/user`,
      `https://gitlab.example.com${place}/..%2f..%2fapi`,
      `https://gitlab.example.com${place}/%2e%2e/a.png`,
      `https://gitlab.example.com${place}/a/b.png`,
      `https://gitlab.example.com/other${place}/a.png`,
      'https://gitlab.example.com/uploads/-/system/user/avatar/x/a.png',
    ]) {
      assert.equal(addressOf('https://gitlab.example.com', address), undefined, String(address));
    }
    assert.equal(addressOf('https://h.example/git', `https://h.example${place}/a.png`), undefined);
    assert.equal(addressOf('not an address', own), undefined);
  });

  it('never leads elsewhere, whatever an instance gives', () => {
    const instances = ['https://gitlab.example.com', 'http://h.example:8080/git'];
    const pieces = fc.constantFrom(
      ...instances,
      place,
      '/',
      '//',
      '..',
      '%2e',
      '%2f',
      '\\',
      '@',
      ':',
      '?',
      '#',
      'a.png',
      '\t',
    );
    const address = fc.array(fc.oneof(pieces, pieces, hostileText), { maxLength: 6 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...instances), address, (instanceUrl, text) => {
        const found = pictureAddress(instanceUrl, text);
        assert.ok(!found || found.href.startsWith(`${instanceUrl}/uploads/-/system/user/avatar/`), text);
        assert.ok(!found || new URL(text).origin === new URL(instanceUrl).origin);
      }),
      runs(1000),
    );
  });
});

describe('the bytes of a picture', () => {
  const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];
  const big = (value: number): number[] => [value >>> 8, value & 0xff];
  const png = (width: number, height: number) => [
    ...ascii('\x89PNG\r\n\x1A\n\0\0\0\rIHDR'),
    ...[0, 0, ...big(width), 0, 0, ...big(height)],
  ];
  const little = (value: number): number[] => [value & 0xff, value >>> 8];
  const gif = (width: number, height: number) => [...ascii('GIF89a'), ...little(width), ...little(height)];
  const jpeg = (width: number, height: number) => [
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
    ...[0xff, 0xc4, 0, 3, 9],
    ...[0xff, 0xc2, 0, 11, 8, ...big(height), ...big(width), 1],
  ];
  const webp = (kind: string, ...rest: number[]) => [...ascii(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`), ...rest];
  const lossy = (width: number, height: number) =>
    webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width), ...little(height));
  const lossless = (width: number, height: number) => {
    const bits = (width - 1) | ((height - 1) << 14);
    return webp('VP8L', 0x2f, bits & 0xff, (bits >>> 8) & 0xff, (bits >>> 16) & 0xff, bits >>> 24);
  };
  const extended = (width: number, height: number) =>
    webp('VP8X', 0, 0, 0, 0, ...little(width - 1), 0, ...little(height - 1), 0);
  const kinds = { png, gif, jpeg, lossy, lossless, extended };
  const uriOf = (bytes: readonly number[]): string | undefined => pictureUri(Uint8Array.from(bytes));

  it('are those of a PNG, JPEG, GIF or WebP of a usual size', () => {
    for (const [name, make] of Object.entries(kinds)) {
      const type = name in { png, gif, jpeg } ? name : 'webp';
      const encoded = Buffer.from(make(64, 1024)).toString('base64');
      assert.equal(uriOf(make(64, 1024)), `data:image/${type};base64,${encoded}`);
      assert.equal(uriOf(make(1025, 64)), undefined, name);
      assert.equal(uriOf(make(64, 1025)), undefined, name);
      for (let length = 0; length < make(64, 64).length - 3; length += 1) {
        assert.equal(uriOf(make(64, 64).slice(0, length)), undefined, `${length} bytes of ${name}`);
      }
    }
    assert.equal(uriOf(png(0, 64)), undefined);
  });

  it('are neither those of a page, nor of an SVG, nor of anything else', () => {
    for (const text of [
      '<!doctype html><img>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'BM',
      'RIFF\0\0\0\0WEBPVP8Z',
    ]) {
      assert.equal(uriOf([...ascii(text), ...Array.from({ length: 60 }, () => 0)]), undefined);
    }
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(kinds)), fc.uint8Array({ maxLength: 80 }), (make, noise) => {
        const bytes = [...make(64, 64).slice(0, noise[0] ?? 0), ...noise];
        assert.match(uriOf(bytes) ?? '', /^(?:data:image\/(?:png|gif|jpeg|webp);base64,[\w+/]+={0,2})?$/);
      }),
      runs(500),
    );
  });

  it('show in a circle, with a sign of what was done that differs in light and dark', () => {
    const svgOf = (uri: string): string =>
      Buffer.from(uri.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    const picture = 'data:image/png;base64,AA==';
    const icon = { id: 'git-merge', color: 'charts.purple' };
    const [light, dark] = [badge(icon, 'light'), badge(icon, 'dark')];
    assert.notEqual(light, dark);
    assert.ok(svgOf(circled(picture)).includes(`href="${picture}"`));
    assert.ok(svgOf(circled(picture, light)).endsWith(`${light}</svg>`));
    const signs = ['comment', 'trash', 'check', 'repo-push', 'issues'].map((id) => badge({ id }, 'dark'));
    assert.equal(new Set(signs).size, signs.length);
  });
});
