import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';

describe('the search for a project', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
  });
  afterEach(() => window.dispose());

  /** Types in the picker of projects. @returns the lines that it shows then. */
  async function linesFor(text: string): Promise<readonly string[]> {
    let lines: readonly string[] = [];
    // oxlint-disable-next-line unicorn/no-thenable
    window.answer('Pin Project', { type: text, then: undefined });
    await window.run('beacon.errorTracking.pinProject');
    ({ lines } = window.asked.at(-1) ?? { lines });
    return lines;
  }

  it('finds a part of a path that begins in the name of its group', async () => {
    const before = window.requests.length;
    const lines = await linesFor('bor/tide');
    // Without this the platform searches only the last segment of the path.
    const searches = window.requests.slice(before).filter(({ path }) => path.includes('search=bor%2Ftide'));
    assert.ok(searches.length > 0 && searches.every(({ path }) => path.includes('search_namespaces=true')));
    assert.ok(
      lines.some((line) => line.startsWith('harbor/tide-table')),
      lines.join('\n'),
    );
  });

  it('asks no instance for what is the address of another one, and says so', async () => {
    const before = window.requests.length;
    const lines = await linesFor('https://other.example/harbor/tide-table');
    assert.ok(
      lines.some((line) => line.includes('This address is on other.example, but this window uses')),
      lines.join('\n'),
    );
    assert.ok(!window.requests.slice(before).some(({ path }) => path.includes('tide-table')));
  });
});
