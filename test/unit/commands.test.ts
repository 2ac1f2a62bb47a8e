import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '..', '..');
const isCommand = (value: unknown): value is string => typeof value === 'string' && /^beacon\.[\w.]+$/.test(value);

/** The commands that a source has something to run for: keys of tables of commands, and those that are loaded. */
function commandsIn(file: string): string[] {
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const commands: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Literal' && isCommand(key.value) && /Function/.test(value.type)) {
        commands.push(key.value);
      }
    },
    CallExpression({ callee, arguments: [names, , prefix] }) {
      if (callee.type === 'Identifier' && callee.name === 'loadedCommands' && names?.type === 'ArrayExpression') {
        const start = prefix?.type === 'Literal' ? String(prefix.value) : '';
        const ids = names.elements.map((name) => (name?.type === 'Literal' ? `${start}${String(name.value)}` : ''));
        commands.push(...ids.filter(isCommand));
      }
    },
  }).visit(program);
  return commands;
}

describe('the commands of the manifest', () => {
  it('are those that there is something to run for', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: readonly { command: string }[] };
    };
    const implemented = new Set(globSync('src/**/*.ts', { cwd: root }).flatMap((file) => commandsIn(join(root, file))));
    assert.deepEqual([...implemented].sort(), contributes.commands.map(({ command }) => command).sort());
  });
});
