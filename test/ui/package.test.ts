import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../../scripts/project.ts';
import { sizeBudgets } from '../../scripts/sizes.ts';
import { packagedExtension } from '../support/workbench.ts';

describe('the package', () => {
  it('is smaller than 700 KB', async () => {
    const { size } = await stat(packagedExtension);
    assert.ok(size <= sizeBudgets.vsix, `${size} bytes`);
  });

  it('has a form whose script and style together are smaller than 120 KB', async () => {
    const sizes = ['js', 'css'].map(async (extension) => {
      const { size } = await stat(join(projectRoot, 'dist', 'webview', `notificationSettings.${extension}`));
      return size;
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(total < 120 * 1024, `${total} bytes`);
  });

  it('holds only what runs', async () => {
    const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
    const expected =
      /^(package(\.nls(\.\w+)?)?\.json|(README|CHANGELOG)\.md|LICENSE|dist\/[\w-]+\.js|dist\/THIRD_PARTY_NOTICES\.txt|dist\/webview\/[\w-]+\.(js|css)|media\/(walkthrough\/)?[\w-]+\.(svg|png)|l10n\/bundle\.l10n\.\w+\.json)$/;
    assert.deepEqual(
      files.filter((file) => !expected.test(file)),
      [],
    );
    assert.ok(files.includes('dist/extension.js'));
    assert.ok(files.includes('dist/THIRD_PARTY_NOTICES.txt'));
  });
});
