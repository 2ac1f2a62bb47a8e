import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { commentHtml, commentTooltip, places, shippedCharacter } from './eventTexts.ts';
import { hostileMarkdown } from './hostileMarkdown.ts';

insideWindow(import.meta.filename);

const project = places.projectUrl;

/** The links of a text: what is shown, and where it leads. */
function linksOf(text: string): string[] {
  return [...commentHtml(text).matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, address = '', name = '']) => `${name} ${address}`,
  );
}

describe('text of an instance as HTML', () => {
  it('looks as it was written, without HTML of its own', () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        'Some *emphasis*, **more**, ~~none~~ and `co*de*`',
        /<em>emphasis<\/em>, <strong>more<\/strong>, <s>none<\/s> and <code>co\*de\*<\/code>/,
      ],
      ['# One\n\n###### Six', /<h2>One<\/h2>\s*<h6>Six<\/h6>/],
      ['- [ ] open\n- [x] done', /<li>\[ \] open<\/li>\s*<li>\[x\] done/],
      [
        '```js\nlet <a>;\n```',
        /<pre role="group" aria-label="Code" tabindex="0"><code>let &lt;a&gt;;\n<\/code><\/pre>/,
      ],
      ['| a | b |\n|---|:-:|\n| 1 | 2 |', /<div class="scroll"[^>]*><table>[^]*<th scope="col">a<\/th>[^]*<td>2<\/td>/],
      ['<b>no</b> <script>alert(1)</script>', /&lt;b&gt;no&lt;\/b&gt; &lt;script&gt;/],
      ['a\u202eb\u200bc', /abc/],
    ];
    for (const [text, html] of cases) {
      assert.match(commentHtml(text), html);
    }
  });

  it('leads from mentions, numbers and addresses to the instance and the web', () => {
    const cases: readonly (readonly [string, ...string[]])[] = [
      [
        'Thanks @ada, and @group/team. Mail a@b.example @all',
        '@ada https://gitlab.example.com/ada',
        '@group/team https://gitlab.example.com/group/team',
      ],
      ['See #12, !34.', `#12 ${project}/-/issues/12`, `!34 ${project}/-/merge_requests/34`],
      [
        'other/project#12 (a/b/c!34)',
        'other/project#12 https://gitlab.example.com/other/project/-/issues/12',
        'a/b/c!34 https://gitlab.example.com/a/b/c/-/merge_requests/34',
      ],
      ['`#12` issue#12 #12a ##12 ../x#1'],
      ['[as #12 and @ada say](https://x.example)', 'as #12 and @ada say https://x.example'],
      ['see https://c.example/d(e)?f=1).', 'https://c.example/d(e)?f=1 https://c.example/d(e)?f=1'],
      ['![A crane](/uploads/0f/crane.png)', `Image: A crane ${project}/uploads/0f/crane.png`],
      ['![](https://evil.example/x.png)', 'Image: x.png https://evil.example/x.png'],
      [
        '[log](/uploads/0f/a.log) [top](/help)',
        `log ${project}/uploads/0f/a.log`,
        'top https://gitlab.example.com/help',
      ],
      ['<mailto:a@b.example>', 'mailto:a@b.example mailto:a@b.example'],
      [
        '[a](command:x) [b](javascript:alert(1)) [c](vscode://x/y) [d](//evil.example) [e](file:///etc/passwd) [f](data:text/html,x) [g](other.md)',
      ],
      ['[h](java&#115;cript:x) [i](<command:x>) [j](/\\evil.example) [k](jav\nascript:x)'],
    ];
    for (const [text, ...links] of cases) {
      assert.deepEqual(linksOf(text), links, text);
    }
    assert.deepEqual(commentHtml('#1 !2 /uploads/x', { instanceUrl: places.instanceUrl }).match(/<a/g), null);
  });

  it('holds no address but of the web and of mail, nothing that runs or loads, and all words', () => {
    const text = fc
      .array(
        fc.oneof(
          hostileText,
          fc.constantFrom('\n', '| a |\n|-|\n', '> ', '- [ ] ', '[x](', ')', '@a/b', 'https://', '![', '`', '*', '"'),
          fc.nat(99_999).map((number) => ` w${number} `),
        ),
        { maxLength: 30 },
      )
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const html = commentHtml(given);
        for (const [, name = '', rest = ''] of html.matchAll(/<\/?([a-z][\w]*)((?:"[^"]*"|[^>"])*)>/gi)) {
          assert.match(
            name,
            /^(?:h[2-6]|ul|ol|li|p|a|span|strong|em|s|code|pre|br|hr|blockquote|table|thead|tbody|tr|th|td|div)$/,
          );
          for (const [, attribute = '', value = ''] of rest.matchAll(/([\w-]+)="([^"]*)"/g)) {
            assert.match(attribute, /^(?:href|title|class|aria-label|role|tabindex|scope|start)$/, html);
            assert.ok(attribute !== 'href' || /^(?:https?:\/\/|mailto:)/i.test(value), html);
          }
          assert.doesNotMatch(rest.replaceAll(/"[^"]*"/g, ''), /\bon\w+|\bsrc|\bstyle/i);
        }
        // Cells beyond those of the head, and what only defines a link, are not shown anywhere on the platform.
        for (const [word] of /\||\]:|```|~~~/.test(given) ? [] : given.matchAll(/(?<= )w\d+(?= )/g)) {
          assert.ok(html.includes(word), `${word} of ${given}`);
        }
      }),
      runs(300),
    );
  });

  it('is rendered up to a bound, and the rest is there as it is, whatever it consists of', () => {
    for (const text of hostileMarkdown(100_000)) {
      const html = commentHtml(text);
      assert.ok(html.length < 1_500_000, `${text.slice(0, 20)}: ${html.length}`);
    }
    const words = 'Nothing but words, as people write them in lines of some length, and a mark';
    const long = `${words} *now* and then.\n\n`.repeat(640);
    assert.doesNotMatch(commentHtml(long), /class="rest"/, `all ${long.length} characters`);
    assert.match(commentHtml(`${'a '.repeat(40_000)}<end>`), /<pre class="rest">[^]*&lt;end&gt;<\/pre>$/);
  });
});

describe('characters that are not seen, in comments', () => {
  it('are none where they are written by their numbers either', () => {
    const text = 'pay &#8238;lla&#x200b;b [x&#x2066;](https://a.example) :&#xAD;//b.example';
    for (const shown of [commentHtml(text), commentTooltip(text)]) {
      assert.doesNotMatch(shown, /[\u202E\u200B\u2066\u00AD]/);
      assert.match(shown, /pay llab/);
    }
    assert.match(commentTooltip(text), /\\:\/\/b/);
  });
});

describe('text of an instance in a tooltip', () => {
  it('shows lists and code as they are, and all else as its words', () => {
    assert.equal(
      commentTooltip('Hello *you*\n\n- one\n- [two](command:x)\n\n```js\na `b`\n```'),
      'Hello you\n\n- one\n\n- two\n\n```\na `b`\n```',
    );
    assert.equal(commentTooltip('![x](https://evil.example/x.png) <img src=y>'), 'x \\<img src=y\\>');
  });
});

describe('what takes the place of packages of markdown-it', () => {
  it('reads names of characters as HTML does, and leaves those that it does not know', () => {
    const { unescapeAll } = new MarkdownIt().utils;
    for (const name of ['amp', 'nbsp', 'hellip', 'mdash', 'rarr', 'check', 'euro', 'micro', 'Uuml', 'szlig']) {
      assert.equal(shippedCharacter(name), unescapeAll(`&${name};`), name);
    }
    assert.equal(shippedCharacter('constructor'), '&constructor;');
  });
});
