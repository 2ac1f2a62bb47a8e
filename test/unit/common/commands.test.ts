import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandIds } from '../../../src/common/commands.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('the commands', () => {
  it('are all in the table, with those of the manifest among them', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: readonly { command: string }[] };
    };
    const ids = new Set<string>(Object.values(commandIds).flat());
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((id) => !ids.has(id)),
      [],
    );
  });
});
