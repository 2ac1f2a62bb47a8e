import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { apiError } from '../../../src/api/errors.ts';
import type { RowState } from '../../../src/notifications/overview/messages.ts';
import { OverviewPanel, type OverviewPanelDeps } from '../../../src/notifications/overview/overviewPanel.ts';
import { OverviewLoader, overviewState } from '../../../src/notifications/overview/overviewLoader.ts';
import { Transfer } from '../../../src/notifications/overview/transfer.ts';
import { planLabels, reviewLines, reviewTitle } from '../../../src/notifications/settings/bulkChanges.ts';
import type { FindOptions } from '../../../src/notifications/settings/scopePicker.ts';
import {
  type NotificationScope,
  planOfLevel,
  scopeKey,
  type ScopePlan,
} from '../../../src/notifications/settings/settings.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';
import { RecordedPanel } from '../../support/recordedPanel.ts';

describe('the overview of notification settings', () => {
  let window: NotificationWindow;
  let loader: OverviewLoader;
  let transfer: Transfer;
  let file: string | undefined;

  beforeEach(async () => {
    window = await NotificationWindow.open();
    await window.pinSamples();
    const connections = { of: () => window.connection(), current: () => window.connection() };
    loader = new OverviewLoader(connections, window.finder, window.engine);
    file = undefined;
    const files = {
      save: async (_: string, text: string) => {
        file = text;
        return true;
      },
      open: async () => file,
    };
    transfer = new Transfer({
      ...{ connections, bulk: window.bulk, dialogs: window.dialogs, files },
      clock: window.clock,
    });
  });
  afterEach(() => window.close());

  const rows = async () =>
    (await loader.load()).rows.map(({ scope, place, effect }) => [
      scope.kind === 'global' ? 'global' : scope.path,
      place,
      effect.kind === 'unknown' ? 'unknown' : `${effect.kind} ${effect.settings.level}`,
    ]);

  it('holds global settings, pins and the groups around them, with where the level is inherited from', async () => {
    await window.change(window.tools, { level: 'watch' });
    assert.deepEqual(await rows(), [
      ['global', 'global', 'own participating'],
      ['harbor', 'parent', 'global participating'],
      ['harbor/tide-table', 'pinned', 'global participating'],
      ['harbor/tools', 'pinned', 'own watch'],
    ]);
    await window.change({ kind: 'group', accountId: '', id: 11, path: 'harbor' }, { level: 'mention' });
    assert.deepEqual((await rows())[2], ['harbor/tide-table', 'pinned', 'group mention']);
  });

  /** Opens the overview in a panel. */
  function open(others: Partial<OverviewPanelDeps> = {}): {
    readonly panel: RecordedPanel;
    readonly overview: OverviewPanel;
    readonly level: (scope: NotificationScope) => unknown;
  } {
    const panel = new RecordedPanel();
    const { bulk, dialogs, estimates, engine } = window;
    const overview = new OverviewPanel(panel.asPanel, () => undefined, {
      ...{ loader, bulk, dialogs, transfer, estimates, onDidChangeSettings: engine.onDidChange },
      ...{ accountId: () => window.account.id, isNamed: () => false, pin: async () => undefined },
      profileOf: () => undefined,
      onDidChangeWindow: () => ({ dispose: () => undefined }),
      onDidChangeScopes: () => ({ dispose: () => undefined }),
      onError: assert.ifError,
      ...others,
    });
    return { panel, overview, level: (scope) => rowIn(panel, scope)?.level };
  }

  function rowIn(panel: RecordedPanel, scope: NotificationScope): RowState | undefined {
    return ((panel.state?.['rows'] ?? []) as readonly RowState[]).find(({ key }) => key === scopeKey(scope));
  }

  it('reads again what is changed elsewhere in the window, before anything is reviewed', async () => {
    const { panel, overview, level } = open();
    await panel.until(({ phase }) => phase === 'ready');
    assert.equal(level(window.tideTable), 'global');
    const expected = await window.engine.read(window.tideTable);
    await window.engine.apply(window.tideTable, { expected, change: { level: 'watch' } });
    await panel.until(() => level(window.tideTable) === 'watch');
    overview.dispose();
  });

  it('reads nothing again while it is hidden, nor for another account', async () => {
    const changed = new vscode.EventEmitter<readonly NotificationScope[]>();
    const { panel, overview, level } = open({ onDidChangeSettings: changed.event });
    await panel.until(({ phase }) => phase === 'ready');
    await window.change(window.tideTable, { level: 'watch' });
    const shown = panel.posted.length;
    changed.fire([{ ...window.tideTable, accountId: 'another' }]);
    panel.look(false);
    changed.fire([window.tideTable]);
    assert.deepEqual(new Set(panel.posted.slice(shown).map(({ phase }) => phase)), new Set(['ready']));
    panel.look(true);
    await panel.until(({ phase }) => phase === 'ready' && level(window.tideTable) === 'watch');
    overview.dispose();
  });

  it('says which scopes a save has changed, and follows its undo', async () => {
    const { panel, overview, level } = open();
    const { dialogs, global, tideTable, tools } = window;
    try {
      await panel.until(({ phase }) => phase === 'ready');
      const harbor = { ...tools, id: 11, path: 'harbor' } as const;
      const changes = [global, harbor, tideTable, tools].map((scope) => ({ key: scopeKey(scope), level: 'mention' }));
      panel.send({ type: 'change', changes });
      await panel.until(({ phase }) => phase === 'ready' && level(tools) === 'mention');
      assert.equal(
        dialogs.messages[0]?.sentence,
        'Set Global settings, 2 groups, and Project harbor/tide-table to On mention · Account: marta@sandbox',
      );
      await dialogs.messages[0]?.press('Undo');
      await panel.until(() => level(tools) === 'global');
      assert.deepEqual([level(global), level(harbor), level(tideTable)], ['participating', 'global', 'global']);
    } finally {
      overview.dispose();
    }
  });

  it('offers at each row what helps where it could not be read, and reads again where nothing else does', async () => {
    window.sandbox.control.transform({ answer: 503, path: '/groups/12/notification_settings', times: 1 });
    const { panel, overview } = open();
    try {
      await panel.until(({ phase }) => phase === 'ready');
      assert.equal(rowIn(panel, window.tools)?.remedy, 'Try Again');
      assert.equal(rowIn(panel, window.tideTable)?.remedy, undefined);
      panel.send({ type: 'fixRow', key: scopeKey(window.tools) });
      await panel.until(() => rowIn(panel, window.tools)?.level === 'global');
      assert.equal(rowIn(panel, window.tools)?.remedy, undefined);
    } finally {
      overview.dispose();
    }
    const error = apiError(
      { method: 'GET', pathTemplate: '/groups', instance: 'gitlab.com' },
      { reason: 'missingScope', requiredScopes: ['api'] },
    );
    const { rows: all, ...rest } = await loader.load();
    const state = overviewState('marta', 'ready', { ...rest, rows: all.map((row) => ({ ...row, error })) });
    assert.equal(state.rows[0]?.remedy, 'Replace Token…');
  });

  it('says once that the token of its account may not read, and before a review that it may not change', async () => {
    const { account, dialogs, tideTable } = window;
    const { promise: rejected, resolve } = Promise.withResolvers<unknown>();
    const { panel, overview } = open({ onError: resolve });
    try {
      await panel.until(({ phase }) => phase === 'ready');
      Object.assign(account, { scopes: ['read_api'] });
      panel.send({ type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] });
      assert.match(String(await rejected), /The token of marta@sandbox may read but change nothing/);
      assert.deepEqual(dialogs.reviewed, []);
    } finally {
      overview.dispose();
    }
    Object.assign(account, { scopes: ['read_user'] });
    const weak = open();
    try {
      await weak.panel.until(({ phase }) => phase === 'ready');
      const { rows: shown, problems, remedy } = weak.panel.state ?? {};
      assert.deepEqual(
        [shown, problems, remedy],
        [
          [],
          ['The token of marta@sandbox is enough for feeds only: this needs the token scope read_api or api.'],
          'Replace Token…',
        ],
      );
    } finally {
      weak.overview.dispose();
    }
  });

  it('shows what levels that are not saved would mean, also for what inherits them, and the levels as they are', async () => {
    const overview = await loader.load();
    const harbor = { ...window.tools, id: 11, path: 'harbor' } as const;
    const chosen = new Map([[scopeKey(harbor), 'mention']]);
    const shown = (levels: ReadonlyMap<string, string>) =>
      overviewState('marta', 'ready', overview, { chosen: levels }).rows.map(
        ({ name, level, effect, inherited, isPending }) => [
          name,
          level,
          isPending ? `${effect} later` : effect,
          inherited,
        ],
      );
    const [global, , ...others] = shown(new Map());
    assert.deepEqual(others[0], ['harbor/tide-table', 'global', 'Participate', 'from the global settings']);
    assert.deepEqual(shown(chosen), [
      global,
      ['harbor', 'global', 'On mention later', 'set here'],
      ['harbor/tide-table', 'global', 'On mention later', 'from group harbor'],
      ['harbor/tools', 'global', 'On mention later', 'from group harbor'],
    ]);
  });

  it('lists all projects of the user, with what the level in effect lets through', async () => {
    await window.change(window.tools, { level: 'custom', new_note: true, new_issue: false });
    const state = overviewState('marta', 'ready', await loader.load({ projects: 100 }));
    const labels = new Map(state.rows.map(({ name, place, events, inherited }) => [name, [place, inherited, events]]));
    assert.deepEqual(labels.get('harbor/tide-table')?.[0], 'pinned');
    const [place, inherited, events] = labels.get('harbor/tools/winch') ?? [];
    assert.deepEqual([place, inherited], ['your project', 'from group harbor/tools']);
    assert.equal(labels.get('Global settings')?.[0], 'marta@sandbox');
    assert.match(events ?? '', /^2 on, 2 off, \d+ default, 1 unknown$/);
    assert.deepEqual(labels.get('harbor/berth-planner'), [
      'your project',
      'from the global settings',
      'Threads you took part in',
    ]);
    assert.ok(state.rows.every((row) => row.events !== ''));
    assert.equal(state.hasMore, false);
  });

  it('lists some projects of a user of many, and more on request', async () => {
    const all = (await loader.load({ projects: 100 })).rows.filter(({ place }) => place === 'member');
    const steps: string[] = [];
    const onStep = (done: number, total: number): void => void steps.push(`${done} of ${total}`);
    const some = await loader.load({ projects: 2, onStep });
    assert.equal(some.hasMore, true);
    assert.ok(some.rows.filter(({ place }) => place === 'member').length < all.length);
    assert.equal(steps.at(-1), `${some.rows.length} of ${some.rows.length}`);
  });

  it('lists the rest where the projects of the user cannot be listed, and says why', async () => {
    window.sandbox.control.transform({ answer: 503, path: '/projects' });
    const { rows: all, missing } = await loader.load({ projects: 100 });
    assert.equal(all.length, 4);
    assert.deepEqual(
      missing.map(({ path }) => path),
      ['Your projects'],
    );
  });

  it('shows what could be read, and guesses nothing about the rest', async () => {
    window.sandbox.control.transform(
      { answer: 503, path: '/groups/11/notification_settings' },
      { answer: 403, path: '/groups/12/notification_settings' },
    );
    const { rows: all } = await loader.load();
    assert.deepEqual(
      all.map(({ settings, error }) => [settings?.level, (error as { reason?: string } | undefined)?.reason]),
      [
        ['participating', undefined],
        [undefined, 'unavailable'],
        ['global', undefined],
        [undefined, 'missingRole'],
      ],
    );
    assert.deepEqual(all[2]?.effect, { kind: 'unknown' });
  });

  it('offers what helps where the token is too narrow', async () => {
    const facts = { method: 'GET', pathTemplate: '/projects', instance: 'gitlab.example.com' };
    const missing = [
      { path: 'Your projects', error: apiError(facts, { reason: 'missingScope', requiredScopes: ['api'] }) },
    ];
    const { problems, remedy } = overviewState('marta', 'ready', { ...(await loader.load()), missing });
    assert.deepEqual(
      [problems, remedy],
      [
        ['Your projects: The token for marta may not read this: that needs the token scope read_api or api.'],
        'Replace Token…',
      ],
    );
  });

  it('says of which scopes a profile holds for a while, and until when', async () => {
    const held = scopeKey(window.tools);
    const profileOf = (scope: NotificationScope) => (scopeKey(scope) === held ? '“Focus” until noon' : undefined);
    const { rows } = overviewState('marta', 'ready', await loader.load(), { profileOf });
    assert.deepEqual(
      rows.flatMap(({ key, profile }) => (profile === undefined ? [] : [[key, profile]])),
      [[held, '“Focus” until noon']],
    );
  });

  it('lists the scopes of its account alone, whatever the workspace holds', async () => {
    const project = { accountId: 'bob@other.example', path: 'harbor/winch', folder: vscode.Uri.file('/winch') };
    window.workspace.push(project);
    try {
      const { rows, missing } = await loader.load();
      assert.deepEqual(new Set(rows.map(({ scope }) => scope.accountId)), new Set([window.account.id]));
      assert.deepEqual(missing, []);
    } finally {
      window.workspace.pop();
    }
  });

  describe('of another account than that of the window', () => {
    const other = 'bob@other.example';
    let inUse: string | undefined;
    let changed: vscode.EventEmitter<void>;
    let scopesChanged: vscode.EventEmitter<void>;
    let pinned: unknown[];
    let opened: ReturnType<typeof open>;

    beforeEach(async () => {
      inUse = window.account.id;
      pinned = [];
      [changed, scopesChanged] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
      opened = open({
        ...{ accountId: () => inUse, isNamed: () => true },
        ...{ onDidChangeWindow: changed.event, onDidChangeScopes: scopesChanged.event },
        pin: async (...call) => void pinned.push(call),
      });
      await opened.panel.until(({ phase }) => phase === 'ready');
    });
    afterEach(() => opened.overview.dispose());

    /** Lets the window work with another account, or with none. */
    async function follow(id: string | undefined): Promise<void> {
      inUse = id;
      changed.fire();
      await opened.panel.until(({ phase }) => phase === 'ready');
    }

    it('keeps its account and works on with it until the user asks for the other one', async () => {
      const { panel, level } = opened;
      await follow(other);
      assert.deepEqual([panel.state?.['account'], panel.state?.['otherAccount']], ['marta@sandbox', other]);
      assert.equal(panel.title, 'Notification Overview (marta@sandbox)');
      panel.send({ type: 'choose', changes: [{ key: scopeKey(window.tools), level: 'watch' }] });
      assert.equal(panel.title, '● Notification Overview (marta@sandbox)');
      panel.send({ type: 'change', changes: [{ key: scopeKey(window.tools), level: 'watch' }] });
      await panel.until(({ phase }) => phase === 'ready' && level(window.tools) === 'watch');
      panel.send({ type: 'choose', changes: [] });
      panel.send({ type: 'act', action: 'pinGroup' });
      assert.deepEqual(pinned, [['group', window.account.id]]);
      assert.equal(panel.state?.['account'], 'marta@sandbox');
      panel.send({ type: 'act', action: 'openInUse' });
      await panel.until(({ account, phase }) => account === other && phase === 'ready');
      assert.deepEqual(
        [panel.state?.['otherAccount'], panel.title],
        [undefined, 'Notification Overview (bob@other.example)'],
      );
    });

    it('shows the account of the window when its command is run, unless something is chosen', async () => {
      const { panel, overview } = opened;
      panel.send({ type: 'choose', changes: [{ key: scopeKey(window.tools), level: 'watch' }] });
      await follow(other);
      await overview.showInUse();
      assert.equal(panel.state?.['account'], 'marta@sandbox');
      panel.send({ type: 'choose', changes: [] });
      await overview.showInUse();
      assert.equal(panel.state?.['account'], other);
    });

    it('says of which account the user is signed out, keeps its rows, and offers the sandbox where nobody is signed in', async () => {
      const { panel, level } = opened;
      Object.assign(window.finder, {
        find: async ({ accountId }: FindOptions) => {
          throw new SignedOutError(accountId);
        },
      });
      inUse = other;
      scopesChanged.fire();
      await opened.panel.until(({ phase }) => phase === 'ready');
      const { isSignedOut, problems, remedy, account } = panel.state ?? {};
      assert.deepEqual(
        [isSignedOut, problems, remedy, account],
        [true, ['You are signed out of marta@sandbox: nothing can be changed here.'], 'Sign In…', 'marta@sandbox'],
      );
      assert.equal(level(window.tideTable), 'global');
      await follow(undefined);
      assert.deepEqual([panel.state?.['otherAccount'], panel.state?.['isSignedOut']], [undefined, true]);
      const { executeCommand } = vscode.commands;
      const commands: unknown[] = [];
      Object.assign(vscode.commands, {
        executeCommand: async (command: string) => {
          commands.push(command);
          inUse = 'sandbox';
          changed.fire();
        },
      });
      try {
        panel.send({ type: 'act', action: 'trySandbox' });
        await panel.until(({ account: shown }) => shown === 'marta@sandbox');
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      assert.deepEqual(commands, ['beacon.trySandbox']);
    });
  });

  it('says that changes are reviewed before they are made, then what became of them', async () => {
    const { panel, overview, level } = open();
    const { dialogs, tideTable } = window;
    const change = { type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] };
    try {
      await panel.until(({ phase }) => phase === 'ready');
      dialogs.onReview = async () => undefined;
      panel.send(change);
      await panel.until(({ result }) => result === 'Nothing was changed.');
      const phases = (): unknown[] => panel.posted.map(({ phase }) => phase).filter((_, index) => index >= first);
      let first = panel.posted.length;
      let reviewed: unknown;
      dialogs.onReview = async (plans) => {
        reviewed = panel.state?.['phase'];
        return plans;
      };
      panel.send(change);
      await panel.until(({ phase }) => phase === 'ready' && level(tideTable) === 'watch');
      assert.equal(reviewed, 'reviewing');
      assert.deepEqual([...new Set(phases())], ['reviewing', 'changing', 'loading', 'ready']);
      assert.match(String(panel.state?.['result']), /^Saved: Project harbor\/tide-table · Level: from Global to Watch/);
      first = panel.posted.length;
      panel.send({ type: 'choose', changes: [{ key: scopeKey(tideTable), level: 'mention' }] });
      assert.equal(panel.state?.['result'], undefined);
    } finally {
      overview.dispose();
    }
  });

  it('reads after a review that was given up what has changed meanwhile, and nothing during it', async () => {
    const { panel, overview, level } = open();
    const { dialogs, engine, tideTable, tools } = window;
    try {
      await panel.until(({ phase }) => phase === 'ready');
      dialogs.onReview = async () => {
        await engine.apply(tools, { expected: await engine.read(tools), change: { level: 'watch' } });
        assert.equal(panel.state?.['phase'], 'reviewing');
        return undefined;
      };
      panel.send({ type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] });
      await panel.until(({ phase }) => phase === 'ready' && level(tools) === 'watch');
    } finally {
      overview.dispose();
    }
  });

  it('sends nothing after a sign-out during the review, and says so', async () => {
    const { panel, overview, level } = open();
    const { dialogs, tideTable } = window;
    try {
      await panel.until(({ phase }) => phase === 'ready');
      dialogs.onReview = async (plans) => {
        window.signedIn = false;
        return plans;
      };
      panel.send({ type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] });
      await panel.until(({ phase, result }) => phase === 'ready' && result !== undefined);
      assert.match(dialogs.messages[0]?.sentence ?? '', /^Project harbor\/tide-table: You are signed out\./);
      window.signedIn = true;
      assert.equal(await window.level(tideTable), 'global');
      await dialogs.messages[0]?.press('Try Again');
      await panel.until(({ phase }) => phase === 'ready' && level(tideTable) === 'watch');
    } finally {
      overview.dispose();
    }
  });

  it('makes what was confirmed where it was closed during the review, and shows nothing any more', async () => {
    const { panel, overview } = open();
    const { dialogs, tideTable } = window;
    await panel.until(({ phase }) => phase === 'ready');
    let shown = 0;
    dialogs.onReview = async (plans) => {
      overview.dispose();
      shown = panel.posted.length;
      return plans;
    };
    const notified = new Promise<void>((resolve) => {
      Object.assign(dialogs, { notify: () => resolve() });
    });
    panel.send({ type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] });
    await notified;
    assert.deepEqual([await window.level(tideTable), panel.posted.length], ['watch', shown]);
  });

  it('overwrites nothing by an undo that comes after another change, and says so', async () => {
    const { panel, overview, level } = open();
    const { dialogs, tideTable } = window;
    try {
      await panel.until(({ phase }) => phase === 'ready');
      panel.send({ type: 'change', changes: [{ key: scopeKey(tideTable), level: 'watch' }] });
      await panel.until(({ phase }) => phase === 'ready' && level(tideTable) === 'watch');
      await window.change(tideTable, { level: 'mention' });
      await dialogs.messages[0]?.press('Undo');
      assert.equal(await window.level(tideTable), 'mention');
      assert.match(
        dialogs.messages[1]?.sentence ?? '',
        /changed in the meantime, here or elsewhere, so nothing was sent/,
      );
    } finally {
      overview.dispose();
    }
  });

  it('names each level where several were set', async () => {
    const { panel, overview, level } = open();
    const { dialogs, global, tideTable, tools } = window;
    try {
      await panel.until(({ phase }) => phase === 'ready');
      const levels = [
        [global, 'mention'],
        [tideTable, 'watch'],
        [tools, 'watch'],
      ] as const;
      panel.send({ type: 'change', changes: levels.map(([scope, one]) => ({ key: scopeKey(scope), level: one })) });
      await panel.until(({ phase }) => phase === 'ready' && level(tools) === 'watch');
      assert.equal(
        dialogs.messages[0]?.sentence,
        'Set Global settings to On mention · Set Group harbor/tools and Project harbor/tide-table to Watch · Account: marta@sandbox',
      );
    } finally {
      overview.dispose();
    }
  });

  it('names what does not change in the title of a review, and lets nothing of it be ticked', async () => {
    const plan = async (scope: NotificationScope, level: string) =>
      planOfLevel(scope, await window.engine.read(scope), level);
    const plans = [await plan(window.tools, 'global'), await plan(window.tideTable, 'watch')];
    assert.equal(reviewTitle('Import', plans), 'Import · Nothing to change: Group harbor/tools');
    assert.equal(reviewTitle('Import', plans.slice(1)), 'Import');
    assert.deepEqual(
      reviewLines(plans).map(({ label, value }) => [label, value]),
      [['Project harbor/tide-table', plans[1]]],
    );
  });

  it('begins the line of a review with the level, then shortly what cannot be restored', async () => {
    const scope = window.tideTable;
    const expected = await window.engine.read(scope);
    const events = ['new_issue', 'close_issue', 'reopen_issue', 'new_note'];
    const plan: ScopePlan = {
      ...{ scope, expected, change: { new_note: true, level: 'custom' } },
      notes: [{ kind: 'overwritesHidden', events }],
    };
    assert.match(
      reviewLines([plan])[0]?.detail ?? '',
      /^Level: from Global to Custom · not restored later, but effective only at the level Custom: 4 events · New comment: from unknown to on$/,
    );
  });

  it('says in a review for good what the level Custom does not bring back, or the API cannot', async () => {
    await window.change(window.tideTable, { level: 'custom' });
    const custom = await window.engine.read(window.tideTable);
    const planOf = (level: string, kind: 'overwritesDefault' | 'overwritesHidden'): ScopePlan => ({
      scope: window.tideTable,
      expected: { ...custom, level },
      change: { new_note: true },
      notes: [{ kind, events: ['new_note'] }],
    });
    const labelsOf = (plan: ScopePlan): unknown => [
      reviewLines([plan])[0]?.detail?.split(' · ')[0],
      planLabels(plan)[1],
    ];
    const final = 'cannot be restored later: New comment';
    const noDefault = 'Overwritten for good, because the API cannot restore the default: New comment.';
    assert.deepEqual(labelsOf(planOf('custom', 'overwritesHidden')), [
      final,
      'Cannot be restored later, because GitLab does not show their state: New comment.',
    ]);
    assert.deepEqual(labelsOf(planOf('custom', 'overwritesDefault')), [final, noDefault]);
    assert.deepEqual(labelsOf(planOf('watch', 'overwritesDefault')), [final, noDefault]);
    assert.deepEqual(labelsOf(planOf('watch', 'overwritesHidden')), [
      'not restored later, but effective only at the level Custom: New comment',
      'Not restored later, because the level hides their state, but effective only at the level Custom: New comment.',
    ]);
  });

  it('exports settings as JSON and imports them after a preview', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true });
    await transfer.export(window.account.id, (await loader.load()).rows);
    const exported = JSON.parse(file ?? '') as { settings: Record<string, unknown>[] };
    assert.deepEqual(
      exported.settings.map(({ scope, path, level }) => [scope, path, level]),
      [
        ['global', undefined, 'participating'],
        ['group', 'harbor', 'global'],
        ['project', 'harbor/tide-table', 'custom'],
        ['group', 'harbor/tools', 'global'],
      ],
    );
    assert.ok(!file?.includes(window.sandbox.tokens.owner));
    await window.change(window.tideTable, { level: 'watch', new_note: false });
    let level = '';
    window.dialogs.onReview = async (plans) => {
      level = await window.level(window.tideTable);
      return plans;
    };
    await transfer.import(window.account.id);
    assert.equal(level, 'watch', 'nothing is sent before the preview');
    assert.equal((await window.events(window.tideTable))['new_note'], true);
  });

  it('leaves out what the instance does not have, and says so', async () => {
    const settings = [
      { scope: 'project', path: 'harbor/sunken', level: 'watch' },
      { scope: 'group', path: 'sunken', level: 'watch' },
      { scope: 'project', path: 'harbor/tide-table', level: 'watch', events: { new_tea: true } },
    ];
    file = JSON.stringify({ format: 'beacon-gitlab-notification-settings', version: 1, settings });
    await transfer.import(window.account.id);
    assert.match(
      window.dialogs.messages[0]?.sentence ?? '',
      /^Left out of the import: Project harbor\/sunken: .* Group sunken: /,
    );
    assert.equal(await window.level(window.tideTable), 'watch');
  });

  it('names the global settings as the form does, where they cannot be read', async () => {
    const settings = [
      { scope: 'global', level: 'watch' },
      { scope: 'project', path: 'harbor/tide-table', level: 'watch' },
    ];
    file = JSON.stringify({ format: 'beacon-gitlab-notification-settings', version: 1, settings });
    window.sandbox.control.transform({ answer: 503, path: '/notification_settings' });
    await transfer.import(window.account.id);
    window.sandbox.control.transform();
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /^Left out of the import: Global settings: /);
    assert.equal(await window.level(window.tideTable), 'watch');
  });

  const fileOf = (...settings: object[]): string =>
    JSON.stringify({ format: 'beacon-gitlab-notification-settings', version: 1, settings });
  const scoped = (fields: object): string =>
    fileOf({ scope: 'global', level: 'watch' }, { scope: 'project', ...fields });
  const bad: Readonly<Record<string, readonly [text: string, place: string | undefined]>> = {
    'no JSON': ['{', undefined],
    'a list': ['[]', undefined],
    'another format': ['{"format":"x","version":1,"settings":[{"scope":"global","level":"watch"}]}', 'format'],
    'no settings': [fileOf(), 'settings'],
    'an unknown level': [fileOf({ scope: 'global', level: 'wach' }), 'settings[0].level'],
    'an unknown scope': [fileOf({ scope: 'team', level: 'watch' }), 'settings[0].scope'],
    'a scope without a path': [scoped({ level: 'watch' }), 'settings[1].path'],
    'a path that is too long': [scoped({ path: 'p'.repeat(1001), level: 'watch' }), 'settings[1].path'],
    'a misspelt property': [scoped({ path: 'a/b', level: 'watch', event: {} }), 'settings[1].event'],
    'an event that is neither on nor off': [
      scoped({ path: 'a/b', level: 'custom', events: { new_note: null } }),
      'settings[1].events.new_note',
    ],
    'what is no name of an event': [
      scoped({ path: 'a/b', level: 'custom', events: { 'New Note': true } }),
      'settings[1].events.New Note',
    ],
    'a scope that is there twice': [
      fileOf({ scope: 'global', level: 'watch' }, { scope: 'global', level: 'mention' }),
      'settings[1]',
    ],
  };
  for (const [name, [text, place]] of Object.entries(bad)) {
    it(`refuses a file with ${name}, says where, and sends nothing`, async () => {
      file = text;
      assert.equal(await transfer.import(window.account.id), undefined);
      const what =
        place === undefined ? 'it is no JSON object, or too large.' : `${place} is missing, wrong or there twice.`;
      assert.equal(window.dialogs.messages[0]?.sentence, `This is not a file of notification settings: ${what}`);
      assert.deepEqual(window.dialogs.reviewed, []);
    });
  }
});
