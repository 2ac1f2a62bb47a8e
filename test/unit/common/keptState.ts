import * as fc from 'fast-check';
import { CheckedMemento } from '../../../src/common/stored.ts';
import { Kept, Memento } from '../../support/editor/storage.ts';
import { hostileText } from '../../support/properties.ts';

const account = {
  ...{ kind: 'instance', id: 'ada@host', instanceUrl: 'https://host', userId: 1, username: 'ada' },
  tokenStoredAt: 1,
};
const names = [
  'kind id instanceUrl userId username tokenStoredAt scopes expiresAt accountId what value',
  'name path scope change base revision level profile until',
].flatMap((line) => line.split(' '));
/** What may be left of state: what another version wrote, what a crash left, and what is no state at all. */
export const stored = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    hostileText,
    fc.constantFrom('instance', 'project', 'author', 'watch', 'https://host', 'ada@host', 7, 1e308, -1, null, account),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 8 }),
  ),
})).any;
/** State under these keys. */
export function keptState(...keys: readonly string[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.dictionary(fc.constantFrom(...keys), stored);
}

/** A memento as the extension has it, over what was left. */
export function mementoOf(left: Readonly<Record<string, unknown>>): {
  memento: CheckedMemento;
  values: Memento;
  warnings: string[];
} {
  const warnings: string[] = [];
  const values = new Memento(new Kept(left));
  return {
    memento: new CheckedMemento(values, { warn: (sentence: string) => warnings.push(sentence) }),
    values,
    warnings,
  };
}
