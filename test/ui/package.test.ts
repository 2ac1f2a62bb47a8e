import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { commitTime, packagedExtension } from '../../scripts/packaging.ts';
import { projectRoot } from '../../scripts/project.ts';
import { bundleSizes, sizeBudgets } from '../support/sizes.ts';
import { installCodeServer } from '../../scripts/workbench/codeServer.ts';
import { installExtensions } from '../support/workbench.ts';

const execute = promisify(execFile);
const { version, dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

describe('the package', () => {
  let folder: string;
  /** Where it is installed. */
  let installed: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-package-'));
    await installExtensions(await installCodeServer(), folder, [packagedExtension]);
    const [name = ''] = globSync('extensions/beacon-gitlab.*', { cwd: folder });
    installed = join(folder, name);
  });
  after(() => rm(folder, { recursive: true }));

  it('is small, as is what each window loads of it', async () => {
    const { size } = await stat(packagedExtension);
    assert.ok(size <= sizeBudgets.vsix, `${size} bytes`);
    const sizes = Object.entries(await bundleSizes(join(installed, 'dist')));
    const over = sizes.filter(([name, bytes]) => bytes > sizeBudgets[name as keyof typeof sizeBudgets]);
    // npm run activation says what every window loads.
    assert.deepEqual(over, []);
  });

  it('holds only what runs', () => {
    const files = globSync('**/*.*', { cwd: installed }).map((path) => path.replaceAll(sep, '/'));
    const expected =
      /^(package(\.nls(\.\w+)?)?\.json|(readme|changelog)\.md|LICENSE\.txt|dist\/[\w-]+\.js|dist\/THIRD_PARTY_NOTICES\.txt|dist\/web\/extension\.js|dist\/webview\/\w+\.(js|css)|media\/(walkthrough\/)?[\w-]+\.(svg|png|py)|l10n\/bundle\.l10n\.\w+\.json)$/;
    assert.deepEqual(
      files.filter((file) => !expected.test(file)),
      [],
    );
    assert.ok(files.includes('dist/extension.js') && files.includes('dist/web/extension.js'));
  });

  it('takes no token from the environment, as development builds do', () => {
    const codes = globSync('dist/**/*.js', { cwd: installed }).map((file) =>
      readFileSync(join(installed, file), 'utf8'),
    );
    assert.ok(codes.length > 5);
    assert.ok(codes.every((code) => !code.includes('BEACON_')));
  });

  it('names every package of which something is bundled, with its licence', async () => {
    const notices = await readFile(join(installed, 'dist', 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    for (const name of Object.keys(dependencies)) {
      const at = notices.indexOf(`\n${name} `);
      assert.ok(at > 0, name);
      assert.match(notices.slice(at, at + 3000), /Copyright|Permission is hereby granted|Redistribution and use/);
    }
  });

  it('is released with the same bytes, and a bill of what is bundled, where the folder, the time zone and the modes of files are others', async () => {
    const copy = join(folder, 'copy');
    const { stdout } = await execute('git', ['ls-files', '-z'], { cwd: projectRoot });
    for (const file of stdout.split('\0').filter((one) => /^(?:[^/]+|(?:src|scripts|media|l10n)\/.+)$/.test(one))) {
      await cp(join(projectRoot, file), join(copy, file));
    }
    await symlink(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
    const env = { ...process.env, TZ: 'America/St_Johns', SOURCE_DATE_EPOCH: String(commitTime()) };
    const umask = process.umask(0o077);
    try {
      const release = [join(copy, 'scripts', 'release.ts'), '--dry-run'];
      await execute(process.execPath, [...process.execArgv, ...release], { cwd: copy, env });
    } finally {
      process.umask(umask);
    }
    const released = join(copy, 'release', `beacon-gitlab-${version}`);
    const [one, other] = await Promise.all([packagedExtension, `${released}.vsix`].map((path) => readFile(path)));
    assert.ok(one && other && one.length > 100_000);
    assert.ok(one.equals(other));
    const { components, metadata } = JSON.parse(await readFile(`${released}.cdx.json`, 'utf8')) as {
      readonly metadata: { readonly component: { readonly name: string } };
      readonly components: readonly { readonly name: string; readonly licenses: readonly unknown[] }[];
    };
    assert.equal(metadata.component.name, 'beacon-gitlab');
    const names = components.map(({ name }) => name);
    assert.ok(Object.keys(dependencies).every((name) => names.includes(name)));
    assert.ok(['mocha', 'esbuild'].every((name) => !names.includes(name)));
    assert.ok(components.every(({ licenses }) => licenses.length > 0));
  });
});
