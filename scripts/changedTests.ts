import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { projectRoot } from './project.ts';

/**
 * The test files of the levels below ui that what has changed since the last commit can reach by imports, and those that look at
 * all of the project; of ui those that have changed themselves. Paths are relative to the project.
 */
export async function changedTestFiles(): Promise<ReadonlySet<string>> {
  const git = promisify(execFile);
  const { stdout: status } = await git(
    'git',
    ['status', '--porcelain', '--no-renames', '--untracked-files=all', '-z'],
    {
      cwd: projectRoot,
    },
  );
  const changed = new Set(status.split('\0').map((line) => line.slice(3)));
  const entryPoints = globSync('test/{unit,contract,host}/**/*.test.ts', { cwd: projectRoot });
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['vscode'],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path } of imports) {
      importers.set(path, [...(importers.get(path) ?? []), file]);
    }
  }
  const reached = new Set(changed);
  for (const file of reached) {
    importers.get(file)?.forEach((importer) => reached.add(importer));
  }
  const wholeProject = globSync('test/unit/*.test.ts', { cwd: projectRoot });
  return new Set([...entryPoints.filter((file) => reached.has(file)), ...wholeProject, ...changed]);
}
