import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectPlace } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import { messageItem, problemRows } from '../accounts/messageRows.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { DocumentProblems } from '../workspace/documentProblems.ts';
import { DsnFiles, type DsnPlace } from './dsnFiles.ts';
import { dsnFixes, dsnHover, problemsOf } from './dsnProblems.ts';
import { DsnStates } from './dsnStates.ts';
import { insertionCommands } from './insert/insert.ts';
import { Writer } from './insert/write.ts';
import { KeyNotes } from './keyNotes.ts';
import { keyCommands, Keys } from './keys.ts';
import type { CommandTarget } from './labels.ts';
import { Targets } from './pick.ts';
import { Projects, type TrackedProject } from './projects.ts';
import { replaceKeyCommands } from './replaceKey.ts';
import { settingsCommands, setUpsOf } from './settings.ts';
import { testErrorCommands } from './testError.ts';
import { type TrackingNode, TrackingRows } from './tree.ts';

const { t } = vscode.l10n;

/** Error tracking: its view with its commands, and what it says of DSNs in files. */
export class ErrorTracking implements vscode.Disposable {
  readonly commands: CommandsOf<'errorTracking'>;
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<TrackingNode>;
  readonly #projects: Projects;
  readonly #dialogs: Dialogs;
  readonly #states: DsnStates;
  readonly #files = new DsnFiles();
  readonly #rows: TrackingRows;
  readonly #targets: Targets;
  readonly #problems: DocumentProblems;
  readonly #subscription: vscode.Disposable;
  #isScanWanted = false;
  #shows = 0;

  constructor(app: App) {
    this.#app = app;
    this.#view = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (node ? await this.#childrenOf(node) : await this.#roots()),
        getTreeItem: ({ item }) => item,
        getParent: ({ parent }) => parent,
      },
      showCollapseAll: true,
      // Into an editor, a terminal or another program: what drops are the DSNs of active keys.
      dragAndDropController: {
        dragMimeTypes: ['text/plain'],
        dropMimeTypes: [],
        handleDrag: (nodes, transfer) => {
          const dsns = nodes.flatMap(({ key }) => (key?.active === true ? [key.tracker_dsn] : []));
          if (dsns.length > 0) {
            transfer.set('text/plain', new vscode.DataTransferItem(dsns.join('\n')));
          }
        },
      },
    });
    const update = (): void => this.#changed.fire(undefined);
    const dialogs = (this.#dialogs = new Dialogs(app, 'beacon.errorTracking'));
    const projects = (this.#projects = new Projects(app));
    const states = (this.#states = new DsnStates(app, projects));
    const notes = new KeyNotes(app, projects, this.#files);
    this.#rows = new TrackingRows(app, projects, notes);
    const targets = (this.#targets = new Targets(app, projects, notes, dialogs));
    const keys = new Keys(app, projects, dialogs);
    const writer = new Writer(dialogs);
    this.commands = {
      'beacon.errorTracking.refresh': () => this.#refresh(),
      'beacon.errorTracking.reloadProject': async ({ project }: CommandTarget) => {
        await dialogs.viewProgress(async () => (project ? await projects.reload(project) : undefined));
      },
      'beacon.errorTracking.pinProject': () => this.#pin(),
      'beacon.errorTracking.unpinProject': (chosen?: CommandTarget) => this.#unpin(chosen),
      'beacon.errorTracking.openOnWeb': (chosen?: CommandTarget) => this.#openOnWeb(chosen),
      ...settingsCommands(app, projects, targets, dialogs),
      ...keyCommands(keys, targets, dialogs),
      ...replaceKeyCommands(app, keys, notes, targets, writer, dialogs),
      ...insertionCommands(targets, writer, dialogs),
      ...testErrorCommands(app, targets, dialogs),
    };
    this.#problems = new DocumentProblems(
      'beacon-dsn',
      async (document, isOutdated) => {
        if (!this.#isOn) {
          return [];
        }
        await this.#files.readDocument(document, isOutdated);
        return isOutdated() ? [] : await this.#problemsOf(this.#files.of(document.uri));
      },
      app.log,
      true,
    );
    const { languages, workspace } = vscode;
    const anywhere = { pattern: '**' };
    this.#subscription = vscode.Disposable.from(
      ...[this.#changed, this.#view, notes, this.#problems, this.#files, projects],
      projects.onDidChange(() => {
        this.#describe();
        update();
        void this.#showProblems();
      }),
      notes.onDidChange(update),
      app.accountInUse.onDidChange(() => {
        update();
        return this.#isOn ? this.#scan() : this.#files.clear();
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#scan()),
      workspace.onDidChangeWorkspaceFolders(() => this.#scan()),
      workspace.onDidChangeConfiguration((event) =>
        event.affectsConfiguration('beacon.errorTracking.problems') ? this.#showProblems() : undefined,
      ),
      languages.registerHoverProvider(anywhere, {
        provideHover: async (document, position) =>
          workspace.isTrusted ? await dsnHover(app, states, document, position) : undefined,
      }),
      languages.registerCodeActionsProvider(
        anywhere,
        { provideCodeActions: async (document, _range, { diagnostics }) => dsnFixes(states, document, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.#describe();
  }

  async #roots(): Promise<TrackingNode[]> {
    const { account } = this.#app.accountInUse;
    if (account && !this.#isScanWanted) {
      this.#isScanWanted = true;
      this.#scan();
    }
    await this.#projects.whenKnown();
    const roots: TrackingNode[] = account ? this.#rows.roots : [];
    // What the editor says of an empty view is not true of an account without a token.
    const rows =
      account?.kind === 'instance' && !lacksReadScope(account) && roots.length === 0
        ? await this.#app.connections.of(account.id).then(
            () => [],
            (error: unknown) =>
              problemRows(problemOf(error, account.id), {
                command: 'beacon.errorTracking.refresh',
                title: t('Try Again'),
              }),
          )
        : [];
    // The editor takes a view for empty before it has asked for rows, too.
    setContext('isEmpty', account !== undefined && roots.length + rows.length === 0);
    return [...roots, ...rows.map((row) => ({ item: messageItem(row) }))];
  }

  async #childrenOf(node: TrackingNode): Promise<TrackingNode[]> {
    const { project, parent } = node;
    if (!project || parent) {
      return [];
    }
    // What is known is shown at once.
    const known = this.#projects.get(project);
    const state = known ?? (await this.#dialogs.viewProgress(() => this.#projects.load(project)));
    return this.#rows.childrenOf(node, project, state);
  }

  /** Whether a project is shown without being pinned first. */
  async shows(project: ProjectPlace): Promise<boolean> {
    return this.#find(project) !== undefined;
  }

  /** Says which notification level of a project holds, after it was changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    await this.#projects.reloadLevel(accountId, id);
  }

  #find({ accountId, id, path }: ProjectPlace): TrackedProject | undefined {
    return this.#projects.shown({ accountId, idOrPath: id }) ?? this.#projects.shown({ accountId, idOrPath: path });
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(place: ProjectPlace): Promise<void> {
    if (!this.#find(place)) {
      await this.#app.pins.add({ kind: 'project', ...place });
    }
    const shown = this.#find(place);
    const node = (await this.#roots()).find(({ project }) => project && project.path === shown?.path);
    if (node) {
      await this.#view.reveal(node, { expand: true, focus: true });
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** No file is read while nobody is signed in or the workspace is not trusted. */
  get #isOn(): boolean {
    return this.#app.accountInUse.account !== undefined && vscode.workspace.isTrusted;
  }

  /** Looks through the files of the workspace, once the view was opened. */
  #scan(): void {
    this.#problems.refresh();
    if (this.#isScanWanted && this.#isOn) {
      this.#files
        .scan()
        .then(() => this.#describe())
        .then(() => this.#showProblems())
        .catch((error: unknown) => this.#app.log.error(inspect(error)));
    }
  }

  async #problemsOf(places: readonly DsnPlace[]): Promise<vscode.Diagnostic[]> {
    const isOff = vscode.workspace.getConfiguration().get<unknown>('beacon.errorTracking.problems') === false;
    return isOff ? [] : await problemsOf(places, this.#states);
  }

  async #showProblems(): Promise<void> {
    this.#shows += 1;
    const run = this.#shows;
    this.#problems.refresh();
    const found: [vscode.Uri, vscode.Diagnostic[]][] = [];
    for (const uri of new Set(this.#files.all.map((place) => place.uri))) {
      found.push([uri, await this.#problemsOf(this.#files.of(uri))]);
    }
    if (run === this.#shows) {
      this.#problems.setClosed(found);
    }
  }

  /** Loads what is shown again. Failures show in the tree. */
  async #refresh(): Promise<void> {
    if (!this.#app.accountInUse.account) {
      await this.#app.connections.current();
    }
    const shown = this.#projects.all.filter((project) => this.#projects.get(project));
    this.#isScanWanted = true;
    this.#scan();
    await this.#dialogs.viewProgress(() => Promise.all(shown.map((project) => this.#projects.reload(project))));
    this.#changed.fire(undefined);
  }

  async #pin(): Promise<void> {
    const project = await this.#targets.pick(t('Pin Project'));
    if (project) {
      await this.#app.pins.add(project);
      await (this.#view.visible ? this.show(project) : undefined);
    }
  }

  async #unpin(chosen?: CommandTarget): Promise<void> {
    const { accountId, idOrPath: id } = chosen?.project ?? {};
    if (accountId !== undefined && typeof id === 'number') {
      await this.#app.pins.remove({ kind: 'project', accountId, id });
    }
  }

  async #openOnWeb(chosen?: CommandTarget): Promise<void> {
    const project = await this.#targets.project(chosen, t('Open Errors in Browser'));
    const { facts } = project ? await this.#projects.load(project) : {};
    if (facts?.webUrl !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(`${facts.webUrl}/-/error_tracking`, true));
    } else if (project) {
      this.#dialogs.notify('warning', t('The web address of {0} is not known.', project.path));
    }
  }

  get #gapLabel(): string {
    switch (this.#files.gap) {
      case 'large':
        return t('This workspace is too large to examine: some files were not searched for DSNs.');
      case 'unsearchable':
        return t('The files of this workspace cannot be searched here: DSNs are found in open files alone.');
      default:
        return '';
    }
  }

  /** Tells menus what applies, and names the account in use above the rows, where it could be mistaken for another one. */
  #describe(): void {
    const { accounts, accountInUse } = this.#app;
    const { account } = accountInUse;
    const isNamed = accounts.all.length > 1 || account?.kind === 'sandbox' || lacksReadScope(account);
    this.#view.description = account && isNamed ? accountLabel(account.id) : '';
    // With a message the editor shows no welcome, which an empty view needs more.
    this.#view.message = this.#projects.all.length > 0 ? this.#gapLabel : '';
    const known = this.#projects.all.flatMap((project) => this.#projects.get(project)?.tracking ?? []);
    const hasActiveKey = known.some(({ keys }) => keys.some(({ active }) => active));
    setContext('hasActiveKey', hasActiveKey);
    setContext(
      'canSetUp',
      known.some(({ settings }) => setUpsOf(settings).length > 0),
    );
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `beacon.errorTracking.${key}`, value);
}
