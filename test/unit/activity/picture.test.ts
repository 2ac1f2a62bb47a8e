import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { sampleEvent } from './anyEvent.ts';
import { said } from './eventTexts.ts';

insideWindow(import.meta.filename);

function pictureOf(instanceUrl: string, avatar_url: unknown): string | undefined {
  const author = { id: 7, username: 'ada', name: 'Ada', avatar_url: avatar_url as string };
  return said(sampleEvent({ author }), { instanceUrl }).picture;
}

const place = '/uploads/-/system/user/avatar/7';

describe('the address of a picture', () => {
  it('is one of the instance itself, where GitLab has the pictures of users, in the size that is shown', () => {
    const own = `https://gitlab.example.com${place}/avatar.png`;
    assert.equal(pictureOf('https://gitlab.example.com', own), `${own}?width=64`);
    assert.equal(pictureOf('https://gitlab.example.com', `${own}?width=900&a=b#c`), `${own}?width=64`);
    assert.equal(
      pictureOf('https://h.example:8443/git', `https://h.example:8443/git${place}/%C3%A9.jpg`),
      `https://h.example:8443/git${place}/%C3%A9.jpg?width=64`,
    );
    for (const address of [
      null,
      undefined,
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
      assert.equal(pictureOf('https://gitlab.example.com', address), undefined, String(address));
    }
    assert.equal(pictureOf('https://h.example/git', `https://h.example${place}/a.png`), undefined);
    assert.equal(pictureOf('not an address', own), undefined);
    assert.equal(pictureOf('http://h.example', `http://h.example${place}/a.png`), undefined, 'the editor loads none');
  });

  it('never leads elsewhere, whatever an instance gives', () => {
    const instances = ['https://gitlab.example.com', 'https://h.example:8080/git'];
    const marks = ['/', '//', '..', '%2e', '%2f', '\\', '@', ':', '?', '#', 'a.png', '\t'];
    const pieces = fc.constantFrom(...instances, place, ...marks);
    const address = fc.array(fc.oneof(pieces, pieces, hostileText), { maxLength: 6 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...instances), address, (instanceUrl, text) => {
        const found = pictureOf(instanceUrl, text);
        assert.ok(!found || found.startsWith(`${instanceUrl}/uploads/-/system/user/avatar/`), text);
        assert.ok(!found || new URL(text).origin === new URL(instanceUrl).origin);
      }),
      runs(1000),
    );
  });
});
