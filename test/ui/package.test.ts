import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { sizeBudgets } from '../../scripts/sizes.ts';
import { installCodeServer } from '../../scripts/workbench/codeServer.ts';
import { installExtensions, packagedExtension } from '../support/workbench.ts';

describe('the package', () => {
  let folder: string;
  /** Where it is installed. */
  let installed: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-package-'));
    const directories = { userDataDir: join(folder, 'data'), extensionsDir: join(folder, 'extensions') };
    await installExtensions(await installCodeServer(), directories, [packagedExtension]);
    const [name = ''] = globSync('beacon-gitlab.*', { cwd: directories.extensionsDir });
    installed = join(directories.extensionsDir, name);
  });
  after(() => rm(folder, { recursive: true }));

  it('is smaller than 800 KB', async () => {
    const { size } = await stat(packagedExtension);
    assert.ok(size <= sizeBudgets.vsix, `${size} bytes`);
  });

  it('holds only what runs', () => {
    const files = globSync('**/*.*', { cwd: installed }).map((path) => path.replaceAll(sep, '/'));
    const expected =
      /^(package(\.nls(\.\w+)?)?\.json|(readme|changelog)\.md|LICENSE\.txt|dist\/[\w-]+\.js|dist\/THIRD_PARTY_NOTICES\.txt|dist\/web\/\w+\.js|dist\/webview\/(?:[\w-]+\.(js|css)|pages\.json)|media\/(walkthrough\/)?[\w-]+\.(svg|png)|l10n\/bundle\.l10n\.\w+\.json)$/;
    assert.deepEqual(
      files.filter((file) => !expected.test(file)),
      [],
    );
    assert.ok(files.includes('dist/extension.js') && files.includes('dist/web/extension.js'));
    assert.ok(files.includes('dist/THIRD_PARTY_NOTICES.txt'));
  });
});
