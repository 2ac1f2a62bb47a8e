import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { Page } from 'playwright-core';
import { run } from '../scripts/processes.ts';
import { projectRoot } from '../scripts/project.ts';
import { bundleSizes, sizeBudgets } from '../scripts/sizes.ts';
import { packagedExtension, runCommand, Workbench } from '../test/support/workbench.ts';
import { median } from './measure.ts';
import type { Part, Result } from './report.ts';

const rounds = 7;
const mostMilliseconds = 5;

/** How long loading and activating takes beside a trivial extension and those of the editor, and what is loaded and shipped. */
export async function benchActivation(): Promise<Part> {
  await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], { stdio: 'ignore' });
  const times = await measureActivations();
  const [beacon, trivial] = [times.get('Beacon for GitLab') ?? [], times.get('Trivial') ?? []];
  const others = [...times]
    .filter(([name]) => !['Beacon for GitLab', 'Trivial'].includes(name))
    .map(([name, values]) => `${name} ${median(values)}`);
  const { activation, javaScript } = await bundleSizes(join(projectRoot, 'dist'));
  const { size: vsix } = await stat(packagedExtension);
  return {
    title: 'Activation and sizes',
    about: `The packaged extension, a trivial one that registers one command, and the built-in ones in the same window, over ${rounds} windows: loading and activating, in whole milliseconds as the editor counts them. Sizes are bytes of what is shipped, without the sandbox for the JavaScript.`,
    results: [
      {
        what: `load and activate to ${mostMilliseconds} ms`,
        ratio: median(beacon) / mostMilliseconds,
        bound: { atMost: 1 },
        times: `Beacon ${median(beacon)} ms (${beacon.join(', ')}), trivial ${median(trivial)} ms; ${others.join(' ms, ')} ms`,
      },
      sizeResult('what activation loads', activation, sizeBudgets.activation),
      sizeResult('all JavaScript', javaScript, sizeBudgets.javaScript),
      sizeResult('the package', vsix, sizeBudgets.vsix),
    ],
  };
}

function sizeResult(what: string, bytes: number, budget: number): Result {
  return {
    what: `${what} to ${budget / 1024} KB`,
    ratio: bytes / budget,
    bound: { atMost: 1 },
    times: `${bytes} bytes`,
    isCount: true,
  };
}

/** The activation times of each extension by its name, a value for each window. */
async function measureActivations(): Promise<ReadonlyMap<string, readonly number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-trivial-'));
  const workbench = await Workbench.start({}, {}, [await packTrivialExtension(folder)]);
  const times = new Map<string, number[]>();
  try {
    // The first window fills the caches of the editor and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      // The list has rows for what there is room for alone.
      const page = await workbench.open({ viewport: { width: 1200, height: 4000 } });
      const shown = await readRunningExtensions(page);
      if (round > 0) {
        shown.forEach(([name, time]) => times.set(name, [...(times.get(name) ?? []), time]));
      }
      await page.context().close();
    }
  } finally {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return times;
}

/** What the editor itself shows of the extensions that run in its window. */
async function readRunningExtensions(page: Page): Promise<readonly (readonly [string, number])[]> {
  await runCommand(page, 'Developer: Show Running Extensions');
  const rows = page.locator('.runtime-extensions-editor .extension');
  for (const name of ['Beacon for GitLab', 'Trivial']) {
    await rows
      .filter({ hasText: name })
      .filter({ hasText: /Activation: \d+ms/ })
      .first()
      .waitFor();
  }
  const times: (readonly [string, number])[] = [];
  for (const row of await rows.all()) {
    const name = (await row.locator('.name').textContent()) ?? '';
    const milliseconds = /Activation: (\d+)ms/.exec((await row.locator('.activation-time').textContent()) ?? '')?.[1];
    if (milliseconds !== undefined) {
      times.push([name, Number(milliseconds)]);
    }
  }
  return times;
}

/** Packs an extension that does next to nothing; answers with the path of the package. */
async function packTrivialExtension(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: 'trivial',
    displayName: 'Trivial',
    publisher: 'bench',
    version: '1.0.0',
    license: 'MIT',
    engines: (JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { engines: object }).engines,
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
    contributes: { commands: [{ command: 'trivial.run', title: 'Run' }] },
  };
  const code = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => subscriptions.push(vscode.commands.registerCommand('trivial.run', () => {}));
`;
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.js'), code);
  await writeFile(join(folder, 'README.md'), '# Trivial\n');
  await writeFile(join(folder, 'LICENSE'), 'MIT\n');
  const packagePath = join(folder, 'trivial.vsix');
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}
