import assert from 'node:assert/strict';
import type { ToOverview } from '../../../src/notifications/overview/messages.ts';
import { shownTemplate } from '../../support/templateHtml.ts';

// Tests are compiled without the types of a browser.
const page = '../../../src/notifications/overview/page/page.ts';

describe('the page of the overview', () => {
  it('offers nothing that must fail where nothing could be read', async () => {
    const state: ToOverview = {
      ...{ account: 'ada', isSignedOut: false, phase: 'ready', rows: [], hasMore: false, levels: [] },
      ...{ problems: ['The token may not read this.'], remedy: 'Renew Token…' },
    };
    const model = { state, l10n: { t: (text: string) => text }, changes: [] };
    const { overviewPage } = (await import(page)) as { overviewPage: (shown: typeof model) => unknown };
    const { html } = shownTemplate(overviewPage(model));
    const buttons = [...html.matchAll(/<button[^>]*>\s*([^<]*?)\s*<\/button>/g)].map(([, text]) => text);
    assert.deepEqual(buttons, ['Renew Token…', 'Reload']);
    assert.doesNotMatch(html, /<(?:table|select|input)/);
  });
});
