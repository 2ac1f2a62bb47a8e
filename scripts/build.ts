import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleExtension } from './bundle.ts';
import { readOptions } from './options.ts';
import { projectRoot } from './project.ts';

const help = `Usage: npm run build [-- options]
  --production  as it is shipped`;
const { values } = readOptions(help, { options: { production: { type: 'boolean', default: false } } });
await bundleExtension(values.production ? 'production' : 'development');
if (values.production) {
  // A package holds the modes of its files, which are those of this computer otherwise.
  const { listFiles, PackageManager } = await import('@vscode/vsce');
  const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
  await Promise.all(files.map((file) => chmod(join(projectRoot, file), 0o644)));
}
