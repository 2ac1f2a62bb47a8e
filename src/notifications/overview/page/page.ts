import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { loudness, unknownMails } from '../../noise/mails.ts';
import { estimateView, mailsView } from '../../noise/page/mailsView.ts';
import type { FromOverview, RowState, ToOverview } from '../messages.ts';
import { changesBar, phaseLabel } from './changesBar.ts';
import type { OverviewModel } from './overviewModel.ts';

/** The whole page. */
export function overviewPage(model: OverviewModel): TemplateResult {
  const { state, l10n } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading the settings…')}</p></main>`;
  }
  return html`
    <main aria-busy=${state.phase === 'ready' ? 'false' : 'true'}>
      ${accountBanner(model, state)} ${heading(model, state)} ${problems(model, state)}
      ${
        state.rows.length === 0 && state.problems.length > 0
          ? actionLink(model, state, { type: 'act', action: 'reload' }, l10n.t('Reload'))
          : html`${selection(model, state)} ${table(model, state)}`
      }
    </main>
    ${changesBar(model, lockedReason(model, state))}
  `;
}

/** Why nothing can be done now; undefined if it can. */
function lockedReason({ l10n }: OverviewModel, { phase, isSignedOut, problems }: ToOverview): string | undefined {
  return isSignedOut ? problems[0] : phaseLabel(phase, l10n);
}

/** As `lockedReason`; while the page reads, levels can be chosen. */
function choiceLockedReason(model: OverviewModel, state: ToOverview): string | undefined {
  return state.isSignedOut || state.phase !== 'loading' ? lockedReason(model, state) : undefined;
}

function heading({ l10n }: OverviewModel, { account, phase, progress, rows, isSignedOut }: ToOverview): TemplateResult {
  const reading = progress ? l10n.t('reading {0} of {1}…', progress.done, progress.total) : l10n.t('reading…');
  const canChoose = phase === 'ready' && !isSignedOut && rows.length > 0;
  const note = phase === 'loading' ? reading : canChoose && l10n.t('Levels that you choose are saved after a review.');
  return html`
    <header>
      <h1>${l10n.t('Notification Overview')}</h1>
      <p class="account">
        ${l10n.t('Account: {0}', account)}${note ? html`<span class="quiet"> · ${note}</span>` : nothing}
      </p>
    </header>
  `;
}

/** Says, as long as the overview is seen, that it is not about the account of the window. */
function accountBanner(model: OverviewModel, state: ToOverview): TemplateResult | typeof nothing {
  const { l10n } = model;
  const { account, otherAccount, isSignedOut } = state;
  // That it is signed out says so, too.
  return otherAccount === undefined || isSignedOut
    ? nothing
    : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
        <p>
          <strong
            >${l10n.t(
              'This overview is about the account {0}; the window works as {1}.',
              account,
              otherAccount,
            )}</strong
          >
        </p>
        <div class="buttons">${openInUse(model, otherAccount)}</div>
      </section>`;
}

function openInUse(model: OverviewModel, otherAccount: string): TemplateResult {
  return html`<button type="button" class="secondary" @click=${() => model.send({ type: 'act', action: 'openInUse' })}>
    ${model.l10n.t('Open Notification Overview of {0}', otherAccount)}
  </button>`;
}

function problems(
  model: OverviewModel,
  { problems: sentences, remedy, isSignedOut, otherAccount }: ToOverview,
): TemplateResult | typeof nothing {
  const { l10n } = model;
  return sentences.length === 0
    ? nothing
    : html`<section class="notice warning" aria-label=${l10n.t('Problem')}>
        ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
        ${
          remedy === undefined
            ? nothing
            : html`<div class="buttons">
                <button type="button" @click=${() => model.send({ type: 'act', action: 'fix' })}>${remedy}</button>
                ${isSignedOut && otherAccount !== undefined ? openInUse(model, otherAccount) : nothing}
                ${
                  isSignedOut && otherAccount === undefined && remedy !== l10n.t('Try Sandbox')
                    ? html`<button
                        type="button"
                        class="secondary"
                        @click=${() => model.send({ type: 'act', action: 'trySandbox' })}
                      >
                        ${l10n.t('Try Sandbox')}
                      </button>`
                    : nothing
                }
              </div>`
        }
      </section>`;
}

/**
 * A button beside what the page is for, which is to review changes.
 *
 * @param subject what it is about, where that is not the whole page.
 */
function actionLink(
  model: OverviewModel,
  state: ToOverview,
  message: FromOverview,
  title: string,
  subject?: string,
): TemplateResult {
  const reason = lockedReason(model, state);
  return html`
    <button
      type="button"
      class="link"
      title=${reason ?? nothing}
      aria-label=${subject === undefined ? title : model.l10n.t('{0}: {1}', subject, title)}
      aria-disabled=${reason === undefined ? 'false' : 'true'}
      @click=${() => (reason === undefined ? model.send(message) : undefined)}
    >
      ${title}
    </button>
  `;
}

/** What is done with several rows, and with the whole. */
function selection(model: OverviewModel, state: ToOverview): TemplateResult {
  const { l10n, selected } = model;
  const act = (action: Extract<FromOverview, { type: 'act' }>['action'], title: string): TemplateResult =>
    actionLink(model, state, { type: 'act', action }, title);
  const bulkReason =
    choiceLockedReason(model, state) ??
    (selected.length === 0 ? l10n.t('Check the scopes to change first.') : undefined);
  return html`
    <div class="toolbar">
      <input
        type="search"
        aria-label=${l10n.t('Filter projects and groups')}
        placeholder=${l10n.t('Filter')}
        .value=${live(model.filter)}
        @input=${(event: Event) => model.setFilter((event.target as HTMLInputElement).value)}
      />
      <div class="buttons">
        ${act('reload', l10n.t('Reload'))} ${act('pinProject', l10n.t('Pin Project…'))}
        ${act('pinGroup', l10n.t('Pin Group…'))} ${act('export', l10n.t('Export…'))} ${act('import', l10n.t('Import…'))}
      </div>
    </div>
    ${
      state.noise
        ? estimateView(state.noise, l10n, {
            read: () => model.send({ type: 'act', action: 'readNoise' }),
            cancel: () => model.send({ type: 'act', action: 'cancelNoise' }),
            fix: () => model.send({ type: 'act', action: 'fixNoise' }),
            isShown: model.hasMails,
          })
        : nothing
    }
    <div class="bulk buttons">
      <label for="bulk">${l10n.t('Level of selected scopes ({0}):', selected.length)}</label>
      <select
        id="bulk"
        ?disabled=${bulkReason !== undefined}
        title=${bulkReason ?? nothing}
        .value=${live('')}
        @change=${(event: Event) => model.choose(selected, (event.target as HTMLSelectElement).value)}
      >
        <option value="" disabled selected>${l10n.t('Select Level…')}</option>
        ${state.levels.map(({ value, name }) => html`<option value=${value}>${name}</option>`)}
      </select>
    </div>
  `;
}

function table(model: OverviewModel, state: ToOverview): TemplateResult {
  const { l10n, shown, selected } = model;
  const all = shown.length > 0 && selected.length === shown.length;
  const loudest = Math.max(0, ...state.rows.map(({ mails }) => loudness(mails) ?? 0));
  return html`
    <div class="scroll" role="region" aria-label=${l10n.t('Levels')} tabindex="0">
      <table>
        <caption class="spoken">
          ${l10n.t('Notification levels of projects and groups')}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="check">
              <input
                type="checkbox"
                aria-label=${l10n.t('Select All')}
                .checked=${live(all)}
                .indeterminate=${live(!all && selected.length > 0)}
                @change=${(event: Event) => model.select(shown, (event.target as HTMLInputElement).checked)}
              />
            </th>
            <th scope="col" class="scope">${l10n.t('Scope')}</th>
            <th scope="col">${l10n.t('Level')}</th>
            <th scope="col">${l10n.t('In effect')}</th>
            <th scope="col">${l10n.t('Source')}</th>
            <th scope="col">${l10n.t('Events')}</th>
            ${model.hasMails ? mailsHeading(model) : nothing}
          </tr>
        </thead>
        <tbody>
          ${shown.map((row) => tableRow(model, state, row, loudest))}
        </tbody>
      </table>
    </div>
    ${
      shown.length === 0 && state.rows.length > 0
        ? html`<p class="quiet">${l10n.t('No project or group matches the filter.')}</p>`
        : nothing
    }
    ${state.hasMore ? html`<p>${actionLink(model, state, { type: 'act', action: 'more' }, l10n.t('Show More Projects'))}</p>` : nothing}
    ${
      state.rows.length === 1 && state.phase === 'ready' && state.problems.length === 0
        ? html`<p class="quiet">
            ${l10n.t('You are not a member of any project. Pin a project or group to list it here.')}
          </p>`
        : nothing
    }
  `;
}

/** A heading whose button orders the rows. */
function mailsHeading(model: OverviewModel): TemplateResult {
  const { l10n, order } = model;
  return html`<th scope="col" class="mails-heading" aria-sort=${order}>
    <button type="button" class="link" @click=${() => model.sort()}>
      ${l10n.t('E-mails a week')}<span aria-hidden="true"
        >${{ none: ' ↕', descending: ' ↓', ascending: ' ↑' }[order]}</span
      >
    </button>
  </th>`;
}

function tableRow(model: OverviewModel, state: ToOverview, row: RowState, loudest: number): TemplateResult {
  const { l10n } = model;
  const { levels } = state;
  const level = model.levelOf(row);
  const reason = choiceLockedReason(model, state);
  const isModified = level !== row.level;
  const choices = levels.some(({ value }) => value === row.level)
    ? levels
    : [{ value: row.level ?? '', name: row.level ?? '' }, ...levels];
  return html`
    <tr class=${isModified ? 'modified' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label=${l10n.t('Select {0}', row.name)}
          .checked=${live(model.isSelected(row))}
          @change=${(event: Event) => model.select([row], (event.target as HTMLInputElement).checked)}
        />
      </td>
      <th scope="row" class="scope">
        <button
          type="button"
          class="link"
          title=${l10n.t('Open Notification Settings')}
          @click=${() => model.send({ type: 'open', key: row.key })}
        >
          ${row.name}
        </button>
        <span class="quiet">${[row.place, row.profile].filter(Boolean).join(' · ')}</span>
      </th>
      ${
        level === undefined
          ? html`<td colspan=${model.hasMails ? 5 : 4} class="problem">
              ${row.problem ?? l10n.t('unknown')}
              ${row.remedy === undefined ? nothing : actionLink(model, state, { type: 'fixRow', key: row.key }, row.remedy, row.name)}
            </td>`
          : html`
              <td class="choice">
                <select
                  aria-label=${l10n.t('Level of {0}', row.name)}
                  ?disabled=${reason !== undefined}
                  title=${reason ?? nothing}
                  .value=${live(level)}
                  @change=${(event: Event) => model.choose([row], (event.target as HTMLSelectElement).value)}
                >
                  ${choices
                    .filter(({ value }) => row.kind !== 'global' || value !== 'global')
                    .map(
                      ({ value, name }) => html`<option value=${value} ?selected=${value === level}>${name}</option>`,
                    )}
                </select>
              </td>
              <td class="effect" title=${row.isPending ? l10n.t('after saving') : nothing}>
                ${row.isPending ? html`<em>${row.effect}</em><span class="spoken"> (${l10n.t('after saving')})</span>` : row.effect}
              </td>
              <td class="inherited">${row.inherited}</td>
              <td class="events">${row.events}</td>
              ${model.hasMails ? html`<td class="count">${mailsView(row.mails ?? unknownMails, loudest, l10n)}</td>` : nothing}
            `
      }
    </tr>
  `;
}
