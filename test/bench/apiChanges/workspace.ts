import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOfBytes } from '../../../src/workspace/batches.ts';
import { readCorpus } from './learnedCorpus.ts';

/** A folder of many files, and how they are read. */
export interface Workspace extends AsyncDisposable {
  readonly paths: readonly string[];
  readonly bytes: number;
  read(path: string): Promise<string | undefined>;
}

/** Lines of a program that is about something else, as most files of a workspace are. */
function otherProgram(seed: number): string {
  const lines = Array.from(
    { length: 20 + ((seed * 37) % 160) },
    (_, line) => `  const value${line} = compute(${seed}, 'name ${line}', [${line}, ${line * seed}]); // step ${line}`,
  );
  return `export function part${seed}(compute) {\n${lines.join('\n')}\n  return value0;\n}\n`;
}

/** Writes a workspace in which one file of twenty is one of the corpus. */
export async function writeWorkspace(count: number): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-workspace-'));
  const samples = readCorpus();
  const paths: string[] = [];
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const parent = join(folder, `part-${Math.floor(index / 500)}`);
    if (index % 500 === 0) {
      await mkdir(parent);
    }
    const sample = index % 20 === 0 ? samples[(index / 20) % samples.length] : undefined;
    const path = join(parent, sample ? `${index}-${sample.name}` : `${index}.js`);
    const text = sample?.source ?? otherProgram(index);
    await writeFile(path, text);
    paths.push(path);
    bytes += text.length;
  }
  return {
    paths,
    bytes,
    async read(path) {
      return (await stat(path)).isFile() ? textOfBytes(await readFile(path)) : undefined;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
