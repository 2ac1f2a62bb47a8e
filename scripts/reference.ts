import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { projectRoot } from './project.ts';
import { referencePage } from './referencePage.ts';

// Writes docs/reference.md, or with --check says whether it is that of the manifest.
const path = join(projectRoot, 'docs', 'reference.md');
const read = async (file: string): Promise<never> =>
  JSON.parse(await readFile(join(projectRoot, file), 'utf8')) as never;
const written = referencePage(await read('package.json'), await read('package.nls.json'));
const { code: page } = await format(path, written, await read('.oxfmtrc.json'));
if (!process.argv.includes('--check')) {
  await writeFile(path, page);
} else if ((await readFile(path, 'utf8').catch(() => '')) !== page) {
  console.error('docs/reference.md is not that of the manifest. Run "npm run reference".');
  process.exitCode = 1;
}
