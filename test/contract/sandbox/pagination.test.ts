import assert from 'node:assert/strict';
import { suiteSandbox } from './caller.ts';

describe("The sandbox's pagination", () => {
  const { sandbox, call, outcomeOf } = suiteSandbox({
    extra: { events: 10_000, projects: 60, groups: 130, users: 50_050 },
  });

  it('by offset names all neighbours and totals', async () => {
    const { headers, records } = await call('/projects?per_page=25&page=2&order_by=id');
    const header = (name: string) => headers.get(name);
    assert.equal(records.length, 25);
    assert.deepEqual(
      ['page', 'per-page', 'next-page', 'prev-page', 'total', 'total-pages'].map((name) => header(`x-${name}`)),
      ['2', '25', '3', '1', '65', '3'],
    );
    const links = [1, 3, 1, 3].map((page) => `${sandbox.url}/api/v4/projects?order_by=id&page=${page}&per_page=25`);
    const rels = ['prev', 'next', 'first', 'last'];
    assert.equal(header('link'), links.map((link, index) => `<${link}>; rel="${rels[index]}"`).join(', '));
  });

  it('by offset repeats the parameters of the path', async () => {
    const { headers } = await call('/projects/harbor%2Ftide-table/events?action=pushed');
    const next = `${sandbox.url}/api/v4/projects/harbor%2Ftide-table/events?action=pushed&id=harbor%2Ftide-table&page=2&per_page=20`;
    assert.ok(headers.get('link')?.startsWith(`<${next}>; rel="next"`));
  });

  it('has 20 records a page, at most 100, and pages from 1', async () => {
    assert.equal((await call('/projects')).records.length, 20);
    const { headers, records } = await call('/projects?per_page=1000&page=-3');
    assert.deepEqual([records.length, headers.get('x-per-page'), headers.get('x-page')], [65, '100', '1']);
    const beyond = await call('/projects?page=99');
    assert.deepEqual([beyond.json, beyond.headers.get('x-next-page')], [[], '']);
  });

  it('refuses numbers in other notations', async () => {
    for (const query of ['page=1e3', 'page=0x10', 'per_page=5.0', 'per_page=1e1']) {
      assert.equal((await call(`/events?${query}`)).status, 400, query);
    }
  });

  it('leaves out totals and the last link above 10,000 records', async () => {
    const { headers } = await call('/projects/501/events');
    assert.equal(headers.get('x-total'), null);
    assert.equal(headers.get('x-total-pages'), null);
    assert.ok(!headers.get('link')?.includes('rel="last"'));
    assert.equal(headers.get('x-next-page'), '2');
  });

  it('by offset ends at 50,000 where there is keyset pagination', async () => {
    assert.equal((await call('/users?page=501&per_page=100')).status, 200);
    const { status, json } = await call('/users?page=502&per_page=100');
    assert.equal(status, 405);
    assert.match(String((json as Record<string, unknown>)['error']), /maximum allowed offset of 50000/);
    assert.equal((await call('/events?page=5020&per_page=100')).status, 200);
  });

  it('by keyset ends with an empty page without a link, and has no other headers', async () => {
    const first = await call('/groups?pagination=keyset&order_by=name&sort=asc&per_page=100');
    assert.match(first.headers.get('link') ?? '', /^<[^>]*[?&]cursor=[^>]*>; rel="next"$/);
    assert.equal(first.headers.get('x-next-page'), null);
    assert.equal(first.headers.has('x-next-cursor'), false);
    const last = await call('/projects?pagination=keyset&order_by=id&sort=desc&id_before=501');
    assert.deepEqual([last.json, last.headers.get('link')], [[], null]);
  });

  it('by keyset is refused where it is not available', async () => {
    for (const path of [
      '/events?pagination=keyset&order_by=id&sort=asc',
      '/projects?pagination=keyset&order_by=name&sort=asc',
      '/groups?pagination=keyset&order_by=name&sort=desc',
    ]) {
      const error = 'Keyset pagination is not yet available for this type of request';
      assert.deepEqual(await outcomeOf(path), [405, { error }]);
    }
  });

  it('by keyset refuses a cursor that is none', async () => {
    const groups = '/groups?pagination=keyset&order_by=name&sort=asc';
    for (const cursor of ['x', 'bnVsbA', 'eyJpZCI6MX0']) {
      assert.deepEqual(await outcomeOf(`${groups}&cursor=${cursor}`), [400, { error: 'cursor is invalid' }]);
    }
  });
});
