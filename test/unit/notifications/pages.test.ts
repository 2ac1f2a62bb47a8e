import assert from 'node:assert/strict';
import type { ToForm } from '../../../src/notifications/form/messages.ts';
import type { NoiseState } from '../../../src/notifications/noise/mails.ts';
import type { ToOverview } from '../../../src/notifications/overview/messages.ts';
import { shownTemplate } from '../../support/templateHtml.ts';

// Tests are compiled without the types of a browser.
const overview = '../../../src/notifications/overview/page/page.ts';
const form = '../../../src/notifications/form/page/page.ts';
const mails = '../../../src/notifications/noise/page/mailsView.ts';

const l10n = { t: (text: string) => text };

function buttonsIn(html: string): (string | undefined)[] {
  return [...html.matchAll(/<button[^>]*>\s*([^<]*?)\s*<\/button>/g)].map(([, text]) => text);
}

describe('the page of the overview', () => {
  it('offers nothing that must fail where nothing could be read', async () => {
    const state: ToOverview = {
      ...{ account: 'ada', isSignedOut: false, phase: 'ready', rows: [], hasMore: false, levels: [] },
      ...{ problems: ['The token may not read this.'], remedy: 'Renew Token…' },
    };
    const model = { state, l10n, changes: [] };
    const { overviewPage } = (await import(overview)) as { overviewPage: (shown: typeof model) => unknown };
    const { html } = shownTemplate(overviewPage(model));
    assert.deepEqual(buttonsIn(html), ['Renew Token…', 'Reload']);
    assert.doesNotMatch(html, /<(?:table|select|input)/);
  });
});

describe('the estimate of e-mails', () => {
  it('offers what helps before trying again', async () => {
    const state: NoiseState = {
      ...{ isReading: false, events: 0, canRead: true, notes: [] },
      ...{ problem: 'The token may not read this.', remedy: 'Renew Token…' },
    };
    const { estimateView } = (await import(mails)) as { estimateView: (...shown: unknown[]) => unknown };
    const { html } = shownTemplate(estimateView(state, l10n, { isShown: false }));
    assert.match(html, /The token may not read this\./);
    assert.deepEqual(buttonsIn(html), ['Renew Token…', 'Show E-mails a Week']);
  });
});

describe('the page of the form', () => {
  const failures = [
    ['where its remedy is in the way of all scopes', 'error', 'Renew Token…', ['Renew Token…', 'Reload']],
    ['where another scope may work', 'error', undefined, ['Change Scope…', 'Reload']],
    ['where the token may only read', 'info', 'Renew Token…', ['Renew Token…']],
  ] as const;
  for (const [name, severity, remedy, buttons] of failures) {
    it(`offers each button once, and what may help, ${name}`, async () => {
      const state: ToForm = {
        ...{ scope: { kind: 'global', accountId: 'ada' }, scopeKey: 'ada', account: 'ada', phase: 'ready' },
        ...{ draft: {}, taken: 0, isSignedOut: false, fieldErrors: {} },
        notice: { severity, sentence: 'Why.', details: [], remedy },
      };
      const model = { state, l10n };
      const { formPage } = (await import(form)) as { formPage: (shown: typeof model) => unknown };
      assert.deepEqual(buttonsIn(shownTemplate(formPage(model)).html), buttons);
    });
  }

  it('offers to reload once where it was not saved, too', async () => {
    const state: ToForm = {
      ...{ scope: { kind: 'global', accountId: 'ada' }, scopeKey: 'ada', account: 'ada', phase: 'ready' },
      ...{ draft: { level: 'watch' }, taken: 0, isSignedOut: false, fieldErrors: {} },
      settings: { level: 'participating', flags: {} },
      notice: { severity: 'error', sentence: 'Nothing was saved.', details: [] },
    };
    const model = {
      state,
      l10n,
      draft: state.draft,
      filter: '',
      discardedFields: new Set(),
      changeOf: () => state.draft,
    };
    const { formPage } = (await import(form)) as { formPage: (shown: typeof model) => unknown };
    const buttons = buttonsIn(shownTemplate(formPage(model)).html);
    assert.deepEqual(
      buttons.filter((button) => button === 'Reload'),
      ['Reload'],
    );
  });

  it('offers to discard what waits for the level Custom', async () => {
    const state: ToForm = {
      ...{ scope: { kind: 'global', accountId: 'ada' }, scopeKey: 'ada', account: 'ada', phase: 'ready' },
      ...{ draft: { new_note: true }, taken: 0, isSignedOut: false, fieldErrors: {} },
      settings: { level: 'watch', flags: { new_note: 'unknown' } },
    };
    const model = {
      ...{ state, l10n, draft: state.draft, filter: '', discardedFields: new Set() },
      changeOf: () => ({}),
    };
    const { formPage } = (await import(form)) as { formPage: (shown: typeof model) => unknown };
    assert.match(shownTemplate(formPage(model)).html, /aria-disabled="?false"?[^>]*>\s*Discard/);
  });
});
