import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, referencePage } from '../../scripts/referencePage.ts';

const root = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

describe('the page of commands and settings', () => {
  it('has every command and setting once, with its text', () => {
    const page = referencePage(manifest, texts);
    const { commands, configuration } = manifest.contributes;
    for (const { command } of commands) {
      assert.equal(page.split(`| \`${command}\` |`).length, 2, command);
    }
    for (const name of configuration.flatMap(({ properties }) => Object.keys(properties))) {
      assert.equal(page.split(`#### \`${name}\``).length, 2, name);
    }
    assert.doesNotMatch(page, /%[\w.]+%|undefined/);
  });

  it('cannot be made while a text is missing', () => {
    assert.throws(() => referencePage(manifest, {}), /package\.nls\.json has no text/);
  });
});
