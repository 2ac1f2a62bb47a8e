import assert from 'node:assert/strict';
import type { RecordSource } from '../../../src/accounts/directorySearch.ts';
import { Search, type SearchState } from '../../../src/accounts/search.ts';

interface Thing {
  readonly id: number;
}

const things = (...ids: readonly number[]): Thing[] => ids.map((id) => ({ id }));

/** A source whose lists are answered when the test says so. */
class SlowSource implements RecordSource<Thing> {
  readonly asked: { text: string; signal: AbortSignal; answer: (...pages: Thing[][]) => void; fail: () => void }[] = [];
  named: Thing | undefined;

  async *list(text: string, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Thing[][]>();
    this.asked.push({ text, signal, answer: (...pages) => resolve(pages), fail: () => reject(new Error('away')) });
    yield* await promise;
  }

  async find(): Promise<readonly Thing[]> {
    return this.named ? [this.named] : [];
  }
}

function start() {
  const source = new SlowSource();
  const states: SearchState<Thing>[] = [];
  const search = new Search(source, (state) => states.push(state));
  return { source, search, states };
}

const ids = ({ records }: SearchState<Thing>) => records.map(({ id }) => id);

describe('a search', () => {
  it('ends the request for an older text and drops its answer', async () => {
    const { source, search, states } = start();
    const older = search.search('t');
    const newer = search.search('ti');
    assert.equal(source.asked[0]?.signal.aborted, true);
    source.asked[1]?.answer(things(2));
    await newer;
    source.asked[0]?.answer(things(1));
    await older;
    assert.deepEqual(ids(search.state), [2]);
    assert.ok(states.every(({ records }) => !records.some(({ id }) => id === 1)));
  });

  it('puts what the text names exactly first, and once', async () => {
    const { source, search } = start();
    [source.named] = things(7);
    const searching = search.search('7');
    source.asked[0]?.answer(things(1, 7));
    await searching;
    assert.deepEqual(ids(search.state), [7, 1]);
    assert.equal(search.state.exact, true);
  });

  it('reads on through empty pages and stops when there is enough to choose from', async () => {
    const { source, search } = start();
    const searching = search.search('');
    const full = things(...Array.from({ length: 20 }, (_, index) => index));
    source.asked[0]?.answer([], full, things(100), []);
    await searching;
    assert.equal(search.state.records.length, 20);
    assert.equal(search.state.hasMore, true);
    await search.searchFurther();
    assert.equal(search.state.records.length, 21);
    assert.equal(search.state.hasMore, false);
  });

  it('reports a failure, without the findings of another text, and can be tried again', async () => {
    const { source, search } = start();
    const first = search.search('a');
    source.asked[0]?.answer(things(1));
    await first;
    const second = search.search('b');
    source.asked[1]?.fail();
    await second;
    assert.ok(search.state.error instanceof Error);
    assert.deepEqual(ids(search.state), []);
    const again = search.search('b');
    source.asked[2]?.answer(things(3));
    await again;
    assert.equal(search.state.error, undefined);
    assert.deepEqual(ids(search.state), [3]);
  });

  it('says nothing more once it is stopped', async () => {
    const { source, search, states } = start();
    const searching = search.search('a');
    search.stop();
    source.asked[0]?.answer(things(1));
    await searching;
    assert.equal(states.length, 1);
  });

  it('stops after some pages that hold nothing, and goes on when it is asked to', async () => {
    let pages = 0;
    async function* endless() {
      for (;;) {
        pages += 1;
        yield pages === 15 ? things(7) : [];
      }
    }
    const search = new Search<Thing>({ list: endless, find: async () => [] }, () => {});
    await search.search('tide');
    assert.deepEqual([pages, search.state.hasMore, search.state.busy, ids(search.state)], [10, true, false, []]);
    await search.searchFurther();
    assert.deepEqual([pages, search.state.hasMore, ids(search.state)], [20, true, [7]]);
  });
});
