import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { fillWebview } from '../../../src/webviews/webview.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';

insideWindow(import.meta.filename);

/** The page that a webview is filled with. */
function pageOf(shell: Parameters<typeof fillWebview>[1]): { html: string; options: vscode.WebviewOptions } {
  const webview = { html: '', options: {} };
  fillWebview(webview as vscode.Webview, shell);
  return webview;
}

/** The content of each script element, as a browser finds its end. */
function scriptsOf(html: string): string[] {
  return html
    .split(/<script\b[^>]*>/i)
    .flatMap((part, index) => (index === 0 ? [] : [part.split(/<\/script/i)[0] ?? '']));
}

describe('the page of a webview', () => {
  it('lets nothing load, nothing be sent, and nothing run but its own script', () => {
    const { html, options } = pageOf({ script: 'run()', style: '', title: 'Title' });
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const directives = new Map(policy.split('; ').map((directive) => directive.split(' ', 2) as [string, string]));
    const nonce = /<script nonce="([\w-]{22})">run\(\)<\/script>/.exec(html)?.[1];
    assert.ok(nonce);
    assert.deepEqual(
      [...directives],
      [
        ['default-src', "'none'"],
        ['script-src', `'nonce-${nonce}'`],
        ['style-src', `'nonce-${nonce}'`],
        ['base-uri', "'none'"],
        ['form-action', "'none'"],
      ],
    );
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:|blob:/);
    assert.ok(options.enableCommandUris !== true && options.enableForms === false);
    assert.deepEqual(options.localResourceRoots, []);
    assert.ok(!pageOf({ script: 'run()', style: '', title: 'Title' }).html.includes(nonce), 'another one each time');
  });

  it('holds text of an instance as data that cannot become anything else', () => {
    const pieces = fc.constantFrom(
      '</script>',
      '<!--',
      '<script>',
      '-->',
      ']]>',
      '</SCRIPT ',
      '"',
      '\\u003c',
      '&quot;',
    );
    const text = fc.oneof(
      hostileText,
      fc.array(fc.oneof(pieces, hostileText), { maxLength: 6 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, fc.dictionary(text, text), (title, state) => {
        const { html } = pageOf({ script: 'run()', style: 'a{}', title, state });
        const scripts = scriptsOf(html);
        assert.equal(scripts.length, 3);
        assert.deepEqual(JSON.parse(scripts[1] ?? ''), JSON.parse(JSON.stringify(state)));
        assert.equal(scripts[2], 'run()');
        assert.equal(html.match(/<title>/g)?.length, 1);
        assert.doesNotMatch(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '<', /[<>"']/);
        assert.equal(html.includes('<!--'), false);
      }),
      runs(200),
    );
  });

  it('has the translations of its own texts, however they are written in its script, and no others', () => {
    const bundle = { 'Reading…': 'Wird gelesen…', 'A · B': 'A · B!', Elsewhere: 'Anderswo' };
    const before = Object.getOwnPropertyDescriptor(vscode.l10n, 'bundle') ?? {};
    Object.defineProperty(vscode.l10n, 'bundle', { value: bundle, configurable: true });
    const { html } = pageOf({ script: String.raw`t("Reading\u2026");t("A \xB7 B")`, style: '', title: '' });
    Object.defineProperty(vscode.l10n, 'bundle', before);
    const { Elsewhere: _, ...own } = bundle;
    assert.deepEqual(JSON.parse(scriptsOf(html)[0] ?? ''), own);
  });

  it('keeps a script and a style within their elements', () => {
    const { html } = pageOf({ script: 'a="</script><script>b"', style: 'x{content:"</style><script>c"}', title: '' });
    assert.equal(scriptsOf(html).length, 4, 'the one in the style is text of the style');
    assert.match(html, /a="\\x3C\/script>\\x3Cscript>b"<\/script>/);
    assert.match(html, /\\3C \/style>/);
  });
});
