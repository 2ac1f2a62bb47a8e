import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { ref } from 'lit-html/directives/ref.js';
import type { L10n } from '../../common/l10n.ts';
import {
  type Bar,
  type ChartTexts,
  type Grid,
  layoutBars,
  layoutGrid,
  type Mark,
  neighbour,
  patternOf,
  patternPaths,
  type Scene,
  type Shape,
  type Text,
} from './chartLayout.ts';

/** What a chart shows. */
export type ChartData =
  | { readonly kind: 'bars'; readonly bars: readonly Bar[]; readonly series: readonly string[] }
  | ({ readonly kind: 'grid' } & Grid);

/** The same in numbers, for who cannot or does not want to see the drawing. */
export interface ChartTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a chart depends on. */
export interface ChartDeps {
  /** Names it among the charts of its page: letters alone. */
  readonly id: string;
  readonly l10n: L10n;
  /** A BCP 47 tag, by which numbers are written. */
  readonly language: string;
  /** Renders the page again. */
  readonly onChange: () => void;
  /** The user has chosen a mark, or taken it back. Without this, marks can be looked at only. */
  readonly onChoose?: (id: string) => void;
}

/** A drawing, and what it was made of. */
interface Drawn {
  readonly data: ChartData;
  readonly width: number;
  readonly scene: Scene;
}

/** What is drawn until the width of its place is known. */
const firstWidth = 560;

/**
 * A chart in a page: a drawing in the editor's colours, whose marks the arrow keys go through and Enter or Space choose, with
 * a tooltip for the mark that has the focus or is pointed at, and the same numbers as a table. Nothing in it moves by itself.
 * Labels are shown as text, whatever is in them.
 */
export class Chart {
  readonly #deps: ChartDeps;
  readonly #texts: ChartTexts;
  readonly #observer: ResizeObserver;
  #place: Element | undefined;
  #width = firstWidth;
  #active = 0;
  #tip: number | undefined;
  #isTableOpen = false;
  #drawn: Drawn | undefined;

  constructor(deps: ChartDeps) {
    this.#deps = deps;
    const { l10n, language } = deps;
    const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    this.#texts = {
      number: (value) => format.format(value),
      unknown: l10n.t('unknown'),
      less: l10n.t('fewer'),
      more: l10n.t('more'),
    };
    this.#observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== this.#width) {
        this.#width = width;
        deps.onChange();
      }
    });
  }

  /**
   * @param title names the chart.
   * @param table called when the table is open.
   * @param note more about the chart, below its title.
   */
  render(title: string, data: ChartData, table: () => ChartTable, note?: string | TemplateResult): TemplateResult {
    const { id, l10n } = this.#deps;
    const { scene } = (this.#drawn = this.#draw(data));
    const { marks } = scene;
    this.#active = Math.min(this.#active, Math.max(0, marks.length - 1));
    return html`
      <figure class="chart" aria-labelledby="${id}-title">
        <figcaption>
          <h2 id="${id}-title">${title}</h2>
          ${note === undefined ? nothing : html`<p class="quiet">${note}</p>`}
        </figcaption>
        <div class="place" ${ref(this.#observe)}>
          ${marks.length === 0 ? html`<p class="quiet">${l10n.t('There is nothing to draw.')}</p>` : this.#drawing(scene)}
        </div>
        ${
          marks.length === 0
            ? nothing
            : html`<details
                @toggle=${(event: Event) => {
                  this.#isTableOpen = (event.currentTarget as HTMLDetailsElement).open;
                  this.#deps.onChange();
                }}
              >
                <summary>${l10n.t('Table')}<span class="spoken"> – ${title}</span></summary>
                ${this.#isTableOpen ? guard([data], () => tableOf(title, table())) : nothing}
              </details>`
        }
      </figure>
    `;
  }

  #draw(data: ChartData): Drawn {
    const width = this.#width;
    return this.#drawn?.data === data && this.#drawn.width === width
      ? this.#drawn
      : { data, width, scene: sceneOf(data, width, this.#texts) };
  }

  readonly #observe = (place: Element | undefined): void => {
    if (this.#place !== place) {
      this.#place = place;
      this.#observer.disconnect();
      if (place) {
        this.#observer.observe(place);
      }
    }
  };

  #drawing(scene: Scene): TemplateResult {
    const tip = this.#tip === undefined ? undefined : scene.marks[this.#tip];
    return html`
      ${guard([scene, this.#active], () => this.#svg(scene))}
      ${
        tip === undefined
          ? nothing
          : html`<div class="tip" aria-hidden="true" .style=${tipStyle(tip, scene)}>${tip.label}</div>`
      }
    `;
  }

  #svg(scene: Scene): TemplateResult {
    const { id, onChoose } = this.#deps;
    const { width, height, marks } = scene;
    const role = onChoose ? 'listbox' : 'group';
    return html`
      <svg
        class="drawing ${marks.some(({ isChosen }) => isChosen) ? 'has-chosen' : ''}"
        role=${role}
        aria-multiselectable=${onChoose ? 'true' : nothing}
        aria-labelledby="${id}-title"
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        @keydown=${this.#onKey}
        @click=${this.#onClick}
        @focusin=${this.#onFocus}
        @focusout=${() => this.#point(undefined)}
        @pointerover=${(event: Event) => this.#point(indexOf(event))}
        @pointerleave=${() => this.#point(undefined)}
      >
        <defs>
          ${patternPaths.map((path, index) =>
            path === ''
              ? nothing
              : svg`<pattern id="${id}-pattern-${index}" width="6" height="6" patternUnits="userSpaceOnUse"><path class="ink" d=${path} /></pattern>`,
          )}
        </defs>
        <g aria-hidden="true">${scene.shapes.map((shape) => this.#shape(shape))}</g>
        ${marks.map((mark, index) => this.#mark(mark, index))}
        <g aria-hidden="true">${[...scene.texts, ...marks.flatMap(({ texts }) => texts)].map(textOf)}</g>
      </svg>
    `;
  }

  #mark({ label, box, shapes, isChosen }: Mark, index: number): TemplateResult {
    const canChoose = this.#deps.onChoose !== undefined;
    return svg`<g
      class=${isChosen ? 'mark chosen' : 'mark'}
      data-index=${index}
      role=${canChoose ? 'option' : 'img'}
      aria-selected=${canChoose ? String(isChosen) : nothing}
      aria-label=${label}
      tabindex=${index === this.#active ? 0 : -1}
    ><rect class="box" x=${box.x} y=${box.y} width=${box.width} height=${box.height} />${shapes.map((shape) =>
      this.#shape(shape),
    )}</g>`;
  }

  #shape({ x, y, width, height, tone }: Shape): TemplateResult {
    const pattern = patternOf(tone);
    return svg`<rect class=${tone} x=${x} y=${y} width=${width} height=${height} />${
      pattern === 0
        ? nothing
        : svg`<rect class="pattern" fill="url(#${this.#deps.id}-pattern-${pattern})" x=${x} y=${y} width=${width} height=${height} />`
    }`;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const from = indexOf(event);
    const marks = this.#drawn?.scene.marks ?? [];
    if (from === undefined || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(from);
    } else if (event.key === 'Escape' && this.#tip !== undefined) {
      event.preventDefault();
      this.#point(undefined);
    } else if (/^(?:Arrow|Home$|End$)/.test(event.key)) {
      event.preventDefault();
      const to = neighbour(marks, from, event.key);
      const drawing = event.currentTarget as Element;
      drawing.querySelector<SVGElement>(`[data-index="${to ?? from}"]`)?.focus();
    }
  };

  readonly #onClick = (event: Event): void => {
    const index = indexOf(event);
    if (index !== undefined) {
      this.#choose(index);
    }
  };

  readonly #onFocus = (event: Event): void => {
    const index = indexOf(event);
    if (index !== undefined) {
      this.#active = index;
      this.#point(index);
    }
  };

  #choose(index: number): void {
    const mark = this.#drawn?.scene.marks[index];
    if (mark) {
      this.#active = index;
      this.#deps.onChoose?.(mark.id);
    }
  }

  #point(index: number | undefined): void {
    if (this.#tip !== index) {
      this.#tip = index;
      this.#deps.onChange();
    }
  }
}

function sceneOf(data: ChartData, width: number, texts: ChartTexts): Scene {
  switch (data.kind) {
    case 'bars':
      return layoutBars(data.bars, data.series, width, texts);
    case 'grid':
      return layoutGrid(data, width, texts);
  }
}

/** The number of the mark that an event is about. */
function indexOf({ target }: Event): number | undefined {
  const index = (target as Element | null)?.closest('[data-index]')?.getAttribute('data-index');
  return typeof index === 'string' ? Number(index) : undefined;
}

function textOf({ x, y, text, anchor, isQuiet }: Text): TemplateResult {
  return svg`<text class=${isQuiet ? 'quiet' : ''} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
}

/** Below the mark, to the side where there is room. As a property, as the page allows no styles in attributes. */
function tipStyle({ box }: Mark, { width }: Scene): string {
  const middle = box.x + Math.min(box.width, width) / 2;
  const side =
    middle > width / 2 ? `right: ${Math.max(0, width - middle - 8)}px` : `left: ${Math.max(0, middle - 8)}px`;
  return `${side}; top: ${box.y + box.height + 4}px`;
}

function tableOf(title: string, { headings, rows }: ChartTable): TemplateResult {
  // There may be hundreds of rows, which do not change: templates for them would take longer to make than all else.
  const body = document.createElement('tbody');
  for (const texts of rows) {
    const cells = texts.map((text, column) => {
      const cell = document.createElement(column === 0 ? 'th' : 'td');
      cell.textContent = text;
      return cell;
    });
    cells[0]?.setAttribute('scope', 'row');
    body.insertRow().append(...cells);
  }
  return html`
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
        ${body}
      </table>
    </div>
  `;
}
