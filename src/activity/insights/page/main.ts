import { type TemplateResult, html, nothing, render } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { Announcer, Host, type L10n } from '../../../webviews/page/page.ts';
import {
  type Chart,
  type FromInsights,
  type InsightsState,
  type Mark,
  type PeriodChoice,
  periods,
} from '../messages.ts';

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

function button(kind: string, text: string, type: 'cancel' | 'reload' | 'clear'): TemplateResult {
  return html`<button type="button" class=${kind} @click=${() => host.send({ type })}>${text}</button>`;
}

/**
 * A chart in the editor's colours. The arrow keys go through its marks, Enter or Space choose one; what the mark says that has the
 * focus or is pointed at stands below, and the same numbers are in a table.
 */
function chartPart(chart: Chart, l10n: L10n, choose: (id: string) => void): TemplateResult {
  const { name, title, kind, marks, table } = chart;
  const canChoose = marks.some(({ id }) => id !== undefined);
  const onClick = (event: Event): void => {
    const id = markOf(event)?.dataset['id'];
    if (id) {
      choose(id);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const isChoice = event.key === 'Enter' || event.key === ' ';
    if (isChoice || move(event)) {
      event.preventDefault();
    }
    if (isChoice) {
      onClick(event);
    }
  };
  return html`
    <figure class="chart ${name}" aria-labelledby="${name}-title">
      <h2 id="${name}-title">${title}</h2>
      ${
        table.length === 0 && !canChoose
          ? html`<p class="quiet">${l10n.t('There is nothing to draw.')}</p>`
          : html`<div
                class=${kind}
                role=${canChoose ? 'listbox' : 'group'}
                aria-multiselectable=${canChoose ? 'true' : nothing}
                aria-labelledby="${name}-title"
                @click=${onClick}
                @keydown=${onKey}
                @focusin=${tell}
                @pointerover=${tell}
              >
                ${headings(chart)} ${marks.map((mark, index) => markPart(mark, index, kind, canChoose))}
              </div>
              <p class="quiet said" aria-hidden="true"></p>
              <details>
                <summary>${l10n.t('Table')}<span class="spoken"> – ${title}</span></summary>
                <div class="scroll" role="region" aria-label=${title} tabindex="0">
                  <table>
                    <tr>
                      <th scope="col">${title}</th>
                      <th scope="col">${l10n.t('Events')}</th>
                    </tr>
                    ${table.map(
                      ([one, value]) =>
                        html`<tr>
                          <th scope="row">${one}</th>
                          <td>${value}</td>
                        </tr>`,
                    )}
                  </table>
                </div>
              </details>`
      }
    </figure>
  `;
}

/** How strong a cell is, in percent, by its weight. */
const levels = [7, 30, 52, 76, 100];

function markPart(mark: Mark, index: number, kind: Chart['kind'], canChoose: boolean): TemplateResult {
  const { id, label, isChosen, row, column, weight, name, value } = mark;
  // As a property, as the page allows no styles in attributes.
  return html`<div
    class="mark ${kind === 'grid' ? 'cell' : 'row'} ${isChosen ? 'chosen' : ''}"
    role=${canChoose ? 'option' : 'img'}
    aria-selected=${id === undefined ? nothing : String(isChosen)}
    aria-disabled=${canChoose && id === undefined ? 'true' : nothing}
    aria-label=${kind === 'grid' ? label : nothing}
    data-label=${label}
    tabindex=${index === 0 ? 0 : -1}
    data-id=${id ?? nothing}
    data-place="${row}/${column}"
    .style=${kind === 'grid' ? `grid-area: ${row + 2} / ${column + 2}; --level: ${levels[weight]}%` : ''}
  >
    ${
      kind === 'grid'
        ? nothing
        : html`<span class="name">${name}</span>
            <span class="track"><span class="bar" .style=${`width: ${100 * weight}%`}></span></span>
            <span class="value">${value}</span>`
    }
  </div>`;
}

function headings({ rows, columns }: Chart): TemplateResult[] {
  const heading = (text: string, place: string): TemplateResult =>
    html`<span class="heading" aria-hidden="true" .style=${`grid-area: ${place}`}>${text}</span>`;
  return [
    ...columns.map(([column, text]) => heading(text, `1 / ${column + 2} / 2 / span 4`)),
    ...rows.map((text, row) => heading(text, `${row + 2} / 1`)),
  ];
}

function markOf({ target }: Event): HTMLElement | null {
  return (target as Element).closest<HTMLElement>('.mark');
}

function tell(event: Event): void {
  const mark = markOf(event);
  const said = mark?.closest('.chart')?.querySelector('.said');
  if (mark && said) {
    said.textContent = mark.dataset['label'] ?? '';
  }
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Gives the focus to the mark that a key leads to. @returns whether it is such a key. */
function move(event: KeyboardEvent): boolean {
  const { key, ctrlKey, altKey, metaKey, currentTarget } = event;
  const [step, from] = [steps[key], markOf(event)];
  const isEnd = key === 'Home' || key === 'End';
  if (!from || ctrlKey || altKey || metaKey || !(step || isEnd)) {
    return false;
  }
  const marks = [...(currentTarget as Element).querySelectorAll<HTMLElement>('.mark')];
  const [row = 0, column = 0] = (from.dataset['place'] ?? '').split('/').map(Number);
  const to = step
    ? marks.find(({ dataset }) => dataset['place'] === `${row + step[0]}/${column + step[1]}`)
    : marks.at(key === 'Home' ? 0 : -1);
  if (to) {
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
  return true;
}

host.listen(show);
if (host.first.state) {
  show(host.first.state);
}
host.send({ type: 'ready' });
