import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleExtension } from './bundle.ts';
import { bundleSizes, sizeBudgets } from './sizes.ts';

// Says what a window loads in activation, and what once it is over, by the files that take the most of it.
const most = 30;
const folder = await mkdtemp(join(tmpdir(), 'beacon-activation-'));
try {
  const { outputs } = await bundleExtension('production', folder);
  const sizes = await bundleSizes(folder);
  for (const [name, file] of [
    ['activation', 'extension.js'],
    ['app', 'app.js'],
  ] as const) {
    console.log(`\n${file} has ${sizes[name]} bytes, of ${sizeBudgets[name]} that it may:\n`);
    const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${file}`)) ?? [];
    const inputs = Object.entries(output?.inputs ?? {}).map(
      ([path, { bytesInOutput }]) => [path, bytesInOutput] as const,
    );
    for (const [path, bytes] of inputs.sort(([, one], [, other]) => other - one).slice(0, most)) {
      console.log(`${String(bytes).padStart(6)}  ${path}`);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
