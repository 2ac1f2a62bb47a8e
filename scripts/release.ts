import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readOptions } from './options.ts';
import { commitTime, packageExtension } from './packaging.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';
import { type Marketplace, planRelease, tokenVariables } from './release/plan.ts';

const help = `Usage: npm run release -- [options]
  --tag TAG      releases the version of package.json, whose tag this has to be
  --pre-release  releases the present commit as a pre-release
  --dry-run      makes everything and publishes nothing; with neither of the above, the version of package.json
  --out FOLDER   where the .vsix, checksums, bill of materials and notes go (default: release)

Publishes to the Visual Studio Marketplace where VSCE_PAT is set, and to Open VSX where OVSX_PAT is.`;

/** Not among the packages of the project: its contributors never need it. */
const openVsxProgram = 'ovsx@1.3.0';
/** How to publish to each marketplace; what it has already is left alone, so that a release that failed halfway can be repeated. */
const programs: Readonly<Record<Marketplace, readonly [string, ...string[]]>> = {
  'Visual Studio Marketplace': ['vsce', 'publish', '--skip-duplicate', '--packagePath'],
  'Open VSX': ['npx', '--yes', openVsxProgram, 'publish', '--skip-duplicate'],
};

const { values: options } = readOptions(help, {
  options: {
    tag: { type: 'string' },
    'pre-release': { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: join(projectRoot, 'release') },
  },
});
try {
  await release();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const inProject = (file: string): Promise<string> => readFile(join(projectRoot, file), 'utf8');
  const { version, preRelease, notes, publish } = planRelease(
    { tag: options.tag, preRelease: options['pre-release'], dryRun: options['dry-run'] },
    {
      version: (JSON.parse(await inProject('package.json')) as { readonly version: string }).version,
      changelog: await inProject('CHANGELOG.md'),
      commits: options['pre-release'] ? countCommits() : 0,
      environment: process.env,
    },
  );
  const folder = resolve(options.out);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [vsix, bill] = ['vsix', 'cdx.json'].map((type) => `beacon-gitlab-${version}.${type}`) as [string, string];
  await packageExtension({ packagePath: join(folder, vsix), ...(preRelease ? { version, preRelease } : {}) });
  await writeFile(join(folder, bill), billOfMaterials());
  await writeFile(join(folder, 'SHA256SUMS'), output('sha256sum', [vsix, bill], folder));
  await writeFile(join(folder, 'notes.md'), `${notes}\n`);
  console.log(`Made ${version} in ${folder}.`);
  for (const [marketplace, [command, ...args]] of Object.entries(programs) as [Marketplace, [string, ...string[]]][]) {
    if (publish.includes(marketplace)) {
      await run(command, [...args, ...(preRelease ? ['--pre-release'] : []), join(folder, vsix)], { cwd: projectRoot });
      console.log(`Published to ${marketplace}.`);
    } else {
      const reason = options['dry-run'] ? 'this is a dry run' : `${tokenVariables[marketplace]} is not set`;
      console.log(`Not published to ${marketplace}: ${reason}.`);
    }
  }
}

function output(command: string, args: readonly string[], cwd = projectRoot): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' });
}

/** Part of a bill of materials: https://cyclonedx.org/docs/1.5/json/ */
interface BillOfMaterials {
  serialNumber?: string;
  readonly metadata: object;
  readonly components: readonly { readonly name: string }[];
}

/**
 * The bill of materials of the packages that the extension is bundled with, in the CycloneDX format, the same for the same commit.
 * npm's own `--omit dev` would leave out a package that a tool for development needs as well.
 */
function billOfMaterials(): string {
  const npm = (...args: string[]): unknown => JSON.parse(output('npm', [...args, '--package-lock-only']));
  const { serialNumber: _, ...bill } = npm('sbom', '--sbom-format', 'cyclonedx') as BillOfMaterials;
  const shipped = namesIn(npm('ls', '--all', '--omit', 'dev', '--json') as PackageTree);
  const components = bill.components.filter(({ name }) => shipped.has(name));
  const metadata = { ...bill.metadata, timestamp: new Date(commitTime() * 1000).toISOString() };
  return `${JSON.stringify({ ...bill, metadata, components, dependencies: undefined }, undefined, 2)}\n`;
}

interface PackageTree {
  readonly dependencies?: Readonly<Record<string, PackageTree>>;
}

function namesIn({ dependencies = {} }: PackageTree): ReadonlySet<string> {
  return new Set(Object.entries(dependencies).flatMap(([name, tree]) => [name, ...namesIn(tree)]));
}

/** @throws Error if git fails, or if this clone does not have all commits. */
function countCommits(): number {
  if (output('git', ['rev-parse', '--is-shallow-repository']).trim() === 'true') {
    throw new Error('The version of a pre-release counts the commits: get all of them with "git fetch --unshallow".');
  }
  return Number(output('git', ['rev-list', '--count', 'HEAD']));
}
