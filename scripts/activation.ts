import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleExtension, extensionEntry, servicesEntry } from './bundle.ts';
import { bundleSizes, sizeBudgets } from './sizes.ts';

// Says what every window loads, in activation and once it is over: how much less it would be without each file, that is, with all that this file alone brings.
const most = 30;
const folder = await mkdtemp(join(tmpdir(), 'beacon-activation-'));
try {
  const { metafile } = await bundleExtension('production', folder);
  const { activation } = await bundleSizes(folder);
  console.log(
    `Every window loads ${activation} bytes, of ${sizeBudgets.activation} that it may. Without a file, so many fewer:\n`,
  );
  const sizes = sizesOf(metafile);
  const all = loadedAtOnce(metafile);
  const gains = [...all].map((file) => {
    const left = loadedAtOnce(metafile, file);
    const gone = [...all].filter((one) => !left.has(one));
    return { file, gain: gone.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0) };
  });
  for (const { file, gain } of gains.sort((one, other) => other.gain - one.gain).slice(0, most)) {
    console.log(`${String(gain).padStart(6)}  ${file}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The sources that every window loads, as they would be if one was no longer imported. */
function loadedAtOnce({ inputs }: Metafile, without?: string): ReadonlySet<string> {
  const files = new Set([extensionEntry, servicesEntry]);
  for (const file of files) {
    for (const { kind, path } of inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && path in inputs && path !== without) {
        files.add(path);
      }
    }
  }
  return files;
}

/** The bytes that each source is in the bundle. */
function sizesOf({ outputs }: Metafile): ReadonlyMap<string, number> {
  return new Map(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput] as const),
    ),
  );
}
