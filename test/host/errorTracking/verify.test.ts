import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientKeyRecord } from '../../../src/api/errorTracking.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { VerifyCommands } from '../../../src/errorTracking/testError.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';

describe('a test error', () => {
  let window: ErrorTrackingWindow;
  let commands: VerifyCommands;
  let project: TrackedProject;
  let keys: readonly ClientKeyRecord[];
  let opened: string[];

  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
    opened = [];
    const transport = { close: async () => undefined };
    const { targets, dialogs, keyFacts } = window;
    commands = new VerifyCommands({
      ...{ targets, dialogs, keyFacts },
      createTransport: async (url) => {
        opened.push(url);
        return transport;
      },
    });
    project = await window.pin('harbor/tide-table');
    keys = (await allKeys((await window.connection()).client, 501)).keys;
  });
  afterEach(() => window.close());

  const firstMessage = () => window.dialogs.messages[0];
  const key = (active: boolean) => keys.find((candidate) => candidate.active === active);

  it('reaches the instance, which says so', async () => {
    await commands.send({ project, key: key(true) });
    const { host } = new URL(window.sandbox.url);
    const sentence = firstMessage()?.sentence ?? '';
    assert.match(
      sentence,
      / accepted the test error \(status 200\).* Client key: glet_.{4}….{4} of harbor\/tide-table\.$/,
    );
    assert.ok(sentence.startsWith(`${host} `), 'the host is named first: the editor may cut the text');
    assert.deepEqual(firstMessage()?.buttons, ['Open Errors in Browser', 'Copy Event ID']);
    const [received] = window.sandbox.control.received();
    assert.match(received?.title ?? '', /TestError.*Beacon for GitLab/);
    assert.equal(received?.public_key, key(true)?.public_key);
    assert.deepEqual(opened, [window.sandbox.url]);
  });

  it('is remembered in the row of its key', async () => {
    await commands.send({ project, key: key(true) });
    await commands.send({ project, key: key(false) });
    const lines = await window.lines(project);
    assert.match(lines[1] ?? '', /^glet_.* \[tested .+\]$/);
    assert.match(lines[2] ?? '', /^glet_.* \[inactive · test failed .+\]$/);
    window.sandbox.control.transform({ answer: 503, path: '*' });
    await commands.send({ project, key: key(true) });
    assert.match(
      (await window.lines(project))[1] ?? '',
      /\[tested .+\]$/,
      'an instance that is away says nothing of a key',
    );
  });

  it('says that an inactive key is refused', async () => {
    await commands.send({ project, key: key(false) });
    assert.match(firstMessage()?.sentence ?? '', /refuses errors with this client key \(status 403\)/);
  });

  it('says that error tracking is disabled, and offers to enable it', async () => {
    const { client } = await window.connection();
    await client.errorTracking.change(501, { active: false });
    await window.states.reload(project);
    await commands.send({ project, key: key(true) });
    assert.match(firstMessage()?.sentence ?? '', /status 403.*does not track the errors of harbor\/tide-table now/);
    assert.deepEqual(firstMessage()?.buttons, ['Enable Error Tracking…']);
  });

  describe('to another host', () => {
    let server: Server;
    let requests: { request: IncomingMessage; body: string }[];
    let answer: { status: number; headers?: Record<string, string>; body?: string };
    let dsn: string;

    beforeEach(async () => {
      requests = [];
      server = createServer((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (part: string) => (body += part));
        request.on('end', () => {
          requests.push({ request, body });
          response.writeHead(answer.status, answer.headers).end(answer.body);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      dsn = `http://glet_k@127.0.0.1:${port}/errortracking/api/v1/projects/501`;
      const state = await window.states.load(project);
      const foreign = { id: 1, active: true, public_key: 'glet_k', tracker_dsn: dsn };
      window.states.load = async () => ({
        ...state,
        tracking: { settings: { kind: 'integrated', active: true }, unreadableKeys: 0, keys: [foreign] },
      });
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });
    const send = () => commands.send({ project, key: { id: 1, public_key: 'glet_k' } });

    it('is sent once the user has agreed to the host, which is named first', async () => {
      window.dialogs.confirms = false;
      await send();
      assert.deepEqual(requests, []);
      assert.deepEqual(opened, []);
      const [asked] = window.dialogs.asked;
      assert.equal(asked?.question, `Send a test error to ${new URL(dsn).origin}?`);
      assert.match(asked?.detail ?? '', /harbor\/tide-table/);
      assert.ok(asked?.detail.includes(window.sandbox.url));
    });

    it('is sent beside an instance with a path only after that place was named', async () => {
      answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
      window.dialogs.confirms = false;
      const { origin } = new URL(dsn);
      const connection = await window.connection();
      window.connections.of = async () => ({ ...connection, instanceUrl: `${origin}/gitlab` });
      await send();
      assert.deepEqual(requests, []);
      assert.equal(
        window.dialogs.asked[0]?.question,
        `Send a test error to ${origin}/errortracking/api/v1/projects/api/501/envelope/?`,
      );
      window.connections.of = async () => ({ ...connection, instanceUrl: origin });
      await send();
      assert.equal(requests.length, 1);
      assert.equal(window.dialogs.asked.length, 1);
    });

    it('is an envelope with the public key, and without any token', async () => {
      answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
      await send();
      const [sent] = requests;
      assert.equal(sent?.request.url, '/errortracking/api/v1/projects/api/501/envelope/');
      assert.match(String(sent?.request.headers['x-sentry-auth']), /^Sentry sentry_version=7, .*sentry_key=glet_k$/);
      assert.equal(sent?.request.headers['content-type'], 'application/x-sentry-envelope');
      assert.deepEqual(
        ['private-token', 'authorization', 'cookie'].filter((name) => name in (sent?.request.headers ?? {})),
        [],
      );
      assert.doesNotMatch(JSON.stringify([sent?.request.headers, sent?.body]), /glpat/);
      const [head, item, event] = (sent?.body ?? '').split('\n').map((line) => JSON.parse(line || '{}') as object);
      assert.equal((head as { dsn: string }).dsn, dsn);
      assert.equal((item as { type: string }).type, 'event');
      assert.ok('exception' in (event ?? {}));
      assert.deepEqual(opened, [new URL(dsn).origin]);
    });

    const answers: readonly [name: string, answer: typeof answer, messages: RegExp][] = [
      [
        'a redirect',
        { status: 302, headers: { location: 'https://elsewhere.example/x' } },
        /redirects errors to https:\/\/elsewhere\.example \(status 302\)/,
      ],
      [
        'a web page',
        { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<h1>' },
        /answers with a web page/,
      ],
      ['an unknown key at the older address', { status: 404 }, /refuses errors with this client key \(status 404\)/],
      ['too many', { status: 429 }, /accepts no more errors for now/],
      ['an internal error', { status: 502 }, /internal error \(status 502\)/],
      ['a bad request', { status: 400 }, /does not accept the test error \(status 400\)/],
    ];
    for (const [name, given, expected] of answers) {
      it(`is shown ${name}, and sent once`, async () => {
        answer = given;
        await send();
        assert.match(firstMessage()?.sentence ?? '', expected);
        assert.equal(requests.length, 1);
      });
    }

    it('reports a host that does not exist', async () => {
      server.closeAllConnections();
      server.close();
      await send();
      assert.match(firstMessage()?.sentence ?? '', /cannot be reached \(ECONNREFUSED\)/);
    });
  });
});
