import MarkdownIt, { type MarkdownIt as Markdown, type Token as MarkdownToken } from 'markdown-it';
import * as vscode from 'vscode';
import { escapeMarkdown, plainLines } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import type { Places } from '../events/targets.ts';

const { t } = vscode.l10n;
const { Token } = MarkdownIt;

const longestRendered = 64 * 1024;
/**
 * As much of a text is rendered as has at most this number of characters that may mean something in Markdown, so that it takes one short
 * task whatever the text is; the rest is shown as it is.
 */
const renderable = /^(?:[^|*_~`[\]<>!#&@:\\\n-]*[|*_~`[\]<>!#&@:\\\n-]){0,3000}[^|*_~`[\]<>!#&@:\\\n-]*/;
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
    for (const token of tokens) {
      if (token.type === 'inline') {
        token.children = withLinks(markdown, token.children ?? [], places);
      } else if (/^h[1-5]$/.test(token.tag)) {
        // The page's own title is the first heading.
        token.tag = `h${Number(token.tag.slice(1)) + 1}`;
      } else if (token.tag === 'th' || token.tag === 'td') {
        // Attributes may hold no styles.
        token.attrs = token.type === 'th_open' ? [['scope', 'col']] : null;
      }
    }
  });
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules['fence'] = (tokens, index) =>
    `<pre role="group" aria-label="${t('Code')}" tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>`;
  rules['code_block'] = rules['fence'];
  rules['table_open'] = () => `<div class="scroll" role="group" aria-label="${t('Table')}" tabindex="0"><table>`;
  rules['table_close'] = () => '</table></div>';
  const plain = plainLines(text.replaceAll('\t', '    '), 2 * text.length + 1);
  const end = renderable.exec(plain.slice(0, longestRendered))?.[0].length ?? 0;
  const rest = plain.slice(end);
  // What is not to be seen may have come of the numbers of characters.
  return (
    plainLines(markdown.render(plain.slice(0, end)), Infinity) +
    (rest === '' ? '' : `<pre class="rest">${escapeHtml(rest)}</pre>`)
  );
}

/** Where a link leads: paths are those of the instance, uploads those of the project. */
function addressOf(target: string, { instanceUrl, projectUrl }: Places): string {
  if (target.startsWith('/uploads/')) {
    return projectUrl === undefined ? target : projectUrl + target;
  }
  return /^\/(?![/\\])/.test(target) ? instanceUrl + target : target;
}

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
        return linkTo(markdown, links.length > 0 ? undefined : target, t('Image: {0}', name));
      }
      case 'text':
        return links.length > 0 ? [token] : partsOf(markdown, token.content, places);
      default:
        return [token];
    }
  });
}

/**
 * The addresses and references in a text: `https://…`, `@user`, `#12`, `!34`, with the path of another project before them. Whether
 * there is such a thing is not known: a link leads to where it would be.
 *
 * @see https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
const reference =
  /(?<![\p{L}\p{N}_])(?<url>https?:\/\/[^\s<>]{1,2000})|(?<![\p{L}\p{N}_./@#&!$-])(?:@(?<user>\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){0,9})|(?<path>(?:\w[\w.-]{0,254}\/){1,20}\w[\w.-]{0,254})?(?<sign>[#!])(?<number>\d{1,10})(?!\w))/giu;

function partsOf(markdown: Markdown, text: string, { instanceUrl, projectUrl }: Places): MarkdownToken[] {
  const parts: MarkdownToken[] = [];
  let end = 0;
  for (const { index, groups = {}, 0: found } of text.matchAll(reference)) {
    const { url, user, path, sign, number } = groups;
    const shown = url !== undefined ? withoutEnd(url) : user !== undefined ? found.replace(/[.-]{1,255}$/, '') : found;
    const project = path === undefined ? projectUrl : `${instanceUrl}/${path}`;
    const page = `${sign === '#' ? 'issues' : 'merge_requests'}/${number}`;
    const address = url !== undefined ? shown : project && `${project}/-/${page}`;
    const person = shown === '@all' ? undefined : `${instanceUrl}/${shown.slice(1)}`;
    parts.push(...linkTo(markdown, undefined, text.slice(end, index)));
    parts.push(...linkTo(markdown, user === undefined ? address : person, shown));
    end = index + shown.length;
  }
  return [...parts, ...linkTo(markdown, undefined, text.slice(end))];
}

/** An address without the punctuation after it; a parenthesis that was opened in it belongs to it. */
function withoutEnd(address: string): string {
  const bare = address.replace(/(?<![.,:;!?'"*_~\])])[.,:;!?'"*_~\])]+$/, '');
  const isOpen = bare.split('(').length > bare.split(')').length;
  return isOpen && address.startsWith(`${bare})`) ? `${bare})` : bare;
}

/** Text that leads to an address of the web or of mail, or nowhere. */
function linkTo(markdown: Markdown, address: string | undefined, text: string): MarkdownToken[] {
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
      shown.push(`${isItem ? '- ' : ''}${plainLines(words, Infinity).split('\n').map(escapeMarkdown).join('  \n')}`);
      isItem = false;
    }
  }
  return shown.join('\n\n');
}
