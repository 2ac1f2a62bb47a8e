import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { Pins } from '../../../src/accounts/pins.ts';
import type { App } from '../../../src/app.ts';
import type { DsnFiles } from '../../../src/errorTracking/dsnFiles.ts';
import { keyNotes } from '../../../src/errorTracking/keyNotes.ts';
import { Projects } from '../../../src/errorTracking/projects.ts';
import { trackingRows } from '../../../src/errorTracking/tree.ts';
import { Memento } from '../../support/editor/storage.ts';
import { assertLine } from '../../support/harmless.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

insideWindow(import.meta.filename);
/** An event that does not happen. */
const unchanging: vscode.Event<never> = () => new vscode.Disposable(() => undefined);

/** A window that is signed in to an instance, as far as projects need it. */
function appOf({ connection }: ScriptedInstance, pins: Pins): App {
  return {
    pins,
    log: { error: () => undefined },
    workspaceState: new Memento(),
    accounts: { all: [], onDidChange: unchanging },
    accountInUse: {
      ...{ account: connection.account, onDidChange: unchanging },
      ...{ labelOf: () => '', named: (text: string) => text },
    },
    workspaceProjects: { all: [], current: undefined, whenKnown: Promise.resolve(), onDidChange: unchanging },
    connections: { of: async () => connection },
  } as unknown as App;
}

describe('hostile text of an instance, in error tracking', () => {
  it('of any form is a row of every kind of node of error tracking, distinct from its siblings', async () => {
    const any = fc.oneof(fc.jsonValue({ maxDepth: 2 }), hostileText, fc.constantFrom(-1, 1e300, null));
    const changed = (record: object): fc.Arbitrary<object> =>
      fc.oneof(
        fc.constant(record),
        fc.tuple(fc.constantFrom(...Object.keys(record)), any).map(([name, value]) => ({ ...record, [name]: value })),
      );
    const settings = fc.oneof(
      changed({ active: true, integrated: true, project_name: null, tracker_external_url: null, api_url: null }),
      fc
        .tuple(hostileText, fc.oneof(hostileText, fc.webUrl()))
        .map(([name, url]) => ({ active: true, integrated: false, project_name: name, tracker_external_url: url })),
    );
    // The same id comes twice where a key was made or deleted while the pages were read.
    const key = fc
      .integer({ min: 1, max: 3 })
      .chain((id) => changed({ id, active: id < 3, public_key: `glet_${id}`, tracker_dsn: `https://glet_${id}@h/1` }));
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        changed({ id: 7, name: 'p', path_with_namespace: 'a/b', web_url: 'https://gitlab.example.com/a/b' }),
        settings,
        fc.array(fc.oneof(key, key, fc.jsonValue()), { maxLength: 6 }),
        fc.constantFrom(200, 200, 200, 401, 403, 404, 500),
        async (record, tracking, keys, status) => {
          const instance = new ScriptedInstance(({ pathname }) =>
            pathname.endsWith('/error_tracking/settings')
              ? { json: tracking, status }
              : { json: pathname.endsWith('/client_keys') ? keys : record },
          );
          const { account } = instance.connection;
          const pins = new Pins(new Memento());
          await pins.add({ accountId: account.id, id: 7, path: `a/b\u202e$(zap)\n[x](command:y)` });
          const app = appOf(instance, pins);
          await app.workspaceState.update('errorTracking.replacedKeys', [`${account.id} 7 1 2`]);
          const projects = new Projects(app);
          const places = ['a\u202e\n$(zap).env', `${'long'.repeat(100)}.env`].map((name) => ({
            uri: vscode.Uri.file(`/x/${name}`),
            range: new vscode.Range(0, 0, 0, 1),
            dsn: { text: '', publicKey: 'glet_1', origin: 'https://x.test', projectId: 1, envelopeUrl: '' },
          }));
          const dsnFiles = { all: places, isComplete: true, onDidChange: unchanging } as unknown as DsnFiles;
          const notes = keyNotes(app, projects, dsnFiles);
          const rows = trackingRows(app, projects, notes, String);
          for (const root of rows.roots()) {
            const nodes = [...rows.roots(), ...rows.childrenOf(root, root.project, await projects.load(root.project))];
            const items = nodes.map(({ item }) => item);
            const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
            assert.equal(new Set(ids).size, ids.length, 'the editor shows none of the rows if two have one id');
            for (const { label, description, tooltip, accessibilityInformation, command, contextValue } of items) {
              kinds.add(contextValue?.split('+')[0] ?? '');
              assertLine(label, 'label');
              assertLine(description, 'description');
              assertLine(accessibilityInformation?.label, 'accessibility');
              assertLine(typeof tooltip === 'string' ? tooltip : undefined, 'tooltip');
              assert.ok(typeof tooltip !== 'object' || (tooltip.isTrusted !== true && tooltip.value.length < 3000));
              assert.match(command?.command ?? 'beacon.', /^(?:beacon\.|vscode\.open$)/);
              const opened: unknown = command?.command === 'vscode.open' ? command.arguments?.[0] : undefined;
              assert.ok(opened === undefined || (opened instanceof vscode.Uri && /^https?$/.test(opened.scheme)));
            }
          }
          const readable = projects.get({ accountId: account.id, idOrPath: 7 })?.tracking;
          assert.ok(!readable || readable.keys.length + readable.unreadableKeys <= keys.length);
          [notes, projects].forEach((one) => one.dispose());
        },
      ),
      runs(200),
    );
    assert.deepEqual([...kinds].sort(), ['key', 'message', 'project', 'settings']);
  });
});
