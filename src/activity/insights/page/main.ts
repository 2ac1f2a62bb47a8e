import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { Announcer, Host } from '../../../webviews/page/page.ts';
import { type FromInsights, type InsightsState, type PeriodChoice, periods } from '../messages.ts';
import { chartPart } from './chart.ts';

const host = new Host<InsightsState, FromInsights, object>();
const { l10n } = host;
const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

function show(state: InsightsState): void {
  host.keep(state.kept);
  render(page(state), root);
  announcer.announce('status', 'insights', state.isReading ? l10n.t('Reading events…') : state.total);
  performance.mark('insights shown');
}

function page(state: InsightsState): TemplateResult {
  const { feed, account, isReading, notes, problem, charts } = state;
  const choose = (chart: InsightsState['charts'][number]['name'], id: string): void =>
    host.send({ type: 'choose', chart, id });
  return html`
    <main aria-busy=${isReading ? 'true' : 'false'}>
      ${banner(state)}
      <header>
        <h1>${l10n.t('Activity Insights')}</h1>
        <p class="account">${feed}<span class="quiet"> · ${l10n.t('Account: {0}', account)}</span></p>
      </header>
      ${toolbar(state)}
      ${
        problem === undefined
          ? nothing
          : html`<section class="notice warning" aria-label=${l10n.t('Problem')}><p>${problem}</p></section>`
      }
      ${notes.map((note) => html`<p class="quiet">${note}</p>`)} ${conditions(state)}
      <div class="charts">${charts.map((chart) => chartPart(chart, { l10n, choose }))}</div>
    </main>
  `;
}

/** Says, as long as the page is seen, that it is not about the account of the window. */
function banner({ account, otherAccount }: InsightsState): TemplateResult | typeof nothing {
  return otherAccount === undefined
    ? nothing
    : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
        <p>
          <strong
            >${l10n.t('These insights are about the account {0}; the window works as {1}.', account, otherAccount)}</strong
          >
        </p>
        <div class="buttons">
          ${button('secondary', l10n.t('Open Activity Insights of {0}', otherAccount), 'openInUse')}
        </div>
      </section>`;
}

function toolbar({ period, isReading, total }: InsightsState): TemplateResult {
  const onChange = ({ target }: Event): void =>
    host.send({ type: 'period', period: (target as HTMLSelectElement).value as PeriodChoice });
  return html`
    <div class="toolbar">
      <span class="period">
        <label for="period">${l10n.t('Period:')}</label>
        <select id="period" .value=${live(period)} @change=${onChange}>
          ${periods.map((one) => html`<option value=${one} ?selected=${one === period}>${periodLabel(one)}</option>`)}
        </select>
      </span>
      <strong class="total"
        >${total}${isReading ? html`<span class="quiet"> · ${l10n.t('reading…')}</span>` : nothing}</strong
      >
      <span class="buttons">
        ${isReading ? button('secondary', l10n.t('Cancel'), 'cancel') : button('secondary', l10n.t('Reload'), 'reload')}
      </span>
    </div>
  `;
}

/** What charts and feed are filtered by, with what takes it back. */
function conditions({ filter }: InsightsState): TemplateResult {
  return html`<p class="conditions">
    ${
      filter === ''
        ? html`<span class="quiet"
            >${l10n.t('Choose a day, kind, project or person to filter the charts, and the feed with them.')}</span
          >`
        : html`${l10n.t('Filter of the feed: {0}', filter)} ${button('link', l10n.t('Clear Filter'), 'clear')}`
    }
  </p>`;
}

function button(kind: string, text: string, action: Extract<FromInsights, { type: 'act' }>['action']): TemplateResult {
  return html`<button type="button" class=${kind} @click=${() => host.send({ type: 'act', action })}>${text}</button>`;
}

function periodLabel(period: PeriodChoice): string {
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

host.listen(show);
if (host.first.state) {
  show(host.first.state);
}
host.send({ type: 'ready' });
