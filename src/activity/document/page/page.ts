import { html, nothing, type TemplateResult } from 'lit-html';
import type { L10n } from '../../../common/l10n.ts';
import { webAddress } from '../../../common/instanceUrl.ts';
import type { EventState, FromEventPage, LinkText } from '../messages.ts';
import type { Inline } from './inlines.ts';
import { type Block, type Cell, readMarkdown } from './markdown.ts';

type Act = (action: Extract<FromEventPage, { type: 'act' }>['action']) => void;
type Shown = TemplateResult | typeof nothing;

/** The whole page. */
export function eventPage(state: EventState, l10n: L10n, act: Act): TemplateResult {
  const { title, author, time, project, account, notes, comment, elsewhere, push, raw, banner, problem } = state;
  const facts = [
    author && link(author),
    time && html`<time datetime=${time.iso}>${time.text}</time>`,
    project && link(project),
    account,
    ...notes.map((note) => html`<strong class="note">${note}</strong>`),
  ].filter((fact) => fact !== undefined);
  return html`
    <main>
      ${
        banner === undefined
          ? nothing
          : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
              <p><strong>${banner}</strong></p>
            </section>`
      }
      <header>
        ${author ? html`<span class="avatar" aria-hidden="true">${author.initials}</span>` : nothing}
        <div>
          <h1>${link(title)}</h1>
          <ul class="facts">
            ${facts.map((fact) => html`<li>${fact}</li>`)}
          </ul>
        </div>
      </header>
      ${
        problem === undefined
          ? nothing
          : html`<p>${problem}</p>
              <p>${button(l10n.t('Show Activity'), () => act('showActivity'))}</p>`
      }
      ${
        elsewhere === undefined
          ? nothing
          : html`<p class="quiet">${elsewhere.sentence}</p>
              <p>${button(elsewhere.button, () => act('openInBrowser'))}</p>`
      }
      ${comment ? commentPart(comment, l10n, act) : nothing} ${push ? pushPart(push, l10n, act) : nothing}
      ${raw === undefined ? nothing : codeBlock(raw, l10n)}
    </main>
  `;
}

function commentPart(comment: NonNullable<EventState['comment']>, l10n: L10n, act: Act): TemplateResult {
  return html`
    <article class="comment" aria-label=${l10n.t('Comment')}>
      ${readMarkdown(comment.text, comment).map((block) => blockPart(block, l10n))}
    </article>
    ${
      comment.isCut
        ? html`<p class="quiet">${l10n.t('The comment is longer than what is shown here.')}</p>
            <p>${button(l10n.t('Open in Browser'), () => act('openInBrowser'))}</p>`
        : nothing
    }
  `;
}

function pushPart(push: NonNullable<EventState['push']>, l10n: L10n, act: Act): TemplateResult {
  const { facts, commits, more, canShowChanges } = push;
  return html`
    <dl>
      ${facts.map(
        (fact) =>
          html`<div>
            <dt>${fact.name}</dt>
            <dd><code>${link(fact)}</code></dd>
          </div>`,
      )}
    </dl>
    ${
      commits.length === 0
        ? nothing
        : html`<ul class="commits" aria-label=${l10n.t('Commits')}>
            ${commits.map((commit) => html`<li>${commit}</li>`)}
            ${more === undefined ? nothing : html`<li class="quiet">${more}</li>`}
          </ul>`
    }
    ${canShowChanges ? html`<p>${button(l10n.t('Show Changes'), () => act('showChanges'))}</p>` : nothing}
  `;
}

function button(text: string, onClick: () => void): TemplateResult {
  return html`<button type="button" @click=${onClick}>${text}</button>`;
}

function link({ text, link: address }: LinkText): TemplateResult {
  return webAddress(address) === undefined ? html`${text}` : html`<a href=${address} title=${address}>${text}</a>`;
}

function blocksPart(blocks: readonly Block[], l10n: L10n): readonly TemplateResult[] {
  return blocks.map((block) => blockPart(block, l10n));
}

function blockPart(block: Block, l10n: L10n): TemplateResult {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${inlinesPart(block.content, l10n)}</p>`;
    case 'heading':
      return heading(block.level, inlinesPart(block.content, l10n));
    case 'code':
      return codeBlock(block.text, l10n, block.info);
    case 'quote':
      return html`<blockquote>${blocksPart(block.content, l10n)}</blockquote>`;
    case 'rule':
      return html`<hr />`;
    case 'table':
      return html`<div class="scroll" role="group" aria-label=${l10n.t('Table')} tabindex="0">
        <table>
          <thead>
            <tr>
              ${block.head.map((cell) => html`<th scope="col" class=${alignOf(cell)}>${inlinesPart(cell.content, l10n)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell) => html`<td class=${alignOf(cell)}>${inlinesPart(cell.content, l10n)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case 'list': {
      const items = block.items.map(
        ({ isDone, content }) =>
          html`<li class=${isDone === undefined ? '' : 'task'}>
            ${isDone === undefined ? nothing : task(isDone, l10n)}${blocksPart(content, l10n)}
          </li>`,
      );
      const kind = block.isLoose ? 'loose' : 'tight';
      return block.start === undefined
        ? html`<ul class=${kind}>
            ${items}
          </ul>`
        : html`<ol class=${kind} start=${String(block.start)}>
            ${items}
          </ol>`;
    }
  }
}

function heading(level: number, content: readonly Shown[]): TemplateResult {
  switch (level) {
    case 2:
      return html`<h2>${content}</h2>`;
    case 3:
      return html`<h3>${content}</h3>`;
    case 4:
      return html`<h4>${content}</h4>`;
    case 5:
      return html`<h5>${content}</h5>`;
    default:
      return html`<h6>${content}</h6>`;
  }
}

function codeBlock(text: string, l10n: L10n, info = ''): TemplateResult {
  const label = info === '' ? l10n.t('Code') : l10n.t('Code, {0}', info);
  return html`<pre role="group" aria-label=${label} tabindex="0"><code>${text}</code></pre>`;
}

function task(isDone: boolean, l10n: L10n): TemplateResult {
  return html`<span
    class=${isDone ? 'box done' : 'box'}
    role="img"
    aria-label=${isDone ? l10n.t('completed task') : l10n.t('open task')}
  ></span>`;
}

function alignOf({ align }: Cell): string {
  return align ?? '';
}

function inlinesPart(content: readonly Inline[], l10n: L10n): readonly TemplateResult[] {
  return content.map((inline) => inlinePart(inline, l10n));
}

function inlinePart(inline: Inline, l10n: L10n): TemplateResult {
  if (typeof inline === 'string') {
    return html`${inline}`;
  }
  switch (inline.kind) {
    case 'strong':
      return html`<strong>${inlinesPart(inline.content, l10n)}</strong>`;
    case 'emphasis':
      return html`<em>${inlinesPart(inline.content, l10n)}</em>`;
    case 'strikethrough':
      return html`<del>${inlinesPart(inline.content, l10n)}</del>`;
    case 'code':
      return html`<code>${inline.text}</code>`;
    case 'break':
      return html`<br />`;
    case 'link': {
      const { address, isImage, content } = inline;
      const shown = [isImage ? html`${l10n.t('Image:')} ` : nothing, ...inlinesPart(content, l10n)];
      return html`<a href=${address} title=${address}>${shown}</a>`;
    }
  }
}
