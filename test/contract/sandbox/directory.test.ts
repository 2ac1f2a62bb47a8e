import assert from 'node:assert/strict';
import { suiteSandbox, type Answer } from './caller.ts';

const idsOf = ({ records }: Answer) => records.map(({ id }) => id);

describe("The sandbox's directory", () => {
  const { sandbox, call, callAllPages, outcomeOf } = suiteSandbox();

  it('knows the user and the token that asks', async () => {
    const user = (await call('/user')).json as Record<string, unknown>;
    assert.deepEqual([user['username'], user['id']], ['marta', 101]);
    const answer = await call('/personal_access_tokens/self', { token: sandbox.tokens.readUser });
    const token = answer.json as Record<string, unknown>;
    assert.deepEqual([token['scopes'], token['active'], token['expires_at']], [['read_user'], true, '2026-09-08']);
    assert.ok(!answer.text.includes(sandbox.tokens.readUser));
  });

  it('reports its version', async () => {
    const version = (await call('/version')).json as Record<string, unknown>;
    const metadata = (await call('/metadata')).json as Record<string, unknown>;
    assert.deepEqual(metadata, { ...version, enterprise: true });
    assert.equal((await call('/version', { token: null })).status, 401);
  });

  it('says where users have their pictures: some at the instance, some elsewhere, some have none', async () => {
    const users = await callAllPages('/users');
    assert.ok(users.some(({ avatar_url: url }) => String(url).startsWith(`${sandbox.url}/uploads/-/system/user/`)));
    assert.ok(users.some(({ avatar_url: url }) => url === null));
    assert.ok(users.some(({ avatar_url: url }) => String(url).startsWith('https://gravatar.example/')));
  });

  it('hides what the caller may not see', async () => {
    for (const [path, what] of [
      ['/projects/506', 'Project'],
      ['/projects/drydock%2Fhull-survey', 'Project'],
      ['/groups/drydock', 'Group'],
      ['/groups/999', 'Group'],
      ['/users/999', 'User'],
      ['/users/femi', 'User'],
    ]) {
      assert.deepEqual(await outcomeOf(path ?? ''), [404, { message: `404 ${what} Not Found` }]);
    }
    assert.equal((await call('/projects/501', { token: null })).status, 404);
    assert.equal((await call('/projects/503', { token: null })).status, 200);
    const groups = await callAllPages('/groups');
    assert.deepEqual(
      groups.map(({ full_path }) => full_path),
      ['harbor', 'harbor/tools', 'website'],
    );
  });

  it('searches, and reports membership', async () => {
    const token = sandbox.tokens.developer;
    assert.deepEqual(idsOf(await call('/projects?search=TIDE&simple=true')), [501]);
    const own = await call('/projects?membership=true&order_by=id&sort=asc', { token });
    assert.deepEqual(idsOf(own), [501, 502, 503, 504]);
    assert.deepEqual(idsOf(await call('/users?username=femi')), [104]);
  });

  it('refuses bad values', async () => {
    for (const query of ['order_by=toString', 'sort=up', 'pagination=all']) {
      const error = `${query.split('=')[0]} does not have a valid value`;
      assert.deepEqual(await outcomeOf(`/projects?${query}`), [400, { error }]);
    }
  });

  it('refuses a token without the scope', async () => {
    const { status, json } = await call('/projects', { token: sandbox.tokens.readUser });
    assert.deepEqual([status, (json as Record<string, unknown>)['error']], [403, 'insufficient_scope']);
  });
});
