import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { type CommandSource, findCommand } from '../../src/common/commands.ts';

const root = join(import.meta.dirname, '..', '..');

/** The commands that a source has something to run for: keys of tables of commands. */
function commandsIn(file: string): string[] {
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const commands: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Literal' && /^beacon\.[\w.]+$/.test(String(key.value)) && /Function/.test(value.type)) {
        commands.push(String(key.value));
      }
    },
  }).visit(program);
  return commands;
}

describe('the commands of the manifest', () => {
  it('are those that there is something to run for, once each', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: readonly { command: string }[] };
    };
    const implemented = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => commandsIn(join(root, file)));
    assert.deepEqual(implemented.sort(), contributes.commands.map(({ command }) => command).sort());
  });
});

describe('finding what runs a command', () => {
  const loaded: string[] = [];
  const source = (prefix: string, ...ids: readonly string[]): CommandSource => ({
    prefix,
    load: async () => {
      loaded.push(ids.join());
      return Object.fromEntries(ids.map((id) => [id, () => id]));
    },
  });
  const sources = [source('a.b.', 'a.b.one'), source('a.', 'a.two'), source('a.', 'a.three')];
  beforeEach(() => void loaded.splice(0));

  it('loads the sources with its prefix, in order, up to the one that has it', async () => {
    assert.equal((await findCommand('a.two', sources))(), 'a.two');
    assert.deepEqual(loaded, ['a.two']);
  });

  it('throws where no source has it', async () => {
    await assert.rejects(findCommand('a.b.two', sources), { message: 'Nothing answers the command a.b.two.' });
    await assert.rejects(findCommand('other', sources), Error);
  });
});
