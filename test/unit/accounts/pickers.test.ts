import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import {
  groupSource,
  joinSources,
  projectSource,
  type RecordSource,
  userSource,
} from '../../../src/accounts/directorySearch.ts';
import { pick, pickPlace } from '../../../src/accounts/pickers.ts';
import type { Connection } from '../../../src/accounts/connections.ts';
import { Pins } from '../../../src/accounts/pins.ts';
import { clientOf } from '../../support/clientSamples.ts';
import { createQuickPick } from '../../../src/common/inertWindow.ts';
import type { Input } from '../../support/editor/inputs.ts';
import { replaced } from '../../support/answeredInputs.ts';
import { Memento } from '../../support/editor/storage.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { late } from '../../support/sandbox/transforms.ts';

interface Thing {
  readonly id: number;
  readonly name?: string | null | undefined;
}

const asItIs = <T>(record: T): T => record;

/** How many tests are over: what one of them waits for in vain, it stops waiting for. */
let ended = 0;

/** A picker that is open, as a user sees it. */
class OpenPicker<T> {
  readonly chosen: Promise<T | undefined>;
  readonly picker: vscode.QuickPick<vscode.QuickPickItem>;

  constructor(chosen: Promise<T | undefined>, picker: vscode.QuickPick<vscode.QuickPickItem>) {
    this.chosen = chosen;
    this.picker = picker;
  }

  get lines(): string[] {
    return this.picker.items.map(({ label, description = '', detail = '' }) =>
      [label, description, detail].filter(Boolean).join(' | '),
    );
  }

  /** Waits until the lines are as a test wants them, and the first of them is the one that Enter would take. */
  async until(test: (lines: string[]) => boolean): Promise<void> {
    const isShown = (): boolean => {
      const first = this.picker.items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
      return first !== undefined && this.picker.activeItems[0] === first;
    };
    const begun = ended;
    while (this.picker.busy || !test(this.lines) || !isShown()) {
      assert.equal(ended, begun, this.lines.join('\n'));
      await new Promise(setImmediate);
    }
    // The picker is told of it a moment later.
    await new Promise(setImmediate);
  }

  async untilBusy(): Promise<void> {
    while (!this.picker.busy) {
      await new Promise(setImmediate);
    }
  }

  type(text: string): void {
    const input = this.picker as unknown as Input;
    input.value = text;
    input.typed.fire(text);
  }

  accept(): void {
    (this.picker as unknown as Input).accept();
  }
}

/** The editor's quick pick where it takes its time to show lines: what is chosen meanwhile counts by its place, as there. */
class SlowQuickPick {
  readonly #active = new vscode.EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly #typed = new vscode.EventEmitter<string>();
  readonly onDidChangeActive = this.#active.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidChangeValue = this.#typed.event;
  readonly value = '';
  selectedItems: readonly vscode.QuickPickItem[] = [];
  items: readonly vscode.QuickPickItem[] = [];

  onDidHide(): void {}
  onDidTriggerItemButton(): void {}
  show(): void {}
  dispose(): void {}

  /** Waits for the lines, which the user does not see yet. */
  async until(...labels: readonly string[]): Promise<void> {
    while (
      !isDeepStrictEqual(
        this.items.map(({ label }) => label),
        labels,
      )
    ) {
      await new Promise(setImmediate);
    }
  }

  /** The user sees the lines. */
  see(): void {
    this.#active.fire(this.items.slice(0, 1));
  }

  type(text: string): void {
    this.#typed.fire(text);
  }

  /** The user chooses a line by its place, from 0, of those that they see. */
  choose(place: number): void {
    this.selectedItems = this.items.slice(place, place + 1);
    this.#accepted.fire();
  }
}

const inside = insideWindow(import.meta.filename);

describe('the pickers of projects, groups and users', () => {
  let sandbox: Sandbox;
  let connection: Connection;
  let looking: PromiseWithResolvers<undefined>;

  before(async () => {
    sandbox = await startSandbox();
    const client = clientOf(sandbox.url, { token: sandbox.tokens.owner, retries: 0 });
    connection = { account: { kind: 'sandbox', id: 'sandbox' }, instanceUrl: sandbox.url, client };
  });
  after(async () => {
    await connection.client.close();
    await sandbox.close();
  });
  beforeEach(() => {
    // Who is in front of the window looks, and answers when the test does.
    looking = Promise.withResolvers();
    inside.window.answer(/./, () => looking.promise);
  });
  afterEach(async () => {
    ended += 1;
    sandbox.control.transform();
    looking.resolve(undefined);
  });

  function open<T extends Thing>(source: RecordSource<T>): OpenPicker<T> {
    const picker = createQuickPick();
    const chosen = pick(
      source,
      {
        title: 'Choose',
        placeholder: 'Search',
        describe: ({ name, id }) => ({ label: name ?? '', description: String(id), icon: 'repo' }),
      },
      picker,
    );
    return new OpenPicker(chosen, picker);
  }

  it('lists projects of the user before anything is typed, and narrows them down', async () => {
    const opened = open(projectSource(connection, asItIs));
    await opened.until((lines) => lines.length > 3);
    opened.type('winch');
    await opened.until((lines) => lines.length === 1);
    opened.accept();
    assert.equal((await opened.chosen)?.path_with_namespace, 'harbor/tools/winch');
  });

  it('has projects and groups in one list, and marks those that are pinned already', async () => {
    const pins = new Pins(new Memento());
    await pins.add({ accountId: 'sandbox', id: 501, path: 'harbor/tide-table' });
    const picker = vscode.window.createQuickPick();
    const standIn = replaced({ createQuickPick: () => picker });
    const chosen = pickPlace(connection, 'Pin', ['project', 'group'], pins);
    standIn.dispose();
    const opened = new OpenPicker(chosen, picker);
    await opened.until((lines) => lines.some((line) => /^harbor\/tide-table \| .+ · pinned$/.test(line)));
    assert.ok(
      opened.lines.some((line) => line.startsWith('harbor |')),
      'a group',
    );
    assert.equal(opened.lines.filter((line) => line.includes('pinned')).length, 1);
    opened.picker.hide();
    assert.equal(await chosen, undefined);
  });

  const exact: readonly [string, (instance: string) => string, string][] = [
    ['a full path', () => 'harbor/tools/winch', 'harbor/tools/winch'],
    ['a web address', (instance) => `${instance}/harbor/tools/winch/-/issues/3?x=1`, 'harbor/tools/winch'],
  ];
  for (const [name, text, path] of exact) {
    it(`takes ${name} of a project, even before there is an answer`, async () => {
      const opened = open(projectSource(connection, asItIs));
      await opened.until((lines) => lines.length > 0);
      sandbox.control.transform({ answer: late(50), path: '/projects' });
      opened.type(text(sandbox.url));
      await opened.untilBusy();
      opened.accept();
      assert.equal((await opened.chosen)?.path_with_namespace, path);
    });
  }

  it('takes the numeric id of a project', async () => {
    const { id } = await connection.client.directory.project('website/landing-page');
    const opened = open(projectSource(connection, asItIs));
    opened.type(String(id));
    await opened.until(([first = '']) => first.endsWith(`| ${id}`));
    opened.accept();
    assert.equal((await opened.chosen)?.id, id);
  });

  it('takes a full path of a group and a username of a user', async () => {
    const groups = open(groupSource(connection, asItIs));
    groups.type('harbor/tools');
    await groups.until((lines) => lines.length === 1);
    groups.accept();
    assert.equal((await groups.chosen)?.full_path, 'harbor/tools');

    const users = open(userSource(connection, asItIs));
    users.type('@ines');
    await users.until((lines) => lines.length === 1);
    users.accept();
    assert.equal((await users.chosen)?.username, 'ines');
  });

  describe('of several kinds in one list', () => {
    const offered = [
      { id: 'all', label: 'All My Projects' },
      { id: 'user 1', label: 'Tide Watch' },
    ];

    function openJoined(): OpenPicker<{ readonly id: string; readonly label: string }> {
      const picker = vscode.window.createQuickPick();
      const source = joinSources(async () => [
        projectSource(connection, ({ id, path_with_namespace: label }) => ({ id: `project ${id}`, label })),
        userSource(connection, ({ id, username: label }) => ({ id: `user ${id}`, label })),
      ]);
      const describe = ({ id, label }: { readonly id: string; readonly label: string }) => ({
        label,
        description: '',
        icon: 'repo',
        section: id === 'all' ? '' : (id.split(' ')[0] ?? ''),
      });
      return new OpenPicker(
        pick(source, { title: 'Choose', placeholder: 'Search', describe, offered }, picker),
        picker,
      );
    }

    it('shows what is offered before there is an answer', async () => {
      sandbox.control.transform({ answer: late(50), path: '*' });
      const opened = openJoined();
      assert.equal(opened.lines[0], 'All My Projects');
      await opened.until((lines) => lines.length > 3);
      opened.accept();
      assert.equal((await opened.chosen)?.id, 'all');
    });

    it('finds in all of them what is typed, in the part of its kind', async () => {
      const opened = openJoined();
      opened.type('tide');
      await opened.until((lines) => lines.includes('harbor/tide-table') && !lines.includes('All My Projects'));
      assert.deepEqual(opened.lines.slice(0, 4), ['user', 'Tide Watch', 'project', 'harbor/tide-table']);
      opened.type('@ines');
      await opened.until((lines) => lines.includes('ines'));
      opened.accept();
      assert.match(String((await opened.chosen)?.id), /^user /);
    });

    it('leaves out a kind that cannot be searched, and says why when nothing is found', async () => {
      sandbox.control.transform({ answer: 403, path: '/projects*' });
      const opened = openJoined();
      opened.type('ines');
      await opened.until((lines) => lines.includes('ines'));
      opened.type('nobody at all');
      await opened.until((lines) => lines.some((line) => line.startsWith('Try Again')));
      opened.picker.hide();
      assert.equal(await opened.chosen, undefined);
    });
  });

  it('says when there is nothing', async () => {
    const opened = open(projectSource(connection, asItIs));
    opened.type('no such thing/at all');
    await opened.until(([line = '']) => line === 'Nothing found for “no such thing/at all”');
    opened.accept();
    opened.picker.hide();
    assert.equal(await opened.chosen, undefined);
  });

  it('says in the picker why a search failed, and tries again', async () => {
    sandbox.control.transform({ answer: 500, path: '/users*' });
    const opened = open(userSource(connection, asItIs));
    await opened.until(([line = '']) => /^Try Again \| .*internal error \(status 500\)/.test(line));
    sandbox.control.transform();
    opened.accept();
    await opened.until((lines) => lines.length > 3);
    opened.picker.hide();
    assert.equal(await opened.chosen, undefined);
  });

  it('reads on through empty pages, stops after some that hold nothing, and goes on when it is asked to', async () => {
    let pages = 0;
    const opened = open(async function* endless() {
      for (;;) {
        pages += 1;
        yield pages === 15 ? [{ id: 7, name: 'tide' }] : [];
      }
    });
    await opened.until(([line = '']) => line === 'Load More');
    assert.equal(pages, 10);
    opened.accept();
    await opened.until(([line = '']) => line === 'tide | 7');
    assert.deepEqual([pages, opened.lines.length], [20, 2]);
    opened.picker.hide();
    await opened.chosen;
  });

  it('ends the requests for an older text, whose answer is dropped, and puts what is named exactly first, once', async () => {
    const older = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const opened = open(async function* look(text, signal) {
      signals.push(signal);
      await (text === '' ? older.promise : undefined);
      yield text === '' ? [{ id: 1, name: 'older' }] : [{ id: 7, name: 'seven' }];
      yield text === ''
        ? []
        : [
            { id: 2, name: 'two' },
            { id: 7, name: 'seven' },
          ];
    });
    opened.type('7');
    assert.equal(signals[0]?.aborted, true);
    older.resolve();
    await opened.until((lines) => lines.length > 0);
    assert.deepEqual(opened.lines, ['seven | 7', 'two | 2']);
    opened.picker.hide();
    await opened.chosen;
  });

  it('shows names as text, without icons', async () => {
    const opened = open(async function* look() {
      yield [{ id: 1, name: '$(flame) hot' }];
    });
    await opened.until((lines) => lines.length > 0);
    assert.doesNotMatch(opened.lines[0] ?? '', /\$\(/);
    opened.picker.hide();
    await opened.chosen;
  });
});

describe('a picker whose lines are being replaced', () => {
  let answer: PromiseWithResolvers<void>;
  let editor: SlowQuickPick;
  let chosen: Promise<Thing | undefined>;

  beforeEach(async () => {
    answer = Promise.withResolvers();
    answer.resolve();
    editor = new SlowQuickPick();
    const things = { '': ['dory', 'sloop', 'yawl'], y: ['yacht', 'ferry', 'dinghy'] };
    const source: RecordSource<Thing> = async function* look(text) {
      await answer.promise;
      yield things[text as ''].map((name, index) => ({ id: 10 * text.length + index, name }));
    };
    const describe = ({ name }: Thing) => ({ label: name ?? '', description: '', icon: 'repo' });
    const looks = { title: 'Choose', placeholder: 'Search', describe };
    chosen = pick(source, looks, editor as unknown as vscode.QuickPick<vscode.QuickPickItem>);
    await editor.until('dory', 'sloop', 'yawl');
    editor.see();
    answer = Promise.withResolvers();
    editor.type('y');
    await editor.until('dory', 'yawl');
  });

  it('takes a line of the answer before that the user sees and that fits what they typed', async () => {
    editor.see();
    editor.choose(1);
    assert.equal((await chosen)?.name, 'yawl');
  });

  it('takes no line that has come into the place of the one that the user saw', async () => {
    editor.see();
    answer.resolve();
    await editor.until('yacht', 'ferry', 'dinghy');
    editor.choose(1);
    editor.see();
    editor.choose(2);
    assert.equal((await chosen)?.name, 'dinghy');
  });
});
