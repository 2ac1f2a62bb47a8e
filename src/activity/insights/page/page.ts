import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { type InsightsState, type PeriodChoice, periods } from '../messages.ts';
import type { InsightsModel, View } from './insightsModel.ts';

/** The whole page. */
export function insightsPage(model: InsightsModel): TemplateResult {
  const { state, l10n } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading events…')}</p></main>`;
  }
  return html`
    <main aria-busy=${state.phase === 'ready' ? 'false' : 'true'}>
      ${accountBanner(model, state)} ${heading(model, state)} ${toolbar(model, state)} ${notices(model, state)}
      ${conditions(model, state)}
      <div class="charts">${model.views.map(drawing)}</div>
    </main>
  `;
}

function drawing({ chart, title, data, table, note }: View): TemplateResult {
  return chart.render(title, data, table, note);
}

/** Says, as long as the page is seen, that it is not about the account of the window. */
function accountBanner(
  model: InsightsModel,
  { account, otherAccount }: InsightsState,
): TemplateResult | typeof nothing {
  const { l10n } = model;
  return otherAccount === undefined
    ? nothing
    : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
        <p>
          <strong
            >${l10n.t('These insights are about the account {0}; the window works as {1}.', account, otherAccount)}</strong
          >
        </p>
        <div class="buttons">
          <button type="button" class="secondary" @click=${() => model.send({ type: 'act', action: 'openInUse' })}>
            ${l10n.t('Open Activity Insights of {0}', otherAccount)}
          </button>
        </div>
      </section>`;
}

function heading({ l10n }: InsightsModel, { feed, account }: InsightsState): TemplateResult {
  return html`
    <header>
      <h1>${l10n.t('Activity Insights')}</h1>
      <p class="account">${feed}<span class="quiet"> · ${l10n.t('Account: {0}', account)}</span></p>
    </header>
  `;
}

function toolbar(model: InsightsModel, { period, phase }: InsightsState): TemplateResult {
  const { l10n, counts } = model;
  const isReading = phase === 'reading';
  const total = counts?.all ?? 0;
  const isNarrowed = counts !== undefined && counts.chosen !== total;
  return html`
    <div class="toolbar">
      <span class="period">
        <label for="period">${l10n.t('Period:')}</label>
        <select
          id="period"
          .value=${live(period)}
          @change=${(event: Event) =>
            model.send({ type: 'period', period: (event.target as HTMLSelectElement).value as PeriodChoice })}
        >
          ${periods.map(
            (one) => html`<option value=${one} ?selected=${one === period}>${periodLabel(model, one)}</option>`,
          )}
        </select>
      </span>
      <strong class="total">
        ${
          isNarrowed
            ? l10n.t('{0} of {1} events', model.numberLabel(counts.chosen), model.numberLabel(total))
            : total === 1
              ? l10n.t('1 event')
              : l10n.t('{0} events', model.numberLabel(total))
        }${isReading ? html`<span class="quiet"> · ${l10n.t('reading…')}</span>` : nothing}
      </strong>
      <span class="buttons">
        <button
          type="button"
          class="secondary"
          @click=${() => model.send({ type: 'act', action: isReading ? 'cancel' : 'reload' })}
        >
          ${isReading ? l10n.t('Cancel') : l10n.t('Reload')}
        </button>
      </span>
    </div>
  `;
}

function periodLabel({ l10n }: InsightsModel, period: PeriodChoice): string {
  switch (period) {
    case '7':
    case '30':
    case '90':
      return l10n.t('Last {0} days', period);
    case '365':
      return l10n.t('Last year');
    case 'kept':
      return l10n.t('All that is kept');
  }
}

function notices(model: InsightsModel, { notes, problem }: InsightsState): TemplateResult {
  const { l10n, counts } = model;
  const { undated = 0, muted = 0 } = counts ?? {};
  return html`
    ${
      problem === undefined
        ? nothing
        : html`<section class="notice warning" aria-label=${l10n.t('Problem')}><p>${problem}</p></section>`
    }
    ${[...notes, ...(muted > 0 ? [l10n.t('Muted events that are left out: {0}', model.numberLabel(muted))] : [])].map(
      (note) => html`<p class="quiet">${note}</p>`,
    )}
    ${
      undated === 0
        ? nothing
        : html`<p class="quiet">
            ${l10n.t('Events without a time, which are not in the charts of days and hours: {0}', model.numberLabel(undated))}
          </p>`
    }
  `;
}

/** What the charts are filtered by, with what takes it back. */
function conditions(model: InsightsModel, { filter }: InsightsState): TemplateResult {
  const { l10n, localConditions: local } = model;
  const { length } = local;
  const shown = local.slice(0, 3).join(', ');
  return html`
    <div class="conditions">
      ${
        filter.label === '' && length === 0
          ? html`<p class="quiet">
              ${l10n.t('Choose a day, kind, project or person to filter the charts, and the feed with them.')}
            </p>`
          : nothing
      }
      ${
        filter.label === ''
          ? nothing
          : html`<p>
              ${l10n.t('Filter of the feed: {0}', filter.label)}
              <button type="button" class="link" @click=${() => model.send({ type: 'act', action: 'clear' })}>
                ${l10n.t('Clear Filter')}
              </button>
            </p>`
      }
      ${
        length === 0
          ? nothing
          : html`<p>
              ${
                length > 3
                  ? l10n.t('Filter of these charts alone: {0} and {1} more', shown, length - 3)
                  : l10n.t('Filter of these charts alone: {0}', shown)
              }
              <button type="button" class="link" @click=${() => model.clearLocal()}>${l10n.t('Show All')}</button>
            </p>`
      }
    </div>
  `;
}
