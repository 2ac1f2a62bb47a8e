import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from './options.ts';
import { commitTime, packageExtension } from './packaging.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';
import { type Marketplace, planRelease, tokenVariables } from './release/plan.ts';

const help = `Usage: npm run release -- [options]
  --tag TAG      releases the version of package.json, whose tag this has to be
  --pre-release  releases the present commit as a pre-release
  --dry-run      makes everything and publishes nothing; with neither of the above, the version of package.json

Makes the .vsix, checksums, bill of materials and notes in release/. Publishes to the Visual Studio Marketplace where VSCE_PAT is set, and to Open VSX where OVSX_PAT is.`;

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
  },
});
const preRelease = options['pre-release'];
const inProject = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const folder = join(projectRoot, 'release');
try {
  const { version, notes, publish } = planRelease(
    { tag: options.tag, preRelease, dryRun: options['dry-run'] },
    {
      version: (JSON.parse(inProject('package.json')) as { readonly version: string }).version,
      changelog: inProject('CHANGELOG.md'),
      commits: preRelease ? countCommits() : 0,
      environment: process.env,
    },
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const [vsix, bill] = ['vsix', 'cdx.json'].map((type) => `beacon-gitlab-${version}.${type}`) as [string, string];
  await packageExtension(join(folder, vsix), preRelease ? version : undefined);
  write(bill, billOfMaterials());
  write('SHA256SUMS', output('sha256sum', [vsix, bill], folder));
  write('notes.md', `${notes}\n`);
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
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function output(command: string, args: readonly string[], cwd = projectRoot): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' });
}

/**
 * The bill of materials of the packages that the extension is bundled with, in the CycloneDX format, the same for the same commit.
 * npm's own `--omit dev` would leave out a package that a tool for development needs as well.
 *
 * @see https://cyclonedx.org/docs/1.5/json/
 */
function billOfMaterials(): string {
  const npm = (...args: string[]): string => output('npm', [...args, '--package-lock-only']);
  const whole = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx')) as {
    readonly metadata: { readonly component: object };
    readonly components: readonly { readonly name: string }[];
  };
  const shipped = npm('ls', '--all', '--omit', 'dev', '--parseable').split('\n');
  const components = whole.components.filter(({ name }) =>
    shipped.some((path) => path.endsWith(`node_modules/${name}`)),
  );
  const { name } = JSON.parse(inProject('package.json')) as { readonly name: string };
  // npm names the folder.
  const component = { ...whole.metadata.component, name };
  const metadata = { ...whole.metadata, component, timestamp: new Date(commitTime() * 1000).toISOString() };
  const bill = { ...whole, metadata, components, dependencies: undefined, serialNumber: undefined };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** @throws Error if git fails, or if this clone does not have all commits. */
function countCommits(): number {
  if (output('git', ['rev-parse', '--is-shallow-repository']).trim() === 'true') {
    throw new Error('The version of a pre-release counts the commits: get all of them with "git fetch --unshallow".');
  }
  return Number(output('git', ['rev-list', '--count', 'HEAD']));
}
