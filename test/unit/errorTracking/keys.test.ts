import assert from 'node:assert/strict';
import type { TestWindow, WindowOptions } from '../../support/testWindow.ts';
import {
  deleteKey,
  type KeyRecord,
  keysOf,
  openTracking,
  shortName,
  trackingView,
} from '../../support/trackingWindow.ts';

const question = 'Delete client key';

describe('client keys', () => {
  let window: TestWindow;
  let key: KeyRecord;

  afterEach(() => window.dispose());

  async function open(options: WindowOptions = {}): Promise<void> {
    window = await openTracking(options);
    const active = (await keysOf(window)).find((one) => one.active);
    assert.ok(active);
    key = active;
  }

  /** What is said of where the key is used before it is deleted; it is kept. */
  async function askedBeforeDeletion(): Promise<string> {
    window.answer(question, undefined);
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    return window.asked.at(-1)?.text ?? '';
  }

  it('are created by one request, however often it is clicked, and copied in the form that is needed', async () => {
    await open();
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
    ] as const) {
      window.answer('Copy DSN', form);
      await window.choose(trackingView, shortName(fresh), 'Copy DSN…');
      assert.equal(window.clipboard, expected);
    }
  });

  it('are deleted after a question that says that nothing was found', async () => {
    await open();
    window.answer(question, ({ text, buttons }) => {
      assert.match(text, /No file of this workspace uses it, but programs elsewhere may\./);
      assert.deepEqual(buttons, ['Delete Client Key']);
      return 'Delete Client Key';
    });
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    assert.ok(!(await keysOf(window)).some(({ id }) => id === key.id));
  });

  it('that may be in use are kept by Enter, and can be replaced instead', async () => {
    await open();
    window.write('.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
    window.answer(question, ({ buttons }) => {
      assert.deepEqual(buttons, ['Keep Client Key', 'Replace Instead…', 'Delete Client Key']);
      return 'Replace Instead…';
    });
    window.answer('Which client key takes over', undefined);
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    assert.deepEqual(window.writes, []);
  });

  it('that come into use while the question is open are asked about once more', async () => {
    await open();
    window.answer(question, () => {
      window.write('app.py', `init("${key.tracker_dsn}")\n`);
      return 'Delete Client Key';
    });
    window.answer(question, 'Keep Client Key');
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    assert.match(window.asked.at(-1)?.text ?? '', /It is used in 1 place of this workspace:\napp\.py:1/);
    assert.deepEqual(window.writes, []);
  });

  it('that are deleted already are no failure', async () => {
    await open();
    await deleteKey(window, key);
    window.answer(question, 'Delete Client Key');
    await window.choose(trackingView, shortName(key), 'Delete Client Key…');
    await window.message(`Client key ${shortName(key)} was deleted already.`);
  });

  describe('are found before they are deleted', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    /** By path, what a file has of a DSN. */
    const files: Readonly<Record<string, (dsn: string, publicKey: string) => string | Buffer>> = {
      'a DSN in an env file that git ignores/.env': (dsn) => `SENTRY_DSN=${dsn}\n`,
      'two adjacent literals/settings.py': (dsn, publicKey) =>
        `sentry_dsn: str = ("${dsn.split('@')[0]}"\n    "@${dsn.split('@')[1]}")  # ${publicKey.length}`,
      'a key that is joined/joined.js': (_, publicKey) => `const key = '${publicKey}';\ninit('https://' + key + '@x');`,
      'a variable of Compose/compose.yml': (_, publicKey) =>
        `SENTRY_KEY: ${publicKey}\nDSN: https://\${SENTRY_KEY}@x/1`,
      'a security policy/csp.conf': (_, publicKey) => `report-uri https://x/security/?sentry_key=${publicKey};`,
      'slashes that JSON escapes/config.json': (dsn) => JSON.stringify({ dsn }).replaceAll('/', '\\/'),
      'slashes in a page/page.html': (dsn) =>
        `<script>var x = ${JSON.stringify({ dsn }).replaceAll('/', '\\/')};</script>`,
      'colons that properties escape/app.properties': (dsn) => `dsn=${dsn.replaceAll(':', '\\:')}`,
      'comments of xcconfig/App.xcconfig': (dsn) => `DSN = ${dsn.replace('//', '/$()/')}`,
      'a secret of Kubernetes/secret.yml': (dsn) => `data:\n  dsn: ${base64(dsn)}\n  other: ${base64(` ${dsn}`)}`,
      'URL encoding/link.txt': (dsn) => `https://x/?dsn=${encodeURIComponent(dsn)}`,
      'UTF-16/app.ini': (dsn) => Buffer.from(`\uFEFFdsn=${dsn}`, 'utf16le'),
      'a program/app.bin': (dsn) => Buffer.concat([Buffer.alloc(20), Buffer.from(dsn)]),
    };

    it('whatever way the DSN is written', async () => {
      await open({ remotes: {} });
      window.write('.gitignore', '.env\n');
      for (const [path, write] of Object.entries(files)) {
        window.write(path, write(key.tracker_dsn, key.public_key));
      }
      const text = await askedBeforeDeletion();
      for (const path of Object.keys(files)) {
        assert.ok(text.includes(`${path}:`), `${path} of ${text}`);
      }
    });

    it('by what was searched: what was not is named', async () => {
      await open();
      window.write('dump.sql', 'x'.repeat(17 * 1024 * 1024));
      assert.match(await askedBeforeDeletion(), /Not everything was searched:\nToo large: dump\.sql/);
      window.write('dump.sql', '');
      await window.setting('files.exclude', { '**/vendor': true });
      assert.match(await askedBeforeDeletion(), /Files that the setting files\.exclude hides\./);
    });

    it('in documents that are of no folder, as they are on the disk', async () => {
      await open({ hasFolder: false });
      window.write('outside.env', `SENTRY_DSN=${key.tracker_dsn}\n`);
      await window.show('outside.env');
      window.type('outside.env', 'A=1\n');
      const text = await askedBeforeDeletion();
      assert.match(text, /No folder is open in this window\./);
      assert.match(text, /It is used in 1 place of this workspace:\n.*outside\.env:1/);
    });
  });
});
