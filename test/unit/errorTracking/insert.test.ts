import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestWindow } from '../../support/testWindow.ts';
import {
  createKey,
  deleteKey,
  type KeyRecord,
  keysOf,
  makeRepository,
  openProject,
  openTracking,
  shortName,
  trackedProject,
  trackingView,
} from './trackingWindow.ts';

const where = 'Where the program reads the DSN';
const notIgnored = 'Is Not Ignored by Git';

describe('Insert DSN', () => {
  let window: TestWindow;
  let key: KeyRecord;

  beforeEach(async () => ([window, key] = await openTracking()));
  afterEach(() => window.dispose());

  function git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: window.path('').fsPath, encoding: 'utf8' });
  }

  async function insert(destination: string | RegExp): Promise<void> {
    window.answer(where, destination);
    await window.choose(trackingView, shortName(key), 'Insert DSN…');
  }

  it('makes an env file, and says what loads it', async () => {
    await insert('Into .env');
    assert.equal(window.read('.env'), `SENTRY_DSN=${key.tracker_dsn}\n`);
    await window.message('SENTRY_DSN is in .env. Load it where the program starts');
    assert.equal(window.document().uri.path, window.path('.env').path);
  });

  it('offers first the key whose DSN the open file has', async () => {
    const other = await createKey(window);
    window.write('app.py', `init('${other.tracker_dsn}')\n`);
    await window.show('app.py');
    window.answer('Choose a client key', ({ lines }) => {
      assert.match(lines[0] ?? '', new RegExp(`^${shortName(other)}`));
      return undefined;
    });
    await window.run('beacon.errorTracking.insertDsn');
  });

  it('keeps each byte of a file that is not in UTF-8', async () => {
    window.write('.env', Buffer.from('NAME=Andr\xe9\n', 'latin1'));
    await insert('Into .env');
    const bytes = readFileSync(window.path('.env').fsPath, 'latin1');
    assert.equal(bytes, `NAME=Andr\xe9\nSENTRY_DSN=${key.tracker_dsn}\n`);
  });

  it('says that an env file with unsaved changes is to be saved', async () => {
    window.write('.env', 'A=1\n');
    await window.show('.env');
    window.type('.env', 'B=2\n');
    await insert('Into .env');
    await window.message('Save .env: it had unsaved changes.');
    assert.equal(window.read('.env'), 'A=1\n');
    assert.match(window.text('.env'), new RegExp(key.tracker_dsn));
  });

  it('says nothing of a DSN in a file that cannot be saved, as the editor has said so', async () => {
    window.write('.env', 'A=1\n');
    Object.assign(await window.show('.env'), { save: async () => false });
    const before = window.messages.length;
    await insert('Into .env');
    assert.deepEqual([window.messages.length - before, window.read('.env')], [0, 'A=1\n']);
    assert.ok(!window.statusBar.some((text) => text.includes('DSN inserted')));
  });

  it('makes it in the folder that is open, also where the repository begins above it', async () => {
    await openProject(window, trackedProject.path, window.path('..'));
    window.answer(notIgnored, 'Write DSN Anyway');
    execFileSync('git', ['init', '-q'], { cwd: window.path('..').fsPath });
    await insert('Into .env');
    assert.match(window.read('.env'), /SENTRY_DSN=/);
  });

  it('asks with before and after where a value is replaced, and not where the DSN is there already', async () => {
    window.write('.env', 'A=1\nSENTRY_DSN=https://secret@o1.ingest.sentry.example/4 # why\n');
    window.answer('Replace SENTRY_DSN in .env?', ({ text }) => {
      assert.match(text, /Before: o1\.ingest\.sentry\.example\n\nAfter: DSN of project 501 at /);
      assert.doesNotMatch(text, /secret/);
      return 'Replace';
    });
    await insert('Into .env');
    assert.equal(window.read('.env'), `A=1\nSENTRY_DSN=${key.tracker_dsn} # why\n`);
    await insert('Into .env');
  });

  it('leaves alone what programs and shells read differently, and says so', async () => {
    const text = 'KEY="open\nSENTRY_DSN=old\n';
    window.write('.env', text);
    await insert('Into .env');
    await window.message('.env may be read differently by programs and shells, so SENTRY_DSN was not changed there.');
    assert.equal(window.read('.env'), text);
  });

  it('sets an SDK up, and lets code at the cursor read the environment', async () => {
    window.write('pyproject.toml', '');
    window.write('app.py', 'import os\ninit()\n');
    await insert('SDK Setup for Python');
    assert.match(window.read('sentry_setup.py'), /^# Start with: import sentry_setup\n/);
    assert.equal(window.read('.env'), `SENTRY_DSN=${key.tracker_dsn}\n`);
    const inUse = `${shortName(key)} in .env`;
    await window.until(async () => (await window.rows(trackingView)).some((row) => row.trim() === inUse));
    await window.show('app.py', 'init(|)');
    await insert('At the Cursor: os.environ["SENTRY_DSN"]');
    assert.equal(window.read('app.py'), 'import os\ninit(os.environ["SENTRY_DSN"])\n');
    await window.show('app.py', 'init(|');
    await insert('As a String, at the Cursor');
    assert.match(window.text('app.py'), new RegExp(`init\\("${key.tracker_dsn}"os`));
  });

  it('offers the cursor before the set-ups that do not fit', async () => {
    window.write('pyproject.toml', '');
    window.write('app.py', 'init()\n');
    await window.show('app.py', 'init(|)');
    window.answer(where, ({ lines }) => {
      const others = lines.indexOf('--- Other SDK Setups');
      assert.match(lines[0] ?? '', /^SDK Setup for Python/);
      assert.match(lines[others - 1] ?? '', /^As a String, at the Cursor/);
      return undefined;
    });
    await window.choose(trackingView, shortName(key), 'Insert DSN…');
  });

  it('leaves a set-up file that has grown while the user was asked', async () => {
    window.write('pyproject.toml', '');
    window.write('sentry_setup.py', 'old\n');
    window.answer('Replace sentry_setup.py?', () => {
      window.write('sentry_setup.py', 'old\nmore, much more than before\n');
      return 'Replace';
    });
    await insert('SDK Setup for Python');
    await window.message('sentry_setup.py has changed meanwhile, or cannot be changed; nothing was written.');
    assert.equal(window.read('sentry_setup.py'), 'old\nmore, much more than before\n');
    assert.ok(!existsSync(window.path('.env').fsPath));
  });

  it('leaves an env file that has changed while the user was asked, also where the editor does not know it yet', async () => {
    const [before, after] = ['b', 'c'].map((host) => `SENTRY_DSN=https://a@${host}.example/1\n`) as [string, string];
    window.write('.env', before);
    await window.show('.env');
    for (const write of [() => writeFileSync(window.path('.env').fsPath, after), () => window.write('.env', after)]) {
      window.write('.env', before);
      window.answer('Replace SENTRY_DSN', () => {
        write();
        return 'Replace';
      });
      await insert('Into .env');
      assert.equal(window.read('.env'), after);
    }
  });

  it('says that a project has no client key, as its row does, and makes one', async () => {
    for (const one of await keysOf(window)) {
      await deleteKey(window, one);
    }
    await window.run('beacon.errorTracking.insertDsn');
    await window.message(`${trackedProject.path} has no active client key.`);
    await window.row(trackingView, 'Create Client Key');
    await window.press('Create Client Key');
    await window.until(async () => (await keysOf(window)).length === 1);
  });

  describe('in a repository', () => {
    beforeEach(() => makeRepository(window));

    it('lets git ignore the env file of any folder, also one whose name ends with blanks, and no other one', async () => {
      // What a pattern would match, too.
      const others = ['ex/.env', 'fx/.env', 'services/a/.env', 'c/.env', 'a b/x/.env'];
      others.forEach((path) => window.write(path, 'A=1\n'));
      const folders = ['services/[api]', 'a b', '!c', '#d', 'e*', 'f?', 'g\\h', 'ä', 'i'];
      window.write('i/.env.local  ', '');
      for (const folder of folders) {
        const name = folder === 'i' ? '.env.local  ' : '.env';
        window.write(`${folder}/go.mod`, '');
        await window.show(`${folder}/go.mod`);
        window.answer(notIgnored, 'Add to .gitignore');
        await insert(`Into ${name}`);
        assert.equal(window.read(`${folder}/${name}`), `SENTRY_DSN=${key.tracker_dsn}\n`);
      }
      git('add', '.');
      const staged = git('diff', '--cached', '--name-only', '-z').split('\0');
      assert.deepEqual(staged.filter((path) => path.includes('.env')).sort(), others.sort());
    });

    it('lets git ignore an env file that is open, too', async () => {
      window.write('.env', 'A=1\n');
      await window.show('.env', 'A=1\n|');
      window.answer(notIgnored, 'Add to .gitignore');
      await insert('At the Cursor');
      assert.match(window.text('.env'), /SENTRY_DSN=/);
      assert.equal(window.read('.gitignore'), '/.env\n');
    });

    it('writes nothing where git tracks the file already, or the user goes away', async () => {
      window.write('.env', 'A=1\n');
      git('add', '.env');
      window.answer(notIgnored, 'Add to .gitignore');
      await insert('Into .env');
      await window.message('Git does not ignore .env: it may be tracked already');
      window.answer(notIgnored, undefined);
      await insert('Into .env');
      assert.equal(window.read('.env'), 'A=1\n');
      window.answer(notIgnored, 'Write DSN Anyway');
      await insert('Into .env');
      assert.match(window.read('.env'), /SENTRY_DSN=/);
    });

    it('asks nothing about a file that git ignores', async () => {
      window.write('.gitignore', '.env\n');
      await insert('Into .env');
      assert.match(window.read('.env'), /SENTRY_DSN=/);
      assert.equal(window.read('.gitignore'), '.env\n');
    });
  });

  describe('to a link', () => {
    const targets: readonly (readonly [name: string, target: (root: string) => string, question: RegExp])[] = [
      ['out of the workspace', (root) => join(root, '..', 'outside.env'), /^Write outside of the workspace\?/],
      ['into .git', (root) => join(root, '.git', 'config'), /^Write to the target of a link\?/],
      ['into .vscode', (root) => join(root, '.vscode', 'settings.json'), /^Write to the target of a link\?/],
      ['to what is not there', (root) => join(root, '..', 'nothing'), /^Write outside of the workspace\?/],
      [
        'with spaces and line ends in its name',
        (root) => join(root, 'a'.repeat(40), ' \n '.repeat(20), 'end'),
        /^Write to/,
      ],
      ['far down', (root) => join(root, ...Array<string>(9).fill('b'.repeat(250)), 'end'), /^Write to/],
    ];
    it('is asked about, with the target in one line, also at the end of a chain', async () => {
      const root = window.path('').fsPath;
      for (const [name, targetOf, question] of targets) {
        const target = targetOf(root);
        if (!target.includes('nothing')) {
          mkdirSync(join(target, '..'), { recursive: true });
          writeFileSync(target, 'A=1\n');
        }
        for (const links of [['.env'], ['other', 'next', '.env']]) {
          links.forEach((link, index) => symlinkSync(links[index - 1] ?? target, join(root, link)));
          window.answer(question, ({ text }) => {
            const line = text.split('\n').find((one) => one.includes('.env leads to ')) ?? '';
            const real = join(realpathSync(root), relative(root, target)).replaceAll(/\s+/g, ' ');
            assert.ok(line.endsWith(real), `${name}: ${text}`);
            return undefined;
          });
          await insert('Into .env');
          const after = existsSync(target) ? readFileSync(target, 'utf8') : '';
          assert.equal(after, target.includes('nothing') ? '' : 'A=1\n', name);
          links.forEach((link) => rmSync(join(root, link)));
        }
      }
    });

    it('that takes the place of a file while the user is asked is not followed', async () => {
      const text = 'SENTRY_DSN=https://a@b.example/1\n';
      window.write('.env', text);
      const outside = join(window.path('').fsPath, '..', 'outside.env');
      writeFileSync(outside, text);
      for (const [target, after] of [
        [outside, text],
        [join(outside, '..', 'elsewhere.env'), ''],
      ] as const) {
        window.answer('Replace SENTRY_DSN in .env?', () => {
          rmSync(window.path('.env').fsPath);
          symlinkSync(target, window.path('.env').fsPath);
          return 'Replace';
        });
        await insert('Into .env');
        await window.message('.env has changed meanwhile, or cannot be changed; nothing was written.');
        assert.equal(existsSync(target) ? readFileSync(target, 'utf8') : '', after);
        rmSync(window.path('.env').fsPath);
        window.write('.env', text);
      }
    });

    it('to a device, whose text may have no end, is neither read nor written', async () => {
      symlinkSync('/dev/null', window.path('.env').fsPath);
      window.answer('Write outside of the workspace?', 'Write');
      await insert('Into .env');
      await window.message('.env has changed meanwhile, or cannot be changed; nothing was written.');
    });

    it('below a folder that is one is asked about, and written once the user says so', async () => {
      window.write('real/go.mod', '');
      symlinkSync(window.path('real').fsPath, window.path('linked').fsPath);
      await window.show('linked/go.mod');
      window.answer('Write to the target of a link?', 'Write');
      await insert('Into .env');
      assert.match(window.read('real/.env'), /SENTRY_DSN=/);
    });

    it('that .gitignore is, is asked about, too', async () => {
      makeRepository(window);
      symlinkSync(join(window.path('').fsPath, '..', 'ignore'), window.path('.gitignore').fsPath);
      window.answer(notIgnored, 'Add to .gitignore');
      window.answer('Write outside of the workspace?', undefined);
      await insert('Into .env');
      assert.ok(!existsSync(window.path('.env').fsPath));
    });
  });
});
