import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EventState } from '../../../src/activity/document/messages.ts';
import type { EventNode } from '../../../src/activity/tree/nodes.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { sampleEvent } from '../../support/anyEvent.ts';
import { PersonalSettings } from '../../support/reader.ts';
import { RecordedPanel } from '../../support/recordedPanel.ts';
import { type ScriptedAnswer, ScriptedInstance } from '../../support/scriptedInstance.ts';

const setting = 'beacon.activity.authorPictures';
const folder = '/uploads/-/system/user/avatar';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

describe('pictures of authors', () => {
  const settings = new PersonalSettings();
  let records: EventRecord[];
  let answer: (author: number) => ScriptedAnswer;
  let instance: ScriptedInstance;
  let window: ActivityWindow;

  beforeEach(async () => {
    records = [];
    answer = () => ({ bytes: png });
    instance = new ScriptedInstance((url, headers) => {
      if (!url.pathname.startsWith('/api/')) {
        assert.equal(headers.get('private-token'), null);
        return answer(Number(url.pathname.split('/').at(-2)));
      }
      return url.pathname.endsWith('/events')
        ? { json: records }
        : { json: { id: 7, name: 'p', path_with_namespace: 'group/p', web_url: 'https://gitlab.example.com/group/p' } };
    });
    // A page of the test before may still ask its own instance.
    const { connection } = instance;
    window = await ActivityWindow.open(async () => connection);
  });
  afterEach(async () => {
    window.dispose();
    await settings.takeBack();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** An event of the author with this number, whose picture is at the instance unless it is said to be elsewhere. */
  const event = (
    id: number,
    author: number,
    picture = `https://gitlab.example.com${folder}/${author}/a.png`,
  ): EventRecord =>
    sampleEvent({ id, author: { id: author, username: `user${author}`, name: 'Ada', avatar_url: picture } });
  /** The authors whose pictures were asked for, by number. */
  const asked = (): string[] =>
    instance.asked.filter((path) => path.includes('?width=')).map((path) => path.split('/').at(-2) ?? '');
  const iconOf = (node: EventNode): unknown => window.view.itemOf(node)?.iconPath;
  const isPicture = (node: EventNode): boolean => !(iconOf(node) instanceof vscode.ThemeIcon);
  const eventRows = (): EventNode[] => window.view.rows.filter((node) => node.kind === 'event');
  async function until(isMet: () => boolean): Promise<void> {
    while (!isMet()) {
      await new Promise(setImmediate);
    }
    await window.view.settled();
  }
  async function tooltipOf(node: EventNode): Promise<string> {
    const item = await window.tree.resolveTreeItem(window.tree.getTreeItem(node), node);
    return (item.tooltip as vscode.MarkdownString).value;
  }
  /** Asks for the picture of an event, and waits for what comes of it. */
  async function settle(node: EventNode): Promise<void> {
    const pictures = await (await window.activity.commands()).pictures();
    await pictures?.load(node);
    await window.view.settled();
  }

  it('are asked for by nothing as long as the setting is off', async () => {
    records = [event(2, 8), event(1, 9)];
    await window.view.look();
    const [node] = eventRows();
    assert.ok(node && !isPicture(node));
    assert.doesNotMatch(await tooltipOf(node), /data:/);
    await window.run('showEvent', node);
    await settle(node);
    await settings.set({ [setting]: 'yes' });
    await settle(node);
    assert.deepEqual(asked(), []);
  });

  it('come into rows without these being asked for again, and are asked for once each, and at the instance alone', async () => {
    await settings.set({ [setting]: true });
    window.dispose();
    const { connection } = instance;
    window = await ActivityWindow.open(async () => connection);
    const foreign = 'https://secure.gravatar.com/avatar/0?s=80';
    records = [event(5, 8), event(4, 8), event(3, 9), event(2, 10, foreign), sampleEvent({ id: 1 })];
    const answered = Promise.withResolvers<ScriptedAnswer>();
    instance.answer = (
      (before) => async (url, headers) =>
        url.pathname.startsWith(folder) ? await answered.promise : await before(url, headers)
    )(instance.answer);
    await window.view.look();
    const rows = eventRows();
    await until(() => asked().length === 2);
    assert.ok(!rows.some(isPicture), 'no row waits');
    const labels = rows.map((node) => window.view.itemOf(node)?.accessibilityInformation?.label);
    const before = window.view.asked.length;
    window.view.select(...rows.slice(1, 2));
    answered.resolve({ bytes: png });
    await until(() => rows.slice(0, 3).every(isPicture));
    assert.deepEqual(rows.map(isPicture), [true, true, true, false, false]);
    assert.deepEqual(asked().toSorted(), ['8', '9']);
    assert.equal(window.view.asked.length, before);
    assert.deepEqual(window.view.needless, []);
    assert.deepEqual(window.view.selection, rows.slice(1, 2));
    assert.deepEqual(
      rows.map((node) => window.view.itemOf(node)?.accessibilityInformation?.label),
      labels,
    );
    const { light, dark } = iconOf(rows[0] as EventNode) as { light: vscode.Uri; dark: vscode.Uri };
    assert.notEqual(light.toString(), dark.toString());
    assert.match(light.toString(true), /^data:image\/svg\+xml;base64,[\w+/]+=*$/);
    assert.match(
      await tooltipOf(rows[0] as EventNode),
      /!\[\]\(data:image\/svg\+xml;base64,[\w+/=]+\|width=20,height=20\) /,
    );
    await window.feed.refresh();
    await window.view.settled();
    assert.equal(asked().length, 2);
  });

  it('come when the setting is turned on, and go when it is turned off, from the page of an event, too', async () => {
    records = [event(1, 8)];
    await window.view.look();
    const panel = new RecordedPanel();
    const { revive } = await window.activity.commands();
    await revive.activityEvent(panel.asPanel, undefined);
    const [node] = eventRows();
    assert.ok(node);
    await window.run('showEvent', node);
    const shown = (): string | undefined =>
      (panel.posted.findLast(({ type }) => type === 'state') as EventState | undefined)?.author?.picture;
    await settings.set({ [setting]: true });
    await until(() => isPicture(node) && shown() !== undefined);
    assert.equal(shown(), `data:image/png;base64,${png.toString('base64')}`);
    await settings.set({ [setting]: false });
    await until(() => !isPicture(node) && shown() === undefined);
    assert.doesNotMatch(await tooltipOf(node), /data:/);
    assert.deepEqual(asked(), ['8']);
  });

  it('are not shown if they are none, and not asked for again before a while has passed', async () => {
    await settings.set({ [setting]: true });
    const nothing: ScriptedAnswer[] = [
      { bytes: new TextEncoder().encode('<!doctype html>'), headers: { 'content-type': 'image/png' } },
      { bytes: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { bytes: new Uint8Array([...png, ...new Uint8Array(40_000)]) },
      { status: 404 },
      { status: 302, headers: { location: `${folder}/1/b.png` } },
    ];
    records = nothing.map((_, index) => event(10 + index, index));
    answer = (author) => nothing[author] ?? {};
    await window.view.look();
    const rows = eventRows();
    for (const node of rows) {
      await settle(node);
      await settle(node);
      assert.ok(!isPicture(node));
    }
    assert.equal(asked().length, nothing.length);
    answer = () => ({ bytes: png });
    window.clock.jump(600_000);
    await Promise.all(rows.map(settle));
    await until(() => rows.every(isPicture));
  });

  it('are kept no longer than the account, the setting and the view', async () => {
    await settings.set({ [setting]: true });
    records = [event(1, 8)];
    await window.view.look();
    const [node] = eventRows();
    assert.ok(node);
    await until(() => isPicture(node));
    window.signOutOf('another');
    const pictures = await (await window.activity.commands()).pictures();
    assert.ok(pictures);
    assert.ok(pictures.of(node));
    answer = () => ({ status: 404 });
    window.signOutOf('sandbox');
    assert.equal(pictures.of(node), undefined);
    await settle(node);
    assert.deepEqual(asked(), ['8', '8']);
    answer = () => ({ bytes: png });
    await settings.set({ [setting]: false });
    await settings.set({ [setting]: true });
    await settle(node);
    assert.ok(pictures.of(node));
    window.dispose();
    assert.equal(pictures.of(node), undefined);
  });

  it('leave an instance alone for a while that does not answer', async () => {
    await settings.set({ [setting]: true });
    records = [event(2, 8), event(1, 9)];
    answer = () => {
      throw new Error('nobody is there');
    };
    await window.view.look();
    await Promise.all(eventRows().map(settle));
    const { length } = asked();
    answer = () => ({ bytes: png });
    records = [event(3, 10), ...records];
    await window.feed.refresh();
    await window.view.settled();
    const [third] = eventRows();
    assert.ok(third);
    await settle(third);
    assert.equal(asked().length, length);
    window.clock.jump(600_000);
    await settle(third);
    await until(() => isPicture(third));
  });
});
