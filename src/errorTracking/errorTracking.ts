import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectPlace } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { Dialogs } from '../accounts/dialogs.ts';
import { commonSentence, problemOf, problemRows } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { messageItem } from '../common/messageRow.ts';
import { DocumentProblems } from '../workspace/documentProblems.ts';
import { DsnFiles } from './dsnFiles.ts';
import { dsnProblems } from './dsnProblems.ts';
import { insertionCommands } from './insert/insert.ts';
import { writerOf } from './insert/write.ts';
import { keyNotes } from './keyNotes.ts';
import { keyCommands } from './keys.ts';
import { type CommandTarget, failureLabel } from './labels.ts';
import { targetsOf } from './pick.ts';
import { Projects, type TrackedProject } from './projects.ts';
import { settingsCommands, setUpsOf } from './settings.ts';
import { testErrorCommands } from './testError.ts';
import { type TrackingNode, trackingRows } from './tree.ts';

const { t } = vscode.l10n;

/** Error tracking: its view with its commands, and what it says of DSNs in files. @param levelName how a notification level is called. */
export function createErrorTracking(app: App, levelName: (level: string) => string) {
  const changed = new vscode.EventEmitter<undefined>();
  const update = (): void => changed.fire(undefined);
  const dialogs = new Dialogs(app, 'beacon.errorTracking');
  const projects = new Projects(app);
  const files = new DsnFiles();
  const notes = keyNotes(app, projects, files);
  const dsns = dsnProblems(app, projects);
  const rows = trackingRows(app, projects, notes, levelName);
  const targets = targetsOf(app, projects, notes, dialogs);
  const write = writerOf(dialogs);
  let isScanWanted = false;
  let shows = 0;

  const view = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => (node ? await childrenOf(node) : await roots()),
      getTreeItem: ({ item }) => item,
      getParent: ({ parent }) => parent,
    },
    showCollapseAll: true,
    // Into an editor, a terminal or another program: what drops are the DSNs of active keys.
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: [],
      handleDrag: (nodes, transfer) => {
        const dropped = nodes.flatMap(({ key }) => (key?.active === true ? [key.tracker_dsn] : []));
        if (dropped.length > 0) {
          transfer.set('text/plain', new vscode.DataTransferItem(dropped.join('\n')));
        }
      },
    },
  });
  const problems = new DocumentProblems(
    'beacon-dsn',
    async (document, isOutdated) => {
      if (!isOn()) {
        return [];
      }
      await files.readDocument(document, isOutdated);
      return isOutdated() ? [] : await dsns.problemsOf(files.of(document.uri));
    },
    app.log,
    true,
  );
  const { workspace } = vscode;
  const subscription = vscode.Disposable.from(
    ...[changed, view, notes, problems, files, projects, dsns],
    projects.onDidChange(() => {
      describe();
      update();
      void showProblems();
    }),
    notes.onDidChange(update),
    app.accounts.onDidChange(describe),
    app.accountInUse.onDidChange(() => {
      update();
      return isOn() ? scan() : files.clear();
    }),
    workspace.onDidGrantWorkspaceTrust(scan),
    workspace.onDidChangeWorkspaceFolders(scan),
    workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration('beacon.errorTracking.problems') ? showProblems() : undefined,
    ),
  );
  describe();

  async function roots(): Promise<TrackingNode[]> {
    const { account } = app.accountInUse;
    if (account && !isScanWanted) {
      isScanWanted = true;
      scan();
    }
    await projects.whenKnown();
    const shown: TrackingNode[] = account ? rows.roots() : [];
    if (account?.kind === 'instance' && !lacksReadScope(account) && shown.length === 0) {
      // What the editor says of an empty view is not true of an account without a token.
      await app.connections.of(account.id).catch((error: unknown) => {
        const tryAgain = { command: 'beacon.errorTracking.refresh', title: t('Try Again') };
        shown.push(...problemRows(problemOf(error, account.id), tryAgain).map((row) => ({ item: messageItem(row) })));
      });
    }
    // The editor takes a view for empty before it has asked for rows, too.
    setContext('isEmpty', account !== undefined && shown.length === 0);
    return shown;
  }

  async function childrenOf(node: TrackingNode): Promise<TrackingNode[]> {
    const { project, parent } = node;
    if (!project || parent) {
      return [];
    }
    // What is known is shown at once.
    const state = projects.get(project) ?? (await dialogs.viewProgress(() => projects.load(project)));
    return rows.childrenOf(node, project, state);
  }

  function find({ accountId, id, path }: ProjectPlace): TrackedProject | undefined {
    return projects.shown({ accountId, idOrPath: id }) ?? projects.shown({ accountId, idOrPath: path });
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async function show(place: ProjectPlace): Promise<void> {
    if (!find(place)) {
      await app.pins.add(place);
    }
    const shown = find(place);
    const node =
      shown &&
      (await roots()).find(({ project }) => project?.accountId === shown.accountId && project.path === shown.path);
    if (node) {
      await view.reveal(node, { expand: true, focus: true });
    }
  }

  /** No file is read while nobody is signed in or the workspace is not trusted. */
  function isOn(): boolean {
    return app.accountInUse.account !== undefined && workspace.isTrusted;
  }

  /** Looks through the files of the workspace, once the view was opened. */
  function scan(): void {
    problems.refresh();
    if (isScanWanted && isOn()) {
      files
        .scan()
        .then(describe)
        .then(showProblems)
        .catch((error: unknown) => app.log.error(inspect(error)));
    }
  }

  async function showProblems(): Promise<void> {
    shows += 1;
    const run = shows;
    problems.refresh();
    const found: [vscode.Uri, vscode.Diagnostic[]][] = [];
    for (const uri of new Set(files.all.map((place) => place.uri))) {
      found.push([uri, await dsns.problemsOf(files.of(uri))]);
    }
    if (run === shows) {
      problems.setClosed(found);
    }
  }

  /** Loads what is shown again. Failures show in the tree. */
  async function refresh(): Promise<void> {
    if (!app.accountInUse.account) {
      await app.connections.current();
    }
    const shown = projects.all.filter((project) => projects.get(project));
    isScanWanted = true;
    scan();
    await dialogs.viewProgress(() => Promise.all(shown.map((project) => projects.reload(project))));
    update();
  }

  async function pin(): Promise<void> {
    const project = await targets.pick(t('Pin Project'));
    if (project) {
      await app.pins.add(project);
      const account = app.accountInUse.labelOf(project.accountId);
      if (account !== '') {
        dialogs.notify('info', t('Pinned {0}: it is shown while this window uses {1}.', project.path, account));
      }
      await (view.visible ? show(project) : undefined);
    }
  }

  async function unpin(chosen?: CommandTarget): Promise<void> {
    const { accountId, idOrPath: id } = chosen?.project ?? {};
    if (accountId !== undefined && typeof id === 'number') {
      await app.pins.remove({ accountId, id });
    }
  }

  async function openOnWeb(chosen?: CommandTarget): Promise<void> {
    const project = await targets.project(chosen, t('Open Errors in Browser'));
    const { facts } = project ? await projects.load(project) : {};
    if (facts?.webUrl !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(`${facts.webUrl}/-/error_tracking`, true));
    } else if (project) {
      dialogs.notify('warning', t('The web address of {0} is not known.', project.path));
    }
  }

  /** Tells menus what applies, and names the account in use above the rows, where it could be mistaken for another one. */
  function describe(): void {
    const { account } = app.accountInUse;
    // Rows of other accounts name theirs.
    const areOfOthers = projects.all.some(({ accountId }) => accountId !== account?.id);
    const isNamed = app.accounts.all.length > 1 || account?.kind === 'sandbox' || lacksReadScope(account);
    view.description = account && isNamed && !areOfOthers ? accountLabel(account.id) : '';
    // With a message the editor shows no welcome, which an empty view needs more.
    view.message =
      files.gap === 'some' && projects.all.length > 0
        ? t('Not all files of this workspace can be searched for DSNs. In files that are open, they are found.')
        : commonSentence(
            projects.all.map((project) => {
              const state = projects.get(project);
              return state?.error === undefined ? undefined : failureLabel(project, state);
            }),
          );
    const known = projects.all.flatMap((project) => projects.get(project)?.tracking ?? []);
    const hasActiveKey = known.some(({ keys }) => keys.some(({ active }) => active));
    setContext('hasActiveKey', hasActiveKey);
    setContext(
      'canSetUp',
      known.some(({ settings }) => setUpsOf(settings).length > 0),
    );
  }

  const commands: CommandsOf<'errorTracking'> = {
    'beacon.errorTracking.refresh': refresh,
    'beacon.errorTracking.reloadProject': async ({ project }: CommandTarget) => {
      await dialogs.viewProgress(async () => (project ? await projects.reload(project) : undefined));
    },
    'beacon.errorTracking.pinProject': pin,
    'beacon.errorTracking.unpinProject': unpin,
    'beacon.errorTracking.openOnWeb': openOnWeb,
    ...settingsCommands(app, projects, targets, dialogs),
    ...keyCommands(app, projects, notes, targets, write, dialogs),
    ...insertionCommands(targets, write, dialogs),
    ...testErrorCommands(app, targets, dialogs),
  };
  return {
    commands,
    show,
    /** Whether a project is shown without being pinned first. */
    shows: async (project: ProjectPlace): Promise<boolean> => find(project) !== undefined,
    /** Says which notification level of a project holds, after it was changed. */
    reloadLevel: async (accountId: string, id: number): Promise<void> => await projects.reloadLevel(accountId, id),
    dispose: (): void => void subscription.dispose(),
  };
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `beacon.errorTracking.${key}`, value);
}
