import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { choose } from '../../../src/common/question.ts';
import { replaced } from '../../support/answeredInputs.ts';
import type { Input } from '../../support/editor/inputs.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const inside = insideWindow(import.meta.filename);

describe('a list in which another line can be typed', () => {
  const lines = ['gitlab.com', 'gitlab.example.org'].map((label) => ({ label }));
  let picker: vscode.QuickPick<vscode.QuickPickItem> & Input;
  let chosen: Promise<vscode.QuickPickItem | 'back' | undefined>;

  beforeEach(() => {
    // The test answers at once, before anybody else could.
    inside.window.closeMessages({ andQuestions: true });
    picker = vscode.window.createQuickPick() as never;
    const standIn = replaced({ createQuickPick: () => picker });
    chosen = choose(lines, { title: 'Sign In', placeholder: 'Choose', typed: (label) => ({ label }) });
    standIn.dispose();
  });

  const type = (text: string): void => {
    picker.value = text;
    picker.typed.fire(text);
  };
  /** The editor says which line of those that it shows is the active one. */
  const activate = (line: vscode.QuickPickItem | undefined): void => {
    picker.activeItems = line ? [line] : [];
    picker.active.fire(picker.activeItems);
  };
  const labelOf = async (): Promise<unknown> => {
    const line = await chosen;
    return typeof line === 'object' ? line.label : line;
  };

  for (const [name, before] of [
    ['is still the active one', lines[0]],
    ['becomes the active one by what was typed', lines[1]],
    ['is gone, with no other one', undefined],
  ] as const) {
    it(`takes what was typed where a line of before ${name}`, async () => {
      activate(lines[0]);
      type('gitlab');
      type('gitlab.example.net');
      activate(before);
      picker.accept();
      assert.equal(await labelOf(), 'gitlab.example.net');
    });
  }

  it('takes a line that is typed in full, whichever was active', async () => {
    type('gitlab.example.org');
    activate(lines[0]);
    picker.accept();
    assert.equal(await labelOf(), 'gitlab.example.org');
  });

  it('takes the line that the user goes to once theirs is shown', async () => {
    type('gitlab');
    activate(picker.items[0]);
    activate(lines[1]);
    picker.accept();
    assert.equal(await labelOf(), 'gitlab.example.org');
  });

  it('takes a line that was shown before, where the text was taken back', async () => {
    type('gitlab');
    type('');
    activate(lines[1]);
    picker.accept();
    assert.equal(await labelOf(), 'gitlab.example.org');
  });
});
