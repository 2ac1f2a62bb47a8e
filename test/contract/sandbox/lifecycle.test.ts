import assert from 'node:assert/strict';
import { startSandbox } from '../../support/sandbox/sandbox.ts';
import { call, startTestSandbox } from './caller.ts';

describe('The sandbox', () => {
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
