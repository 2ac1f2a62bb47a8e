import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension } from '../../scripts/packaging.ts';
import { billOfMaterials } from '../../scripts/release/billOfMaterials.ts';

interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp: string; readonly component: { readonly version: string } };
  readonly components: readonly { readonly name: string; readonly licenses: readonly unknown[] }[];
}

describe('the package', () => {
  const { TZ } = process.env;
  const umask = process.umask();
  let folder: string;
  let packages: readonly string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-package-test-'));
  });
  after(async () => {
    process.umask(umask);
    process.env['TZ'] = TZ;
    await rm(folder, { recursive: true, force: true });
  });

  it('has the same bytes where the time zone and the modes of files are others', async () => {
    const build = async (zone: string, mask: number): Promise<Buffer> => {
      process.env['TZ'] = zone;
      process.umask(mask);
      const packagePath = join(folder, `${mask}.vsix`);
      packages = await packageExtension({ packagePath });
      assert.equal(process.env['TZ'], zone);
      return readFile(packagePath);
    };
    const first = await build('Asia/Kolkata', 0o022);
    const second = await build('America/St_Johns', 0o077);
    assert.ok(first.length > 100_000);
    assert.ok(first.equals(second));
  });

  it('has a bill of materials of what is bundled and nothing else, the same each time', () => {
    const time = 1_700_000_000;
    const text = billOfMaterials(packages, '1.2.3', time);
    assert.equal(billOfMaterials(packages, '1.2.3', time), text);
    const { serialNumber, metadata, components } = JSON.parse(text) as Bill;
    assert.equal(serialNumber, undefined);
    assert.equal(metadata.timestamp, '2023-11-14T22:13:20.000Z');
    assert.equal(metadata.component.version, '1.2.3');
    const names = components.map(({ name }) => name);
    assert.deepEqual([...names].sort(), packages.map((path) => path.split('node_modules/').at(-1) ?? '').sort());
    assert.ok(['undici', 'zod', 'hono', 'lit-html'].every((name) => names.includes(name)));
    assert.ok(['mocha', 'esbuild'].every((name) => !names.includes(name)));
    assert.ok(components.every(({ licenses }) => licenses.length > 0));
  });
});
