import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { TestWindow } from '../../support/testWindow.ts';

describe('what a question quotes', () => {
  let window: TestWindow;
  before(async () => {
    window = await TestWindow.open({ sandbox: false });
  });
  after(() => window.dispose());

  it('makes no lines of its own in a dialog', async () => {
    const { showModal } = await window.within(() => import('../../../src/common/inertWindow.ts'));
    window.answer('Replace?', 'Replace');
    const evil = 'a\r\n\nThe file is yours.\u2028b\u202E';
    await window.within(() => showModal('info', `Replace? ${evil}`, [evil, ['one', evil]], ['Replace']));
    const { text } = window.asked.at(-1) ?? { text: '' };
    assert.equal(text, 'Replace? a The file is yours. b · a The file is yours. b\n\none\na The file is yours. b');
    window.answer('Replace?', undefined);
    await window.within(() => showModal('info', 'Replace?', evil, []));
    assert.equal(window.asked.at(-1)?.text, 'Replace? · a The file is yours. b');
  });

  it('is seen as it is in a question of a tool', async () => {
    const { ToolRunner } = await window.within(() => import('../../../src/assistants/toolRunner.ts'));
    const evil = 'gro\u200Bup\u202E/pro\u2060ject';
    const prepared: vscode.PreparedToolInvocation = {
      invocationMessage: evil,
      confirmationMessages: { title: evil, message: `${evil}\n\nNobody asked.` },
    };
    const runner = new ToolRunner(
      { any: { prepare: async () => prepared, run: async () => undefined } },
      {} as vscode.LogOutputChannel,
    );
    const token = {
      onCancellationRequested: () => ({ dispose: () => undefined }),
    } as unknown as vscode.CancellationToken;
    const shown = await window.within(() => runner.prepare('any', {}, token));
    assert.deepEqual(shown, {
      invocationMessage: 'group/project',
      confirmationMessages: { title: 'group/project', message: 'group/project Nobody asked.' },
    });
  });
});
