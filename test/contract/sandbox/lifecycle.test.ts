import assert from 'node:assert/strict';
import { startSandbox } from '../../support/sandbox/sandbox.ts';
import { call, startTestSandbox } from './caller.ts';

describe('The sandbox', () => {
  it('serves the same bytes when it is started again with the same seed and time', async () => {
    const paths = [
      '/events?per_page=100',
      '/projects',
      '/groups',
      '/users',
      '/projects/501/events?per_page=100',
      '/user',
    ];
    const read = async (seed: number) => {
      const sandbox = await startTestSandbox({ seed });
      const answers = await Promise.all(paths.map((path) => call(sandbox, path)));
      await sandbox.close();
      const bytes = answers.map(({ text, headers }) => `${headers.get('link') ?? ''}\n${text}`).join('\n');
      return [sandbox.tokens, bytes.replaceAll(sandbox.url, 'http://sandbox')];
    };
    const first = await read(7);
    assert.deepEqual(await read(7), first);
    assert.notDeepEqual(await read(8), first);
  });

  it('frees its port, even while a request waits', async () => {
    const sandbox = await startTestSandbox();
    const received = new Promise((resolve) =>
      sandbox.control.transform({ answer: () => new Promise(() => resolve(0)) }),
    );
    const waiting = assert.rejects(call(sandbox, '/events'), TypeError);
    await received;
    await sandbox.close();
    await waiting;
    const next = await startSandbox({ port: Number(new URL(sandbox.url).port) });
    await next.close();
  });
});
