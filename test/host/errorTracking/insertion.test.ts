import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../../../src/api/errorTracking.ts';
import { DsnDrop } from '../../../src/errorTracking/insertion/dragAndDrop.ts';
import { InsertCommands } from '../../../src/errorTracking/insertion/insertCommands.ts';
import { DsnStates } from '../../../src/errorTracking/lens/dsnStates.ts';
import { GitIgnoring } from '../../../src/errorTracking/insertion/workspaceEdits.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { type CommandTarget, keyName } from '../../../src/errorTracking/targets.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import { type Dsn, shortKey } from '../../../src/errorTracking/dsn.ts';
import { WorkspaceFiles } from '../../../src/workspace/files.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';

interface Git {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

describe('inserting a DSN', () => {
  let window: ErrorTrackingWindow;
  let commands: InsertCommands;
  let folder: string;
  let project: TrackedProject;
  let keys: readonly ClientKeyRecord[];
  let dsn: string;
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
    commands = insertCommands();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-insert-')));
    project = window.openRepository('harbor/tide-table', vscode.Uri.file(folder));
    keys = (await allKeys((await window.connection()).client, 501)).keys;
    dsn = keys.find(({ active }) => active)?.tracker_dsn ?? '';
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await window.close();
  });

  const choose = (...choices: RegExp[]) => (window.dialogs.choices = choices);

  function insertCommands(folders?: () => readonly vscode.Uri[]): InsertCommands {
    const { targets, dialogs, keyFacts } = window;
    const ignoring = new GitIgnoring(new WorkspaceFiles(), dialogs);
    const { inUse, accounts: store, connections, states, projects } = window;
    const dsnStates = new DsnStates({ inUse, store, connections, states, projects });
    const pathOf = (other: Dsn) => dsnStates.pathOf(other);
    return new InsertCommands({ targets, ignoring, dialogs, keyFacts, pathOf, ...(folders ? { folders } : {}) });
  }

  async function edit(path: string, text: string): Promise<vscode.TextEditor> {
    write(path, text);
    return await vscode.window.showTextDocument(vscode.Uri.file(join(folder, path)));
  }

  it('offers active keys alone', async () => {
    const second = await (await window.connection()).client.errorTracking.createClientKey(501);
    choose(/glet_/);
    await commands.insert({ project });
    const active = [...keys.filter((key) => key.active), second];
    assert.deepEqual(window.dialogs.offered[0], active.map(keyName));
    const inactive = keys.find(({ active }) => !active);
    await commands.insert({ project, key: inactive });
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /is inactive: errors that are sent with it are refused/);
    assert.equal(window.dialogs.offered.length, 2, 'no destination is offered for it');
  });

  it('offers no key that has become inactive since it was shown', async () => {
    await window.nodes(project);
    const active = keys.find((key) => key.active);
    window.sandbox.control.deactivateKey(active?.id ?? 0);
    await commands.insert({ project, key: active });
    await commands.copyAs({ project });
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /is inactive/);
    assert.match(window.dialogs.messages[1]?.sentence ?? '', /has no active client key/);
    assert.deepEqual(window.dialogs.messages[1]?.buttons, ['Create Client Key']);
    assert.deepEqual(window.dialogs.offered, []);
  });

  it('lets code at the cursor read it from the environment, and puts it into the env file', async () => {
    write('go.mod', '');
    const editor = await edit('main.go', 'package main\n\nvar dsn = \n');
    editor.selection = new vscode.Selection(2, 10, 2, 10);
    choose(/^At the Cursor: os\.Getenv\("SENTRY_DSN"\)$/);
    await commands.insert({ project });
    assert.equal(read('main.go'), 'package main\n\nimport "os"\n\nvar dsn = os.Getenv("SENTRY_DSN")\n');
    assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
    assert.match(
      window.dialogs.messages[0]?.sentence ?? '',
      /^SENTRY_DSN is in .*\.env\. .*, for example by godotenv\.$/,
    );
  });

  it('says of an env file that the build reads nothing of loading it', async () => {
    write('package.json', '{ "devDependencies": { "vite": "7.0.0" } }');
    const editor = await edit('main.ts', 'const dsn = ;\n');
    editor.selection = new vscode.Selection(0, 12, 0, 12);
    choose(/^At the Cursor: import\.meta\.env\.VITE_SENTRY_DSN$/);
    await commands.insert({ project });
    assert.equal(read('.env'), `VITE_SENTRY_DSN=${dsn}\n`);
    assert.match(
      window.dialogs.messages[0]?.sentence ?? '',
      /^VITE_SENTRY_DSN is in .*\.env, which the build reads\.$/,
    );
  });

  it('lets code read it in the place of a DSN that is there, wherever the cursor is', async () => {
    const inactive = keys.find(({ active }) => !active)?.tracker_dsn ?? '';
    const code = `import os\nnumber = 1\ninit(dsn="${inactive}")  # or "x ${inactive}"\n`;
    const editor = await edit('main.py', code);
    choose(/^Instead of the DSN in Line 3: os\.environ/);
    await commands.insert({ project });
    const [labels = []] = window.dialogs.offered;
    assert.equal(labels.filter((label) => label.startsWith('Instead of')).length, 1, 'a longer string stays');
    assert.match(labels[0] ?? '', /^Instead of/);
    assert.equal(editor.document.getText(), code.replace(`"${inactive}")`, 'os.environ["SENTRY_DSN"])'));
    assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
  });

  it('leaves what is no string of its own, is of another project, or is in another program', async () => {
    const other = dsn.replace(/501$/, '504');
    const editor = await edit(
      'main.py',
      [`a = r"${dsn}"`, `b = """${dsn}"""`, `c = "${other}"`, `# <Sentry dsn="${dsn}"/>`, ''].join('\n'),
    );
    await commands.insert({ project });
    const outside = join(realpathSync(mkdtempSync(join(tmpdir(), 'beacon-insert-'))), 'main.py');
    writeFileSync(outside, `d = "${dsn}"\n`);
    await vscode.window.showTextDocument(vscode.Uri.file(outside));
    await commands.insert({ project });
    assert.equal(window.dialogs.offered.length, 2);
    assert.ok(!window.dialogs.offered.flat().some((label) => label.startsWith('Instead of')));
    assert.ok(editor.document.getText().includes(`r"${dsn}"`));
  });

  it('puts nothing in the place of a DSN that went while the list was open', async () => {
    const editor = await edit('main.py', `init("${dsn}")\n`);
    window.dialogs.onChoose = async () => {
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# '));
    };
    choose(/^Instead of the DSN in Line 1/);
    await commands.insert({ project });
    assert.equal(editor.document.getText(), `# init("${dsn}")\n`);
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /cannot be changed; nothing was inserted/);
  });

  it('imports what the code needs in the same step, also in the place of a selection at the beginning', async () => {
    const editor = await edit('main.py', 'dsn');
    editor.selection = new vscode.Selection(0, 0, 0, 3);
    choose(/^At the Cursor: os\.environ/);
    await commands.insert({ project });
    assert.equal(editor.document.getText(), 'import os\n\nos.environ["SENTRY_DSN"]');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'dsn');
  });

  it('speaks of other SDK setups only where the folder has one', async () => {
    await commands.insert({ project });
    write('Cargo.toml', '');
    await commands.insert({ project });
    const others = window.dialogs.offered.map((labels) => labels.includes('Other SDK Setups'));
    assert.deepEqual(others, [false, true]);
  });

  it('puts a string of the language at the cursor, and offers the cursor first where the menu of an editor was used', async () => {
    const editor = await edit('main.py', 'import os\ndsn = \n');
    editor.selection = new vscode.Selection(1, 6, 1, 6);
    choose(/^As a String, at the Cursor$/);
    await commands.insert(editor.document.uri as unknown as CommandTarget);
    assert.equal(editor.document.getText(), `import os\ndsn = "${dsn}"\n`);
    const [labels = []] = window.dialogs.offered;
    assert.deepEqual(labels.slice(0, 2), ['At the Cursor: os.environ["SENTRY_DSN"]', 'As a String, at the Cursor']);
    assert.match(window.dialogs.descriptions[0]?.[1] ?? '', /main\.py:2$/);
  });

  it('puts it at the cursor, and takes it back at an undo', async () => {
    const editor = await edit('main.js', "const dsn = '';\n");
    editor.selection = new vscode.Selection(0, 13, 0, 13);
    choose(/At the Cursor/);
    await commands.insert({ project });
    assert.equal(editor.document.getText(), `const dsn = '${dsn}';\n`);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), "const dsn = '';\n");
  });

  it('asks for no place where there is one', async () => {
    const editor = await edit('notes.txt', 'dsn: ');
    editor.selection = new vscode.Selection(0, 5, 0, 5);
    const pinned = await window.pin('harbor/tools/winch');
    const key = await (await window.connection()).client.errorTracking.createClientKey(503);
    await insertCommands(() => []).insert({ project: pinned });
    assert.equal(editor.document.getText(), `dsn: ${key.tracker_dsn}`);
    assert.deepEqual(window.dialogs.offered, []);
  });

  it('creates an env file, and offers to send a test error', async () => {
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
    const [{ sentence, buttons } = { sentence: '' }] = window.dialogs.messages;
    assert.match(sentence, /^SENTRY_DSN is in .*\.env\. .* by python-dotenv, node --env-file\.$/);
    assert.deepEqual(buttons, ['Send Test Error']);
  });

  it('asks before it writes to a link that leads out of the folder, and writes nothing otherwise', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-outside-')));
    writeFileSync(join(outside, 'profile'), 'umask 022\n');
    symlinkSync(join(outside, 'profile'), join(folder, '.env'));
    symlinkSync(join(outside, 'not-there-yet'), join(folder, '.env.local'));
    window.dialogs.confirms = false;
    choose(/Into \.env$/, /Into \.env\.local$/, /SDK Setup for Node/);
    await commands.insert({ project });
    await commands.insert({ project });
    await commands.insert({ project });
    assert.deepEqual(
      window.dialogs.asked.map(({ question, detail }) => [question, detail.includes(outside)]),
      [1, 2, 3].map(() => ['Write outside of the workspace?', true]),
    );
    assert.equal(readFileSync(join(outside, 'profile'), 'utf8'), 'umask 022\n');
    assert.throws(() => readFileSync(join(outside, 'not-there-yet')), /ENOENT/);
    window.dialogs.confirms = true;
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.equal(readFileSync(join(outside, 'profile'), 'utf8'), `umask 022\nSENTRY_DSN=${dsn}\n`);
  });

  it('asks about a link wherever it leads, and shows the target in one line', async () => {
    const name = `shared${' '.repeat(200)}\u202e\n\u2028.env`;
    write(name, 'PORT=1\n');
    symlinkSync(name, join(folder, '.env'));
    window.dialogs.confirms = false;
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.deepEqual(
      window.dialogs.asked.map(({ question, detail }) => [question, detail]),
      [['Write to the target of a link?', `${folder}/.env leads to ${folder}/shared .env`]],
    );
    assert.equal(read(name), 'PORT=1\n');
    window.dialogs.confirms = true;
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.equal(read(name), `PORT=1\nSENTRY_DSN=${dsn}\n`);
  });

  it('updates an env file, saved, and takes it back at an undo', async () => {
    write('.env.local', 'PORT=1\nSENTRY_DSN="old"\n');
    choose(/Into \.env\.local$/);
    await commands.insert({ project });
    assert.equal(read('.env.local'), `PORT=1\nSENTRY_DSN="${dsn}"\n`);
    await vscode.commands.executeCommand('undo');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'PORT=1\nSENTRY_DSN="old"\n');
  });

  it('keeps each character of an env file that is not UTF-8', async () => {
    writeFileSync(join(folder, '.env'), '# Schl\u00fcssel \u0081\nPORT=1\n', 'latin1');
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.equal(readFileSync(join(folder, '.env'), 'latin1'), `# Schl\u00fcssel \u0081\nPORT=1\nSENTRY_DSN=${dsn}\n`);
  });

  it('exports the variable in a file that a shell reads', async () => {
    write('.envrc', 'export PORT=1');
    choose(/Into \.envrc$/);
    await commands.insert({ project });
    assert.equal(read('.envrc'), `export PORT=1\nexport SENTRY_DSN=${dsn}\n`);
  });

  for (const [name, before, owner] of [
    [
      'another project',
      'https://glet_1@gitlab.example/errortracking/api/v1/projects/1',
      'DSN of project 1 at gitlab.example, with client key glet_1. No account here can read that project.',
    ],
    ['another tracker', 'https://1a2b@o1.tracker.example/42', 'o1.tracker.example'],
  ] as const) {
    it(`asks before it replaces the DSN of ${name} in an env file`, async () => {
      write('.env', `export SENTRY_DSN="${before}"`);
      window.dialogs.confirms = false;
      choose(/Into \.env$/);
      await commands.insert({ project });
      assert.match(window.dialogs.asked[0]?.question ?? '', /^Replace SENTRY_DSN in .*\.env\?$/);
      const { host } = new URL(dsn);
      const key = keyName(keys.find(({ active }) => active) ?? { public_key: '' });
      assert.equal(
        window.dialogs.asked[0]?.detail,
        [`Before: ${owner}`, `After: DSN of project harbor/tide-table at ${host}, with client key ${key}.`].join(
          '\n\n',
        ),
      );
      assert.equal(window.dialogs.asked[0]?.accountId, window.account.id);
      assert.equal(read('.env'), `export SENTRY_DSN="${before}"`);
      window.dialogs.confirms = true;
      choose(/Into \.env$/);
      await commands.insert({ project });
      assert.equal(read('.env'), `export SENTRY_DSN="${dsn}"`);
      const [message] = window.dialogs.messages;
      assert.ok(message);
      assert.deepEqual(message.buttons, ['Send Test Error', 'Undo Replacement']);
      await message.press('Undo Replacement');
      assert.equal(read('.env'), `export SENTRY_DSN="${before}"`);
      await message.press('Undo Replacement');
      assert.match(window.dialogs.messages[2]?.sentence ?? '', /^SENTRY_DSN in .*\.env has changed since, or cannot/);
      assert.equal(read('.env'), `export SENTRY_DSN="${before}"`);
    });
  }

  it('names the other project whose DSN it replaces', async () => {
    const other = await (await window.connection()).client.errorTracking.createClientKey(503);
    write('.env', `SENTRY_DSN=${other.tracker_dsn}`);
    choose(/Into \.env$/);
    await commands.insert({ project });
    const { host } = new URL(dsn);
    const label = `Before: DSN of project harbor/tools/winch at ${host}, with client key ${keyName(other)}.`;
    assert.ok(window.dialogs.asked[0]?.detail.startsWith(label));
  });

  const createKey = async () => (await window.connection()).client.errorTracking.createClientKey(501);
  const detailOf = (label: string) => window.dialogs.details[0]?.[window.dialogs.offered[0]?.indexOf(label) ?? -1];

  it('says which key of the same project loses its place, and asks nothing more', async () => {
    const { tracker_dsn: other, public_key: publicKey } = await createKey();
    write('.env', `SENTRY_DSN=${other}\r\nPORT=1\r\n`);
    write('package.json', '{}');
    choose(/Into \.env$/);
    await commands.insert({ project, key: keys.find(({ active }) => active) });
    const replaces = `Replaces the DSN of client key ${shortKey(publicKey)}.`;
    assert.equal(detailOf('Into .env'), replaces);
    assert.equal(detailOf('SDK Setup for Node.js'), replaces);
    assert.deepEqual(window.dialogs.asked, []);
    assert.equal(read('.env'), `SENTRY_DSN=${dsn}\r\nPORT=1\r\n`);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Send Test Error', 'Undo Replacement']);
  });

  it('opens no env file but the one that is chosen, and waits for none that is a pipe', async () => {
    write('.env', 'SENTRY_DSN=1\n');
    write('.env.local', 'SENTRY_DSN=2\n');
    if (process.platform !== 'win32') {
      execFileSync('/usr/bin/mkfifo', [join(folder, '.env.piped')]);
    }
    const opened: string[] = [];
    const subscription = vscode.workspace.onDidOpenTextDocument(({ uri }) => opened.push(uri.path));
    choose(/Into \.env\.local$/);
    await commands.insert({ project });
    subscription.dispose();
    assert.equal(detailOf('Into .env'), 'Replaces the value of SENTRY_DSN.');
    assert.equal(detailOf('Into .env.piped'), undefined);
    assert.deepEqual(
      opened.filter((path) => path.includes('/.env')).map((path) => path.slice(path.lastIndexOf('/') + 1)),
      ['.env.local'],
    );
  });

  it('asks before it replaces the DSN of a key that was not there when the place was chosen', async () => {
    const { tracker_dsn: other, public_key: publicKey } = await createKey();
    window.dialogs.onChoose = async () => write('.env', `export SENTRY_DSN='${other}' # mine`);
    window.dialogs.confirms = false;
    choose(/Into \.env$/);
    await commands.insert({ project, key: keys.find(({ active }) => active) });
    assert.equal(detailOf('Into .env'), undefined);
    assert.match(
      window.dialogs.asked[0]?.detail ?? '',
      new RegExp(`^Before: DSN of project harbor/tide-table at .*, with client key ${shortKey(publicKey)}\\.`),
    );
    assert.equal(read('.env'), `export SENTRY_DSN='${other}' # mine`);
  });

  it('says that it replaces a key with which errors are refused, and asks nothing', async () => {
    const deleted = dsn.replace(/glet_\w+/, 'glet_00000000000000000000');
    write('.env', `SENTRY_DSN=${keys.find(({ active }) => !active)?.tracker_dsn}`);
    write('.env.local', `export SENTRY_DSN="${deleted}"`);
    choose(/Into \.env\.local$/);
    await commands.insert({ project });
    assert.match(
      detailOf('Into .env') ?? '',
      /^Replaces the DSN of client key glet_.*, with which errors are refused\.$/,
    );
    assert.match(
      detailOf('Into .env.local') ?? '',
      /^Replaces the DSN of client key glet_.*, with which errors are refused\.$/,
    );
    assert.deepEqual(window.dialogs.asked, []);
    assert.equal(read('.env.local'), `export SENTRY_DSN="${dsn}"`);
  });

  const odd: readonly [name: string, before: (dsn: string) => string, said: RegExp | undefined][] = [
    ['that is the same', (same) => `SENTRY_DSN="${same}"`, /^SENTRY_DSN has this DSN already: nothing changes\.$/],
    [
      'that is the same with a secret and spaces around it',
      (same) => `SENTRY_DSN=' ${same.replace('@', ':secret@')} '`,
      /^SENTRY_DSN has the DSN of this client key already\.$/,
    ],
    ['in backticks', (same) => `SENTRY_DSN=\`${same}\``, /^SENTRY_DSN has the DSN of this client key already\.$/],
    ['in the first of two lines', (same) => `SENTRY_DSN=${same}\nSENTRY_DSN=\n`, undefined],
    ['in a comment', (same) => `# SENTRY_DSN=${same}\n`, undefined],
    [
      'of an instance below a path of the same host',
      (same) => `SENTRY_DSN=${same.replace('/errortracking/', '/gitlab/errortracking/')}`,
      /^Replaces the DSN of another project at 127\.0\.0\.1:\d+, after asking\.$/,
    ],
    [
      'at another port',
      (same) => `SENTRY_DSN=${same.replace(/:\d+\//, ':1/')}`,
      /^Replaces a DSN of another host, 127\.0\.0\.1:1, after asking\.$/,
    ],
    ['that is none', () => 'SENTRY_DSN=op://vault/secret', /^Replaces the value of SENTRY_DSN\.$/],
  ];
  for (const [name, before, said] of odd) {
    it(`says of a DSN ${name} what becomes of it`, async () => {
      write('.env', before(dsn));
      await commands.insert({ project });
      const detail = detailOf('Into .env');
      if (said) {
        assert.match(detail ?? '', said);
      } else {
        assert.equal(detail, undefined);
      }
      assert.equal(read('.env'), before(dsn), 'nothing was chosen');
    });
  }

  it('goes to the cursors of a document that has no file', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one: \ntwo: \n' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selections = [new vscode.Selection(0, 5, 0, 5), new vscode.Selection(1, 5, 1, 5)];
    choose(/At the Cursor/);
    await commands.insert({ project });
    assert.equal(document.getText(), `one: ${dsn}\ntwo: ${dsn}\n`);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('says what to do where neither a folder nor an editor is open', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const pinned = await window.pin('harbor/tools/winch');
    await (await window.connection()).client.errorTracking.createClientKey(503);
    commands = insertCommands(() => []);
    await commands.insert({ project: pinned });
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /^Open a folder or a file/);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Copy DSN']);
  });

  describe('in a repository', () => {
    beforeEach(async () => {
      execFileSync('git', ['init', '-q'], { cwd: folder });
      const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
      await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
    });

    it('asks about an env file that git does not ignore, and lets git ignore it', async () => {
      choose(/Into \.env$/, /Add to \.gitignore/);
      await commands.insert({ project });
      assert.equal(read('.gitignore'), '/.env\n');
      assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
    });

    // What git reads in a line of .gitignore, but for what Windows has in no name.
    const names = [
      '[api]',
      '#tools',
      '!app',
      ' lead',
      'trail ',
      'a[!b]c',
      ...(sep === '/' ? ['a*b?', 'back\\slash'] : []),
    ];
    for (const name of [
      ...names.map((folderName) => `services/${folderName}/.env`),
      ...names.map((end) => `.env.${end}`),
    ]) {
      it(`lets git ignore ${JSON.stringify(name)} alone`, async () => {
        const rest = '# mine\r\n*.log';
        write('.gitignore', rest);
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        write(name, 'PORT=1\n');
        write(join(dirname(name), 'pyproject.toml'), '');
        await edit(join(dirname(name), 'main.py'), '');
        choose(new RegExp(`^Into ${basename(name).replaceAll(/\W/g, String.raw`\$&`)}$`), /Add to \.gitignore/);
        await commands.insert({ project });
        assert.equal(read(name), `PORT=1\nSENTRY_DSN=${dsn}\n`);
        assert.ok(read('.gitignore').startsWith(`${rest}\r\n/`));
        const status = execFileSync('git', ['status', '--porcelain', '-z', '-uall'], { cwd: folder, encoding: 'utf8' });
        assert.deepEqual(
          status.split('\0').filter((line) => line.includes('.env')),
          [],
        );
      });
    }

    it('asks git about the target of a link, and writes nothing that git does not ignore', async () => {
      write('shared.txt', 'PORT=1\n');
      symlinkSync('shared.txt', join(folder, '.env'));
      write('.gitignore', '.env\n');
      execFileSync('git', ['add', 'shared.txt'], { cwd: folder });
      choose(/Into \.env$/, /Add to \.gitignore/);
      await commands.insert({ project });
      assert.equal(window.dialogs.headings[1]?.[0], 'shared.txt Is Not Ignored by Git');
      assert.match(
        window.dialogs.messages[0]?.sentence ?? '',
        /^Git does not ignore shared\.txt: .*The DSN was not written\.$/,
      );
      assert.equal(read('shared.txt'), 'PORT=1\n');
      assert.equal(read('.gitignore'), '.env\n/shared.txt\n');
    });

    it('writes nothing that another rule takes out again', async () => {
      mkdirSync(join(folder, 'app'));
      write('app/.gitignore', '!.env\n');
      write('app/pyproject.toml', '');
      await edit('app/main.py', '');
      choose(/Into \.env$/, /Add to \.gitignore/);
      await commands.insert({ project });
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /^Git does not ignore app\/\.env: /);
      assert.throws(() => read('app/.env'), /ENOENT/);
    });

    it('writes nothing if the user cancels', async () => {
      choose(/Into \.env$/);
      await commands.insert({ project });
      assert.throws(() => read('.env'), /ENOENT/);
    });

    it('does not ask about one that git ignores', async () => {
      write('.gitignore', '.env\n');
      choose(/Into \.env$/);
      await commands.insert({ project });
      assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
      assert.equal(window.dialogs.offered.length, 1);
    });
  });

  it('sets up an SDK for the stack found, which is offered first', async () => {
    write('Cargo.toml', '');
    choose(/SDK Setup/);
    await commands.insert({ project });
    assert.match(read('src/sentry_setup.rs'), /std::env::var\("SENTRY_DSN"\)/);
    assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /sentry_setup\.rs reads SENTRY_DSN/);
    assert.equal(window.dialogs.messages[0]?.buttons[0], 'Copy Install Command');
  });

  const stacks: readonly [manifest: string, name: RegExp, file: string][] = [
    ['package.json', /for Node\.js$/, 'instrument.mjs'],
    ['pyproject.toml', /for Python$/, 'sentry_setup.py'],
    ['Gemfile', /for Ruby$/, 'sentry_setup.rb'],
    ['go.mod', /for Go$/, 'sentry_setup.go'],
    ['pom.xml', /for Java$/, 'src/main/java/SentrySetup.java'],
    ['composer.json', /for PHP$/, 'sentry.php'],
    ['App.csproj', /for \.NET$/, 'SentrySetup.cs'],
    ['Cargo.toml', /for Rust$/, 'src/sentry_setup.rs'],
  ];
  for (const [manifest, name, file] of stacks) {
    it(`sets up the SDK where there is a ${manifest}, without the DSN in the code`, async () => {
      write(manifest, manifest.endsWith('.json') ? '{}' : '');
      choose(/SDK Setup/);
      await commands.insert({ project });
      assert.match(window.dialogs.offered[0]?.[0] ?? '', name);
      assert.match(read(file), /SENTRY_DSN/);
      assert.ok(!read(file).includes('glet_'));
      assert.equal(read('.env'), `SENTRY_DSN=${dsn}\n`);
    });
  }

  it('takes the program nearest to the file that is edited, among several in one repository', async () => {
    write('package.json', '{"dependencies":{"react-dom":"1","vite":"1"}}');
    mkdirSync(join(folder, 'services', 'tide', 'app'), { recursive: true });
    write('services/tide/pyproject.toml', '');
    await edit('services/tide/app/main.py', '');
    choose(/SDK Setup/);
    await commands.insert({ project });
    assert.match(read('services/tide/sentry_setup.py'), /os\.environ/);
    assert.equal(read('services/tide/.env'), `SENTRY_DSN=${dsn}\n`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    choose(/SDK Setup/);
    await commands.insert({ project });
    assert.match(read('src/instrument.js'), /VITE_SENTRY_DSN/);
    assert.equal(read('.env'), `VITE_SENTRY_DSN=${dsn}\n`);
  });

  it('offers the SDK for the language of the open file first, where no manifest names it', async () => {
    await edit('main.py', '');
    choose(/SDK Setup/);
    await commands.insert({ project });
    assert.match(window.dialogs.offered[0]?.[0] ?? '', /for Python$/);
    assert.match(read('sentry_setup.py'), /os\.environ/);
  });

  it('replaces a set-up of other content only after asking', async () => {
    write('package.json', '{}');
    write('instrument.mjs', '// mine\n');
    window.dialogs.confirms = false;
    choose(/SDK Setup for Node/);
    await commands.insert({ project });
    assert.equal(read('instrument.mjs'), '// mine\n');
    window.dialogs.confirms = true;
    choose(/SDK Setup for Node/);
    await commands.insert({ project });
    assert.match(read('instrument.mjs'), /Sentry\.init/);
  });

  for (const isShown of [true, false]) {
    it(`leaves a set-up that has grown while the user was asked, ${isShown ? 'in the editor' : 'on the disk'}`, async () => {
      write('package.json', '{}');
      write('instrument.mjs', '// mine\n');
      const file = vscode.Uri.file(join(folder, 'instrument.mjs'));
      window.dialogs.onConfirm = async () => {
        const grown = '// mine\n// and more\n';
        if (!isShown) {
          write('instrument.mjs', grown);
          return;
        }
        const change = new vscode.WorkspaceEdit();
        change.insert(file, new vscode.Position(1, 0), '// and more\n');
        await vscode.workspace.applyEdit(change);
        await (await vscode.workspace.openTextDocument(file)).save();
      };
      choose(/SDK Setup for Node/);
      await commands.insert({ project });
      assert.equal(read('instrument.mjs'), '// mine\n// and more\n');
      assert.throws(() => read('.env'), /ENOENT/);
      assert.match(
        window.dialogs.messages[0]?.sentence ?? '',
        /instrument\.mjs has changed meanwhile, or cannot be changed/,
      );
    });
  }

  it('leaves a variable that has got another value while the user was asked', async () => {
    write('.env', 'SENTRY_DSN=https://1a2b@o1.tracker.example/42\n');
    window.dialogs.onConfirm = async () => {
      await edit('.env', 'SENTRY_DSN=https://3c4d@o1.tracker.example/43\n');
    };
    choose(/Into \.env$/);
    await commands.insert({ project });
    assert.equal(read('.env'), 'SENTRY_DSN=https://3c4d@o1.tracker.example/43\n');
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /\.env has changed meanwhile/);
  });

  it('lets @sentry/node deliver an error with nothing but what was written into an empty project', async () => {
    write('package.json', '{}');
    choose(/SDK Setup for Node/);
    await commands.insert({ project });
    const { extensionPath } = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab') ?? { extensionPath: '' };
    symlinkSync(join(extensionPath, 'node_modules'), join(folder, 'node_modules'));
    write('app.js', "throw new Error('The tide is out');\n");
    const { SENTRY_DSN: _, NODE_OPTIONS: __, ...env } = process.env;
    await assert.rejects(
      promisify(execFile)(process.execPath, ['--import', './instrument.mjs', 'app.js'], { cwd: folder, env }),
      /The tide is out/,
    );
    const received = window.sandbox.control.received();
    assert.ok(received.some(({ title, project_id: id }) => title?.includes('The tide is out') && id === 501));
  });

  const forms: readonly [choice: RegExp, text: (value: string) => string | RegExp][] = [
    [/^DSN$/, (value) => value],
    [/^Env Line$/, (value) => `SENTRY_DSN=${value}`],
    [/^Docker Option$/, (value) => `--env SENTRY_DSN='${value}'`],
    [/^Docker Compose$/, (value) => `environment:\n  SENTRY_DSN: '${value}'\n`],
    [/^Kubernetes Secret$/, () => /^apiVersion: v1\nkind: Secret\n[^]*stringData:\n {2}SENTRY_DSN: 'http/],
    [/^Kubernetes Container$/, () => /secretKeyRef:/],
  ];
  for (const [choice, text] of forms) {
    it(`copies it as ${choice.source.slice(1, -1)}`, async () => {
      choose(choice);
      await commands.copyAs({ project });
      const copied = await vscode.env.clipboard.readText();
      const expected = text(dsn);
      if (typeof expected === 'string') {
        assert.equal(copied, expected);
      } else {
        assert.match(copied, expected);
      }
    });
  }

  it('drops a key as a variable into an env file, as a string into code, as the DSN elsewhere', async () => {
    const transfer = new vscode.DataTransfer();
    transfer.set('text/plain', new vscode.DataTransferItem(dsn));
    const dropped = async (path: string, text: string) => {
      const { document } = await edit(path, text);
      const end = document.positionAt(text.length);
      return (await new DsnDrop().provideDocumentDropEdits(document, end, transfer))?.insertText;
    };
    assert.equal(await dropped('.env', 'PORT=1\n'), `SENTRY_DSN=${dsn}`);
    assert.equal(await dropped('a.env', 'DSN='), dsn);
    assert.equal(await dropped('b.env', 'export '), `SENTRY_DSN=${dsn}`);
    assert.equal(await dropped('.envrc', ''), `export SENTRY_DSN=${dsn}`);
    assert.equal(await dropped('a.js', 'init("'), dsn);
    assert.equal(await dropped('c.go', 'init('), `"${dsn}"`);
    transfer.set('text/plain', new vscode.DataTransferItem('other text'));
    assert.equal(await dropped('b.js', ''), undefined);
  });
});
