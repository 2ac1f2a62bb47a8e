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
import { Input } from '../../support/editor/inputs.ts';
import { Memento } from '../../support/editor/storage.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { type Sandbox, type SeenRequest, startSandbox } from '../../support/sandbox/sandbox.ts';
import { late } from '../../support/sandbox/transforms.ts';
import type { Answer } from '../../support/window/questions.ts';

interface Thing {
  readonly id: number | string;
  readonly name: string;
  readonly section?: string;
}

const looks = {
  title: 'Choose',
  placeholder: 'Search',
  describe: ({ name: label, id, section = '' }: Thing) => ({ label, description: String(id), icon: 'repo', section }),
};

/** Takes the first line. */
const enter = /./;

function type(input: Input, text: string): void {
  input.value = text;
  input.typed.fire(text);
}

/** What a user does who types, and then goes on. */
const types = (text: string, next: Exclude<Answer, Function>) => ({ type: text, next });

const inside = insideWindow(import.meta.filename);

describe('the pickers of projects, groups and users', () => {
  let sandbox: Sandbox;
  let connection: Connection;
  const requests: SeenRequest[] = [];

  before(async () => {
    sandbox = await startSandbox({ onRequest: (request) => requests.push(request) });
    const client = clientOf(sandbox.url, { token: sandbox.tokens.owner, retries: 0 });
    connection = { account: { kind: 'sandbox', id: 'sandbox' }, instanceUrl: sandbox.url, client };
  });
  after(async () => {
    await connection.client.close();
    await sandbox.close();
  });
  afterEach(() => sandbox.control.transform());

  const projects = () => projectSource<Thing>(connection, ({ id, path_with_namespace: name }) => ({ id, name }));
  const groups = () => groupSource<Thing>(connection, ({ id, full_path: name }) => ({ id, name }));
  const users = () =>
    userSource<Thing>(connection, ({ id, username: name }) => ({ id: `user ${id}`, name, section: 'user' }));

  /** What the user has seen last. */
  const lastLines = (): readonly string[] => inside.window.asked.at(-1)?.lines ?? [];

  /** Shows a picker, in front of which the user does what `answers` say. @returns what is chosen. */
  async function choose(
    source: RecordSource<Thing>,
    answers: readonly Answer[],
    { offered = [], before = () => undefined }: { offered?: readonly Thing[]; before?: (input: Input) => void } = {},
  ): Promise<Thing | undefined> {
    answers.forEach((answer) => inside.window.answer('Choose', answer));
    const picker = vscode.window.createQuickPick();
    let outcome: { readonly record: Thing | undefined } | undefined;
    void pick(source, { ...looks, offered }, picker).then((record) => (outcome = { record }));
    before(picker as unknown as Input);
    const { record } = await inside.window.until(() => outcome, 'a choice');
    return record;
  }

  it('lists projects of the user before anything is typed, and narrows them down', async () => {
    const chosen = await choose(projects(), [
      ({ lines }) => {
        assert.ok(lines.length > 3);
        return types('winch', enter);
      },
    ]);
    assert.equal(chosen?.name, 'harbor/tools/winch');
    assert.equal(lastLines().length, 1);
  });

  it('has projects and groups in one list, and marks those that are pinned already', async () => {
    const pins = new Pins(new Memento());
    await pins.add({ accountId: 'sandbox', id: 501, path: 'harbor/tide-table' });
    inside.window.answer('Pin', undefined);
    assert.equal(await pickPlace(connection, 'Pin', ['project', 'group'], pins), undefined);
    const pinned = lastLines().filter((line) => line.includes('pinned'));
    assert.match(pinned.join('\n'), /^harbor\/tide-table · .+ · pinned$/);
    assert.match(lastLines().join('\n'), /^harbor ·/m, 'a group');
  });

  for (const [what, open, text, name] of [
    ['a full path of a project', projects, () => 'harbor/tools/winch', 'harbor/tools/winch'],
    ['a web address', projects, () => `${sandbox.url}/harbor/tools/winch/-/issues/3?x=1`, 'harbor/tools/winch'],
    ['a numeric id', projects, () => '501', 'harbor/tide-table'],
    ['a full path of a group', groups, () => 'harbor/tools', 'harbor/tools'],
    ['a username', users, () => '@ines', 'ines'],
  ] as const) {
    it(`takes ${what}, even before there is an answer`, async () => {
      assert.equal((await choose(open(), [types(text(), enter)]))?.name, name);
      const chosen = await choose(open(), [], {
        before: (input) => {
          type(input, text());
          input.accept();
        },
      });
      assert.equal(chosen?.name, name);
    });
  }

  describe('of several kinds in one list', () => {
    const offered = [
      { id: 'all', name: 'All My Projects' },
      { id: 'user 1', name: 'Tide Watch', section: 'user' },
    ];
    const joined = () =>
      joinSources<Thing>(async () => [
        projectSource(connection, ({ id, path_with_namespace: name }) => ({ id, name, section: 'project' })),
        users(),
      ]);

    it('shows what is offered before there is an answer', async () => {
      sandbox.control.transform({ answer: late(50), path: '*' });
      const before = ({ items }: Input): void => assert.equal(items[0]?.label, 'All My Projects');
      assert.equal((await choose(joined(), [enter], { offered, before }))?.id, 'all');
      assert.ok(lastLines().length > 3);
    });

    it('finds in all of them what is typed, in the part of its kind', async () => {
      const inParts: Answer = ({ lines }) => {
        const names = lines.slice(0, 4).map((line) => line.split(' · ')[0]);
        assert.deepEqual(names, ['--- user', 'Tide Watch', '--- project', 'harbor/tide-table']);
        return types('@ines', /^ines/);
      };
      const before = (input: Input): void => type(input, 'tide');
      assert.match(String((await choose(joined(), [inParts], { offered, before }))?.id), /^user /);
    });

    it('leaves out a kind that cannot be searched, and says why when nothing is found', async () => {
      sandbox.control.transform({ answer: 403, path: '/projects*' });
      const found: Answer = ({ lines }) => {
        assert.match(lines.join('\n'), /^ines/m);
        return types('nobody at all', /^Try Again/);
      };
      const before = (input: Input): void => type(input, 'ines');
      assert.equal(await choose(joined(), [found, undefined], { offered, before }), undefined);
    });
  });

  it('says when there is nothing', async () => {
    const nothing = types('no such thing/at all', 'Nothing found for “no such thing/at all”');
    assert.equal(await choose(projects(), [nothing, undefined]), undefined);
  });

  it('finds a part of a path that begins in the name of its group', async () => {
    requests.splice(0);
    assert.equal((await choose(projects(), [types('bor/tide', enter)]))?.name, 'harbor/tide-table');
    // Without this the platform searches only the last segment of the path.
    const searches = requests.filter(({ path }) => path.includes('search=bor%2Ftide'));
    assert.ok(searches.length > 0 && searches.every(({ path }) => path.includes('search_namespaces=true')));
  });

  it('asks no instance for what is the address of another one, and says so', async () => {
    requests.splice(0);
    const then = /This address is on other\.example, but this window uses/;
    await choose(projects(), [types('https://other.example/harbor/tide-table', then), undefined]);
    assert.doesNotMatch(requests.map(({ path }) => path).join('\n'), /tide-table/);
  });

  it('says in the picker why a search failed, and tries again', async () => {
    sandbox.control.transform({ answer: 500, path: '/users*' });
    await choose(users(), [
      ({ lines }) => {
        assert.match(lines[0] ?? '', /^Try Again · .*internal error \(status 500\)/);
        sandbox.control.transform();
        return 'Try Again';
      },
      undefined,
    ]);
    assert.ok(lastLines().length > 3);
  });

  it('reads on through empty pages, stops after some that hold nothing, and goes on when it is asked to', async () => {
    let pages = 0;
    async function* endless(): ReturnType<RecordSource<Thing>> {
      for (;;) {
        pages += 1;
        yield pages === 15 ? [{ id: 7, name: 'tide' }] : [];
      }
    }
    await choose(endless, [
      ({ lines }) => {
        assert.deepEqual([pages, lines], [10, ['Load More']]);
        return 'Load More';
      },
      undefined,
    ]);
    assert.deepEqual([pages, lastLines()], [20, ['tide · 7', 'Load More']]);
  });

  it('ends the requests for an older text, whose answer is dropped, and puts what is named exactly first, once', async () => {
    const older = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const [seven, two] = [
      { id: 7, name: 'seven' },
      { id: 2, name: 'two' },
    ];
    async function* look(text: string, signal: AbortSignal): ReturnType<RecordSource<Thing>> {
      signals.push(signal);
      await (text === '' ? older.promise : undefined);
      yield text === '' ? [{ id: 1, name: 'older' }] : [seven];
      yield text === '' ? [] : [two, seven];
    }
    const before = (input: Input): void => {
      type(input, '7');
      assert.equal(signals[0]?.aborted, true);
      older.resolve();
    };
    await choose(look, [undefined], { before });
    assert.deepEqual(lastLines(), ['seven · 7', 'two · 2']);
  });
});

describe('a picker whose lines are being replaced', () => {
  let answer: PromiseWithResolvers<void>;
  let input: Input;
  let chosen: Promise<Thing | undefined>;
  /** The editor takes its time to show lines, and only then reports which one is active. */
  let shown: vscode.EventEmitter<readonly vscode.QuickPickItem[]>;

  /** Waits for the lines, which the user does not see yet. */
  const lines = (...labels: readonly string[]): Promise<unknown> =>
    inside.window.until(() =>
      isDeepStrictEqual(
        input.items.map(({ label }) => label),
        labels,
      ),
    );
  const see = (): void => shown.fire(input.items.slice(0, 1));
  /** The user chooses a line by its place, from 0, of those that they see: it counts by its place. */
  const choose = (place: number): void => {
    input.activeItems = input.items.slice(place, place + 1);
    input.accept();
  };

  beforeEach(async () => {
    answer = Promise.withResolvers();
    answer.resolve();
    shown = new vscode.EventEmitter();
    input = Object.assign(new Input('pick', () => undefined), { onDidChangeActive: shown.event });
    const things = { '': ['dory', 'sloop', 'yawl'], y: ['yacht', 'ferry', 'dinghy'] };
    const source: RecordSource<Thing> = async function* look(text) {
      await answer.promise;
      yield things[text as ''].map((name, index) => ({ id: 10 * text.length + index, name }));
    };
    chosen = pick(source, looks, input as unknown as vscode.QuickPick<vscode.QuickPickItem>);
    await lines('dory', 'sloop', 'yawl');
    see();
    answer = Promise.withResolvers();
    type(input, 'y');
    await lines('dory', 'yawl');
  });

  it('takes a line of the answer before that the user sees and that fits what they typed', async () => {
    see();
    choose(1);
    assert.equal((await chosen)?.name, 'yawl');
  });

  it('takes no line that has come into the place of the one that the user saw', async () => {
    see();
    answer.resolve();
    await lines('yacht', 'ferry', 'dinghy');
    choose(1);
    see();
    choose(2);
    assert.equal((await chosen)?.name, 'dinghy');
  });
});
