import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { planDocument } from '../../../src/notifications/changes.ts';
import { assertInert, rendered } from '../../support/harmless.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';

insideWindow(import.meta.filename);

describe('hostile text of an instance, in notification settings', () => {
  it('is text in the documents on notification settings', async () => {
    const scopes = fc.array(hostileText, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(scopes, hostileText, async (paths, title) => {
        const plans = paths.map((path, id) => ({
          scope: { kind: 'project', accountId: title, id, path } as const,
          expected: { level: 'watch' },
          change: { level: title },
          notes: [{ kind: 'leftOut', events: [title] } as const],
        }));
        const html = rendered(planDocument(title, plans, (accountId) => accountId));
        assertInert(html);
        assert.equal(html.match(/<h[12]/g)?.length, paths.length + 1);
      }),
      runs(60),
    );
  });
});
