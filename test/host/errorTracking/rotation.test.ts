import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Client } from '../../../src/api/client.ts';
import type { ClientKeyRecord } from '../../../src/api/errorTracking.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import {
  applyPreviewed,
  replacementEdit,
  replaceUsages,
  Rotation,
  type RotationOutcome,
  type RotationPorts,
} from '../../../src/errorTracking/rotation/rotation.ts';
import { shortKey } from '../../../src/errorTracking/dsn.ts';
import { saveDocument } from '../../../src/errorTracking/insertion/workspaceEdits.ts';
import type { ErrorTrackingNode } from '../../../src/errorTracking/errorTrackingTree.ts';
import { RotationCommands } from '../../../src/errorTracking/rotation/rotationCommands.ts';
import { RotationJournal } from '../../../src/errorTracking/rotation/rotationJournal.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import { type DsnUsage, type KeyPlaces, UsageSearch } from '../../../src/errorTracking/usages.ts';
import { WorkspaceFiles } from '../../../src/workspace/files.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { replacedIn } from '../../support/answeredInputs.ts';
import { MemoryMemento } from '../../support/editorState.ts';
import { ErrorTrackingWindow, placesOf } from '../../support/errorTrackingWindow.ts';
import { truncated } from '../../support/sandbox/transforms.ts';

const tideTable = 501;
const uri = vscode.Uri.file('/repositories/0/.env');
const range = new vscode.Range(0, 0, 0, 1);

class Killed extends Error {}

/** An editor that a rotation runs in, over what survives it: the files, the journal and the instance. */
class Editor {
  readonly #client: Client;
  readonly #world: World;
  /** The effects that are let happen before the editor is killed. */
  #effectsLeft: number;
  /** Whether the last effect happens before the editor is killed, or does not. */
  readonly #lastHappens: boolean;
  readonly effects: string[] = [];
  answers = { replace: true, confirmDeletion: true };
  /** What happens while the user looks at the preview, and at the question before the old key is deleted. */
  meanwhile: Partial<Record<'replace' | 'confirmDeletion', () => Promise<void>>> = {};
  readonly shown: KeyPlaces[] = [];

  constructor(world: World, client: Client, effectsLeft = Infinity, lastHappens = true) {
    this.#world = world;
    this.#client = client;
    this.#effectsLeft = effectsLeft;
    this.#lastHappens = lastHappens;
  }

  async #effect<T>(name: string, run: () => Promise<T>): Promise<T> {
    this.#effectsLeft -= 1;
    if (this.#effectsLeft < 0 || (this.#effectsLeft === 0 && !this.#lastHappens)) {
      throw new Killed();
    }
    this.effects.push(name);
    const result = await run();
    if (this.#effectsLeft === 0) {
      throw new Killed();
    }
    return result;
  }

  get ports(): RotationPorts {
    const { errorTracking } = this.#client;
    const client = {
      ...this.#client,
      errorTracking: {
        clientKeys: errorTracking.clientKeys.bind(errorTracking),
        createClientKey: (id: number) => this.#effect('POST', () => errorTracking.createClientKey(id)),
        deleteClientKey: (id: number, key: number) =>
          this.#effect('DELETE', () => errorTracking.deleteClientKey(id, key)),
      },
    } as unknown as Client;
    const memento: vscode.Memento = {
      keys: () => this.#world.memento.keys(),
      get: <T>(key: string) => this.#world.memento.get<T>(key) as T,
      update: (key, value) => this.#effect('journal', () => this.#world.memento.update(key, value)),
    };
    return {
      journal: new RotationJournal(memento),
      client: async () => client,
      findUsages: async (publicKey) => placesOf(this.#world.usagesOf(publicKey)),
      replace: (usages, { dsn }) =>
        this.#effect('replace', async () => {
          await this.meanwhile.replace?.();
          if (this.answers.replace) {
            this.#world.files = this.#world.files.map((text) =>
              usages.some((usage) => usage.text === text) ? dsn : text,
            );
          }
          return this.answers.replace;
        }),
      confirmDeletion: async (_, remaining) => {
        this.shown.push(remaining);
        await this.meanwhile.confirmDeletion?.();
        return this.answers.confirmDeletion;
      },
      chooseNewKey: async (keys) => keys.at(-1),
    };
  }
}

/** What survives an editor that is killed. */
class World {
  readonly memento = new MemoryMemento();
  /** Each holds a DSN. */
  files: string[] = [];

  usagesOf(publicKey: string): DsnUsage[] {
    return this.files.filter((text) => text.includes(publicKey)).map((text) => ({ uri, line: 0, range, text }));
  }
}

/**
 * What the preview of a replacement says of each place: the editor takes it with the edit, and gives it to nobody. It is shown for an edit
 * that needs confirmation, and selects those that need none.
 */
function previewed(...args: Parameters<typeof replacementEdit>): (string | undefined)[][] {
  const edits = vscode.WorkspaceEdit.prototype;
  const replace = Reflect.get(edits, 'replace');
  const create = Reflect.get(edits, 'createFile');
  const said: (string | undefined)[][] = [];
  const shownFor: string[] = [];
  edits.replace = function record(...given): void {
    const [, , , metadata] = given;
    assert.equal(metadata?.needsConfirmation, false);
    said.push([metadata.label, metadata.description]);
    replace.apply(this, given);
  };
  edits.createFile = function record(...given): void {
    const [file, options, metadata] = given;
    assert.deepEqual([options, metadata?.needsConfirmation], [{ ignoreIfExists: true }, true]);
    shownFor.push(file.toString());
    create.apply(this, given);
  };
  try {
    replacementEdit(...args);
  } finally {
    edits.replace = replace;
    edits.createFile = create;
  }
  assert.deepEqual(shownFor, [args[0][0]?.uri.toString()]);
  return said;
}

describe('the rotation of a client key', () => {
  let window: ErrorTrackingWindow;
  let client: Client;
  let world: World;
  let old: ClientKeyRecord;
  const place = { accountId: 'sandbox', projectId: tideTable, path: 'harbor/tide-table' };

  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
    ({ client } = await window.connection());
    world = new World();
    const [key] = await keys();
    assert.ok(key?.active);
    old = key;
    world.files = [old.tracker_dsn, old.tracker_dsn];
  });
  afterEach(() => window.close());

  const keys = async () => (await allKeys(client, tideTable)).keys;
  const journal = () => new RotationJournal(world.memento);

  async function assertFilesHaveValidDsn(): Promise<void> {
    const active = (await keys()).filter((key) => key.active).map((key) => key.tracker_dsn);
    for (const text of world.files) {
      assert.ok(active.includes(text), 'the program has a valid key');
    }
  }

  async function assertDone(made = 1): Promise<void> {
    const active = (await keys()).filter((key) => key.active);
    assert.equal(active.length, made);
    assert.ok(!active.some(({ id }) => id === old.id), 'the old key is gone');
    assert.deepEqual(new Set(world.files).size, 1);
    await assertFilesHaveValidDsn();
    assert.deepEqual(journal().all, []);
  }

  it('makes a key, replaces the DSN, and deletes the old key last', async () => {
    const editor = new Editor(world, client);
    assert.equal(await new Rotation(editor.ports).begin(place, old), 'done');
    await assertDone();
    assert.deepEqual(editor.effects, ['journal', 'POST', 'journal', 'replace', 'journal', 'DELETE', 'journal']);
  });

  const effects = ['journal', 'POST', 'journal', 'replace', 'journal', 'DELETE', 'journal'];
  for (const [index, effect] of effects.entries()) {
    for (const happens of [false, true]) {
      it(`is consistent when killed ${happens ? 'after' : 'before'} step ${index + 1} (${effect}), and ends when it goes on`, async () => {
        const killed = new Editor(world, client, index + 1, happens);
        await assert.rejects(new Rotation(killed.ports).begin(place, old), Killed);
        await assertFilesHaveValidDsn();
        assert.ok((await keys()).length <= 3, 'no more than one key was made');

        const restarted = new Editor(world, client);
        const [record] = journal().all;
        let outcome: RotationOutcome | undefined;
        if (record) {
          outcome = await new Rotation(restarted.ports).resume(record);
        }
        await assertFilesHaveValidDsn();
        if (outcome === 'nothingMade' || (index === 0 && !happens)) {
          assert.ok(index <= 1, 'only before the key was made');
          assert.deepEqual(journal().all, []);
          assert.equal((await keys()).length, 2);
          assert.equal(await new Rotation(new Editor(world, client).ports).begin(place, old), 'done');
        }
        await assertDone();
      });
    }
  }

  it('is consistent when killed again while it goes on', async () => {
    await assert.rejects(new Rotation(new Editor(world, client, 2).ports).begin(place, old), Killed);
    for (let steps = 1; journal().all.length > 0; steps += 1) {
      const [record] = journal().all;
      assert.ok(record && steps < 10);
      await new Rotation(new Editor(world, client, steps).ports).resume(record).catch((error: unknown) => {
        assert.ok(error instanceof Killed);
      });
      await assertFilesHaveValidDsn();
    }
    await assertDone();
  });

  it('waits with both keys when the preview is discarded, and goes on later', async () => {
    const editor = new Editor(world, client);
    editor.answers.replace = false;
    assert.equal(await new Rotation(editor.ports).begin(place, old), 'nothingReplaced');
    assert.equal((await keys()).filter(({ active }) => active).length, 2);
    await assertFilesHaveValidDsn();
    const [record] = journal().all;
    assert.equal(record?.step, 'created');
    assert.equal(await new Rotation(new Editor(world, client).ports).resume(record), 'done');
    await assertDone();
  });

  it('keeps the old key when no file uses it and the user does not want it deleted', async () => {
    world.files = [];
    const editor = new Editor(world, client);
    editor.answers.confirmDeletion = false;
    assert.equal(await new Rotation(editor.ports).begin(place, old), 'waiting');
    assert.ok((await keys()).some(({ id }) => id === old.id));
  });

  it('keeps the old key when the new one is gone', async () => {
    await assert.rejects(new Rotation(new Editor(world, client, 3).ports).begin(place, old), Killed);
    const [record] = journal().all;
    assert.ok(record?.step === 'created');
    await client.errorTracking.deleteClientKey(tideTable, record.newKey.id);
    assert.equal(await new Rotation(new Editor(world, client).ports).resume(record), 'newKeyLost');
    await assertFilesHaveValidDsn();
    assert.deepEqual(journal().all, []);
  });

  it('asks before it deletes when an undo has brought the old DSN back meanwhile', async () => {
    await assert.rejects(new Rotation(new Editor(world, client, 5).ports).begin(place, old), Killed);
    const [record] = journal().all;
    assert.ok(record?.step === 'replaced');
    world.files = [old.tracker_dsn];
    const editor = new Editor(world, client);
    editor.answers.confirmDeletion = false;
    editor.answers.replace = false;
    assert.equal(await new Rotation(editor.ports).resume(record), 'nothingReplaced');
    await assertFilesHaveValidDsn();
    assert.equal(journal().all[0]?.step, 'created');
  });

  for (const open of ['replace', 'confirmDeletion'] as const) {
    it(`keeps the old key when the new one is deleted while ${open === 'replace' ? 'the preview' : 'the question'} is open`, async () => {
      const editor = new Editor(world, client);
      editor.meanwhile[open] = async () => {
        const made = (await keys()).find((key) => key.active && key.id !== old.id);
        if (made) {
          await client.errorTracking.deleteClientKey(tideTable, made.id);
        }
      };
      assert.equal(await new Rotation(editor.ports).begin(place, old), 'newKeyLost');
      assert.ok((await keys()).some(({ id, active }) => id === old.id && active));
    });
  }

  it('keeps the old key unless the user says delete, also where every place has the new one', async () => {
    const editor = new Editor(world, client);
    editor.answers.confirmDeletion = false;
    assert.equal(await new Rotation(editor.ports).begin(place, old), 'waiting');
    assert.deepEqual(editor.shown, [placesOf()]);
    assert.ok((await keys()).some(({ id }) => id === old.id));
    await assertFilesHaveValidDsn();
  });

  it('asks once more when a file uses the old key by the time of the answer', async () => {
    const editor = new Editor(world, client);
    editor.meanwhile.confirmDeletion = async () => {
      editor.answers.confirmDeletion = editor.shown.length === 1;
      world.files.push(old.tracker_dsn);
    };
    assert.equal(await new Rotation(editor.ports).begin(place, old), 'waiting');
    assert.deepEqual(
      editor.shown.map(({ dsns }) => dsns.length),
      [0, 1],
    );
    assert.ok((await keys()).some(({ id }) => id === old.id));
  });

  it('makes one key when the answer is cut off, and goes on with it', async () => {
    window.sandbox.control.transform({ answer: truncated, method: 'POST' });
    assert.equal(await new Rotation(new Editor(world, client).ports).begin(place, old), 'done');
    await assertDone();
  });

  it('does nothing and leaves no journal when the instance refuses', async () => {
    window.sandbox.control.transform({ answer: 403, method: 'POST' });
    await assert.rejects(new Rotation(new Editor(world, client).ports).begin(place, old), /role/);
    assert.deepEqual(journal().all, []);
    await assertFilesHaveValidDsn();
  });

  it('shows every replacement in the preview', () => {
    const usages = [{ uri, line: 0, range, text: old.tracker_dsn }];
    const edit = replacementEdit(usages, { id: 1, publicKey: 'glet_new', dsn: 'https://new' });
    assert.deepEqual(
      edit.entries().map(([file, [change]]) => [file.path, change?.newText]),
      [['/repositories/0/.env', 'https://new']],
    );
  });

  it('replaces the key alone where nothing else differs, so that the preview shows both', () => {
    const text = old.tracker_dsn;
    const usages = [{ uri, line: 0, range: new vscode.Range(0, 4, 0, 4 + text.length), text }];
    const newKey = { id: 1, publicKey: 'glet_new', dsn: text.replace(old.public_key, 'glet_new') };
    const [[, [change]] = [uri, []]] = replacementEdit(usages, newKey).entries();
    const start = 4 + text.indexOf(old.public_key);
    assert.deepEqual(
      [change?.newText, change?.range],
      ['glet_new', new vscode.Range(0, start, 0, start + old.public_key.length)],
    );
  });

  it('writes a DSN as it is escaped where it replaces one', () => {
    const [written, fresh] = [
      old.tracker_dsn,
      'https://glet_new@other.example:8443/errortracking/api/v1/projects/1',
    ].map((text) => text.replaceAll('/', String.raw`\/`));
    assert.ok(written !== undefined);
    const newKey = { id: 1, publicKey: 'glet_new', dsn: (fresh ?? '').replaceAll('\\', '') };
    const [[, [change]] = [uri, []]] = replacementEdit([{ uri, line: 0, range, text: written }], newKey).entries();
    assert.equal(change?.newText, fresh);
  });

  it('leaves places that have changed since they were found', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-rotation-')));
    const places = ['moved.env', 'rewritten.env'].map((name) => {
      const file = vscode.Uri.file(join(folder, name));
      writeFileSync(file.fsPath, `DSN=${old.tracker_dsn}\n`);
      return {
        uri: file,
        line: 0,
        range: new vscode.Range(0, 4, 0, 4 + old.tracker_dsn.length),
        text: old.tracker_dsn,
      };
    });
    const [moved, rewritten] = places.map(({ uri: file }) => file);
    assert.ok(moved && rewritten);
    writeFileSync(moved.fsPath, `# mine\nDSN=${old.tracker_dsn}\n`);
    // The editor does not watch a file that it does not show, and does not know of this.
    await vscode.workspace.openTextDocument(rewritten);
    writeFileSync(rewritten.fsPath, `DSN=${old.tracker_dsn}\nMORE=1\n`);
    const newKey = { id: 1, publicKey: 'glet_new', dsn: old.tracker_dsn.replace(old.public_key, 'glet_new') };
    assert.equal(await replaceUsages(places, newKey, window.dialogs), false);
    assert.equal(readFileSync(moved.fsPath, 'utf8'), `# mine\nDSN=${old.tracker_dsn}\n`);
    assert.equal(readFileSync(rewritten.fsPath, 'utf8'), `DSN=${old.tracker_dsn}\nMORE=1\n`);
  });

  it('asks before it writes to a link that leads out of the workspace, and names where it leads in the preview', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-rotation-')));
    const outside = join(folder, 'outside.env');
    mkdirSync(join(folder, 'inside'));
    writeFileSync(outside, `DSN=${old.tracker_dsn}\n`);
    const link = vscode.Uri.file(join(folder, 'inside', '.env'));
    symlinkSync(outside, link.fsPath);
    const place = new vscode.Range(0, 4, 0, 4 + old.tracker_dsn.length);
    const usages = [{ uri: link, line: 0, range: place, text: old.tracker_dsn }];
    window.dialogs.confirms = false;
    const newKey = { id: 1, publicKey: 'glet_new', dsn: 'https://new' };
    const labels = new Map([[link.toString(), `${outside}\u202e\n[x](command:y)`]]);
    assert.deepEqual(previewed(usages, newKey), [['Replace DSN', 'with the DSN of client key glet_new']]);
    assert.deepEqual(previewed(usages, newKey, labels), [
      [`Replace DSN in the target of a link, ${outside} [x](command:y)`, 'with the DSN of client key glet_new'],
    ]);
    assert.equal(await replaceUsages(usages, newKey, window.dialogs), false);
    assert.match(window.dialogs.asked[0]?.question ?? '', /outside of the workspace/);
    assert.ok(window.dialogs.asked[0]?.detail.includes(outside));
    assert.equal(readFileSync(outside, 'utf8'), `DSN=${old.tracker_dsn}\n`);
  });

  it('saves a file also while auto save is at it and has every other save refused', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-rotation-')));
    const file = vscode.Uri.file(join(folder, '.env'));
    writeFileSync(file.fsPath, 'A=1\n');
    const document = await vscode.workspace.openTextDocument(file);
    const change = new vscode.WorkspaceEdit();
    change.insert(file, new vscode.Position(0, 0), 'B=2\n');
    assert.ok(await vscode.workspace.applyEdit(change));
    const refused = { uri: file, isDirty: true, save: async () => false };
    const saved = saveDocument(refused, 60_000);
    await document.save();
    assert.equal(await saved, true);
    assert.equal(readFileSync(file.fsPath, 'utf8'), 'B=2\nA=1\n');
    assert.equal(await saveDocument(refused, 0), false, 'such as on a full disk');
    assert.equal(await saveDocument({ ...refused, isDirty: false }), true);
    let asked = 0;
    assert.equal(await saveDocument({ ...refused, save: async () => (asked += 1) > 1 }, 0), true);
  });

  it('leaves a file whose new DSN cannot be saved among those that have the old one', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-rotation-')));
    const files = vscode.workspace.getConfiguration('files');
    try {
      const [locked, free] = ['locked.env', 'free.env'].map((name) => vscode.Uri.file(join(folder, name)));
      assert.ok(locked && free);
      [locked, free].forEach(({ fsPath }) => writeFileSync(fsPath, `DSN=${old.tracker_dsn}\r\n`));
      await files.update('readonlyInclude', { '**/locked.env': true }, vscode.ConfigurationTarget.Global);
      const edit = (...uris: vscode.Uri[]) => {
        const changes = new vscode.WorkspaceEdit();
        const place = new vscode.Range(0, 4, 0, 4 + old.tracker_dsn.length);
        uris.forEach((file) => changes.replace(file, place, 'https://new'));
        return changes;
      };
      assert.equal(await applyPreviewed(edit(free)), true);
      assert.equal(readFileSync(free.fsPath, 'utf8'), 'DSN=https://new\r\n');
      const legacy = vscode.Uri.file(join(folder, 'legacy.php'));
      writeFileSync(legacy.fsPath, `DSN=${old.tracker_dsn} // Schlüssel\n`, 'latin1');
      assert.equal(await applyPreviewed(edit(legacy)), true);
      assert.equal(readFileSync(legacy.fsPath, 'latin1'), 'DSN=https://new // Schlüssel\n', 'whatever its encoding is');
      await vscode.window.showTextDocument(locked);
      await applyPreviewed(edit(locked));
      assert.equal(readFileSync(locked.fsPath, 'utf8'), `DSN=${old.tracker_dsn}\r\n`);
      const within = { read: () => new WorkspaceFiles().read({ include: new vscode.RelativePattern(folder, '*') }) };
      const { dsns } = await new UsageSearch(within).find(old.public_key);
      assert.ok(dsns.some((usage) => usage.uri.fsPath === locked.fsPath));
    } finally {
      await files.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  describe('as a command', () => {
    let commands: RotationCommands;
    /** The commands of a window whose tree shows the rotations. */
    const inWindow = (uses: readonly DsnUsage[] = [], byHand: readonly DsnUsage[] = []): RotationCommands =>
      new RotationCommands({
        ...{ targets: window.targets, states: window.states, dialogs: window.dialogs, journal: window.journal },
        usages: { find: async () => placesOf(uses, { byHand }) },
        client: async () => client,
      });
    beforeEach(() => {
      commands = new RotationCommands({
        targets: window.targets,
        states: window.states,
        usages: { find: async () => placesOf() },
        dialogs: window.dialogs,
        journal: journal(),
        client: async () => client,
      });
    });

    it('describes all of its steps before anything is created', async () => {
      const project = await window.pin('harbor/tide-table');
      window.dialogs.confirms = false;
      await commands.rotate({ project, key: old });
      assert.match(
        window.dialogs.asked[0]?.detail ?? '',
        /1\. A new.*2\. Its DSN.*3\. Client key .* stays until you say that it is to be deleted/s,
      );
      assert.ok(window.dialogs.asked[0]?.detail.includes(old.public_key));
      assert.equal((await keys()).length, 2);
    });

    it('names what is to be changed by hand before it begins, with the default that keeps the old key, and after', async () => {
      const project = await window.pin('harbor/tide-table');
      const split = [{ uri: vscode.Uri.file('/repositories/0/settings.py'), line: 4, range, text: old.public_key }];
      window.dialogs.onConfirm = async () => {
        window.dialogs.confirms = window.dialogs.asked.length === 1;
      };
      await inWindow([], split).rotate({ project, key: old });
      const [first, second] = window.dialogs.asked;
      assert.match(
        first?.detail ?? '',
        /^To be changed by hand, because no whole DSN stands there:\n.*settings\.py:5$/m,
      );
      assert.match(second?.detail ?? '', /^It is used in 1 place of this workspace:\n.*settings\.py:5$/m);
      assert.deepEqual([second?.keep, second?.verb], ['Keep It Until Deployed', 'Delete Old Key']);
      assert.ok((await keys()).some(({ id }) => id === old.id));
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /To be changed by hand.*settings\.py:5/s);
    });

    it('replaces an inactive key that it was chosen on, and says that errors with it are refused', async () => {
      const project = await window.pin('harbor/tide-table');
      const key = (await keys()).find(({ active }) => !active);
      assert.ok(key);
      await commands.rotate({ project, key });
      assert.match(window.dialogs.asked[0]?.detail ?? '', /is inactive: errors that are sent with it are refused\.$/);
      const now = await keys();
      assert.deepEqual([now.length, now.some(({ id }) => id === key.id)], [2, false]);
      assert.equal(
        window.dialogs.asked[0]?.question,
        `Rotate client key ${shortKey(key.public_key)} of ${project.path}?`,
      );
    });

    it('offers no inactive key where none was chosen', async () => {
      await window.pin('harbor/tide-table');
      window.dialogs.confirms = false;
      await commands.rotate();
      assert.deepEqual(window.dialogs.offered, []);
      assert.match(window.dialogs.asked[0]?.question ?? '', new RegExp(shortKey(old.public_key)));
    });

    it('names the account of an interrupted rotation, and of one that has ended, where there are several', async () => {
      window.accounts.all.push(sampleAccount('ada', 'https://one.example'), sampleAccount('bo', 'https://two.example'));
      await assert.rejects(new Rotation(new Editor(world, client, 3).ports).begin(place, old), Killed);
      commands.notifyInterrupted();
      const [record] = journal().all;
      assert.ok(record);
      await journal().remove(record);
      await window.dialogs.messages[0]?.press('Continue Key Rotation…');
      const [interrupted, ended] = window.dialogs.messages.map(({ sentence }) => sentence);
      assert.match(interrupted ?? '', /was interrupted\. · Account: /);
      assert.match(ended ?? '', /has ended\. · Account: /);
    });

    it('shows at the start which rotation was interrupted, with its actions', async () => {
      await assert.rejects(new Rotation(new Editor(world, client, 3).ports).begin(place, old), Killed);
      commands.notifyInterrupted();
      assert.match(
        window.dialogs.messages[0]?.sentence ?? '',
        /The rotation of client key glet_.* of harbor\/tide-table was interrupted\./,
      );
      assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Continue Key Rotation…', 'Cancel Key Rotation…']);
      window.dialogs.choices = [/Keep Both Keys/];
      await window.dialogs.messages[0]?.press('Cancel Key Rotation…');
      assert.deepEqual(journal().all, []);
    });

    /** A rotation of which both keys are there. */
    async function interrupt(): Promise<void> {
      await assert.rejects(new Rotation(new Editor(world, client, 3).ports).begin(place, old), Killed);
      const [record] = journal().all;
      assert.ok(record);
      await window.journal.put(record);
    }

    it('is a row while it is under way, in the place of the old key, with what continues and cancels it', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const record = window.journal.all[0];
      assert.ok(record?.step === 'created');
      const node = (await window.nodes(project)).find((one) => one.kind === 'key' && one.key.id === old.id);
      assert.ok(node);
      const item = window.tree.getTreeItem(node);
      const newName = shortKey(record.newKey.publicKey);
      assert.equal(item.description, `rotation to ${newName} under way`);
      assert.equal(item.contextValue, 'key+active+rotation');
      assert.equal(
        item.accessibilityInformation?.label,
        `Client key ${shortKey(old.public_key)}, active, rotation to ${newName} under way`,
      );
      // Deleted elsewhere, or by this rotation before the editor was killed.
      await client.errorTracking.deleteClientKey(tideTable, old.id);
      await window.states.reload(project);
      const rest = (await window.nodes(project)).find(({ kind }) => kind === 'rotation');
      assert.ok(rest);
      assert.equal(window.tree.getTreeItem(rest).contextValue, 'rotation');
      window.sandbox.control.transform({ answer: 503 });
      window.states.clear();
      assert.ok(
        (await window.nodes(project)).some(({ kind }) => kind === 'rotation'),
        'also where the keys cannot be read',
      );
    });

    it('updates its row with each step', async () => {
      const project = await window.pin('harbor/tide-table');
      await window.nodes(project);
      let updates = 0;
      window.tree.onDidChangeTreeData(() => (updates += 1));
      await interrupt();
      assert.ok(updates > 0);
      const before = updates;
      await window.journal.remove({ ...place, oldKey: { id: old.id, publicKey: '', dsn: '' } });
      assert.ok(updates > before);
    });

    /** The row of the rotation in the place of its old key. */
    async function rotationRow(project: TrackedProject): Promise<ErrorTrackingNode | undefined> {
      return (await window.nodes(project)).find((one) => one.kind === 'key' && one.key.id === old.id);
    }

    it('is canceled after naming the keys that stay, and deletes nothing', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const own = inWindow();
      const node = await rotationRow(project);
      await own.cancel(node);
      assert.equal(
        window.dialogs.headings[0]?.[0],
        `Cancel Key Rotation: ${shortKey(old.public_key)}, harbor/tide-table`,
      );
      assert.deepEqual(window.dialogs.offered[0], ['Keep Both Keys', 'Delete New Key and Keep Old One…']);
      assert.match(window.dialogs.details[0]?.[0] ?? '', /^Nothing is deleted: glet_.* and glet_.* stay\.$/);
      assert.equal(window.journal.all.length, 1, 'nothing was chosen');
      window.dialogs.choices = [/Keep Both Keys/];
      await own.cancel(node);
      assert.deepEqual(window.journal.all, []);
      assert.equal((await keys()).length, 3);
    });

    it('is canceled by deleting the new key, after saying which key goes, which stays, and which files lose theirs', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const [record] = window.journal.all;
      assert.ok(record?.step === 'created');
      const [newName, oldName] = [shortKey(record.newKey.publicKey), shortKey(old.public_key)];
      const file = vscode.Uri.file('/repositories/0/.env');
      const own = inWindow([{ uri: file, line: 0, range, text: record.newKey.dsn }]);
      const node = await rotationRow(project);
      window.dialogs.confirms = false;
      window.dialogs.choices = [/Delete New Key/, /Delete New Key/];
      await own.cancel(node);
      assert.equal(window.dialogs.details[0]?.[1], `Client key ${newName} is deleted, ${oldName} stays.`);
      const [{ question, detail, verb } = { question: '', detail: '', verb: '' }] = window.dialogs.asked;
      assert.equal(question, `Delete the new client key ${newName} of harbor/tide-table?`);
      assert.ok(detail.startsWith(`The old client key ${oldName} stays, and the rotation ends.`));
      assert.match(detail, /\.env:1/);
      assert.equal(verb, 'Delete New Key and Keep Old One');
      assert.equal((await keys()).length, 3);
      assert.equal(window.journal.all.length, 1, 'it was not confirmed');
      window.dialogs.confirms = true;
      await own.cancel(node);
      assert.deepEqual(window.journal.all, []);
      const ids = (await keys()).map(({ id }) => id);
      assert.ok(ids.includes(old.id) && !ids.includes(record.newKey.id));
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /was deleted\. The old one is kept\.$/);
    });

    it('does not delete the new key once the old one is gone', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const [record] = window.journal.all;
      assert.ok(record?.step === 'created');
      await client.errorTracking.deleteClientKey(tideTable, old.id);
      window.dialogs.choices = [/Delete New Key/];
      await inWindow().cancel({ project, rotation: record });
      assert.match(window.dialogs.messages[0]?.sentence ?? '', /old client key .* is deleted or inactive/);
      assert.ok((await keys()).some(({ id }) => id === record.newKey.id));
      // The request that deletes the old key was perhaps sent.
      await window.journal.put({ ...record, step: 'replaced' });
      await inWindow().cancel({ project, rotation: record });
      assert.deepEqual(window.dialogs.offered[1], ['Keep Both Keys']);
    });

    it('goes on with the row that was chosen, of several', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const [record] = window.journal.all;
      assert.ok(record);
      const other = { ...record, path: 'harbor/other', projectId: 504, oldKey: { ...record.oldKey, id: 1 } };
      await window.journal.put(other);
      await inWindow().resume({ project, rotation: record });
      assert.deepEqual(window.journal.all, [other]);
      assert.deepEqual(window.dialogs.offered, []);
    });

    it('says that nothing was replaced when no place of the preview was selected', async () => {
      const project = await window.pin('harbor/tide-table');
      const file = vscode.Uri.file('/repositories/0/.env');
      const uses = [{ uri: file, line: 0, range, text: old.tracker_dsn }];
      const apply = replacedIn(vscode.workspace, { applyEdit: async () => false });
      try {
        await inWindow(uses).rotate({ project, key: old });
      } finally {
        apply.dispose();
      }
      assert.match(
        window.dialogs.messages[0]?.sentence ?? '',
        /^No place was replaced\. Both client keys of harbor\/tide-table stay until you continue or cancel the rotation\./,
      );
      assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Continue Key Rotation…', 'Cancel Key Rotation…']);
      assert.equal(window.journal.all.length, 1);
    });

    it('does nothing by the buttons of a message whose rotation has ended meanwhile', async () => {
      const project = await window.pin('harbor/tide-table');
      await interrupt();
      const own = inWindow();
      own.notifyInterrupted();
      const node = await rotationRow(project);
      window.dialogs.choices = [/Keep Both Keys/];
      await own.cancel(node);
      const [message] = window.dialogs.messages;
      const ended = [
        `This rotation of client key ${shortKey(old.public_key)} of harbor/tide-table has ended.`,
        ['Show Client Keys'],
      ];
      for (const press of [
        () => message?.press('Continue Key Rotation…'),
        () => message?.press('Cancel Key Rotation…'),
        () => own.resume(node),
        () => own.cancel(node),
      ]) {
        await press();
        const { sentence, buttons } = window.dialogs.messages.at(-1) ?? {};
        assert.deepEqual([sentence, buttons], ended);
      }
      assert.equal(window.dialogs.offered.length, 1);
      assert.equal((await keys()).length, 3, 'no key was deleted');
    });

    it('leaves another rotation of the key alone that has begun since a message, and offers it', async () => {
      await interrupt();
      const own = inWindow();
      own.notifyInterrupted();
      const [record] = window.journal.all;
      assert.ok(record?.step === 'created');
      const another = { ...record, newKey: { ...record.newKey, id: 9999 } };
      await window.journal.put(another);
      await window.dialogs.messages[0]?.press('Cancel Key Rotation…');
      assert.deepEqual(window.journal.all, [another]);
      assert.match(window.dialogs.messages[1]?.sentence ?? '', /has ended\.$/);
      window.dialogs.choices = [/Keep Both Keys/];
      await window.dialogs.messages[1]?.press('Cancel Key Rotation…');
      assert.deepEqual(window.journal.all, []);
      assert.match(window.dialogs.messages[2]?.sentence ?? '', /was canceled\.$/);
    });

    it('is the same one in a message from before its new key was there', async () => {
      const begun = { ...place, oldKey: { id: old.id, publicKey: old.public_key, dsn: '' } };
      const creating = { ...begun, step: 'creating' as const, keysBefore: [old.id] };
      await window.journal.put(creating);
      const created = { ...begun, step: 'created' as const, newKey: { id: 9999, publicKey: '', dsn: '' } };
      await window.journal.put(created);
      assert.deepEqual(window.journal.current(creating), created);
      assert.equal(window.journal.current({ ...creating, keysBefore: [old.id, 9999] }), undefined);
    });

    it('goes on with the rotation that a message is about, of several', async () => {
      await window.journal.put({
        ...{ ...place, path: 'harbor/other', projectId: 504, step: 'creating', keysBefore: [] },
        oldKey: { id: 1, publicKey: 'glet_other', dsn: '' },
      });
      await interrupt();
      const own = inWindow();
      own.notifyInterrupted();
      await window.dialogs.messages[1]?.press('Continue Key Rotation…');
      assert.deepEqual(window.dialogs.offered, []);
      assert.deepEqual(
        window.journal.all.map(({ projectId }) => projectId),
        [504],
      );
    });

    it('is not ended by a button while its preview is open', async () => {
      await interrupt();
      const file = vscode.Uri.file(join(realpathSync(mkdtempSync(join(tmpdir(), 'beacon-rotation-'))), '.env'));
      writeFileSync(file.fsPath, old.tracker_dsn);
      const whole = new vscode.Range(0, 0, 0, old.tracker_dsn.length);
      const own = inWindow([{ uri: file, line: 0, range: whole, text: old.tracker_dsn }]);
      own.notifyInterrupted();
      const [message] = window.dialogs.messages;
      const apply = replacedIn(vscode.workspace, {
        applyEdit: async () => {
          await message?.press('Cancel Key Rotation…');
          return false;
        },
      });
      try {
        await own.resume();
      } finally {
        apply.dispose();
      }
      assert.match(window.dialogs.messages[1]?.sentence ?? '', /^A client key is being rotated/);
      assert.equal(window.journal.all.length, 1);
    });

    it('goes on, and says how it ended, and whose key it was where there are several accounts', async () => {
      window.accounts.all.push(sampleAccount('ada', 'https://one.example'), sampleAccount('bo', 'https://two.example'));
      await assert.rejects(new Rotation(new Editor(world, client, 3).ports).begin(place, old), Killed);
      await commands.resume();
      const { sentence = '' } = window.dialogs.messages[0] ?? {};
      assert.match(
        sentence,
        /^A client key of .* was rotated: glet_.* replaces glet_.*, which was deleted\. · Account: /,
      );
      await commands.resume();
      assert.match(window.dialogs.messages[1]?.sentence ?? '', /There is no interrupted key rotation/);
    });
  });
});
