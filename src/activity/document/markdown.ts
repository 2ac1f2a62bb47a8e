import MarkdownIt, { type MarkdownIt as Markdown, type Token as MarkdownToken } from 'markdown-it';
import * as vscode from 'vscode';
import { escapeMarkdown, plainLines } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import { linksIn, type Places } from './references.ts';

const { t } = vscode.l10n;
const { Token } = MarkdownIt;

/** At most this many characters of a text are rendered, which takes one short task; the rest is shown as it is. */
const longestRendered = 32 * 1024;
/** Blocks and emphasis one in the other. */
const maxNesting = 20;

/**
 * Renders a comment or a description of the instance as HTML: no HTML of its own, no address that is not of the web or of mail, and
 * images as links, so that nothing is loaded.
 */
export function renderMarkdown(text: string, places: Places): string {
  const markdown = new MarkdownIt({ html: false, maxNesting });
  const normalize = markdown.normalizeLink.bind(markdown);
  markdown.normalizeLink = (target) => normalize(addressOf(target, places));
  markdown.validateLink = (target) => webAddress(target) !== undefined || /^mailto:[^\p{Cc}\s]+$/iu.test(target);
  markdown.core.ruler.push('links', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'inline') {
        token.children = withLinks(markdown, token.children ?? [], places);
        markTask(tokens, index);
      } else {
        adapt(token);
      }
    });
  });
  const { rules } = markdown.renderer;
  rules['fence'] = (tokens, index) => codeBlock(markdown, tokens[index]);
  rules['code_block'] = rules['fence'];
  rules['table_open'] = () => `<div class="scroll" role="group" aria-label="${t('Table')}" tabindex="0"><table>`;
  rules['table_close'] = () => '</table></div>';
  const plain = plainLines(text.replaceAll('\t', '    '), 2 * text.length + 1);
  const [rendered, rest] = [plain.slice(0, longestRendered), plain.slice(longestRendered)];
  return markdown.render(rendered) + (rest === '' ? '' : `<pre class="rest">${markdown.utils.escapeHtml(rest)}</pre>`);
}

/** Where a link leads: paths are those of the instance, uploads those of the project. */
function addressOf(target: string, { instanceUrl, projectUrl }: Places): string {
  if (target.startsWith('/uploads/')) {
    return projectUrl === undefined ? target : projectUrl + target;
  }
  return /^\/(?![/\\])/.test(target) ? instanceUrl + target : target;
}

/** Makes links of images, addresses and references, outside of links alone. */
function withLinks(markdown: Markdown, tokens: readonly MarkdownToken[], places: Places): MarkdownToken[] {
  /** Whether each link that is open leads anywhere. */
  const links: boolean[] = [];
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'link_open': {
        const target = token.attrGet('href') ?? '';
        links.push(target !== '');
        token.attrSet('title', target);
        return target === '' ? [] : [token];
      }
      case 'link_close':
        return links.pop() === true ? [token] : [];
      case 'image': {
        const target = String(token.attrGet('src') ?? '');
        const name = token.content || (target.split('/').at(-1) ?? '');
        return linkTo(links.length > 0 ? undefined : target, t('Image: {0}', name));
      }
      case 'text':
        return links.length > 0 ? [token] : partsOf(token.content, places);
      default:
        return [token];
    }
  });

  function partsOf(text: string, { instanceUrl, projectUrl }: Places): MarkdownToken[] {
    const parts: MarkdownToken[] = [];
    let end = 0;
    for (const link of linksIn(text, { instanceUrl, projectUrl })) {
      parts.push(...linkTo(undefined, text.slice(end, link.start)));
      parts.push(...linkTo(link.address, text.slice(link.start, link.end)));
      ({ end } = link);
    }
    return [...parts, ...linkTo(undefined, text.slice(end))];
  }

  /** Text that leads to an address of the web or of mail, or nowhere. */
  function linkTo(address: string | undefined, text: string): MarkdownToken[] {
    const content = new Token('text', '', 0);
    content.content = text;
    if (address === undefined || !markdown.validateLink(address)) {
      return [content];
    }
    const [open, close] = [new Token('link_open', 'a', 1), new Token('link_close', 'a', -1)];
    open.attrs = [
      ['href', address],
      ['title', address],
    ];
    return [open, content, close];
  }
}

/** What a page's style and titles ask of blocks: its own title is the first one, and attributes hold no styles. */
function adapt(token: MarkdownToken): void {
  if (/^h[1-5]$/.test(token.tag)) {
    token.tag = `h${Number(token.tag.slice(1)) + 1}`;
  }
  if (token.type === 'th_open' || token.type === 'td_open') {
    const [, align] = /:(\w+)/.exec(String(token.attrGet('style') ?? '')) ?? [];
    token.attrs = [
      ...(align === undefined ? [] : [['class', align] as [string, string]]),
      ...(token.type === 'th_open' ? [['scope', 'col'] as [string, string]] : []),
    ];
  }
}

/** Shows a box in the place of `[ ]` and `[x]` at the beginning of an item of a list. */
function markTask(tokens: readonly MarkdownToken[], index: number): void {
  const [item, inline] = [tokens[index - 2], tokens[index]];
  const [first] = inline?.children ?? [];
  const [mark] = /^\[[ xX]\]\s/.exec(first?.content ?? '') ?? [];
  if (item?.type !== 'list_item_open' || first?.type !== 'text' || mark === undefined) {
    return;
  }
  const isDone = !mark.startsWith('[ ');
  const box = new Token('html_inline', '', 0);
  const label = isDone ? t('completed task') : t('open task');
  box.content = `<span class="${isDone ? 'box done' : 'box'}" role="img" aria-label="${label}"></span>`;
  item.attrSet('class', 'task');
  first.content = first.content.slice(mark.length);
  inline?.children?.unshift(box);
}

function codeBlock(markdown: Markdown, token: MarkdownToken | undefined): string {
  const { escapeHtml } = markdown.utils;
  const info = token?.info.trim().split(/\s/)[0] ?? '';
  const label = escapeHtml(info === '' ? t('Code') : t('Code, {0}', info));
  return `<pre role="group" aria-label="${label}" tabindex="0"><code>${escapeHtml(token?.content ?? '')}</code></pre>`;
}

/** Characters of a comment in a tooltip, which is for a glance. */
const longestGlance = 1000;

/** A text as Markdown in which nothing leads anywhere or is loaded: paragraphs, lists and code as they are, all else as its words. */
export function inertMarkdown(text: string): string {
  const blocks = new MarkdownIt({ html: false, maxNesting }).parse(plainLines(text, longestGlance), {});
  const shown: string[] = [];
  let isItem = false;
  for (const { type, content, children } of blocks) {
    isItem ||= type === 'list_item_open';
    if (type === 'fence' || type === 'code_block') {
      const fence = '`'.repeat(Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)));
      shown.push(`${fence}\n${content}${fence}`);
    } else if (type === 'inline') {
      const words = (children ?? []).map((child) => (child.type.endsWith('break') ? '\n' : child.content)).join('');
      shown.push(`${isItem ? '- ' : ''}${words.split('\n').map(escapeMarkdown).join('  \n')}`);
      isItem = false;
    }
  }
  return shown.join('\n\n');
}
