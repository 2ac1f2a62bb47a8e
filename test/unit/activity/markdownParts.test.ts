import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { decodeHTMLStrict } from '../../../src/activity/document/markdownParts.ts';

describe('what takes the place of packages of markdown-it', () => {
  it('reads names of characters as HTML does, and leaves those that it does not know', () => {
    const { unescapeAll } = new MarkdownIt().utils;
    for (const name of ['amp', 'nbsp', 'hellip', 'mdash', 'rarr', 'check', 'euro', 'micro', 'Uuml', 'szlig']) {
      assert.equal(decodeHTMLStrict(`&${name};`), unescapeAll(`&${name};`), name);
    }
    assert.equal(decodeHTMLStrict('&constructor;'), '&constructor;');
  });
});
