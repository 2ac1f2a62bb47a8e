import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'src');

/** What each folder of `src` below the features may import of the others. */
const layers: Readonly<Record<string, readonly string[]>> = {
  api: [],
  common: [],
  git: ['api'],
  time: [],
  workspaceFiles: ['common'],
  accounts: ['api', 'common', 'git'],
  assistants: ['accounts'],
  directory: ['accounts', 'api', 'common'],
  links: ['accounts', 'common', 'views'],
  views: ['accounts', 'common'],
  // Of the former the schemas alone.
  sandbox: ['api', 'time'],
};
/** Any other folder is a feature. */
const ofFeatures: readonly string[] = Object.keys(layers).filter((layer) => !['links', 'sandbox'].includes(layer));
/** Join the parts, and are imported by none of them. */
const joining = ['extension.ts', 'parts.ts', 'assistantTools.ts', 'sandboxOptions.ts'];
/** Take nothing of the files in `src` itself. */
const alone = ['api', 'git', 'sandbox', 'time', 'workspaceFiles'];

interface Import {
  readonly file: string;
  readonly imported: string;
}

/** All imports of one file by another, types and code, by their paths in `src`. */
function imports(): Import[] {
  return globSync('**/*.ts', { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return [...text.matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => ({
      file,
      imported: relative(source, join(source, dirname(file), path)),
    }));
  });
}

/** The folder of `src` that a file is in; undefined for a file of `src` itself. */
function folderOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined;
}

function mayImport({ file, imported }: Import): boolean {
  const [from, to] = [folderOf(file), folderOf(imported)];
  if (joining.includes(file) || (from !== undefined && from === to)) {
    return true;
  }
  if (to === undefined) {
    return !joining.includes(imported) && (from === undefined || !alone.includes(from));
  }
  return from !== undefined && (layers[from] ?? ofFeatures).includes(to);
}

describe('the folders of src', () => {
  it('import what is below them, and features no other feature', () => {
    const all = imports();
    assert.ok(all.length > 1000);
    assert.deepEqual(
      all.filter((one) => !mayImport(one)).map(({ file, imported }) => `src/${file} imports src/${imported}`),
      [],
      'docs/architecture.md says what may import what',
    );
  });
});
