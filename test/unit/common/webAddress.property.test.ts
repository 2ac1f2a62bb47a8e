import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { webAddress } from '../../../src/common/instanceUrl.ts';
import { hostileText, runs } from '../../support/properties.ts';

describe('an address that an instance gives', () => {
  it('is opened only if it is of the web', () => {
    for (const address of [
      ...[
        'command:workbench.action.quit',
        'javascript:alert(1)',
        'file:///etc/passwd',
        'vscode://ms.x/y',
        'data:text/html,x',
      ],
      ...[
        ' https://host',
        'https://host\n',
        'https://',
        'http:host',
        'https:/\\host',
        '//host/x',
        'host',
        '',
        'mailto:a@b',
      ],
      ...['\tjavascript:alert(1)//https://host', 'https://a b', 'view-source:https://host', null, undefined],
    ]) {
      assert.equal(webAddress(address), undefined, String(address));
    }
    for (const address of ['https://host/a?b#c', 'http://127.0.0.1:3000/x', 'HTTPS://Host', 'https://[::1]/x']) {
      assert.equal(webAddress(address), address);
    }
  });

  it('is never of anything else, whatever text it is', () => {
    const address = fc.oneof(
      hostileText,
      fc.tuple(
        fc.constantFrom('https://', 'http:', 'command:', 'javascript:', '\u0001https://', 'vscode://'),
        hostileText,
      ),
    );
    fc.assert(
      fc.property(address, (given) => {
        const opened = webAddress(Array.isArray(given) ? given.join('') : given);
        assert.ok(opened === undefined || /^https?:$/.test(new URL(opened).protocol));
        assert.doesNotMatch(opened ?? '', /[\s\p{Cc}]/u);
      }),
      runs(500),
    );
  });
});
