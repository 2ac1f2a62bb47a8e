import { html, nothing, type TemplateResult } from 'lit-html';
import type { L10n } from '../../../common/l10n.ts';
import type { Chart, ChartName, Mark } from '../messages.ts';

/** What a page does with its charts. */
export interface ChartActions {
  readonly l10n: L10n;
  readonly choose: (chart: ChartName, id: string) => void;
}

/**
 * A chart in the editor's colours. The arrow keys go through its marks, Enter or Space choose one; what the mark says that has the
 * focus or is pointed at stands below, and the same numbers are in a table.
 */
export function chartPart(chart: Chart, { l10n, choose }: ChartActions): TemplateResult {
  const { name, title, drawing, headings, table } = chart;
  const isEmpty = drawing.marks.every(({ id }) => id === undefined) && table.length === 0;
  const canChoose = drawing.marks.some(({ id }) => id !== undefined);
  const onClick = (event: Event): void => {
    const id = markOf(event)?.dataset['id'];
    if (id) {
      choose(name, id);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onClick(event);
    } else if (move(event)) {
      event.preventDefault();
    }
  };
  return html`
    <figure class="chart ${name}" aria-labelledby="${name}-title">
      <h2 id="${name}-title">${title}</h2>
      ${
        isEmpty
          ? html`<p class="quiet">${l10n.t('There is nothing to draw.')}</p>`
          : html`<div
                class=${drawing.kind}
                role=${canChoose ? 'listbox' : 'group'}
                aria-multiselectable=${canChoose ? 'true' : nothing}
                aria-labelledby="${name}-title"
                @click=${onClick}
                @keydown=${onKey}
                @focusin=${tell}
                @pointerover=${tell}
              >
                ${drawing.kind === 'grid' ? headingsOf(drawing.rows, drawing.columns) : nothing}
                ${
                  drawing.kind === 'grid'
                    ? drawing.marks.map((mark, index) =>
                        markPart(mark, index, `${mark.row}/${mark.column}`, placeOf(mark), `cell level-${mark.level}`),
                      )
                    : drawing.marks.map((mark, index) =>
                        markPart(
                          mark,
                          index,
                          `${index}/0`,
                          '',
                          'row',
                          html`<span class="name">${mark.name}</span
                            ><span class="track"><span class="bar" .style=${`width: ${100 * mark.share}%`}></span></span
                            ><span class="value">${mark.value}</span>`,
                        ),
                      )
                }
              </div>
              <p class="quiet said" aria-hidden="true"></p>
              <details>
                <summary>${l10n.t('Table')}<span class="spoken"> – ${title}</span></summary>
                <div class="scroll" role="region" aria-label=${title} tabindex="0">
                  <table>
                    <caption class="spoken">
                      ${title}
                    </caption>
                    <thead>
                      <tr>
                        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
                      </tr>
                    </thead>
                    <tbody>
                      ${table.map(
                        ([first, ...rest]) =>
                          html`<tr>
                            <th scope="row">${first}</th>
                            ${rest.map((text) => html`<td>${text}</td>`)}
                          </tr>`,
                      )}
                    </tbody>
                  </table>
                </div>
              </details>`
      }
    </figure>
  `;
}

function markPart(
  mark: Mark,
  index: number,
  place: string,
  style: string,
  kind: string,
  content?: TemplateResult,
): TemplateResult {
  const { id, label, isChosen } = mark;
  return html`<div
    class="mark ${kind} ${isChosen ? 'chosen' : ''}"
    role=${id === undefined ? 'img' : 'option'}
    aria-selected=${id === undefined ? nothing : String(isChosen)}
    aria-label=${label}
    tabindex=${index === 0 ? 0 : -1}
    data-id=${id ?? nothing}
    data-place=${place}
    .style=${style}
  >
    ${content ?? nothing}
  </div>`;
}

function headingsOf(rows: readonly string[], columns: readonly (readonly [number, string])[]): TemplateResult[] {
  return [
    ...columns.map(
      ([column, text]) =>
        html`<span class="heading" aria-hidden="true" .style=${`grid-area: 1 / ${column + 2} / 2 / span 4`}
          >${text}</span
        >`,
    ),
    ...rows.map(
      (text, row) => html`<span class="side" aria-hidden="true" .style=${`grid-area: ${row + 2} / 1`}>${text}</span>`,
    ),
  ];
}

/** As a property, as the page allows no styles in attributes. */
function placeOf({ row, column }: { readonly row: number; readonly column: number }): string {
  return `grid-area: ${row + 2} / ${column + 2}`;
}

function markOf({ target }: Event): HTMLElement | null {
  return (target as Element).closest<HTMLElement>('.mark');
}

/** Shows what the mark says that has the focus or is pointed at. */
function tell(event: Event): void {
  const mark = markOf(event);
  const said = mark?.closest('.chart')?.querySelector('.said');
  if (mark && said) {
    said.textContent = mark.ariaLabel;
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
  const step = steps[event.key];
  const [from, drawing] = [markOf(event), event.currentTarget as Element];
  if (
    !from ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    !(step || event.key === 'Home' || event.key === 'End')
  ) {
    return false;
  }
  const marks = [...drawing.querySelectorAll<HTMLElement>('.mark')];
  const [row = 0, column = 0] = (from.dataset['place'] ?? '').split('/').map(Number);
  const to = step
    ? marks.find(({ dataset }) => dataset['place'] === `${row + step[0]}/${column + step[1]}`)
    : marks.at(event.key === 'Home' ? 0 : -1);
  if (to) {
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
  return true;
}
