import assert from 'node:assert/strict';
import { HTTPException } from 'hono/http-exception';
import { readParameters } from '../../../src/sandbox/parameters.ts';
import { suiteSandbox } from './caller.ts';

const form = 'application/x-www-form-urlencoded';

function post(type: string, body: string | FormData, query = ''): Request {
  const headers = typeof body === 'string' ? { 'content-type': type } : undefined;
  return new Request(`http://127.0.0.1/${query}`, { method: 'POST', body, ...(headers && { headers }) });
}

/** What was read, as it would stand in JSON. */
async function read(request: Request): Promise<unknown> {
  return JSON.parse(JSON.stringify(await readParameters(request))) as unknown;
}

async function refusal(request: Request): Promise<unknown> {
  const error: unknown = await readParameters(request).catch((reason: unknown) => reason);
  assert.ok(error instanceof HTTPException);
  assert.equal(error.status, 400);
  return await error.getResponse().json();
}

describe('sandbox: parameters', () => {
  it('parameters come in the query, as JSON, as a form and as multipart', async () => {
    const multipart = new FormData();
    multipart.set('name', 'berth');
    const expected = { name: 'berth' };
    assert.deepEqual(await read(new Request('http://127.0.0.1/?name=berth')), expected);
    assert.deepEqual(await read(post('application/json; charset=utf-8', '{"name":"berth"}')), expected);
    assert.deepEqual(await read(post(form, 'name=berth')), expected);
    assert.deepEqual(await read(post('', multipart)), expected);
  });

  it('the body wins over the query, and an empty one has nothing', async () => {
    assert.deepEqual(await read(post(form, 'a=2', '?a=1&b=1')), { a: '2', b: '1' });
    assert.deepEqual(await read(post('application/json', '', '?a=1')), { a: '1' });
    assert.deepEqual(await read(post('application/json', '[1]', '?a=1')), { a: '1' });
  });

  it('arrays, hashes and arrays of hashes', async () => {
    assert.deepEqual(await read(post(form, 'a[]=1&a[]=2&h[k]=v&h[l][m]=w')), {
      a: ['1', '2'],
      h: { k: 'v', l: { m: 'w' } },
    });
    const list = {
      list: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    };
    assert.deepEqual(await read(post(form, 'list[0][key]=a&list[0][value]=1&list[1][key]=b&list[1][value]=2')), list);
    assert.deepEqual(await read(post(form, 'list[][key]=a&list[][value]=1&list[][key]=b&list[][value]=2')), list);
    assert.deepEqual(await read(post('application/json', JSON.stringify(list))), list);
  });

  it('a plus in a query is a space, %2B a plus', async () => {
    assert.deepEqual(await read(new Request('http://127.0.0.1/?a=1+2&b=1%2B2')), { a: '1 2', b: '1+2' });
  });

  it('names mean nothing but themselves', async () => {
    const parameters = await readParameters(post(form, '__proto__[polluted]=1&constructor=2'));
    assert.deepEqual(Object.keys(parameters), ['__proto__', 'constructor']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  for (const [what, request] of [
    ['malformed JSON', () => post('application/json', '{"a":')],
    ['malformed multipart', () => post('multipart/form-data; boundary=x', 'no parts')],
    ['names that contradict each other', () => post(form, 'a=1&a[b]=2')],
    ['a form that is nested too deep', () => post(form, `a${'[b]'.repeat(40)}=1`)],
    ['JSON that is nested too deep', () => post('application/json', `{"a":${'['.repeat(9999)}${']'.repeat(9999)}}`)],
    ['too many parameters', () => post(form, 'a[]=1&'.repeat(5000))],
  ] as const) {
    it(`${what} is refused with 400`, async () => {
      assert.deepEqual(Object.keys((await refusal(request())) as object), ['error']);
    });
  }
});

describe('sandbox: bad parameters', () => {
  const { call, outcomeOf } = suiteSandbox();

  const settings = '/projects/501/error_tracking/settings';

  for (const [body, error] of [
    ['active=true', 'integrated is missing'],
    ['', 'active is missing, integrated is missing'],
    ['active=perhaps&integrated=true', 'active is invalid'],
    ['active=&integrated=true', 'active is empty'],
    ['active[]=true&integrated=true', 'active is invalid'],
  ] as const) {
    it(`"${body}" is refused: ${error}`, async () => {
      const init = { method: 'PUT', body, headers: { 'content-type': form } };
      assert.deepEqual(await outcomeOf(settings, init), [400, { error }]);
    });
  }

  it('a boolean argument is never null', async () => {
    const init = { method: 'PUT', send: { active: null, integrated: true } };
    assert.deepEqual(await outcomeOf(settings, init), [400, { error: 'active is invalid' }]);
  });

  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    it(`"${text}" is ${value}`, async () => {
      const answer = await call(`${settings}?integrated=true&active=${text}`, { method: 'PUT' });
      assert.deepEqual([answer.status, (answer.json as { active: boolean }).active], [200, value]);
    });
  }
});
