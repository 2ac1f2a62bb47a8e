import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { KeyCommands } from '../../../src/errorTracking/keyCommands.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import type { TrackedProject } from '../../../src/errorTracking/trackedProjects.ts';
import type { KeyPlaces } from '../../../src/errorTracking/usages.ts';
import { ErrorTrackingWindow, placesOf } from '../../support/errorTrackingWindow.ts';
import { dropped, type Rule, truncated } from '../../support/sandbox/transforms.ts';

const tideTable = 501;

describe('client keys', () => {
  let window: ErrorTrackingWindow;
  let commands: KeyCommands;
  let project: TrackedProject;
  let places: KeyPlaces;

  async function open(username = 'marta', options: Parameters<typeof ErrorTrackingWindow.open>[1] = {}): Promise<void> {
    window = await ErrorTrackingWindow.open(username, options);
    places = placesOf();
    commands = new KeyCommands(window.targets, window.states, { find: async () => places }, window.dialogs);
    project = await window.pin('harbor/tide-table', tideTable);
  }
  afterEach(() => window.close());

  const keys = async () => (await allKeys((await window.connection()).client, tideTable)).keys;
  const sentences = () => window.dialogs.messages.map(({ sentence }) => sentence);

  it('are made by a click, and offered for what comes next', async () => {
    await open();
    await commands.create({ project });
    assert.equal((await keys()).length, 3);
    assert.match(sentences()[0] ?? '', /^Client key glet_.* was created\.$/);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Insert DSN…', 'Copy DSN']);
    assert.equal((await window.lines(project)).filter((line) => /\[(?:active|newest)\]$/.test(line)).length, 2);
  });

  it('say when errors are refused none the less', async () => {
    await open();
    await (await window.connection()).client.errorTracking.change(tideTable, { active: false });
    await window.states.reload(project);
    await commands.create({ project });
    assert.match(sentences()[0] ?? '', /errors are refused until integrated error tracking is enabled/);
  });

  const creation = { method: 'POST', path: '/projects/*/error_tracking/client_keys' };
  const faults: readonly [name: string, faults: Rule[], made: number, messages: RegExp, buttons: string[]][] = [
    [
      'the answer is cut off',
      [{ ...creation, answer: truncated }],
      1,
      /answer of the instance was lost, but client key glet_/,
      ['Insert DSN…', 'Copy DSN'],
    ],
    [
      'the connection ends before the request is seen',
      [{ ...creation, answer: dropped }],
      0,
      /^No client key was created: /,
      ['Try Again'],
    ],
    [
      'the instance has an internal error',
      [{ ...creation, answer: 500 }],
      0,
      /^No client key was created: .*500/,
      ['Try Again'],
    ],
    ['a proxy gives up', [{ ...creation, answer: 504 }], 0, /^No client key was created: .*504/, ['Try Again']],
  ];
  for (const retries of [0, 2]) {
    for (const [name, list, made, messages, buttons] of faults) {
      it(`are made at most once by a click when ${name} (${retries} retries)`, async () => {
        await open('marta', { retries });
        const before = await keys();
        window.sandbox.control.transform(...list);
        await commands.create({ project });
        window.sandbox.control.transform();
        assert.equal((await keys()).length - before.length, made);
        assert.match(sentences()[0] ?? '', messages);
        assert.deepEqual(window.dialogs.messages[0]?.buttons, buttons);
      });
    }
  }

  it('are created at most once when the outcome is unknown', async () => {
    await open();
    const before = await keys();
    const { client } = await window.connection();
    const create = client.errorTracking.createClientKey.bind(client.errorTracking);
    client.errorTracking.createClientKey = async (...args) => {
      window.sandbox.control.transform(
        { ...creation, answer: truncated },
        { method: 'GET', path: '*', answer: dropped },
      );
      return await create(...args);
    };
    await commands.create({ project });
    window.sandbox.control.transform();
    assert.equal((await keys()).length - before.length, 1);
    assert.match(sentences()[0] ?? '', /is not known until the instance answers again/);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Check Again']);
  });

  it('are not made with a token that can read alone, which is renewed for the account of the project', async () => {
    await open('marta', { scopes: ['read_api'] });
    const renew = { command: 'beacon.renewToken', title: 'Renew Token…', arguments: [project.accountId] };
    await assert.rejects(
      commands.create({ project }),
      ({ problem }: { problem?: { sentence: string; remedy: unknown } }) => {
        assert.match(problem?.sentence ?? '', /^The token for marta@sandbox may not change this/);
        assert.deepEqual(problem?.remedy, renew);
        return true;
      },
    );
  });

  it('are made once by a double click', async () => {
    await open();
    const before = await keys();
    await Promise.all([commands.create({ project }), commands.create({ project })]);
    assert.equal((await keys()).length - before.length, 1);
    assert.equal(sentences().length, 1);
  });

  it('are not made when the keys there are cannot be listed first', async () => {
    await open();
    await window.nodes(project);
    const before = await keys();
    window.sandbox.control.transform({ ...creation, method: 'GET', answer: 500 });
    await assert.rejects(commands.create({ project }), /500/);
    window.sandbox.control.transform();
    assert.equal((await keys()).length, before.length);
  });

  it('are copied as DSN and as public key', async () => {
    await open();
    const [active, inactive] = await keys();
    await commands.copyDsn({ project, key: active });
    assert.equal(await vscode.env.clipboard.readText(), active?.tracker_dsn);
    await commands.copyPublicKey({ project, key: active });
    assert.equal(await vscode.env.clipboard.readText(), active?.public_key);
    assert.deepEqual(sentences(), []);
    await commands.copyDsn({ project, key: inactive });
    assert.match(sentences()[0] ?? '', /is inactive: errors that are sent with it are refused/);
  });

  it('are deleted after one question that names them and where they are used', async () => {
    await open();
    const [active] = await keys();
    const range = new vscode.Range(2, 0, 2, 10);
    places = placesOf([{ uri: vscode.Uri.file('/repositories/0/.env'), line: 2, range, text: '' }]);
    await commands.delete({ project, key: active });
    const [question] = window.dialogs.asked;
    assert.equal(window.dialogs.asked.length, 1);
    assert.match(question?.question ?? '', /^Delete client key glet_.* of harbor\/tide-table\?$/);
    assert.ok(question?.detail.includes(active?.public_key ?? '?'));
    assert.match(question?.detail ?? '', /is active\. Errors that programs send with it will be lost\./);
    assert.match(question?.detail ?? '', /used in 1 place of this workspace:\n.*\.env:3/);
    assert.ok(!(await keys()).some(({ id }) => id === active?.id));
    assert.match(sentences()[0] ?? '', /was deleted\.$/);
  });

  it('are asked about once more when another file uses them by the time of the answer', async () => {
    await open();
    const before = await keys();
    const range = new vscode.Range(2, 0, 2, 10);
    window.dialogs.onConfirm = async () => {
      window.dialogs.confirms = window.dialogs.asked.length === 1;
      places = placesOf([], { byHand: [{ uri: vscode.Uri.file('/new/main.py'), line: 2, range, text: '' }] });
    };
    await commands.delete({ project, key: before[0] });
    const [first, second] = window.dialogs.asked;
    assert.match(first?.detail ?? '', /No file of this workspace uses it/);
    assert.match(second?.detail ?? '', /used in 1 place of this workspace:\n.*main\.py:3/);
    assert.deepEqual(await keys(), before);
  });

  it('are not deleted without a confirmation', async () => {
    await open();
    const before = await keys();
    window.dialogs.confirms = false;
    await commands.delete({ project, key: before[0] });
    assert.deepEqual(await keys(), before);
    assert.match(
      window.dialogs.asked[0]?.detail ?? '',
      /No file of this workspace uses it, but programs elsewhere may\./,
    );
  });

  it('say when somebody else has deleted them meanwhile', async () => {
    await open();
    const [active] = await keys();
    await window.nodes(project);
    await (await window.connection()).client.errorTracking.deleteClientKey(tideTable, active?.id ?? 0);
    await commands.delete({ project, key: active });
    assert.match(sentences()[0] ?? '', /was deleted already\.$/);
    assert.ok(!(await window.lines(project)).some((line) => line.includes('[active]')));
  });
});
