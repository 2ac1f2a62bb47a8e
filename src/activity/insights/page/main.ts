import { type TemplateResult, html, nothing, render } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { Announcer, Host } from '../../../webviews/page/page.ts';
import type { Chart, Mark } from '../charts.ts';
import type { FromInsights, InsightsState, PeriodChoice } from '../insightsPanel.ts';

const host = new Host<InsightsState, FromInsights, object>();
const { l10n } = host;
const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

/** The grids whose tables were unfolded: these have a row for each day or hour, and are drawn when they are asked for. */
const unfolded = new Set<Chart['name']>();

function show(state: InsightsState): void {
  const draw = (): unknown => render(page(state, draw), root);
  host.keep(state.kept);
  draw();
  announcer.announce('status', 'insights', state.isReading ? l10n.t('Reading events…') : state.total);
  performance.mark('insights shown');
}

/** @param draw draws it again. */
function page(state: InsightsState, draw: () => void): TemplateResult {
  const { feed, account, isReading, notes, problem, charts } = state;
  return html`
    <main aria-busy=${isReading ? 'true' : 'false'}>
      ${banner(state)}
      <header>
        <h1>${l10n.t('Activity Insights')}</h1>
        <p class="account">
          ${feed}${account === '' ? nothing : html`<span class="quiet"> · ${l10n.t('Account: {0}', account)}</span>`}
        </p>
      </header>
      ${toolbar(state)}
      ${
        problem === undefined
          ? nothing
          : html`<section class="notice warning" aria-label=${l10n.t('Problem')}><p>${problem}</p></section>`
      }
      ${notes.map((note) => html`<p class="quiet">${note}</p>`)} ${conditions(state)}
      <div class="charts">${charts.map((chart) => chartPart(chart, draw))}</div>
    </main>
  `;
}

/** Says, as long as the page is seen, that it is not about the account of the window. */
function banner({ account, otherAccount }: InsightsState): TemplateResult | typeof nothing {
  return otherAccount === undefined
    ? nothing
    : html`<section class="notice warning banner" role="alert" aria-label=${l10n.t('Account')}>
        <p>${l10n.t('These insights are about {0}; this window uses {1}.', account, otherAccount)}</p>
        <p>${button('secondary', l10n.t('Use {0}', account), 'switchAccount')}</p>
      </section>`;
}

function toolbar({ period, periods, isReading, total }: InsightsState): TemplateResult {
  const onChange = ({ target }: Event): void =>
    host.send({ type: 'period', period: (target as HTMLSelectElement).value as PeriodChoice });
  return html`
    <div class="toolbar">
      <label for="period">${l10n.t('Period:')}</label>
      <select id="period" .value=${live(period)} @change=${onChange}>
        ${periods.map(([one, name]) => html`<option value=${one} ?selected=${one === period}>${name}</option>`)}
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

function button(kind: string, text: string, type: 'cancel' | 'reload' | 'clear' | 'switchAccount'): TemplateResult {
  return html`<button type="button" class=${kind} @click=${() => host.send({ type })}>${text}</button>`;
}

/** A chart in the editor's colours: a table with bars, or a grid of cells for the pointer with the same numbers in a table below. */
function chartPart(chart: Chart, draw: () => void): TemplateResult {
  const { name, title, kind, marks } = chart;
  const counted = marks.filter(({ count }) => count > 0);
  const table = (): TemplateResult => tablePart(title, name === 'days' ? counted.toReversed() : counted);
  const choose = ({ target }: Event): void => {
    const { id } = (target as HTMLElement).dataset;
    if (id !== undefined) {
      host.send({ type: 'choose', chart: name, id });
    }
  };
  return html`
    <figure class="chart ${name}" aria-labelledby="${name}-title" @click=${choose}>
      <h2 id="${name}-title">${title}</h2>
      ${
        counted.length === 0
          ? html`<p class="quiet">${l10n.t('There is nothing to draw.')}</p>`
          : kind === 'bars'
            ? table()
            : html`<div class="grid" aria-hidden="true">${cells(chart)}</div>
                <details
                  @toggle=${() => {
                    unfolded.add(name);
                    draw();
                  }}
                >
                  <summary>${l10n.t('Table')}<span class="spoken"> – ${title}</span></summary>
                  ${unfolded.has(name) ? table() : nothing}
                </details>`
      }
    </figure>
  `;
}

/** How strong a cell is, in percent, by its weight. */
const levels = [7, 30, 52, 76, 100];

/** What is in a grid. A year has so many cells that templates would take most of the time of a picture. */
function cells({ rows, columns, marks }: Chart): DocumentFragment {
  const all = document.createDocumentFragment();
  const add = (className: string, area: string): HTMLElement => {
    const element = all.appendChild(document.createElement('div'));
    element.className = className;
    element.style.gridArea = area;
    return element;
  };
  columns.forEach(([column, text]) => (add('heading', `1 / ${column + 2} / 2 / span 4`).textContent = text));
  rows.forEach((text, row) => (add('heading', `${row + 2} / 1`).textContent = text));
  marks.forEach(({ id, name, value, isChosen, row, column, weight }) => {
    const cell = add(isChosen ? 'cell chosen' : 'cell', `${row + 2} / ${column + 2}`);
    cell.title = `${name}: ${value}`;
    cell.style.setProperty('--level', `${levels[weight]}%`);
    if (id !== undefined) {
      cell.dataset['id'] = id;
    }
  });
  return all;
}

function tablePart(title: string, marks: readonly Mark[]): TemplateResult {
  return html`<div class="scroll" role="region" aria-label=${title} tabindex="0">
    <table>
      <tr>
        <th scope="col"><span class="spoken">${title}</span></th>
        <th scope="col">${l10n.t('Events')}</th>
      </tr>
      ${marks.map(
        ({ id, name, value, isChosen, weight }) =>
          html`<tr class=${isChosen ? 'chosen' : ''}>
            <th scope="row" .style=${`--share: ${100 * weight}%`}>
              ${
                id === undefined
                  ? name
                  : html`<button type="button" class="link" aria-pressed=${isChosen} data-id=${id}>${name}</button>`
              }
            </th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
  </div>`;
}

host.listen(show);
if (host.first.state) {
  show(host.first.state);
}
host.send({ type: 'ready' });
