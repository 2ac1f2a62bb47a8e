import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Dialogs } from '../../../src/accounts/dialogs.ts';
import { showProblem } from '../../../src/accounts/problem.ts';
import type { App } from '../../../src/app.ts';
import { createQuickPick } from '../../../src/common/inertWindow.ts';
import { replaced } from '../../support/answeredInputs.ts';
import { assertLine } from '../../support/harmless.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

describe('messages of the editor, which makes links of commands out of text', () => {
  const evil = 'ok [x](command:workbench.action.quit) $(zap)\n\u202e';
  const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;

  it('are text alone: in problems, dialogs, choices and pickers', async () => {
    const said: string[] = [];
    const record = async (sentence: string): Promise<undefined> => void said.push(sentence);
    const choose = async (lines: readonly vscode.QuickPickItem[]): Promise<undefined> =>
      void said.push(...lines.flatMap(({ label, description, detail }) => [label, description ?? '', detail ?? '']));
    const standIns = replaced({
      ...{ showInformationMessage: record, showWarningMessage: record },
    });
    showProblem({ sentence: evil });
    const dialogs = new Dialogs({ log } as App, 'beacon.activity');
    dialogs.notify('info', evil);
    dialogs.notify('warning', evil);
    await choose(Object.assign(createQuickPick(), { items: [{ label: evil, description: evil, detail: evil }] }).items);
    await dialogs.confirm({ question: evil, detail: evil, verb: 'x' });
    for (const sentence of said) {
      assertLine(sentence, 'message');
    }
    // What is modal shows text as text.
    assert.equal(said.length, 7);
    for (const sentence of said.slice(0, -1)) {
      assert.doesNotMatch(sentence, /\]\(|\$\(/);
    }
    standIns.dispose();
  });
});
