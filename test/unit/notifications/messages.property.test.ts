import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type * as vscode from 'vscode';
import { Channel } from '../../../src/webviews/channel.ts';
import { fromFormSchema } from '../../../src/notifications/form/messages.ts';
import { fromNoiseSchema } from '../../../src/notifications/noise/messages.ts';
import { fromOverviewSchema } from '../../../src/notifications/overview/messages.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';

const schemas = { fromFormSchema, fromOverviewSchema, fromNoiseSchema };

/** Names that messages have, so that what is made up comes near them. */
const names = ['type', 'scope', 'step', 'edit', 'action', 'discardedFields', 'changes', 'key', 'level', 'flags'];
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
    hostileText,
    fc.constantFrom(
      'ready',
      'edit',
      'act',
      'resolve',
      'chooseScope',
      'open',
      'change',
      'save',
      'fix',
      'state',
      'global',
    ),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor', 'toString'), tie('any'), { maxKeys: 5 }),
  ),
})).any;

/** A webview whose page sends what a test lets it send. */
class FakeWebview {
  readonly posted: unknown[] = [];
  #listener: ((message: unknown) => void) | undefined;

  readonly onDidReceiveMessage = (listener: (message: unknown) => void): vscode.Disposable => {
    this.#listener = listener;
    return { dispose: () => (this.#listener = undefined) };
  };

  async postMessage(message: unknown): Promise<boolean> {
    this.posted.push(message);
    return true;
  }

  send(message: unknown): void {
    this.#listener?.(message);
  }
}

describe('messages of webviews', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    it(`are refused without a failure where they are none, by ${name}`, () => {
      fc.assert(
        fc.property(value, (message) => {
          const parsed = schema.safeParse(message);
          if (parsed.success) {
            // What passes is what its schema says and nothing more: it passes again, as it is.
            assert.deepEqual(schema.safeParse(parsed.data).data, parsed.data);
            assert.ok(Object.getPrototypeOf(parsed.data) === Object.prototype);
          }
        }),
        runs(500),
      );
      assert.equal(schema.safeParse({ type: hugeText }).success, false);
    });
  }

  it('are validated before they are passed on', async () => {
    const received: unknown[] = [];
    const errors: unknown[] = [];
    const webview = new FakeWebview();
    const channel = new Channel(
      webview as unknown as vscode.Webview,
      fromFormSchema,
      async (message) => void received.push(message),
      (error) => errors.push(error),
    );
    fc.assert(
      fc.property(value, (message) => {
        const before = received.length + errors.length;
        webview.send(message);
        assert.equal(received.length + errors.length, before + 1);
      }),
      runs(300),
    );
    assert.ok(received.every((message) => fromFormSchema.safeParse(message).success));
    assert.ok(errors.every((error) => error instanceof TypeError && !/command:|script/.test(String(error))));
    channel.dispose();
    webview.send({ type: 'chooseScope' });
    assert.ok(!received.some((message) => message === undefined));
  });

  it('that fail later are reported, and the next one is handled', async () => {
    const errors: unknown[] = [];
    const webview = new FakeWebview();
    const fail = async (): Promise<void> => {
      throw new Error('no');
    };
    const channel = new Channel(webview as unknown as vscode.Webview, fromOverviewSchema, fail, (error) =>
      errors.push(error),
    );
    webview.send({ type: 'ready' });
    webview.send({ type: 'eval', code: 'x' });
    webview.send({ type: 'ready' });
    await new Promise(setImmediate);
    assert.equal(errors.length, 3);
    channel.dispose();
  });

  it('cannot name a command, an address or a file', () => {
    for (const message of [
      { type: 'act', action: 'workbench.action.terminal.new', scope: 'a' },
      { type: 'command', command: 'vscode.open', args: ['file:///etc/passwd'] },
      { type: 'act', action: 'save' },
      { type: 'open', url: 'command:x' },
      { type: 'edit', scope: 'a', edit: { level: true } },
    ]) {
      assert.equal(fromFormSchema.safeParse(message).success, false);
      assert.equal(fromOverviewSchema.safeParse(message).success, false);
    }
    const message = fromOverviewSchema.safeParse({ type: 'act', action: 'export', path: '/etc/passwd', command: 'x' });
    assert.deepEqual(message.data, { type: 'act', action: 'export' });
  });
});
