import { extent, max, quantileSorted } from 'd3-array';
import { scaleBand, scaleThreshold } from 'd3-scale';
import { plainText } from '../../common/inertText.ts';

/**
 * Where everything of a chart is, as data: the page draws it (`charts.ts`). Colours are names, which the style of the page
 * resolves.
 */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
  readonly texts: readonly Text[];
  readonly shapes: readonly Shape[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What stands for one value or row of values, and can be chosen. */
export interface Mark {
  readonly id: string;
  /** The whole of what the mark says, for tooltips and screen readers. */
  readonly label: string;
  /** Where it takes the pointer, and has its outline when it is chosen or has the focus. */
  readonly box: Box;
  readonly shapes: readonly Shape[];
  readonly texts: readonly Text[];
  readonly isChosen: boolean;
}

/** `series-0` and so on differ by colour and pattern, `level-0` to `level-4` by strength; `unknown` is hatched. */
export type Tone = `series-${number}` | `level-${number}` | 'unknown';

export interface Shape extends Box {
  readonly tone: Tone;
}

export interface Text {
  readonly x: number;
  /** Of the line that the letters stand on. */
  readonly y: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly isQuiet: boolean;
}

/** What layouts need of the user's language. */
export interface ChartTexts {
  readonly number: (value: number) => string;
  readonly unknown: string;
  /** Beside the weakest and the strongest level of a grid. */
  readonly less: string;
  readonly more: string;
}

/** In CSS pixels. */
const fontSize = 12;
/** So many series differ by colour and pattern. */
const mostSeries = 6;
const [rowHeight, barHeight, lineHeight, unknownWidth] = [26, 14, 17, 28];
/** Below this width a label is above its bar. */
const narrow = 440;

/** A row of a bar chart: a label, and one value or one of each series, `undefined` where it is not known. */
export interface Bar {
  readonly id: string;
  readonly label: string;
  readonly values: readonly (number | undefined)[];
  /** What stands behind the bar; the sum of the values if not given. */
  readonly text?: string;
  /** What the mark says in whole; label and values if not given. */
  readonly detail?: string;
  readonly isChosen?: boolean;
}

/** Bars from left to right, of each the values one after the other. What is not known is hatched and of a fixed length. */
export function layoutBars(bars: readonly Bar[], series: readonly string[], width: number, texts: ChartTexts): Scene {
  const legend = layoutLegend(series, width);
  const isNarrow = width < narrow;
  const valueOf = (bar: Bar): string => plainText(bar.text ?? sumLabel(bar, texts), 40);
  const labelWidth = isNarrow ? 0 : Math.min(width * 0.4, (max(bars, ({ label }) => textWidth(label)) ?? 0) + 12);
  const valueWidth = Math.min(width * (isNarrow ? 0.7 : 0.4), (max(bars, (bar) => textWidth(valueOf(bar))) ?? 0) + 10);
  const most = max(bars, ({ values }) => sum(values)) ?? 0;
  const hasUnknown = bars.some(({ values }) => values.includes(undefined));
  const room = Math.max(10, width - labelWidth - valueWidth - (hasUnknown ? unknownWidth : 0) - 4);
  const step = isNarrow ? rowHeight + lineHeight : rowHeight;
  const rows = scaleBand<number>()
    .domain(bars.keys())
    .range([legend.height, legend.height + bars.length * step]);
  const marks = bars.map((bar, index): Mark => {
    const y = rows(index) ?? 0;
    const top = y + (isNarrow ? lineHeight + 3 : (rowHeight - barHeight) / 2);
    let x = labelWidth + 2;
    const shapes = bar.values.flatMap((value, place): Shape[] => {
      const length = value === undefined ? unknownWidth : most === 0 ? 0 : (value / most) * room;
      const shape = { x, y: top, width: length, height: barHeight };
      x += length;
      // What is there at all is seen.
      return length === 0
        ? []
        : [{ ...shape, width: Math.max(1, length), tone: value === undefined ? 'unknown' : toneOf(place) }];
    });
    return {
      id: bar.id,
      label: bar.detail ?? detailOf(bar, series, texts),
      box: { x: 0, y, width, height: step },
      isChosen: bar.isChosen ?? false,
      shapes,
      texts: [
        isNarrow
          ? textAt(2, y + lineHeight - 2, fit(bar.label, width - 4))
          : textAt(4, top + barHeight - 2.5, fit(bar.label, labelWidth - 10)),
        textAt(x + 6, top + barHeight - 2.5, fit(valueOf(bar), valueWidth - 6), { isQuiet: true }),
      ],
    };
  });
  return { ...legend, width, height: legend.height + bars.length * step, marks };
}

/** A cell of a grid, such as a day. */
export interface Cell {
  readonly id: string;
  readonly row: number;
  readonly column: number;
  readonly value: number;
  /** What the mark says in whole. */
  readonly label: string;
  readonly isChosen?: boolean;
}

/** A grid of cells whose strength says how much there is. */
export interface Grid {
  readonly cells: readonly Cell[];
  readonly rows: readonly string[];
  /** What stands above a column, by its number. */
  readonly columns: ReadonlyMap<number, string>;
  /** Whether columns that do not fit continue below, as weeks do; else they become narrower. */
  readonly wraps: boolean;
}

/** What is free at least between two headings of columns. */
const headingGap = 10;

export function layoutGrid({ cells, rows, columns, wraps }: Grid, width: number, texts: ChartTexts): Scene {
  const count = (max(cells, ({ column }) => column) ?? -1) + 1;
  const left = (max(rows, textWidth) ?? 0) + 8;
  const fitting = Math.floor((width - left) / Math.max(1, count));
  // Cells that would be too small to be hit continue below, in bands of one length.
  const size = wraps ? (fitting < 12 ? 15 : Math.min(20, fitting)) : Math.min(26, Math.max(8, fitting));
  const high = wraps ? size : Math.max(16, Math.min(22, size));
  const capacity = Math.max(1, Math.floor((width - left) / size));
  const bands = wraps ? Math.max(1, Math.ceil(count / capacity)) : 1;
  const perBand = Math.max(1, Math.ceil(count / bands));
  const bandHeight = lineHeight + rows.length * high + (wraps ? 8 : 4);
  const level = levelsOf(cells.map(({ value }) => value));
  const gap = size > 10 ? 2 : 1;
  const placeOf = (column: number): { x: number; y: number } => ({
    x: left + (column % perBand) * size,
    y: Math.floor(column / perBand) * bandHeight,
  });
  const marks = cells.map(({ id, row, column, value, label, isChosen = false }): Mark => {
    const place = placeOf(column);
    const box = { x: place.x, y: place.y + lineHeight + row * high, width: size, height: high };
    const inner = { x: box.x + gap / 2, y: box.y + gap / 2, width: size - gap, height: high - gap };
    return { id, label, box, isChosen, shapes: [{ ...inner, tone: `level-${level(value)}` }], texts: [] };
  });
  // The first may be of a month that has begun before: it gives way to the next one.
  const taken: number[] = [];
  const headings = [...columns]
    .sort(([one], [other]) => other - one)
    .flatMap(([column, text]) => {
      const { x, y } = placeOf(column);
      const band = Math.floor(column / perBand);
      const end = x + textWidth(text);
      if (end > Math.min(Math.max(width, left + perBand * size), (taken[band] ?? Infinity) - headingGap)) {
        return [];
      }
      taken[band] = x;
      return [textAt(x, y + lineHeight - 5, text, { isQuiet: true })];
    })
    .reverse();
  const sides = Array.from({ length: bands }, (_, band) =>
    rows.map((text, row) =>
      textAt(left - 6, band * bandHeight + lineHeight + row * high + high / 2 + 4, text, {
        anchor: 'end',
        isQuiet: true,
      }),
    ),
  ).flat();
  const bottom = bands * bandHeight + 6;
  const scaleX = left + textWidth(texts.less) + 6;
  return {
    width,
    height: bottom + 18,
    marks,
    shapes: [0, 1, 2, 3, 4].map((strength) => ({
      ...{ x: scaleX + strength * 15, y: bottom, width: 13, height: 13 },
      tone: `level-${strength}` as const,
    })),
    texts: [
      ...headings,
      ...sides,
      textAt(left, bottom + 11, texts.less, { isQuiet: true }),
      textAt(scaleX + 5 * 15 + 4, bottom + 11, texts.more, { isQuiet: true }),
    ],
  };
}

/**
 * The strength of values, 0 for none to 4: as many values of a grid have one as the other, so that a single large one does not
 * make all others look alike.
 */
function levelsOf(values: readonly number[]): (value: number) => number {
  const present = values.filter((value) => value > 0).sort((one, other) => one - other);
  const [least = 0, most = 0] = extent(present);
  const limits = [0.25, 0.5, 0.75].map((part) => quantileSorted(present, part) ?? 0);
  const scale = scaleThreshold().domain(limits).range([1, 2, 3, 4]);
  return (value) => (value <= 0 ? 0 : least === most ? 2 : scale(value));
}

/** The mark that an arrow key leads to from another one: the nearest in its direction. `Home` and `End` are the first and last. */
export function neighbour(marks: readonly Mark[], from: number, key: string): number | undefined {
  const start = marks[from]?.box;
  if (key === 'Home' || key === 'End') {
    return key === 'Home' ? 0 : marks.length - 1;
  }
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!start || !direction) {
    return undefined;
  }
  const [dx = 0, dy = 0] = direction;
  let [nearest, least]: [number | undefined, number] = [undefined, Infinity];
  marks.forEach(({ box }, index) => {
    const [x, y] = [
      box.x + box.width / 2 - start.x - start.width / 2,
      box.y + box.height / 2 - start.y - start.height / 2,
    ];
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    const cost = along + 4 * aside;
    if (along > 0.5 && cost < least) {
      [nearest, least] = [index, cost];
    }
  });
  return nearest;
}

/** What is drawn over the colour of a series, by its number; the first has none. The last one is for what is unknown. */
export const patternPaths = [
  '',
  'M-1 1 1 -1M0 6 6 0M5 7 7 5',
  'M0 3H6',
  'M3 0V6',
  'M0 0 6 6M-1 5 1 7M5 -1 7 1',
  'M0 3H6M3 0V6',
  'M-1 1 1 -1M0 6 6 0M5 7 7 5',
] as const;

/** The number of the pattern of a tone; 0 for none. */
export function patternOf(tone: Tone): number {
  const [, series] = /^series-(\d+)$/.exec(tone) ?? [];
  return tone === 'unknown' ? mostSeries : Number(series ?? 0);
}

/** The names of the series with their colours and patterns, above a chart; nothing for one series. */
function layoutLegend(series: readonly string[], width: number): Omit<Scene, 'marks'> {
  const [texts, shapes]: [Text[], Shape[]] = [[], []];
  let [x, y] = [2, 0];
  for (const [index, name] of (series.length > 1 ? series : []).entries()) {
    const text = fit(name, width - 24);
    const length = textWidth(text) + 34;
    if (x > 2 && x + length > width) {
      [x, y] = [2, y + 20];
    }
    shapes.push({ x, y: y + 2, width: 13, height: 13, tone: toneOf(index) });
    texts.push(textAt(x + 18, y + 13, text));
    x += length;
  }
  return { width, height: series.length > 1 ? y + 26 : 0, texts, shapes };
}

function toneOf(series: number): Tone {
  return `series-${series % mostSeries}`;
}

function sum(values: Bar['values']): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function sumLabel({ values }: Bar, { number, unknown }: ChartTexts): string {
  return values.every((value) => value === undefined) ? unknown : number(sum(values));
}

function detailOf({ label, values }: Bar, series: readonly string[], { number, unknown }: ChartTexts): string {
  const parts = values.map((value, index) => {
    const amount = value === undefined ? unknown : number(value);
    return series.length > 1 ? `${series[index] ?? ''} ${amount}` : amount;
  });
  return plainText(`${label}: ${parts.join(', ')}`);
}

function textAt(
  x: number,
  y: number,
  text: string,
  { anchor = 'start', isQuiet = false }: Partial<Pick<Text, 'anchor' | 'isQuiet'>> = {},
): Text {
  return { x, y, text, anchor, isQuiet };
}

/** About how wide a text is: letters of East Asian scripts, and pictures, are as wide as high. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += (character.codePointAt(0) ?? 0) >= 0x1100 ? fontSize * 1.05 : fontSize * 0.58;
  }
  return width;
}

/** A text that fits into a width: without its middle, as the end of a path says most. */
export function fit(text: string, width: number): string {
  const plain = plainText(text);
  if (textWidth(plain) <= width) {
    return plain;
  }
  const characters = Array.from(plain);
  const room = width - textWidth('…');
  const head = beginning(characters, room * 0.4);
  const tail = beginning(characters.toReversed(), room - textWidth(head.join('')));
  return `${head.join('')}…${tail.toReversed().join('')}`;
}

/** As many characters as fit into a width. */
function beginning(characters: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += textWidth(character)) > width);
  return characters.slice(0, end < 0 ? undefined : end);
}
