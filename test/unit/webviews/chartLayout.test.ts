import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Bar,
  fit,
  layoutBars,
  layoutGrid,
  neighbour,
  type Scene,
  textWidth,
} from '../../../src/webviews/page/chartLayout.ts';
import { hostileText, runs } from '../../support/properties.ts';

const texts = { number: String, unknown: 'unknown', less: 'fewer', more: 'more' };

const bar = (id: string, ...values: (number | undefined)[]): Bar => ({ id, label: id, values });

/** The lengths of the shapes of each mark. */
const lengths = ({ marks }: Scene): number[][] => marks.map(({ shapes }) => shapes.map(({ width }) => width));

describe('layout of charts', () => {
  it('draws bars as long as their values, one series behind the other', () => {
    const scene = layoutBars([bar('a', 30, 10), bar('b', 10, 0), bar('c', 0, 0)], ['x', 'y'], 600, texts);
    const [[first = 0, second = 0] = [], [third = 0] = [], none = []] = lengths(scene);
    assert.equal(Math.round(first / second), 3);
    assert.equal(Math.round(first / third), 3);
    assert.equal(none.length, 0);
    assert.deepEqual(
      scene.marks.map(({ label }) => label),
      ['a: x 30, y 10', 'b: x 10, y 0', 'c: x 0, y 0'],
    );
    const [one, other] = scene.marks[0]?.shapes ?? [];
    assert.equal((one?.x ?? 0) + (one?.width ?? 0), other?.x);
  });

  it('keeps what stands behind bars within the width', () => {
    const long = { ...bar('a', 3, undefined), text: 'mindestens 0,5 pro Woche' };
    for (const width of [200, 258, 439, 440, 600]) {
      for (const { shapes, texts: ofMark } of layoutBars([long, bar('b', 1)], [''], width, texts).marks) {
        const [, behind] = ofMark;
        assert.ok(behind && behind.x + textWidth(behind.text) <= width, `${width}`);
        assert.ok(shapes.every(({ x, width: length }) => x + length <= behind.x));
      }
    }
  });

  it('draws what is not known as unknown, and says so', () => {
    const scene = layoutBars([bar('a', undefined), bar('b', 4)], [''], 600, texts);
    assert.deepEqual(
      scene.marks.map(({ label, shapes }) => [label, shapes.map(({ tone }) => tone)]),
      [
        ['a: unknown', ['unknown']],
        ['b: 4', ['series-0']],
      ],
    );
  });

  it('continues the columns of a grid below where they do not fit', () => {
    const cells = Array.from({ length: 371 }, (_, day) => ({
      ...{ id: String(day), row: day % 7, column: Math.floor(day / 7), value: day % 5, label: `day ${day}` },
    }));
    const grid = { cells, rows: ['Mon', '', '', '', '', '', ''], columns: new Map([[0, 'Jan']]), wraps: true };
    for (const width of [280, 560, 1100]) {
      const { marks, height } = layoutGrid(grid, width, texts);
      assert.equal(marks.length, 371);
      assert.ok(marks.every(({ box }) => box.x + box.width <= width && box.y + box.height <= height));
      assert.equal(new Set(marks.map(({ box }) => `${box.x} ${box.y}`)).size, 371, 'no two days are in one place');
    }
  });

  it('keeps the headings of a grid apart, where the first gives way to the second', () => {
    const cells = Array.from({ length: 12 }, (_, column) => ({ id: `${column}`, row: 0, column, value: 1, label: '' }));
    const headings = (second: number): readonly string[] => {
      const columns = new Map([
        [0, 'May'],
        [second, 'Jun'],
      ]);
      return layoutGrid({ cells, rows: [''], columns, wraps: true }, 200, texts).texts.flatMap(({ text }) =>
        ['May', 'Jun'].includes(text) ? [text] : [],
      );
    };
    assert.deepEqual(headings(1), ['Jun']);
    assert.deepEqual(headings(4), ['May', 'Jun']);
  });

  it('gives values of a grid the strength of their rank', () => {
    const cells = [0, 1, 2, 3, 4, 5, 1000].map((value, column) => ({
      ...{ id: String(column), row: 0, column, value, label: '' },
    }));
    const { marks } = layoutGrid({ cells, rows: [''], columns: new Map(), wraps: false }, 600, texts);
    const levels = marks.map(({ shapes }) => Number(shapes[0]?.tone.slice('level-'.length)));
    assert.equal(levels[0], 0);
    assert.equal(levels.at(-1), 4);
    assert.deepEqual(
      levels,
      levels.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(levels).size, 5);
  });

  it('goes through marks by arrow keys, and to each of them', () => {
    const cells = Array.from({ length: 20 }, (_, day) => ({
      ...{ id: String(day), row: (day + 3) % 7, column: Math.floor((day + 3) / 7), value: 1, label: '' },
    }));
    const { marks } = layoutGrid({ cells, rows: Array(7).fill(''), columns: new Map(), wraps: true }, 600, texts);
    const seen = new Set([0]);
    for (const index of seen) {
      ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].forEach((key) => {
        const next = neighbour(marks, index, key);
        if (next !== undefined) {
          seen.add(next);
        }
      });
    }
    assert.equal(seen.size, 20);
    assert.equal(neighbour(marks, 5, 'ArrowDown'), 6);
    assert.equal(neighbour(marks, 5, 'ArrowRight'), 12);
    assert.equal(neighbour(marks, 5, 'Home'), 0);
    assert.equal(neighbour(marks, 5, 'End'), 19);
    assert.equal(neighbour(marks, 5, 'Enter'), undefined);
  });

  it('cuts labels in their middle', () => {
    assert.equal(fit('short', 200), 'short');
    const cut = fit('a-group/with/many/subgroups/and-a-project', 120);
    assert.match(cut, /^a-.*….*project$/);
    assert.ok(textWidth(cut) <= 120);
  });

  it('bounds any label', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 60, max: 1200 }), (label, width) => {
        const scene = layoutBars([{ id: 'a', label, values: [1] }], [label, label], width, texts);
        scene.marks.forEach((mark) =>
          mark.texts.forEach(({ text }) => assert.doesNotMatch(text, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)),
        );
        assert.ok(textWidth(scene.marks[0]?.texts[0]?.text ?? '') <= Math.max(width, textWidth('…')));
        assert.ok((scene.marks[0]?.label.length ?? 0) <= 301);
      }),
      runs(300),
    );
  });
});
