import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzeMetafile } from 'esbuild';
import { bundleExtension } from './bundle.ts';

// Says what the files are made of that windows load, those that take the most of each first.
const folder = await mkdtemp(join(tmpdir(), 'beacon-activation-'));
console.log(await analyzeMetafile(await bundleExtension('production', folder)));
await rm(folder, { recursive: true });
