import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.ts';

/** What is used here of a bill of materials: https://cyclonedx.org/docs/1.5/json/ */
interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

/**
 * The bill of materials of what is shipped, in the CycloneDX format: of the packages that npm lists, those that are bundled. The
 * same commit has the same one.
 *
 * @param packages their folders, below the project's.
 * @param version of the extension.
 * @param time in seconds since 1970.
 */
export function billOfMaterials(packages: readonly string[], version: string, time: number): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const listed = JSON.parse(
    execFileSync('npm', args, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as BillOfMaterials & { serialNumber?: string };
  // It would be another one each time.
  delete listed.serialNumber;
  const shipped = new Set(packages.map(packageReference));
  const missing = [...shipped].filter((one) => !listed.components.some((component) => component['bom-ref'] === one));
  if (missing.length > 0) {
    throw new Error(`package-lock.json does not have ${missing.join(', ')}, which is bundled.`);
  }
  const name = 'beacon-gitlab';
  const reference = `${name}@${version}`;
  const bill = {
    ...listed,
    metadata: {
      ...listed.metadata,
      timestamp: new Date(time * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        ...listed.metadata.component,
        ...{ 'bom-ref': reference, type: 'application', name, version, purl: `pkg:npm/${reference}` },
      },
    },
    components: listed.components
      .filter((component) => shipped.has(component['bom-ref']))
      // For npm they are for development alone, because they are bundled.
      .map((component) => ({ ...component, scope: 'required', properties: [] })),
    dependencies: [{ ref: reference, dependsOn: [...shipped] }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function packageReference(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')) as Pick<
    Component,
    'name' | 'version'
  >;
  return `${name}@${version}`;
}
