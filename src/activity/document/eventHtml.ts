import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TargetRecord } from '../../api/targets.ts';
import { fullTimeLabel } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import { authorDetails, eventLabel, momentOf, numberLabel } from '../events/eventLabel.ts';
import { authorLink, encodePath, type Places } from '../events/targets.ts';
import { commitLines, commitRange, type EventNode, importLabel } from '../tree/nodes.ts';
import type { renderMarkdown } from './markdown.ts';

const { t } = vscode.l10n;

export const fromEventPageSchema = () =>
  z.object({
    type: z.enum(['ready', 'showChanges', 'openInBrowser', 'switchAccount']),
  });
export type FromEventPage = z.infer<ReturnType<typeof fromEventPageSchema>>;

/** Names an event in a feed; the page keeps it for when the editor builds it again. */
export const eventIdSchema = () => z.object({ feed: z.string(), event: z.number() });
export type EventId = z.infer<ReturnType<typeof eventIdSchema>>;

/** A message from the host to the page: all that it shows, or a sentence to be read out. */
export type ToEventPage = EventState | { readonly type: 'hint'; readonly sentence: string };

export interface EventState {
  readonly type: 'state';
  readonly id: EventId;
  /** In which all text of others is escaped. */
  readonly html: string;
  /** What is read out when another event is shown. */
  readonly said: string;
}

export interface EventSurroundings {
  readonly banner: string | undefined;
  readonly account: string;
  readonly isProjectHidden: boolean;
  readonly link: string | undefined;
  /** What the event is about, as it is now; a sentence why that is not known, or that it is being read. */
  readonly target: TargetRecord | string | undefined;
  readonly commits: readonly string[];
  readonly files: readonly string[];
  readonly hasGit: boolean;
  readonly render: typeof renderMarkdown;
}

/** All that the page of an event shows, as HTML in which text of the instance is escaped. */
export function eventHtml(node: EventNode, surroundings: EventSurroundings): string {
  const { item: event, feed, facts } = node;
  const { banner, account, isProjectHidden, link, target, render } = surroundings;
  const { instanceUrl = '' } = feed.state;
  const places: Places = { instanceUrl, projectUrl: facts?.webUrl };
  const created = momentOf(event);
  const hidden = t(
    'Project {0} is not named, and links lead no further than to it: the token has neither api nor read_api.',
    event.project_id ?? '',
  );
  const isInternal = event.note?.internal === true || event.note?.confidential === true;
  const facets = [
    linkTo(authorLink(event, instanceUrl), authorDetails(event)),
    escape(created ? fullTimeLabel(created, vscode.env.language) : ''),
    facts ? linkTo(places.projectUrl, facts.path) : escape(isProjectHidden && node.project ? hidden : ''),
    escape(account === '' ? '' : t('Account: {0}', account)),
    escape(isInternal ? t('internal comment') : ''),
    escape(importLabel(event) ?? ''),
  ].filter(Boolean);
  const comment = event.note?.body ?? '';
  const isShownHere = surroundings.hasGit && Boolean(event.push_data?.commit_to);
  return `<main>
${banner === undefined ? '' : `<section class="notice warning banner" role="alert" aria-label="${escape(t('Account'))}"><p>${escape(banner)}</p><p>${button('switchAccount', t('Use {0}', account), 'secondary')}</p></section>`}
<header><h1>${linkTo(link, eventLabel(event))}</h1><p class="quiet">${facets.join(' · ')}</p></header>
${comment === '' ? '' : `<article class="text" aria-label="${escape(t('Comment'))}">${render(comment, places)}</article>`}
${event.push_data ? pushHtml(node, surroundings, places) : ''}
${typeof target === 'object' ? targetHtml(target, (text) => render(text, places)) : `<p class="quiet" role="status">${escape(target ?? '')}</p>`}
<div class="buttons">
${isShownHere ? button('showChanges', t('Show Changes')) : ''}
${link === undefined ? '' : button('openInBrowser', t('Open in Browser'), isShownHere ? 'secondary' : '')}
</div>
</main>`;
}

function targetHtml(
  { title, state, author, description, ...lists }: TargetRecord,
  render: (text: string) => string,
): string {
  const assignees = listOf(lists['assignees']).flatMap((one) => nameOf(one) ?? []);
  const labels = listOf(lists['labels']).flatMap((one) => (typeof one === 'string' && escape(one)) || []);
  const text = description
    ? `<div class="text">${render(description)}</div>`
    : `<p class="quiet">${escape(t('There is no description.'))}</p>`;
  return `<section class="target" aria-label="${escape(t('Now'))}"><h2>${escape(title ?? '') || escape(t('Now'))}</h2>
${factList([
  [t('State'), escape(stateLabel(state ?? ''))],
  [t('Author'), linkTo(webAddress(author?.web_url), nameOf(author) ?? '')],
  [t('Assigned to'), escape(assignees.join(', '))],
  [t('Labels'), labels.map((label) => `<span class="label">${label}</span>`).join(' ')],
])}
${text}</section>`;
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
  return [name, username].find((one) => typeof one === 'string' && escape(one) !== '') as string | undefined;
}

/** At most this many files of a push are named. */
const mostFiles = 100;

function pushHtml({ item }: EventNode, { link, commits, files }: EventSurroundings, places: Places): string {
  const push = item.push_data ?? {};
  const { ref, ref_type: type, action, commit_count: count } = push;
  const isTag = type === 'tag';
  const refLink =
    ref && places.projectUrl !== undefined && action !== 'removed'
      ? `${places.projectUrl}/-/${isTag ? 'tags' : 'tree'}/${encodePath(ref)}`
      : undefined;
  const refName = linkTo(refLink, ref ?? '');
  const range = commitRange(push);
  const shownCommits = commitLines(push, commits);
  const list = (name: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `<h2>${escape(name)}</h2><ul aria-label="${escape(name)}">${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
  return `${factList([
    [isTag ? t('Tag') : t('Branch'), refName && `<code>${refName}</code>`],
    [range.includes('…') ? t('Range') : t('Commit'), range && `<code>${linkTo(link, range)}</code>`],
    // Their list says how many there are.
    [t('Commits'), count && shownCommits.length === 0 ? numberLabel(count) : ''],
  ])}
${list(t('Commits'), shownCommits)}
${list(t('Files'), files.length > mostFiles ? [...files.slice(0, mostFiles), '…'] : files)}`;
}

/** @param facts names as text, values as HTML; those that are empty are left out. */
function factList(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.filter(([, value]) => value !== '');
  return `<dl>${rows.map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function button(action: FromEventPage['type'], text: string, kind = ''): string {
  return `<button type="button" class="${kind}" data-action="${action}">${escape(text)}</button>`;
}

function linkTo(address: string | undefined, text: string): string {
  const [known, shown] = [webAddress(address), escape(text)];
  return known === undefined || shown === ''
    ? shown
    : `<a href="${escape(known)}" title="${escape(known)}">${shown}</a>`;
}

/** Empty where nothing of it can be seen. */
function escape(text: string): string {
  return plainText(text, 4000)
    .trim()
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
