import { html, nothing, type TemplateResult } from 'lit-html';
import type { L10n } from '../../../common/l10n.ts';
import type { Chart, Mark } from '../messages.ts';

/**
 * A chart in the editor's colours. The arrow keys go through its marks, Enter or Space choose one; what the mark says that has the
 * focus or is pointed at stands below, and the same numbers are in a table.
 */
export function chartPart(chart: Chart, l10n: L10n, choose: (id: string) => void): TemplateResult {
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

function markPart(mark: Mark, index: number, kind: Chart['kind'], canChoose: boolean): TemplateResult {
  const { id, label, isChosen, row, column, weight, name, value } = mark;
  // As a property, as the page allows no styles in attributes.
  return html`<div
    class="mark ${kind === 'grid' ? `cell level-${weight}` : 'row'} ${isChosen ? 'chosen' : ''}"
    role=${canChoose ? 'option' : 'img'}
    aria-selected=${id === undefined ? nothing : String(isChosen)}
    aria-disabled=${canChoose && id === undefined ? 'true' : nothing}
    aria-label=${kind === 'grid' ? label : nothing}
    data-label=${label}
    tabindex=${index === 0 ? 0 : -1}
    data-id=${id ?? nothing}
    data-place="${row}/${column}"
    .style=${kind === 'grid' ? `grid-area: ${row + 2} / ${column + 2}` : ''}
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

/** Shows what the mark says that has the focus or is pointed at. */
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
