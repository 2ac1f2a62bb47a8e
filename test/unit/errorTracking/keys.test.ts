import assert from 'node:assert/strict';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { TestWindow } from '../../support/testWindow.ts';
import {
  deleteKey,
  type KeyRecord,
  keysOf,
  makeRepository,
  openTracking,
  shortName,
  trackingView,
} from './trackingWindow.ts';

const question = 'Delete client key';

describe('client keys', () => {
  let window: TestWindow;
  let key: KeyRecord;
  let inactive: KeyRecord;

  beforeEach(async () => ([window, key, inactive] = await openTracking()));
  afterEach(() => window.dispose());

  /** What is said of where the key is used before it is deleted; it is kept. */
  async function askedBeforeDeletion(): Promise<string> {
    window.answer(question, undefined);
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    return window.asked.at(-1)?.text ?? '';
  }

  it('are created by one request, however often it is clicked, and copied in the form that is needed', async () => {
    const create = () => window.choose(trackingView, 'harbor/tide-table', 'Create Client Key');
    await Promise.all([create(), create()]);
    assert.deepEqual(
      window.writes.map(({ method }) => method),
      ['POST'],
    );
    const fresh = (await keysOf(window)).at(-1);
    assert.ok(fresh);
    await window.message(`Client key ${shortName(fresh)} of harbor/tide-table was created.`);
    for (const [form, expected] of [
      ['DSN', fresh.tracker_dsn],
      ['Public Key', fresh.public_key],
      ['Shell Command', `export SENTRY_DSN='${fresh.tracker_dsn}'`],
      ['Docker Option', `--env SENTRY_DSN='${fresh.tracker_dsn}'`],
      ['Env Line', `SENTRY_DSN=${fresh.tracker_dsn}`],
      ['Docker Compose', `environment:\n  SENTRY_DSN: '${fresh.tracker_dsn}'\n`],
      [
        'Kubernetes Secret',
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: sentry-dsn\ntype: Opaque\nstringData:\n  SENTRY_DSN: '${fresh.tracker_dsn}'\n`,
      ],
    ] as const) {
      window.answer('Copy DSN', form);
      await window.choose(trackingView, shortName(fresh), 'Copy DSN…');
      assert.equal(window.clipboard, expected);
    }
  });

  it('can be dragged elsewhere, where they are active: what drops is the DSN', async () => {
    const { drag } = await window.view(trackingView);
    const dragged = async (label: string): Promise<unknown> => {
      await window.select(trackingView, label);
      const transfer = new Map<string, { readonly value: unknown }>();
      const { selection } = await window.view(trackingView);
      await window.within(() => drag?.handleDrag?.(selection, transfer as never, undefined as never));
      return transfer.get('text/plain')?.value;
    };
    assert.equal(await dragged(shortName(key)), key.tracker_dsn);
    assert.equal(await dragged(shortName(inactive)), undefined);
  });

  it('that cannot be made with a token say so', async () => {
    window.sandbox.control.revokeToken(window.sandbox.tokens.owner);
    await window.choose(trackingView, 'harbor/tide-table', 'Create Client Key');
    await window.message(/^127\.0\.0\.1:\d+ does not accept the token: it is wrong, expired or revoked\.$/);
  });

  it('are deleted after a question that says that nothing was found', async () => {
    for (const [one, others] of [
      [inactive, []],
      [key, ['Keep Client Key']],
    ] as const) {
      window.answer(question, ({ text, buttons }) => {
        assert.match(text, /No file that was searched uses it, but programs elsewhere may\./);
        assert.deepEqual(buttons.slice(buttons.indexOf('Delete Client Key')), ['Delete Client Key', ...others]);
        return 'Delete Client Key';
      });
      await window.choose(trackingView, shortName(one), 'Delete Client Key…');
      assert.ok(!(await keysOf(window)).some(({ id }) => id === one.id));
    }
  });

  it('that may be in use are not deleted by Enter, which replaces them instead, nor by Escape, which keeps them', async () => {
    window.write('.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
    window.answer(question, ({ buttons }) => {
      assert.deepEqual(buttons, ['Replace Instead…', 'Delete Client Key', 'Keep Client Key']);
      return 'Replace Instead…';
    });
    window.answer('Which client key takes over', undefined);
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    assert.deepEqual(window.writes, []);
  });

  it('that come into use while the question is open are asked about once more, also where it names no more files', async () => {
    for (let file = 10; file < 33; file += 1) {
      window.write(`${file}.env`, `SENTRY_DSN=${key.tracker_dsn}\n`);
    }
    const texts: string[] = [];
    window.answer(question, ({ text }) => {
      texts.push(text);
      // One file more and one less: the first ones that are named stay the same, and so does their number.
      window.write('32.env', '');
      window.write('33.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
      return 'Delete Client Key';
    });
    window.answer(question, ({ text }) => {
      texts.push(text);
      window.write('1.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
      return 'Delete Client Key';
    });
    window.answer(question, 'Keep Client Key');
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    assert.match(texts[0] ?? '', /in this workspace:.*and 3 more/s);
    assert.equal(texts[1], texts[0]);
    assert.match(window.asked.at(-1)?.text ?? '', /It is used in this workspace:\n1\.env:1\n/);
    assert.ok((await keysOf(window)).some(({ id }) => id === key.id));
  });

  it('that are deleted already are no failure', async () => {
    await deleteKey(window, key);
    window.answer(question, 'Delete Client Key');
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    await window.message(`Client key ${shortName(key)} of harbor/tide-table was deleted.`);
  });

  describe('are found before they are deleted', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const wrapped = (text: string, width: number): string =>
      base64(text).replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n    ');
    const inTwo = (text: string, between: string): string => text.replace(/(glet_.{13})/, `$1${between}`);
    const asJson = (dsn: string): string => JSON.stringify({ dsn }).replaceAll('/', String.raw`\/`);
    /** By what they are and path, what files have of a DSN; those that start with "whole" have all of it. */
    const files: Readonly<Record<string, (dsn: string, publicKey: string) => string | Buffer>> = {
      'whole, in an env file that git ignores/.env': (dsn) => `SENTRY_DSN=${dsn}\n`,
      'whole, slashes that JSON escapes/config.json': asJson,
      'whole, slashes in a page/page.html': (dsn) => `<script>var wp_sentry = ${asJson(dsn)};</script>`,
      'whole, colons that properties escape/app.properties': (dsn) => `dsn=${dsn.replaceAll(':', String.raw`\:`)}`,
      'UTF-16, which the stand-in of the editor does not read/app.ini': (dsn) =>
        Buffer.from(`\uFEFFdsn=${dsn}`, 'utf16le'),
      'whole, a field of a build/build.gradle': (dsn) => String.raw`buildConfigField "String", "DSN", "\"${dsn}\""`,
      'whole, what a build made/build/app.js': (dsn) => `init({dsn:"${dsn}"})`,
      'two adjacent literals/settings.py': (dsn) => `sentry_dsn = ("${dsn.replace('@', '"\n    "@')}")`,
      'a key that is joined/joined.js': (_, key) => `const key = '${key}';\ninit('https://' + key + '@x');`,
      'a variable of Compose/compose.yml': (_, key) => `SENTRY_KEY: ${key}\nDSN: https://\${SENTRY_KEY}@x/1`,
      'a security policy/csp.conf': (_, key) => `report-uri https://x/security/?sentry_key=${key};`,
      'a key in two literals/key.go': (dsn) => `dsn := "${inTwo(dsn, '" +\n\t"')}"`,
      'a key in five literals/five.js': (_, key) =>
        `init(${key
          .match(/.{1,8}/g)
          ?.map((part) => `'${part}'`)
          .join(' + ')})`,
      'JSON within JSON/nested.json': (dsn) => JSON.stringify(asJson(dsn)),
      'entities of a template/template.html': (dsn) => dsn.replaceAll('/', '&#x2F;'),
      'a key of two variables/halves.rb': (_, key) => `A = "${key.slice(0, 20)}"\nB = "${key.slice(20)}"`,
      'a line that goes on/long.properties': (dsn) => `dsn=${inTwo(dsn, '\\\n    ')}`,
      'folded YAML/folded.yml': (dsn) => `dsn: "${inTwo(dsn, '\\\n  ')}"`,
      'characters that JSON escapes/escaped.json': (dsn) => `{"dsn":"${dsn.replace('_', String.raw`\u005f`)}"}`,
      'entities of a property list/Info.plist': (dsn) => `<string>${dsn.replace('_', '&#95;')}</string>`,
      'comments of xcconfig/App.xcconfig': (dsn) => `DSN = ${dsn.replace('//', '/$()/')}`,
      'a secret of Kubernetes/secret.yml': (dsn) => `data:\n  dsn: ${base64(dsn)}`,
      'a secret that begins elsewhere/other.yml': (dsn) => `data:\n  env: ${base64(`A=${dsn}`)}`,
      'a secret at the third offset/third.yml': (dsn) => `data:\n  env: ${base64(`A: ${dsn}`)}`,
      'a secret that is wrapped/wrapped.yml': (dsn) => `data:\n  env: |\n    ${wrapped(`NAME=${dsn}`, 20)}`,
      'URL encoding, twice/link.txt': (dsn) => encodeURIComponent(encodeURIComponent(dsn)).replaceAll('_', '%5F'),
      'UTF-16 without a mark/plain.ini': (dsn) => Buffer.from(`dsn=${dsn}`, 'utf16le'),
      'a program/app.bin': (dsn) => Buffer.concat([Buffer.alloc(20), Buffer.from(dsn)]),
    };

    /** Files with a DSN each; a question names so many. */
    const groups = [0, 1].map((rest) => Object.keys(files).filter((_, index) => index % 2 === rest));
    for (const [index, paths] of groups.entries()) {
      it(`whatever way the DSN is written, and replaced where it is whole (${index + 1} of ${groups.length})`, async () => {
        makeRepository(window);
        window.write('.gitignore', '.env\nbuild/\n');
        for (const path of paths) {
          window.write(path, files[path]?.(key.tracker_dsn, key.public_key) ?? '');
        }
        const text = await askedBeforeDeletion();
        window.answer('Replace Client Key', 'A New Client Key');
        window.answer('Replace DSN', 'Apply');
        const before = new Map(paths.map((path) => [path, window.read(path)]));
        await window.choose(trackingView, shortName(key), 'Replace Key…');
        for (const path of paths) {
          assert.ok(text.includes(`${path}:`), `${path} of ${text}`);
          assert.equal(window.read(path) !== before.get(path), path.startsWith('whole'), path);
        }
      });
    }

    it('by what was searched: what was not is named', async () => {
      window.write('dump.sql', '');
      truncateSync(window.path('dump.sql').fsPath, 2 ** 30);
      assert.match(await askedBeforeDeletion(), /Not everything was searched:\nToo large: dump\.sql/);
      window.write('dump.sql', '');
      symlinkSync('circle', window.path('circle').fsPath);
      assert.match(await askedBeforeDeletion(), /Not everything was searched:\nCannot be read: circle/);
      if (process.platform === 'linux') {
        // A name in another encoding than UTF-8.
        const name = Buffer.from(window.path('caf\xE9.env').fsPath, 'latin1');
        writeFileSync(name, `SENTRY_DSN=${key.tracker_dsn}\n`);
        assert.match(await askedBeforeDeletion(), /Cannot be read: .*caf\uFFFD\.env/);
        rmSync(name);
      }
      await window.setting('files.exclude', { '**/vendor': true });
      assert.match(await askedBeforeDeletion(), /Files that the setting files\.exclude hides\./);
      await window.setting('files.exclude', null);
      assert.doesNotMatch(await askedBeforeDeletion(), /files\.exclude/);
    });

    it('in what git ignores up to a bound, which is named where there is more', async () => {
      makeRepository(window);
      // Settings of one computer come before what builds made.
      const settings = [
        ...['.env', '.flaskenv', '.idea/workspace.xml', '.npmrc', '.vscode/launch.json', 'LocalSettings.php'],
        ...['prod.auto.tfvars.json', 'terraform.tfstate.backup'],
      ];
      window.write('.gitignore', ['build/', ...settings].join('\n'));
      settings.forEach((path) => window.write(path, `SENTRY_DSN=${key.tracker_dsn}\n`));
      window.write('build/zoo.js', `init("${key.tracker_dsn}")\n`);
      const large = (count: number): void => {
        for (let file = 0; file < count; file += 1) {
          window.write(`build/${file}.map`, '');
          truncateSync(window.path(`build/${file}.map`).fsPath, 10 * 2 ** 20);
        }
      };
      large(1);
      const all = await askedBeforeDeletion();
      assert.match(all, /It is used in this workspace:\n\.env:1\n.*\nbuild\/zoo\.js:1/s);
      assert.doesNotMatch(all, /Not everything was searched/);
      large(17);
      const some = await askedBeforeDeletion();
      assert.match(some, /Files that git ignores: only the first 64 MiB were searched\./);
      assert.ok(
        some.includes(`It is used in this workspace:\n${settings.map((path) => `${path}:1\n`).join('')}`),
        some,
      );
    });

    it('in documents that are of no folder, as they are on the disk', async () => {
      await window.dispose();
      [window, key] = await openTracking({ hasFolder: false });
      window.write('outside.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
      await window.show('outside.env');
      window.type('outside.env', 'A=1\n');
      const text = await askedBeforeDeletion();
      assert.match(text, /No folder is open in this window\./);
      assert.match(text, /It is used in this workspace:\n.*outside\.env:1/);
    });

    it('in the file of a workspace, which is of no folder', async () => {
      const workspaceFile = window.path('../all.code-workspace');
      writeFileSync(workspaceFile.fsPath, JSON.stringify({ launch: { env: { SENTRY_DSN: key.tracker_dsn } } }));
      window.within(() => Object.assign(vscode.workspace, { workspaceFile }));
      assert.match(await askedBeforeDeletion(), /It is used in this workspace:\n.*all\.code-workspace:1/);
    });
  });
});
