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
  return html`
    <main aria-busy=${isReading ? 'true' : 'false'}>
      ${banner(state)}
      <header>
        <h1>${l10n.t('Activity Insights')}</h1>
        <p class="account">
          ${feed}${account === undefined ? nothing : html`<span class="quiet"> · ${l10n.t('Account: {0}', account)}</span>`}
        </p>
      </header>
      ${toolbar(state)}
      ${
        problem === undefined
          ? nothing
          : html`<section class="notice warning" aria-label=${l10n.t('Problem')}><p>${problem}</p></section>`
      }
      ${notes.map((note) => html`<p class="quiet">${note}</p>`)} ${conditions(state)}
      <div class="charts">
        ${charts.map((chart) => chartPart(chart, l10n, (id) => host.send({ type: 'choose', chart: chart.name, id })))}
      </div>
    </main>
  `;
}

/** Says, as long as the page is seen, that it is not about the account of the window. */
function banner({ account = '', otherAccount }: InsightsState): TemplateResult | typeof nothing {
  return otherAccount === undefined
    ? nothing
    : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
        <p>
          <strong>${l10n.t('These insights are about {0}; this window uses {1}.', account, otherAccount)}</strong>
        </p>
        ${button('secondary', l10n.t('Open Activity Insights of {0}', otherAccount), 'openInUse')}
      </section>`;
}

function toolbar({ period, isReading, total }: InsightsState): TemplateResult {
  const onChange = ({ target }: Event): void =>
    host.send({ type: 'period', period: (target as HTMLSelectElement).value as PeriodChoice });
  const labelOf = (one: PeriodChoice): string => (one === '365' ? l10n.t('Last year') : l10n.t('Last {0} days', one));
  return html`
    <div class="toolbar">
      <label for="period">${l10n.t('Period:')}</label>
      <select id="period" .value=${live(period)} @change=${onChange}>
        ${periods.map((one) => html`<option value=${one} ?selected=${one === period}>${labelOf(one)}</option>`)}
      </select>
      <strong class="total"
        >${total}${isReading ? html`<span class="quiet"> · ${l10n.t('reading…')}</span>` : nothing}</strong
      >
      ${isReading ? button('secondary', l10n.t('Cancel'), 'cancel') : button('secondary', l10n.t('Reload'), 'reload')}
    </div>
  `;
}

/** What charts and feed are filtered by, with what takes it back. */
function conditions({ filter }: InsightsState): TemplateResult {
  const hint = l10n.t('Choose a day, kind, project or person to filter the charts, and the feed with them.');
  return html`<p class="conditions">
    ${
      filter === ''
        ? html`<span class="quiet">${hint}</span>`
        : html`${l10n.t('Filter of the feed: {0}', filter)} ${button('link', l10n.t('Clear Filter'), 'clear')}`
    }
  </p>`;
}

function button(kind: string, text: string, type: 'cancel' | 'reload' | 'clear' | 'openInUse'): TemplateResult {
  return html`<button type="button" class=${kind} @click=${() => host.send({ type })}>${text}</button>`;
}

host.listen(show);
if (host.first.state) {
  show(host.first.state);
}
host.send({ type: 'ready' });
