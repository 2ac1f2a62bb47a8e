import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectPlace } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { EditorDialogs } from '../accounts/dialogs.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { setStatusBarMessage } from '../common/inertWindow.ts';
import { DocumentProblems } from '../workspace/documentProblems.ts';
import { DsnFiles } from './dsnFiles.ts';
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

/** Error tracking: its view with its commands, and what it says of DSNs in files. */
export class ErrorTracking implements vscode.Disposable {
  readonly commands: CommandsOf<'errorTracking'>;
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<TrackingNode>;
  readonly #projects: Projects;
  readonly #dialogs: EditorDialogs;
  readonly #states: DsnStates;
  readonly #files: DsnFiles;
  readonly #rows: TrackingRows;
  readonly #targets: Targets;
  readonly #problems: DocumentProblems;
  readonly #subscription: vscode.Disposable;
  #isScanWanted = false;
  /** The files whose problems are shown, though they are not open. */
  #shown: readonly vscode.Uri[] = [];
  #shows = 0;

  constructor(app: App) {
    this.#app = app;
    this.#view = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (app.accountInUse.account ? this.#children(node) : []),
        getTreeItem: ({ item }) => item,
        getParent: ({ parent }) => parent,
      },
      showCollapseAll: true,
    });
    const update = (): void => this.#changed.fire(undefined);
    const dialogs = (this.#dialogs = new EditorDialogs(app, 'beacon.errorTracking'));
    const projects = (this.#projects = new Projects(app));
    const states = (this.#states = new DsnStates(app, projects));
    this.#files = new DsnFiles(app.files);
    const notes = new KeyNotes(app, projects, this.#files);
    this.#rows = new TrackingRows(app, projects, notes);
    const targets = (this.#targets = new Targets(app, projects, notes, dialogs));
    const keys = new Keys(app, projects, dialogs);
    const writer = new Writer(app, dialogs);
    this.commands = {
      'beacon.errorTracking.refresh': () => this.#refresh(),
      'beacon.errorTracking.reloadProject': (chosen: CommandTarget) => this.#reload(chosen),
      'beacon.errorTracking.copyAddress': async (address: string) => {
        await vscode.env.clipboard.writeText(address);
        setStatusBarMessage(vscode.l10n.t('{0} copied', address), 5000);
      },
      'beacon.errorTracking.pinProject': () => this.#pin(),
      'beacon.errorTracking.unpinProject': (chosen?: CommandTarget) => this.#unpin(chosen),
      'beacon.errorTracking.openOnWeb': (chosen?: CommandTarget) => this.#openOnWeb(chosen),
      ...settingsCommands(app, projects, targets, dialogs),
      ...keyCommands(keys, targets, dialogs),
      ...replaceKeyCommands(app, keys, notes, targets, writer, dialogs),
      ...insertionCommands(targets, notes, writer, dialogs),
      ...testErrorCommands(app, targets, notes, dialogs),
    };
    this.#problems = new DocumentProblems(
      'beacon-dsn',
      async (document, isOutdated) => {
        if (!this.#isOn) {
          return [];
        }
        await this.#files.readDocument(document, isOutdated);
        return isOutdated() ? [] : await problemsOf(document.uri, this.#files, states);
      },
      app.log,
      true,
    );
    const { languages, workspace } = vscode;
    const anywhere = { pattern: '**' };
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      this.#view,
      notes,
      this.#problems,
      this.#files,
      projects,
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

  async #children(parent?: TrackingNode): Promise<TrackingNode[]> {
    if (parent) {
      return parent.parent ? [] : this.#rows.childrenOf(parent, await this.#load(parent.project));
    }
    if (!this.#isScanWanted) {
      this.#isScanWanted = true;
      this.#scan();
    }
    await this.#projects.whenKnown();
    const { roots } = this.#rows;
    // The editor takes a view for empty before it has asked for rows, too.
    setContext('isEmpty', this.#app.accountInUse.account !== undefined && roots.length === 0);
    return roots;
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
    return this.#projects.all.find(
      (project) => project.accountId === accountId && (project.idOrPath === id || project.path === path),
    );
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(place: ProjectPlace): Promise<void> {
    if (!this.#find(place)) {
      await this.#app.pins.add({ kind: 'project', ...place });
    }
    const project = this.#find(place);
    const node = (await this.#children()).find((root) => root.project.path === project?.path);
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
        .then(() => {
          this.#view.message = this.#files.isComplete
            ? ''
            : vscode.l10n.t('This workspace is too large to examine: some files were not searched for DSNs.');
        })
        .then(() => this.#showProblems())
        .catch((error: unknown) => this.#app.log.error(inspect(error)));
    }
  }

  /** Shows problems as they are known by now. */
  async #showProblems(): Promise<void> {
    this.#shows += 1;
    const run = this.#shows;
    this.#problems.refresh();
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = this.#files.all.map(({ uri }) => uri).filter((uri) => !open.has(uri.toString()));
    const names = new Set(closed.map(String));
    this.#shown
      .filter((uri) => !names.has(uri.toString()) && !open.has(uri.toString()))
      .forEach((uri) => this.#problems.set(uri, []));
    this.#shown = closed;
    for (const uri of closed) {
      const problems = await problemsOf(uri, this.#files, this.#states);
      if (run !== this.#shows) {
        return;
      }
      this.#problems.set(uri, problems);
    }
  }

  /** Loads what is shown again. Failures show in the tree. */
  async #refresh(): Promise<void> {
    const { accountInUse, connections } = this.#app;
    if (!accountInUse.account) {
      await connections.current();
    }
    const shown = this.#projects.all.filter((project) => this.#projects.get(project));
    this.#isScanWanted = true;
    this.#scan();
    shown.forEach(({ accountId }) => this.#projects.setOffered(accountId, true));
    await this.#dialogs.viewProgress(() => Promise.all(shown.map((project) => this.#projects.reload(project))));
    this.#changed.fire(undefined);
  }

  async #reload({ project }: CommandTarget): Promise<void> {
    this.#projects.setOffered(project.accountId, true);
    await this.#dialogs.viewProgress(() => this.#projects.reload(project));
  }

  /** Keeps a project of the account in use in the view. */
  async #pin(): Promise<void> {
    const project = await this.#targets.unpinned();
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

  /** Opens the errors of a project on the web. */
  async #openOnWeb(chosen?: CommandTarget): Promise<void> {
    const project = await this.#targets.project(chosen, vscode.l10n.t('Open Errors in Browser'));
    const { facts } = project ? await this.#projects.load(project) : {};
    if (facts?.webUrl !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(`${facts.webUrl}/-/error_tracking`, true));
    } else if (project) {
      this.#dialogs.notify('warning', vscode.l10n.t('The web address of {0} is not known.', project.path));
    }
  }

  async #load(project: TrackedProject) {
    // What is known is shown at once.
    return this.#projects.get(project) ?? (await this.#dialogs.viewProgress(() => this.#projects.load(project)));
  }

  /** Tells menus what applies, and names the account in use above the rows, where it could be mistaken for another one. */
  #describe(): void {
    const { accounts, accountInUse } = this.#app;
    const { account } = accountInUse;
    const isNamed = accounts.all.length > 1 || account?.kind === 'sandbox' || lacksReadScope(account);
    this.#view.description = account && isNamed ? accountLabel(account.id) : '';
    const known = this.#projects.all.flatMap((project) => this.#projects.get(project)?.tracking ?? []);
    setContext(
      'hasActiveKey',
      known.some(({ keys }) => keys.some(({ active }) => active)),
    );
    setContext(
      'canSetUp',
      known.some(({ settings }) => setUpsOf(settings).length > 0),
    );
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `beacon.errorTracking.${key}`, value);
}
