import assert from 'node:assert/strict';
import { revealRow } from '../../../src/common/trees.ts';

describe('going to a row', () => {
  const logged: string[] = [];
  const log = { warn: (message: string) => void logged.push(message) };

  it('selects it where the view is seen, and leaves a hidden view alone', async () => {
    const revealed: string[] = [];
    const reveal = async (row: string): Promise<void> => void revealed.push(row);
    await revealRow({ visible: true, reveal }, 'seen', log);
    await revealRow({ visible: false, reveal }, 'hidden', log);
    assert.deepEqual(revealed, ['seen']);
  });

  it('is no failure where the editor is just asking for the rows again, which the log says', async () => {
    const reveal = async (): Promise<void> => {
      throw new Error('Cannot resolve tree item');
    };
    await revealRow({ visible: true, reveal }, 'gone', log);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /Cannot resolve tree item/);
  });
});
