import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../../../src/api/errorTracking.ts';
import { findDsns, shortKey } from '../../../src/errorTracking/dsn.ts';
import { GitIgnoring } from '../../../src/errorTracking/insertion/workspaceEdits.ts';
import { DsnDiagnostics } from '../../../src/errorTracking/lens/dsnDiagnostics.ts';
import { DsnHover, keyLabel } from '../../../src/errorTracking/lens/dsnHover.ts';
import { DsnIndex, mostOfAll, mostOfFile } from '../../../src/errorTracking/lens/dsnIndex.ts';
import { DsnStates } from '../../../src/errorTracking/lens/dsnStates.ts';
import { DsnFixes, DsnQuickFixes } from '../../../src/errorTracking/lens/dsnQuickFixes.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { WorkspaceFiles } from '../../../src/workspace/files.ts';
import { accountLabel } from '../../../src/accounts/accountInUse.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';
import { PersonalSettings } from '../../support/reader.ts';

interface Git {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

describe('the DSN lens', () => {
  let window: ErrorTrackingWindow;
  let folder: string;
  let index: DsnIndex;
  let states: DsnStates;
  let diagnostics: DsnDiagnostics;
  let active: ClientKeyRecord;
  let inactive: ClientKeyRecord;
  const files = new WorkspaceFiles();
  const uriOf = (path: string) => vscode.Uri.file(join(folder, path));
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };

  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
    const keys = (await allKeys((await window.connection()).client, 501)).keys;
    const found = [keys.find((key) => key.active), keys.find((key) => !key.active)];
    assert.ok(found[0] && found[1]);
    [active, inactive] = found as [ClientKeyRecord, ClientKeyRecord];
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-lens-')));
    const { inUse, connections, projects } = window;
    states = new DsnStates({ inUse, store: { all: [] }, connections, states: window.states, projects });
    index = new DsnIndex(files, () => [vscode.Uri.file(folder)]);
    diagnostics = new DsnDiagnostics(index, states, window.states, projects);
  });
  afterEach(async () => {
    diagnostics.dispose();
    index.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await window.close();
  });

  async function scan(): Promise<void> {
    index.start();
    await settled();
  }

  async function settled(): Promise<void> {
    await index.settled();
    await diagnostics.settled();
  }

  async function openRepository(): Promise<void> {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const git = await vscode.extensions.getExtension<Git>('vscode.git')?.activate();
    await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
  }

  const deleted = () => active.tracker_dsn.replace(/glet_.{8}/, 'glet_deadbeef');
  const ofOther = () => active.tracker_dsn.replace(/501$/, '504');
  const codes = (path: string) => diagnostics.of(uriOf(path)).map(({ code }) => code);
  // Documents of other tests may not be closed yet.
  const foundFiles = () =>
    index.all
      .filter(({ uri }) => uri.path.startsWith(folder))
      .map(({ uri }) => basename(uri.path))
      .sort();

  const forms: readonly [path: string, text: (dsn: string) => string][] = [
    ['main.ts', (dsn) => `init({ dsn: '${dsn}' });`],
    ['app.env', (dsn) => `SENTRY_DSN=${dsn}\n`],
    ['deploy.yaml', (dsn) => `env:\n  SENTRY_DSN: "${dsn}"\n`],
    ['settings.json', (dsn) => `{"dsn":"${dsn}"}`],
    ['settings.toml', (dsn) => `[sentry]\ndsn = '${dsn}'\n`],
    ['single.yaml', (dsn) => `sentry: { dsn: '${dsn}' }\n`],
    ['docker-compose.yml', (dsn) => `services:\n  web:\n    environment:\n      - SENTRY_DSN=${dsn}\n`],
    ['comment.py', (dsn) => `# was ${dsn}, see below\n`],
    ['windows.env', (dsn) => `PORT=1\r\nexport SENTRY_DSN="${dsn}"`],
    ['app.properties', (dsn) => `sentry.dsn=${dsn}\n`],
    ['README.md', (dsn) => `Use <${dsn}>.\n`],
  ];

  it('recognizes DSNs in code, env files, YAML, JSON and TOML, with their places', async () => {
    forms.forEach(([path, text]) => write(path, text(active.tracker_dsn)));
    await scan();
    assert.deepEqual(foundFiles(), forms.map(([path]) => path).sort());
    for (const [path, text] of forms) {
      const [placed] = index.get(uriOf(path));
      assert.ok(placed);
      const { line, character } = placed.range.start;
      assert.ok(text(active.tracker_dsn).split('\n')[line]?.slice(character).startsWith(active.tracker_dsn));
    }
  });

  it('leaves alone what git and files.exclude leave out, binary and large files, but not ignored settings', async () => {
    await openRepository();
    const line = `SENTRY_DSN=${active.tracker_dsn}\n`;
    write('.gitignore', '.env\ndist/\n');
    write('.env', line);
    write('dist/main.js', line);
    write('seen.env', line);
    write('logo.png', Buffer.concat([Buffer.from([0x89, 0x50, 0, 0]), Buffer.from(line)]));
    write('large.txt', line + 'x'.repeat(1024 * 1024));
    write('node_modules/other/index.js', line);
    write('hidden/a.env', line);
    const settings = vscode.workspace.getConfiguration();
    await settings.update('files.exclude', { '**/hidden': true }, vscode.ConfigurationTarget.Global);
    try {
      await scan();
      assert.deepEqual(foundFiles(), ['.env', 'seen.env']);
      await vscode.window.showTextDocument(uriOf('dist/main.js'));
      await settled();
      assert.deepEqual(foundFiles(), ['.env', 'seen.env'], 'not even when it is opened');
    } finally {
      await settings.update('files.exclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('reads of what git ignores the settings alone, whose problems have fixes, and else only what is asked about at its place', async () => {
    await openRepository();
    const line = `SENTRY_DSN=${inactive.tracker_dsn}\n`;
    write('.gitignore', '.env\ndist/\n*.yaml\n');
    ['.env', 'dist/main.js', 'local.yaml', 'seen.env'].forEach((path) => write(path, line));
    const texts: string[] = [];
    index.dispose();
    index = new DsnIndex(
      {
        search: (...args) => files.search(...args),
        isIgnored: (uri) => files.isIgnored(uri),
        async *read(options) {
          for await (const file of files.read(options)) {
            texts.push(basename(file.uri.path));
            yield file;
          }
        },
      },
      () => [vscode.Uri.file(folder)],
    );
    diagnostics.dispose();
    diagnostics = new DsnDiagnostics(index, states, window.states, window.projects);
    await scan();
    const document = await vscode.workspace.openTextDocument(uriOf('dist/main.js'));
    await vscode.window.showTextDocument(document);
    await settled();
    write('dist/main.js', `${line}${line}`);
    await settled();
    assert.deepEqual([...new Set(texts)].sort(), ['.env', 'local.yaml', 'seen.env']);
    assert.deepEqual(['.env', 'local.yaml', 'dist/main.js'].map(codes), [['inactiveKey'], ['inactiveKey'], []]);
    const env = await vscode.workspace.openTextDocument(uriOf('.env'));
    const context = { diagnostics: diagnostics.of(env.uri), only: undefined, triggerKind: 1 };
    const actions = new DsnQuickFixes(states).provideCodeActions(env, new vscode.Range(0, 0, 0, 0), context);
    assert.match((await actions)[0]?.title ?? '', /^Use the DSN of client key/);
    write('.env', `SENTRY_DSN=${active.tracker_dsn}\n`);
    index.rescan();
    await settled();
    assert.deepEqual(codes('.env'), [], 'a change is seen');
    const hover = await new DsnHover(states).provideHover(document, new vscode.Position(0, 30));
    assert.ok(hover, 'pointing at it asks');
  });

  it('keeps what is not saved yet when everything is read again', async () => {
    await openRepository();
    write('a.yaml', 'dsn: none\n');
    write('b.yaml', `dsn: ${inactive.tracker_dsn}\n`);
    await scan();
    const editor = await vscode.window.showTextDocument(uriOf('a.yaml'));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `one: ${inactive.tracker_dsn}\n`));
    const other = await vscode.window.showTextDocument(uriOf('b.yaml'));
    await other.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
    await settled();
    index.rescan();
    await settled();
    const found = foundFiles();
    await vscode.workspace.saveAll();
    assert.deepEqual(found, ['a.yaml']);
  });

  it('finds the DSNs of several folders, in a repository or not', async () => {
    await openRepository();
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-lens-')));
    write('a.yaml', `dsn: ${inactive.tracker_dsn}\n`);
    writeFileSync(join(other, 'b.yaml'), `dsn: ${inactive.tracker_dsn}\n`);
    diagnostics.dispose();
    index.dispose();
    index = new DsnIndex(files, () => [vscode.Uri.file(folder), vscode.Uri.file(other)]);
    diagnostics = new DsnDiagnostics(index, states, window.states, window.projects);
    await scan();
    assert.deepEqual(codes('a.yaml'), ['inactiveKey']);
    assert.deepEqual(
      diagnostics.of(vscode.Uri.file(join(other, 'b.yaml'))).map(({ code }) => code),
      ['inactiveKey'],
    );
  });

  it('distinguishes two keys of one file', async () => {
    write('two.env', `A=${active.tracker_dsn}\r\nB="${inactive.tracker_dsn}"\r\n# C=${deleted()}\r\n`);
    await scan();
    assert.deepEqual(
      diagnostics.of(uriOf('two.env')).map(({ code, range }) => [code, range.start.line, range.start.character]),
      [
        ['inactiveKey', 1, 3],
        ['deletedKey', 2, 4],
      ],
    );
  });

  it('follows what is typed, and what changes on disk', async () => {
    write('a.yaml', 'dsn: none\n');
    await scan();
    assert.deepEqual(foundFiles(), []);
    const editor = await vscode.window.showTextDocument(uriOf('a.yaml'));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `one: ${inactive.tracker_dsn}\n`));
    await settled();
    assert.deepEqual(codes('a.yaml'), ['inactiveKey']);
    await editor.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
    await settled();
    assert.deepEqual(codes('a.yaml'), []);

    const changed = () => new Promise<void>((resolve) => index.onDidChange(() => resolve()));
    const created = changed();
    write('b.yaml', `dsn: ${active.tracker_dsn}\n`);
    await created;
    assert.deepEqual(foundFiles(), ['b.yaml']);
    const removed = changed();
    rmSync(join(folder, 'b.yaml'));
    await removed;
    assert.deepEqual(foundFiles(), []);
  });

  it('shows a deleted and an inactive key, and nothing of an active one', async () => {
    write('deleted.yaml', `dsn: ${deleted()}\n`);
    write('inactive.yaml', `dsn: ${inactive.tracker_dsn}\n`);
    write('active.yaml', `dsn: ${active.tracker_dsn}\n`);
    write('foreign.yaml', 'dsn: https://glet_1@gitlab.example/errortracking/api/v1/projects/1\n');
    await scan();
    assert.deepEqual(codes('deleted.yaml'), ['deletedKey']);
    assert.equal(diagnostics.of(uriOf('deleted.yaml'))[0]?.severity, vscode.DiagnosticSeverity.Error);
    assert.match(diagnostics.of(uriOf('deleted.yaml'))[0]?.message ?? '', /^Client key glet_dead…\w{4} is deleted/);
    assert.deepEqual(codes('inactive.yaml'), ['inactiveKey']);
    assert.deepEqual(codes('active.yaml'), []);
    assert.deepEqual(codes('foreign.yaml'), []);
  });

  it('shows at once when a key is deleted here', async () => {
    write('active.yaml', `dsn: ${active.tracker_dsn}\n`);
    await scan();
    await (await window.connection()).client.errorTracking.deleteClientKey(501, active.id);
    await window.states.reloadAll('sandbox', 501);
    await diagnostics.settled();
    assert.deepEqual(codes('active.yaml'), ['deletedKey']);
  });

  it('reports nothing about a key that the instance does not show', async () => {
    window.sandbox.control.transform({ answer: 500 });
    write('a.yaml', `dsn: ${deleted()}\n`);
    await scan();
    assert.deepEqual(codes('a.yaml'), []);
  });

  it('shows a DSN of another project than that of the repository', async () => {
    window.openRepository('harbor/tide-table', vscode.Uri.file(folder));
    const { client } = await window.connection();
    const other = (await allKeys(client, 504)).keys[0] ?? (await client.errorTracking.createClientKey(504));
    write('a.yaml', `dsn: ${other.tracker_dsn}\n`);
    write('b.yaml', `dsn: ${active.tracker_dsn}\n`);
    await scan();
    assert.deepEqual(codes('a.yaml'), ['wrongProject']);
    assert.match(
      diagnostics.of(uriOf('a.yaml'))[0]?.message ?? '',
      /^This DSN sends errors to harbor\/tools\/logbook, but this is the repository of harbor\/tide-table\.$/,
    );
    assert.deepEqual(codes('b.yaml'), []);
    assert.ok(ofOther());
  });

  it('examines so many DSNs of a file, and of all files, and says where it stops', async () => {
    const line = `init("${deleted()}")\n`;
    write('a.py', line.repeat(mostOfFile + 5));
    const incomplete = new Promise<boolean>((resolve) => {
      index.onDidChangeCompleteness(resolve);
    });
    await scan();
    const found = diagnostics.of(uriOf('a.py'));
    assert.equal(index.get(uriOf('a.py')).length, mostOfFile);
    const last = found.filter(({ code }) => code === 'notLookedAt');
    assert.deepEqual(
      last.map(({ range }) => range.start),
      [new vscode.Position(mostOfFile, 6)],
    );
    for (let file = 0; file <= mostOfAll / mostOfFile; file += 1) {
      write(`${file}.py`, line.repeat(mostOfFile));
    }
    index.rescan();
    assert.equal(await incomplete, false);
    await settled();
    assert.ok(index.all.reduce((sum, { dsns }) => sum + dsns.length, 0) <= mostOfAll);
    index.stop();
    assert.deepEqual(index.all, []);
    await diagnostics.settled();
    assert.deepEqual(diagnostics.of(uriOf('a.py')), []);
  });

  it('shows a DSN in code, signed in or not, and none in configuration', async () => {
    window.signedIn = false;
    write('main.py', `dsn = "${active.tracker_dsn}"\n`);
    write('a.yaml', `dsn: ${active.tracker_dsn}\n`);
    await scan();
    assert.deepEqual(codes('main.py'), ['hardCodedDsn']);
    assert.deepEqual(codes('a.yaml'), []);
  });

  it('shows problems as beacon.errorTracking.problems says, as soon as it is changed', async () => {
    const { Error, Information, Warning, Hint } = vscode.DiagnosticSeverity;
    const severities = () => diagnostics.of(uriOf('main.py')).map(({ severity }) => severity);
    const settings = new PersonalSettings();
    write('main.py', `dsn = "${deleted()}"\n`);
    await scan();
    assert.deepEqual(severities(), [Information, Error]);
    try {
      for (const [value, expected] of [
        ['warning', [Warning, Warning]],
        ['hint', [Hint, Hint]],
        ['off', []],
        ['automatic', [Information, Error]],
      ] as const) {
        const changed = new Promise<void>((resolve) => {
          const subscription = vscode.workspace.onDidChangeConfiguration(() => {
            subscription.dispose();
            resolve();
          });
        });
        await settings.set({ 'beacon.errorTracking.problems': value });
        await changed;
        await diagnostics.settled();
        assert.deepEqual(severities(), expected, value);
      }
    } finally {
      await settings.takeBack();
    }
  });

  describe('hovers', () => {
    let documents = 0;
    async function hover(text: string): Promise<string> {
      documents += 1;
      const path = `${documents}.yaml`;
      write(path, `dsn: ${text}\n`);
      const document = await vscode.workspace.openTextDocument(uriOf(path));
      const found = await new DsnHover(states).provideHover(document, new vscode.Position(0, 20));
      const [markdown] = (found?.contents ?? []) as vscode.MarkdownString[];
      assert.ok(!markdown?.isTrusted);
      return (markdown?.value ?? '').replaceAll('\\', '');
    }

    it('show project, key and state, with spaces at which lines break', async () => {
      const text = await hover(active.tracker_dsn);
      assert.match(text, /DSN of project harbor\/tide-table at 127\.0\.0\.1/);
      assert.match(text, /Client key glet_.* is active\./);
      assert.match(text, /Integrated error tracking is enabled/);
    });

    it('offer what can be done with the key by links that name it by numbers, and hold nothing that others wrote', async () => {
      await window.pin('harbor/tide-table');
      const links = async (text: string): Promise<readonly (readonly [string, unknown])[]> => {
        documents += 1;
        write(`${documents}.yaml`, `dsn: ${text}\n`);
        const document = await vscode.workspace.openTextDocument(uriOf(`${documents}.yaml`));
        const found = await new DsnHover(states).provideHover(document, new vscode.Position(0, 20));
        const [, trusted] = (found?.contents ?? []) as vscode.MarkdownString[];
        const markdown = trusted?.value ?? '';
        const all = [...markdown.matchAll(/\[[^\]]+\]\(command:([\w.]+)(?:\?([\w.~!*'%-]+))?\)/g)];
        assert.equal(all.map(([whole]) => whole).join(' · '), markdown, 'nothing but links');
        assert.deepEqual(
          typeof trusted?.isTrusted === 'object' ? trusted.isTrusted.enabledCommands : [],
          all.map(([, id]) => id),
        );
        return all.map(([, id = '', query = '%5B%5D']) => [id, JSON.parse(decodeURIComponent(query))]);
      };
      const target = ({ id, public_key }: ClientKeyRecord) => [
        { project: { accountId: window.account.id, idOrPath: 501 }, key: { id, public_key } },
      ];
      assert.deepEqual(await links(active.tracker_dsn), [
        ['beacon.errorTracking.copyDsn', target(active)],
        ['beacon.errorTracking.sendTestError', target(active)],
        ['beacon.errorTracking.rotateKey', target(active)],
      ]);
      assert.deepEqual(await links(inactive.tracker_dsn), [
        ['beacon.errorTracking.copyDsn', target(inactive)],
        ['beacon.errorTracking.sendTestError', target(inactive)],
        ['beacon.errorTracking.rotateKey', target(inactive)],
      ]);
      assert.deepEqual(await links(deleted()), []);
      // A token must not follow an address that a file names.
      assert.deepEqual(await links('https://glet_1@gitlab.example/errortracking/api/v1/projects/1'), [
        ['beacon.signIn', []],
      ]);
    });

    it('hold no link in text of the instance, whatever a project is called', async () => {
      const state = await states.of(findDsns(active.tracker_dsn)[0]?.dsn ?? assert.fail());
      assert.ok(state.kind === 'active');
      const path = 'a](command:beacon.errorTracking.deleteKey?%5B%5D) [b](command:workbench.action.quit';
      const accountId = 'x)](command:workbench.action.quit';
      const hostile = { ...state, facts: { ...state.facts, path }, project: { ...state.project, accountId } };
      write('hostile.yaml', `dsn: ${active.tracker_dsn}\n`);
      const document = await vscode.workspace.openTextDocument(uriOf('hostile.yaml'));
      const ofHostile = new DsnHover({
        of: async () => hostile,
        rightProjectFor: async () => undefined,
        accountLabel: () => 'x](command:y)',
      });
      const found = await ofHostile.provideHover(document, new vscode.Position(0, 20));
      const [text, trusted] = (found?.contents ?? []) as vscode.MarkdownString[];
      assert.ok(text && text.isTrusted !== true && typeof text.isTrusted !== 'object');
      const commandsIn = (markdown = ''): string[] =>
        [...markdown.matchAll(/(?<!\\)\]\(command:([\w.]+)/g)].map(([, id = '']) => id);
      assert.deepEqual(commandsIn(text.value), []);
      assert.deepEqual(commandsIn(trusted?.value), [
        'beacon.errorTracking.copyDsn',
        'beacon.errorTracking.sendTestError',
        'beacon.errorTracking.rotateKey',
      ]);
    });

    it('describe a deleted, an inactive and a foreign key', async () => {
      assert.match(await hover(deleted()), /is deleted: errors that are sent with it are lost/);
      const ofInactive = await hover(inactive.tracker_dsn);
      assert.match(ofInactive, /is inactive: errors that are sent with it are refused/);
      assert.doesNotMatch(ofInactive, /being received/);
      assert.match(
        await hover('https://glet_1@gitlab.example/errortracking/api/v1/projects/1'),
        /You are not signed in to that instance/,
      );
    });

    it('name the account that the commands use where there are several, and keep a shortened key on one line', async () => {
      assert.doesNotMatch(await hover(active.tracker_dsn), /account/);
      const { inUse, connections, projects } = window;
      const store = { all: ['marta', 'aiko'].map((name) => sampleAccount(name, 'https://gitlab.example')) };
      states = new DsnStates({ inUse, store, connections, states: window.states, projects });
      const text = await hover(active.tracker_dsn);
      assert.ok(text.endsWith(`The account here is ${accountLabel(window.account.id)}.`), text);
      assert.match(text, /glet_\w{4}…\u2060\w{4} /);
    });

    it('leave out what a problem says in the same hover', async () => {
      const { public_key: publicKey, id } = inactive;
      const problem = keyLabel('inactive', shortKey(publicKey), id);
      const problems = vscode.languages.createDiagnosticCollection('problems');
      problems.set(uriOf(`${documents + 1}.yaml`), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), problem)]);
      const text = await hover(inactive.tracker_dsn);
      problems.dispose();
      assert.match(text, /^DSN of project/);
      const said = problem.replace('…', '…\u2060');
      assert.ok(!text.includes(said));
      assert.ok((await hover(inactive.tracker_dsn)).includes(said));
    });

    it('explain a missing role', async () => {
      await window.close();
      window = await ErrorTrackingWindow.open('tomasz');
      const { inUse, connections, projects } = window;
      states = new DsnStates({ inUse, store: { all: [] }, connections, states: window.states, projects });
      const dsn = `${window.sandbox.url.replace('//', '//glet_1@')}/errortracking/api/v1/projects/501`;
      assert.match(await hover(dsn), /needs the role Maintainer or Owner/);
    });

    it('say nothing where there is no DSN', async () => {
      assert.equal(await hover('https://gitlab.example/nothing-to-see-here'), '');
    });
  });

  describe('quick fixes', () => {
    async function fixes(
      path: string,
      text: string,
    ): Promise<{ document: vscode.TextDocument; actions: vscode.CodeAction[] }> {
      write(path, text);
      await scan();
      const document = await vscode.workspace.openTextDocument(uriOf(path));
      const shown = diagnostics.of(document.uri);
      const actions = await new DsnQuickFixes(states).provideCodeActions(document, new vscode.Range(0, 0, 0, 0), {
        diagnostics: shown,
        only: undefined,
        triggerKind: vscode.CodeActionTriggerKind.Invoke,
      });
      return { document, actions };
    }

    for (const [name, dsn] of [
      ['a deleted key', () => deleted()],
      ['an inactive key', () => inactive.tracker_dsn],
    ] as const) {
      it(`put the DSN of an active key in the place of ${name}`, async () => {
        const { document, actions } = await fixes('a.yaml', `dsn: "${dsn()}"\n`);
        assert.equal(actions.length, 1);
        assert.match(actions[0]?.title ?? '', /^Use the DSN of client key glet_.* of harbor\/tide-table$/);
        assert.equal(actions[0]?.isPreferred, true);
        assert.ok(actions[0]?.edit && (await vscode.workspace.applyEdit(actions[0].edit)));
        assert.equal(document.getText(), `dsn: "${active.tracker_dsn}"\n`);
        await settled();
        assert.deepEqual(codes('a.yaml'), []);
      });
    }

    it('make a key where none is active', async () => {
      window.sandbox.control.deactivateKey(active.id);
      const { actions } = await fixes('a.yaml', `dsn: ${deleted()}\n`);
      assert.deepEqual(
        actions.map(({ title, command }) => [title, command?.command]),
        [['Create a client key for harbor/tide-table', 'beacon.errorTracking.createKey']],
      );
    });

    it('put in the DSN of the right project', async () => {
      window.openRepository('harbor/tide-table', vscode.Uri.file(folder));
      const { client } = await window.connection();
      const other = (await allKeys(client, 504)).keys[0] ?? (await client.errorTracking.createClientKey(504));
      const { document, actions } = await fixes('a.yaml', `dsn: ${other.tracker_dsn}\n`);
      assert.ok(actions[0]?.edit && (await vscode.workspace.applyEdit(actions[0].edit)));
      assert.equal(document.getText(), `dsn: ${active.tracker_dsn}\n`);
    });

    const dsnFixes = () => new DsnFixes(new GitIgnoring(files, window.dialogs), window.dialogs, states);

    it('move a DSN from code into the environment', async () => {
      const { document, actions } = await fixes('main.py', `init("${active.tracker_dsn}")\n`);
      const [{ command } = {}] = actions;
      assert.equal(command?.command, 'beacon.errorTracking.moveToEnvironment');
      const [uri, range] = command.arguments as [vscode.Uri, vscode.Range];
      await dsnFixes().move(uri, range);
      assert.equal(document.getText(), 'import os\n\ninit(os.environ["SENTRY_DSN"])\n');
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `SENTRY_DSN=${active.tracker_dsn}\n`);
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /SENTRY_DSN is in .*\.env\. .* by python-dotenv\.$/);
    });

    it('ask before they move a DSN to where that of another key is', async () => {
      const other = await (await window.connection()).client.errorTracking.createClientKey(501);
      writeFileSync(join(folder, '.env'), `SENTRY_DSN=${other.tracker_dsn}\n`);
      const { document, actions } = await fixes('main.py', `init("${active.tracker_dsn}")\n`);
      const [{ command } = {}] = actions;
      assert.ok(command);
      const [uri, range] = command.arguments as [vscode.Uri, vscode.Range];
      window.dialogs.confirms = false;
      await dsnFixes().move(uri, range);
      assert.match(
        window.dialogs.asked[0]?.detail ?? '',
        /^Before: DSN of project .*, with client key glet_.*\n\nAfter: DSN of project .*, with client key glet_/,
      );
      assert.equal(document.getText(), `init("${active.tracker_dsn}")\n`);
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `SENTRY_DSN=${other.tracker_dsn}\n`);
    });

    it('change nothing in code that has changed while the user was asked', async () => {
      const other = await (await window.connection()).client.errorTracking.createClientKey(501);
      writeFileSync(join(folder, '.env'), `SENTRY_DSN=${other.tracker_dsn}\n`);
      const { document, actions } = await fixes('main.py', `init("${active.tracker_dsn}")\n`);
      const command = actions[0]?.command;
      assert.ok(command);
      const [uri, range] = command.arguments as [vscode.Uri, vscode.Range];
      window.dialogs.confirm = async () => {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(uri, new vscode.Position(0, 0), '# 1\n');
        return await vscode.workspace.applyEdit(edit);
      };
      await dsnFixes().move(uri, range);
      assert.equal(document.getText(), `# 1\ninit("${active.tracker_dsn}")\n`);
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `SENTRY_DSN=${other.tracker_dsn}\n`);
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /^The DSN is no longer there/);
    });

    for (const [name, dsn] of [
      ['inactive', () => inactive.tracker_dsn],
      ['deleted', () => deleted()],
    ] as const) {
      it(`keep a DSN in the env file that takes errors where that of the code has a key that is ${name}`, async () => {
        writeFileSync(join(folder, '.env'), `SENTRY_DSN=${active.tracker_dsn}\n`);
        const { document, actions } = await fixes('main.py', `init("${dsn()}")\n`);
        const command = actions.find((one) => one.command)?.command;
        assert.ok(command);
        const [uri, range] = command.arguments as [vscode.Uri, vscode.Range];
        await dsnFixes().move(uri, range);
        assert.deepEqual(window.dialogs.asked, []);
        assert.equal(document.getText(), 'import os\n\ninit(os.environ["SENTRY_DSN"])\n');
        assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `SENTRY_DSN=${active.tracker_dsn}\n`);
        const [message] = window.dialogs.messages;
        assert.match(
          message?.sentence ?? '',
          /It keeps the DSN of client key glet_.*: errors with that of the code are refused\.$/,
        );
        assert.deepEqual(message?.buttons, []);
      });
    }

    it('ask before they write through a link that leads out of the workspace', async () => {
      const outside = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-lens-outside-')));
      try {
        for (const [name, text] of [
          ['a.yaml', `dsn: "${inactive.tracker_dsn}"\n`],
          ['main.py', `init("${active.tracker_dsn}")\n`],
        ] as const) {
          writeFileSync(join(outside, name), text);
          symlinkSync(join(outside, name), join(folder, name));
          await scan();
          index.rescan();
          await settled();
          const document = await vscode.workspace.openTextDocument(uriOf(name));
          const [action] = await new DsnQuickFixes(states).provideCodeActions(document, new vscode.Range(0, 0, 0, 0), {
            diagnostics: diagnostics.of(document.uri),
            only: undefined,
            triggerKind: vscode.CodeActionTriggerKind.Invoke,
          });
          assert.equal(action?.edit, undefined, name);
          const fixesNow = dsnFixes();
          const run = fixesNow.commands[action?.command?.command as keyof typeof fixesNow.commands];
          window.dialogs.confirms = false;
          await run(...(action?.command?.arguments as [vscode.Uri, vscode.Range, string]));
          assert.ok(window.dialogs.asked.at(-1)?.detail.includes(join(outside, name)));
          assert.equal(document.getText(), text);
          window.dialogs.confirms = true;
          await run(...(action?.command?.arguments as [vscode.Uri, vscode.Range, string]));
          assert.notEqual(document.getText(), text);
        }
      } finally {
        await vscode.workspace.saveAll();
      }
    });

    it('leave a DSN that is part of a longer string', async () => {
      const { actions } = await fixes('main.py', `init("dsn=${active.tracker_dsn}")\n`);
      assert.deepEqual(actions, []);
    });
  });
});
