import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { eventPage } from '../../../src/activity/document/page/page.ts';
import type { EventState } from '../../../src/activity/document/messages.ts';
import { readMarkdown } from '../../../src/activity/document/page/markdown.ts';
import { l10nOf } from '../../../src/common/l10n.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { shownTemplate } from '../../support/templateHtml.ts';

const places = {
  instanceUrl: 'https://gitlab.example.com',
  projectUrl: 'https://gitlab.example.com/group/sub/project',
  projectPath: 'group/sub/project',
};

const base: EventState = {
  type: 'state',
  id: { feed: 'sandbox/mine', key: '1' },
  title: { text: 'Commented on issue #3', link: undefined },
  notes: [],
};

function shown(state: Partial<EventState>) {
  return shownTemplate(eventPage({ ...base, ...state }, l10nOf({}), () => undefined));
}

function commentState(text: string): Partial<EventState> {
  return { comment: { text, isCut: false, ...places } };
}

/** The elements of a comment, without the space between them and what all of a kind have in common. */
function rendered(text: string): string {
  const html = /<article[^>]*>(.*)<\/article>/s.exec(shown(commentState(text)).html)?.[1] ?? '';
  return html
    .replaceAll(/\s+(?:title|role|aria-label|tabindex|class|scope)="[^"]*"(?:\s+(?=>))?/g, '')
    .replaceAll(/>\s+(?=<)/g, '>')
    .replaceAll(/(<(?:li|ul|ol)[^>]*>)\s+|\s+(?=<\/(?:li|ul|ol)>)/g, '$1')
    .replaceAll('&#39;', "'")
    .trim();
}

/** The links of a text: what is shown, and where it leads. */
function linksOf(text: string): string[] {
  return [...rendered(text).matchAll(/<a href="([^"]*)">(.*?)<\/a>/gs)].map(
    ([, address = '', name = '']) => `${name} ${address}`,
  );
}

describe('the page of an event', () => {
  it('says above everything, and aloud, that it is not from the account of the window', () => {
    const { html } = shown({ banner: 'From ada.' });
    assert.match(html, /<main[^>]*>\s*<section class="notice warning banner" role="alert"[^>]*>\s*<p>.*From ada\./);
    assert.doesNotMatch(shown({}).html, /banner/);
  });

  it('shows a comment as it looks', () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        'Some *emphasis*, **more**, ***both***, ~~none~~ and `co*de*`',
        '<p>Some <em>emphasis</em>, <strong>more</strong>, <em><strong>both</strong></em>, <del>none</del> and <code>co*de*</code></p>',
      ],
      ['snake_case_name and 2*3*4 a * b', '<p>snake_case_name and 2<em>3</em>4 a * b</p>'],
      ['``a ` b`` and `` ` ``', '<p><code>a ` b</code> and <code>`</code></p>'],
      ['one  \ntwo\\\nthree\nfour', '<p>one  <br />two<br />three\nfour</p>'],
      [String.raw`\*plain\* &amp; &lt;b&gt; &#x41; &#0;`, '<p>*plain* &#38; &#60;b&#62; A &#38;#0;</p>'],
      ['# One\ntext\n\nTwo\n---\n###### Six ##', '<h2>One</h2><p>text</p><h3>Two</h3><h4>Six</h4>'],
      [
        '- one\n- two\n  - three\n    lazy\n\n  more\n',
        '<ul><li><p>one</p></li><li><p>two</p><ul><li><p>three\nlazy</p></li></ul><p>more</p></li></ul>',
      ],
      ['3. three\n4. four\n\ntext', '<ol start="3"><li><p>three</p></li><li><p>four</p></li></ol><p>text</p>'],
      ['- [ ] open\n- [x] done', '<ul><li><span></span><p>open</p></li><li><span></span><p>done</p></li></ul>'],
      [
        '> quoted\nlazily\n> > twice\n\nafter',
        '<blockquote><p>quoted\nlazily</p><blockquote><p>twice</p></blockquote></blockquote><p>after</p>',
      ],
      [
        '>>>\nlong\n\n- quote\n>>>\nafter',
        '<blockquote><p>long</p><ul><li><p>quote</p></li></ul></blockquote><p>after</p>',
      ],
      ['```js\nlet <a> = `1`;\n\n  x\n```\nafter', '<pre><code>let &#60;a&#62; = `1`;\n\n  x</code></pre><p>after</p>'],
      ['1. step\n\n   ~~~\n   code\n   ~~~', '<ol start="1"><li><p>step</p><pre><code>code</code></pre></li></ol>'],
      ['    indented\n\n    code\ntext', '<pre><code>indented\n\ncode</code></pre><p>text</p>'],
      [
        'text\n| a | b |\n|---|:-:|\n| 1 | `x\\|y` | 3 |\n| 2',
        '<p>text</p><div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>x|y</code></td></tr><tr><td>2</td></tr></tbody></table></div>',
      ],
      ['a | b', '<p>a | b</p>'],
      ['***\n- - -\n___', '<hr /><hr /><hr />'],
      [
        '<b>no</b> <script>alert(1)</script>',
        '<p>&#60;b&#62;no&#60;/b&#62; &#60;script&#62;alert(1)&#60;/script&#62;</p>',
      ],
      ['**a [b** c](https://x.example)', '<p>**a <a href="https://x.example">b** c</a></p>'],
      ['**open and `open and [open and ![open and ~~open', '<p>**open and `open and [open and ![open and ~~open</p>'],
    ];
    for (const [text, html] of cases) {
      assert.equal(rendered(text), html, text);
    }
    const isLoose = (text: string) => readMarkdown(text, places).map((block) => block.kind === 'list' && block.isLoose);
    assert.deepEqual([...isLoose('- \n- two'), ...isLoose('- one\n\n- two')], [false, true]);
  });

  it('leads from mentions, references and commits to the instance', () => {
    const project = places.projectUrl;
    const cases: readonly (readonly [string, ...string[]])[] = [
      [
        'Thanks @ada, and @group/team. Mail a@b.example @all',
        '@ada https://gitlab.example.com/ada',
        '@group/team https://gitlab.example.com/group/team',
      ],
      ['See #12, !34 and &#38;5.', `#12 ${project}/-/issues/12`, `!34 ${project}/-/merge_requests/34`],
      [
        'other/project#12 (a/b/c!34) group&5 &6',
        'other/project#12 https://gitlab.example.com/other/project/-/issues/12',
        'a/b/c!34 https://gitlab.example.com/a/b/c/-/merge_requests/34',
        '&#38;6 https://gitlab.example.com/groups/group/sub/-/epics/6',
      ],
      ['in my_group/my_project#7', 'my_group/my_project#7 https://gitlab.example.com/my_group/my_project/-/issues/7'],
      [
        '%v1.0, %3 and %"The next one" but 100% sure',
        `%v1.0 ${project}/-/milestones?search_title=v1.0`,
        `%3 ${project}/-/milestones/3`,
        `%&#34;The next one&#34; ${project}/-/milestones?search_title=The%20next%20one`,
      ],
      [
        'since 1a2b3c4d or a/b@1a2b3c4d, not 12345678, defaced or x1a2b3c4d',
        `1a2b3c4d ${project}/-/commit/1a2b3c4d`,
        'a/b@1a2b3c4d https://gitlab.example.com/a/b/-/commit/1a2b3c4d',
      ],
      ['`#12` issue#12 #12a ##12 ../x#1'],
      ['[as #12 and @ada say](https://x.example)', 'as #12 and @ada say https://x.example'],
      ['**#12**', `#12 ${project}/-/issues/12`],
    ];
    for (const [text, ...links] of cases) {
      assert.deepEqual(linksOf(text), links, text);
    }
    const nowhere = shown({
      comment: {
        text: '#1 !2 %3 1a2b3c4d /uploads/x &4 @ada',
        isCut: false,
        instanceUrl: places.instanceUrl,
        projectUrl: undefined,
        projectPath: undefined,
      },
    });
    assert.deepEqual(
      nowhere.attributes.filter(({ name }) => name === 'href').map(({ value }) => value),
      ['https://gitlab.example.com/ada'],
    );
  });

  it('shows images and uploads as links, and makes none of what is neither of the web nor of mail', () => {
    const cases: readonly (readonly [string, ...string[]])[] = [
      [
        '![A crane](/uploads/0f/crane.png)',
        'Image: A crane https://gitlab.example.com/group/sub/project/uploads/0f/crane.png',
      ],
      ['![](https://evil.example/x.png)', 'Image: x.png https://evil.example/x.png'],
      ['[![badge](https://a.example/b.svg)](https://c.example)', 'badge https://c.example'],
      [
        '[log](/uploads/0f/a.log "A title") [top](/help)',
        'log https://gitlab.example.com/group/sub/project/uploads/0f/a.log',
        'top https://gitlab.example.com/help',
      ],
      [
        '<https://a.example/b> and https://c.example/d(e)?f=1). <mailto:a@b.example>',
        'https://a.example/b https://a.example/b',
        'https://c.example/d(e)?f=1 https://c.example/d(e)?f=1',
        'mailto:a@b.example mailto:a@b.example',
      ],
      ['[](https://a.example)', 'https://a.example https://a.example'],
      [
        '[a](command:x) [b](javascript:alert(1)) [c](vscode://x/y) [d](//evil.example) [e](file:///etc/passwd) [f](data:text/html,x) [g](other.md)',
      ],
      ['[h](java&#115;cript:x) [i](<command:x>) [j](/\\evil.example) [k](jav\nascript:x)'],
    ];
    for (const [text, ...links] of cases) {
      assert.deepEqual(linksOf(text), links, text);
    }
    assert.match(rendered('[a](command:x)'), /\[a\]\(command:x\)/);
  });

  it('makes nothing of hostile text in any field but text and links to the web', () => {
    const text = fc.oneof(
      hostileText,
      fc
        .array(
          fc.oneof(hostileText, fc.constantFrom('\n', '| a |\n|-|\n', '> ', '- [ ] ', '[x](', ')', '@a/b', 'https://')),
          { maxLength: 20 },
        )
        .map((all) => all.join('')),
    );
    const address = fc.option(text, { nil: undefined });
    const link = fc.record({ text, link: address });
    const states = fc.record<EventState>({
      type: fc.constant('state'),
      id: fc.record({ feed: text, key: text }),
      title: link,
      problem: address,
      author: fc.option(
        fc.record({
          text,
          link: address,
          initials: text,
        }),
        { nil: undefined },
      ),
      time: fc.option(fc.record({ text, iso: text }), { nil: undefined }),
      project: fc.option(link, { nil: undefined }),
      notes: fc.array(text, { maxLength: 3 }),
      comment: fc.option(
        fc.record({
          text,
          isCut: fc.boolean(),
          instanceUrl: fc.constant(places.instanceUrl),
          projectUrl: fc.constantFrom(undefined, places.projectUrl),
          projectPath: address,
        }),
        { nil: undefined },
      ),
      push: fc.option(
        fc.record({
          facts: fc.array(fc.record({ name: text, text, link: address }), { maxLength: 3 }),
          commits: fc.array(text, { maxLength: 3 }),
          more: address,
          canShowChanges: fc.boolean(),
        }),
        { nil: undefined },
      ),
      raw: address,
    });
    const names = /^(?:@click|src|href|title|class|datetime|aria-label|start)$/;
    fc.assert(
      fc.property(states, (state) => {
        const { html, text: all, attributes } = shown(state);
        for (const { name, value } of attributes) {
          assert.match(name, names);
          assert.equal(typeof value, name === '@click' ? 'function' : 'string');
          assert.ok(name !== 'src', String(value));
          assert.ok(name !== 'href' || /^(?:https?:\/\/|mailto:)/i.test(String(value)), String(value));
        }
        for (const [, element = '', rest = ''] of html.matchAll(/<\/?([^\s>]+)([^>]*)>/g)) {
          assert.match(
            element,
            /^(?:main|header|div|h[1-6]|img|ul|ol|li|dl|dt|dd|p|a|span|strong|em|del|code|pre|br|hr|time|blockquote|article|table|thead|tbody|tr|th|td|button)$/,
          );
          assert.doesNotMatch(
            rest.replaceAll(/"[^"]*"/g, ''),
            element === 'img' ? /\bon|\bstyle/i : /\bon|\bsrc|\bstyle/i,
          );
        }
        const plain = [state.title, state.author, state.time, state.project, ...(state.push?.facts ?? [])].flatMap(
          (one) => one?.text ?? [],
        );
        for (const one of [
          ...plain,
          ...state.notes,
          ...(state.push?.commits ?? []),
          state.raw ?? '',
          state.problem ?? '',
        ]) {
          assert.ok(all.includes(one), JSON.stringify(one));
        }
      }),
      runs(300),
    );
  });

  it('keeps all words of a comment', () => {
    const pieces = fc.constantFrom(
      'word',
      '*',
      '**',
      '_',
      '~~',
      '```',
      '[',
      '](x',
      ')',
      '\n',
      '\n\n',
      ' ',
      '> ',
      '- ',
      '1. ',
      '#',
      '@',
      '!',
      '<b>',
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            pieces,
            fc.nat(99_999).map((number) => `w${number}`),
          ),
          { maxLength: 40 },
        ),
        (all) => {
          const text = all.join('');
          const { html } = shown(commentState(text));
          for (const [word] of text.matchAll(/w\d+/g)) {
            assert.ok(html.includes(word), `${word} of ${text}`);
          }
        },
      ),
      runs(300),
    );
  });

  it('shows what an event in an unknown format is, and why an event is not there', () => {
    assert.match(shown({ raw: '{ "odd": "<b>" }' }).html, /<code>\{ &#34;odd&#34;: &#34;&#60;b&#62;&#34; \}<\/code>/);
    const missing = shown({ problem: 'This event is not loaded.' });
    assert.match(missing.html, /<p>This event is not loaded.<\/p>[^]*<button type="button">Show Activity<\/button>/);
  });

  it('reads a comment of any form without running out of stack, and with a bound of elements', () => {
    const length = 100_000;
    const units = [
      '[',
      '*',
      '**a ',
      '*a _b',
      '_a',
      '>',
      '> ',
      '> - ',
      '|',
      '| a |\n|-|\n',
      '[](',
      '![',
      '[a](',
      '[a](b ',
      '`',
      '`a``',
      '<',
      '- ',
      '1) ',
      '~~a',
      '[a](b "',
      '@a/',
      '%"a',
      '\\',
      '&',
      '(',
      'a/b#1 ',
      '1a2b3c4 ',
      'http',
      'https://',
      'a\n=\n',
      '- a\n',
      '- a\n\n',
      '> a\nb\n',
      '>>>\n',
      '```\n',
      '\n',
    ];
    const nested = Array.from({ length: 400 }, (_, index) => `${' '.repeat(2 * index)}- a`).join('\n');
    for (const text of [nested, ...units.map((unit) => unit.repeat(length / unit.length))]) {
      const { html } = shown(commentState(text));
      assert.ok(html.length < 6_000_000, `${text.slice(0, 20)}: ${html.length}`);
      assert.ok((html.match(/<(?!\/)/g) ?? []).length < 70_000, text.slice(0, 20));
    }
    // So wide a table would have a cell for each pair of characters.
    const [wide] = readMarkdown(`${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n`, places);
    assert.equal(wide?.kind, 'paragraph');
  });
});
