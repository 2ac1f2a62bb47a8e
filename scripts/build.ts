import { globSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { context } from 'esbuild';
import { bundleExtension, bundleHostTests } from './bundle.ts';
import { readOptions } from './options.ts';
import { testFolder, projectRoot } from './project.ts';

const help = `Usage: npm run build [-- options]
  --production       as it is shipped
  --watch            builds again after each change of a source
  --host-tests WORD  the host tests, too, whose path contains the word, where the launch configuration "Debug Host Tests" finds them`;
const { values } = readOptions(help, {
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    'host-tests': { type: 'string' },
  },
});
await (values.watch ? buildOnChange() : build());

async function build(): Promise<void> {
  await bundleExtension(values.production ? 'production' : 'development');
  if (values.production) {
    // A package holds the modes of its files, which are those of this computer otherwise.
    const { listFiles, PackageManager } = await import('@vscode/vsce');
    const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
    await Promise.all(files.map((file) => chmod(join(projectRoot, file), 0o644)));
  }
  const word = values['host-tests'];
  if (word !== undefined) {
    const folder = join(testFolder, 'debugged-tests');
    const files = globSync('test/host/**/*.test.ts', { cwd: projectRoot }).filter((file) => file.includes(word));
    await rm(folder, { recursive: true, force: true });
    await bundleHostTests(
      files.map((file) => join(projectRoot, file)),
      join(projectRoot, 'test', 'host', 'index.ts'),
      folder,
    );
  }
}

/** Builds now and after each change, until it is stopped. The tasks of the workspace wait for the lines that this prints. */
async function buildOnChange(): Promise<void> {
  const folders = values['host-tests'] === undefined ? ['src'] : ['src', 'test/host', 'test/support'];
  // The bundle takes several steps: this one only finds out when a source has changed.
  const sources = await context({
    absWorkingDir: projectRoot,
    entryPoints: folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,css}`, { cwd: projectRoot })),
    outdir: 'dist',
    bundle: true,
    write: false,
    platform: 'node',
    external: ['vscode', 'mocha'],
    logLevel: 'silent',
    plugins: [{ name: 'build-on-change', setup: (sourceBuild) => sourceBuild.onEnd(buildAndReport) }],
  });
  await sources.watch();
}

async function buildAndReport(): Promise<void> {
  console.log('Build started');
  try {
    await build();
  } catch (error) {
    // esbuild has printed what is wrong with a source. The next change builds again.
    console.error((error as Error).message);
  }
  console.log('Build finished');
}
