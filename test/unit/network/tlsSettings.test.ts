import assert from 'node:assert/strict';
import { tlsEntryOf } from '../../../src/network/networkSettings.ts';

describe('the entry of beacon.tls for an instance', () => {
  const cases: readonly [readonly string[], string, string | undefined][] = [
    [['gitlab.example.com'], 'https://gitlab.example.com', 'gitlab.example.com'],
    [['https://gitlab.example.com/'], 'https://gitlab.example.com', 'https://gitlab.example.com/'],
    [['gitlab.example.com'], 'https://gitlab.example.com:8443', 'gitlab.example.com'],
    [['gitlab.example.com', 'gitlab.example.com:8443'], 'https://gitlab.example.com:8443', 'gitlab.example.com:8443'],
    [['gitlab.example.com:8443'], 'https://gitlab.example.com', undefined],
    [['example.com'], 'https://gitlab.example.com', undefined],
    [['gitlab.example.com/gitlab'], 'https://gitlab.example.com/gitlab', 'gitlab.example.com/gitlab'],
    [['gitlab.example.com'], 'https://gitlab.example.com/gitlab', 'gitlab.example.com'],
    [['gitlab.example.com/gitlab'], 'https://gitlab.example.com', undefined],
    [['[::1]:8443'], 'https://[::1]:8443', '[::1]:8443'],
    [[], 'https://gitlab.example.com', undefined],
  ];
  for (const [keys, instanceUrl, entry] of cases) {
    it(`is "${entry ?? 'none'}" of ${JSON.stringify(keys)} for ${instanceUrl}`, () => {
      assert.equal(tlsEntryOf(Object.fromEntries(keys.map((key) => [key, {}])), instanceUrl), entry);
    });
  }
});
