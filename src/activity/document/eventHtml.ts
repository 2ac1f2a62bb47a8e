import * as vscode from 'vscode';
import type { TargetRecord } from '../../api/targets.ts';
import { plainText } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import { fullTimeLabel } from '../../common/timeText.ts';
import { authorDetails, authorFullName, eventLabel, momentOf } from '../events/eventLabel.ts';
import { authorLink, encodePath, withoutSlash } from '../events/eventLink.ts';
import { commitLines, commitRange, type EventNode, importLabel } from '../tree/eventNode.ts';
import { renderMarkdown } from './markdown.ts';
import type { PageAction } from './messages.ts';
import type { Places } from './references.ts';

const { t } = vscode.l10n;

/** What the page of an event shows besides the event itself. */
export interface EventSurroundings {
  /** Says that it is not from the account of the window. */
  readonly banner: string | undefined;
  /** The name of the account that read it, where there are several. */
  readonly account: string | undefined;
  /** Whether its token may not read which project it is. */
  readonly isProjectHidden: boolean;
  /** The web address of what the event is about. */
  readonly link: string | undefined;
  /** What the event is about, as it is now; a sentence why that is not known, or `reading`. */
  readonly target: TargetRecord | { readonly problem: string } | 'reading' | undefined;
  /** The titles of the commits of a push, the newest first, and the files that it changed, as far as they are known. */
  readonly commits: readonly string[];
  readonly files: readonly string[];
  /** Whether there is a Git that could show what a push changed. */
  readonly hasGit: boolean;
}

/** All that the page of an event shows, as HTML in which text of the instance is escaped. */
export function eventHtml(node: EventNode, surroundings: EventSurroundings): string {
  const { item: event, feed, facts } = node;
  const { banner, account, isProjectHidden, link, target } = surroundings;
  const instanceUrl = webAddress(feed.state.instanceUrl) ?? '';
  const webUrl = webAddress(facts?.webUrl);
  const places: Places = { instanceUrl, projectUrl: webUrl && withoutSlash(webUrl) };
  const created = momentOf(event);
  const hidden = t('Project {0}, not named: the token has neither api nor read_api', event.project_id ?? '');
  const isInternal = event.note?.internal === true || event.note?.confidential === true;
  const details = [
    linkTo(authorLink(event, instanceUrl), authorDetails(event)),
    created &&
      `<time datetime="${created.toISOString()}">${escape(fullTimeLabel(created, vscode.env.language))}</time>`,
    facts ? linkTo(places.projectUrl, facts.path) : isProjectHidden ? escape(hidden) : undefined,
    account === undefined ? undefined : escape(t('Account: {0}', account)),
    isInternal ? `<strong class="note">${escape(t('internal comment'))}</strong>` : undefined,
    optional(importLabel(event), (label) => `<strong class="note">${label}</strong>`),
  ].filter((fact) => fact !== undefined);
  const comment = event.note?.body;
  const said = t('Comment');
  return `<main>
${optional(banner, (text) => `<section class="notice warning banner" role="alert" aria-label="${escape(t('Account'))}"><p><strong>${text}</strong></p></section>`) ?? ''}
<header>
<span class="avatar" aria-hidden="true">${escape(initialsOf(authorFullName(event)))}</span>
<div><h1>${linkTo(link, eventLabel(event))}</h1><ul class="facts">${details.map((fact) => `<li>${fact}</li>`).join('')}</ul></div>
</header>
${comment === undefined ? '' : `<article class="text" aria-label="${escape(said)}">${renderMarkdown(comment, places)}</article>`}
${event.push_data ? pushHtml(node, surroundings, places) : ''}
${targetHtml(target, places)}
${isProjectHidden && !event.push_data ? `<p class="quiet">${escape(t('The browser can open the project alone: the token may not read its path.'))}</p>` : ''}
${link === undefined ? '' : `<p>${button('openInBrowser', t('Open in Browser'))}</p>`}
</main>`;
}

/** The page where there is no event to show. */
export function missingHtml(): string {
  const sentence = t('This event is not loaded. Choose it in the Activity view again.');
  return `<main><h1>${escape(t('Event'))}</h1><p>${escape(sentence)}</p><p>${button('showActivity', t('Show Activity'))}</p></main>`;
}

/** What an event is about, as it is now. */
function targetHtml(target: EventSurroundings['target'], places: Places): string {
  if (target === undefined || target === 'reading') {
    return target ? `<p class="quiet" role="status">${escape(t('Reading what it is about…'))}</p>` : '';
  }
  if ('problem' in target) {
    const { problem } = target as { readonly problem: string };
    return `<p class="quiet">${escape(t('What it is about could not be read: {0}', problem))}</p>`;
  }
  const { title, state, author, description } = target;
  const assignees = listOf(target.assignees).flatMap((one) => nameOf(one) ?? []);
  const labels = listOf(target.labels).flatMap((one) => (typeof one === 'string' ? one : []));
  const facts: readonly (readonly [string, string])[] = [
    [t('State'), escape(stateLabel(state ?? ''))],
    [t('Author'), linkTo(webAddress(author?.web_url), nameOf(author) ?? '')],
    [t('Assignees'), escape(assignees.join(', '))],
    [t('Labels'), labels.map((label) => `<span class="label">${escape(label)}</span>`).join(' ')],
  ];
  const heading = t('Now');
  return `<section class="target" aria-label="${escape(heading)}"><h2>${escape(title ?? heading)}</h2>
${factList(facts)}
${description ? `<div class="text">${renderMarkdown(description, places)}</div>` : `<p class="quiet">${escape(t('There is no description.'))}</p>`}
</section>`;
}

function stateLabel(state: string): string {
  const states: ReadonlyMap<string, string> = new Map([
    ['opened', t('open')],
    ['active', t('open')],
    ['closed', t('closed')],
    ['merged', t('merged')],
    ['locked', t('locked')],
  ]);
  return states.get(state) ?? state;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 100) : [];
}

function nameOf(user: unknown): string | undefined {
  const { name, username } = (user ?? {}) as { readonly name?: unknown; readonly username?: unknown };
  return [name, username].find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined;
}

function pushHtml({ item }: EventNode, { link, commits, files, hasGit }: EventSurroundings, places: Places): string {
  const push = item.push_data ?? {};
  const { ref, ref_type: type, action, commit_to: to, commit_count: count } = push;
  const isTag = type === 'tag';
  const refLink =
    ref && places.projectUrl !== undefined && action !== 'removed'
      ? `${places.projectUrl}/-/${isTag ? 'tags' : 'tree'}/${encodePath(ref)}`
      : undefined;
  const range = commitRange(push);
  const number = count ? new Intl.NumberFormat(vscode.env.language).format(count) : '';
  const facts: readonly (readonly [string, string])[] = [
    [isTag ? t('Tag') : t('Branch'), ref ? `<code>${linkTo(refLink, ref)}</code>` : ''],
    [range.includes('…') ? t('Range') : t('Commit'), range && `<code>${linkTo(link, range)}</code>`],
    [t('Commits'), number],
  ];
  const list = (name: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `<h2>${escape(name)}</h2><ul class="commits" aria-label="${escape(name)}">${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
  return `${factList(facts)}
${list(t('Commits'), commitLines(push, commits))}
${list(t('Files'), files)}
${hasGit && to ? `<p>${button('showChanges', t('Show Changes'))}</p>` : ''}`;
}

/** @param facts names as text, values as HTML; those that are empty are left out. */
function factList(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.filter(([, value]) => value !== '');
  return `<dl>${rows.map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function button(action: PageAction, text: string): string {
  return `<button type="button" data-action="${action}">${escape(text)}</button>`;
}

/** Text that leads to an address of the web, if it is one. */
function linkTo(address: string | undefined, text: string): string {
  const known = webAddress(address);
  return known === undefined ? escape(text) : `<a href="${escape(known)}" title="${escape(known)}">${escape(text)}</a>`;
}

function optional(text: string | undefined, html: (escaped: string) => string): string | undefined {
  return text === undefined ? undefined : html(escape(text));
}

/** Text of one line in HTML, in attributes too. */
function escape(text: string): string {
  return plainText(text, 4000).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The first letters of the first and the last name. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].flatMap((word = '') => [
    ...(/[\p{L}\p{N}]/u.exec(word) ?? []),
  ]);
  return letters.join('').toLocaleUpperCase(vscode.env.language);
}
