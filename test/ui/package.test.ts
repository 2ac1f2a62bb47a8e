import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../../scripts/project.ts';
import { packagedExtension } from '../support/workbench.ts';

describe('the package', () => {
  it('is smaller than 700 KB', async () => {
    const { size } = await stat(packagedExtension);
    assert.ok(size < 700 * 1024, `${size} bytes`);
  });

  it('holds only what runs', async () => {
    const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
    const expected =
      /^(package(\.nls)?\.json|(README|CHANGELOG)\.md|LICENSE|dist\/[\w-]+\.js|dist\/webview\/[\w-]+\.(js|css)|media\/[\w-]+\.(svg|png))$/;
    assert.deepEqual(
      files.filter((file) => !expected.test(file)),
      [],
    );
    assert.ok(files.includes('dist/extension.js'));
  });
});
