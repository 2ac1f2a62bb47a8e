import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectPlace, type ProjectRef } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { EditorDialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { DocumentProblems } from '../workspace/documentProblems.ts';
import { DsnFiles } from './dsnFiles.ts';
import { dsnFixes, dsnHover, problemsOf } from './dsnProblems.ts';
import { DsnStates } from './dsnStates.ts';
import { Insertion } from './insert/insert.ts';
import { Writer } from './insert/write.ts';
import { KeyNotes } from './keyNotes.ts';
import { keyCommands, Keys } from './keys.ts';
import type { CommandTarget } from './labels.ts';
import { Targets } from './pick.ts';
import { Projects, type TrackedProject } from './projects.ts';
import { ReplaceKey } from './replaceKey.ts';
import { settingsCommands } from './settings.ts';
import { testErrorCommands } from './testError.ts';
import { type TrackingNode, TrackingRows } from './tree.ts';

/** The view "Error Tracking" with its commands, and what it says of DSNs in files. */
export class ErrorTrackingView implements vscode.Disposable {
  readonly #app: App;
  readonly #view: vscode.TreeView<TrackingNode>;
  readonly #update: () => void;
  readonly #dialogs: EditorDialogs;
  readonly #projects: Projects;
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
  readonly commands: CommandsOf<'errorTracking'>;

  /** @param update shows the rows as they are now. */
  constructor(app: App, view: vscode.TreeView<TrackingNode>, update: () => void) {
    this.#app = app;
    this.#view = view;
    this.#update = update;
    const dialogs = (this.#dialogs = new EditorDialogs(app, 'beacon.errorTracking'));
    const projects = (this.#projects = new Projects(app));
    this.#states = new DsnStates(app, projects);
    this.#files = new DsnFiles(app.files);
    const notes = new KeyNotes(app, projects, this.#files);
    this.#rows = new TrackingRows(app, projects, notes);
    const targets = (this.#targets = new Targets(app, projects, notes, dialogs));
    const keys = new Keys(app, projects, dialogs);
    const writer = new Writer(app, dialogs);
    this.commands = {
      'beacon.errorTracking.refresh': () => this.#refresh(),
      'beacon.errorTracking.reloadProject': (chosen?: CommandTarget) => this.#reload(chosen),
      'beacon.errorTracking.pinProject': () => this.#pin(),
      'beacon.errorTracking.unpinProject': (chosen?: CommandTarget) => this.#unpin(chosen),
      'beacon.errorTracking.openOnWeb': (chosen?: CommandTarget) => this.#openOnWeb(chosen),
      'beacon.errorTracking.showMove': (chosen?: CommandTarget) => this.#showMove(chosen),
      ...settingsCommands(app, projects, targets, dialogs),
      ...keyCommands(keys, targets, dialogs),
      ...new ReplaceKey(app, keys, notes, targets, writer, dialogs).commands,
      ...new Insertion(targets, notes, writer, dialogs).commands,
      ...testErrorCommands(app, targets, notes, dialogs),
    };
    this.#problems = new DocumentProblems(
      'beacon-dsn',
      async (document, isOutdated) => {
        if (!this.#isOn) {
          return [];
        }
        await this.#files.readDocument(document, isOutdated);
        return isOutdated() ? [] : await problemsOf(document.uri, this.#files, this.#states);
      },
      app.log,
      true,
    );
    const { workspace } = vscode;
    this.#subscription = vscode.Disposable.from(
      notes,
      this.#problems,
      this.#files,
      projects,
      projects.onDidChange(() => {
        this.#describe();
        this.#update();
        void this.#showProblems();
      }),
      notes.onDidChange(() => this.#update()),
      app.accountInUse.onDidChange(() => (this.#isOn ? this.#scan() : this.#files.clear())),
      workspace.onDidGrantWorkspaceTrust(() => this.#scan()),
      workspace.onDidChangeWorkspaceFolders(() => this.#scan()),
      workspace.onDidChangeConfiguration((event) =>
        event.affectsConfiguration('beacon.errorTracking.problems') ? this.#showProblems() : undefined,
      ),
    );
    this.#describe();
  }

  async children(parent?: TrackingNode): Promise<TrackingNode[]> {
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
    const isEmpty = this.#app.accountInUse.account !== undefined && roots.length === 0;
    void vscode.commands.executeCommand('setContext', 'beacon.errorTracking.isEmpty', isEmpty);
    return roots;
  }

  /** Whether a project is shown without being pinned first. */
  shows(project: ProjectPlace): boolean {
    return this.#find(project) !== undefined;
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    if (!this.shows(project)) {
      await this.#app.pins.add({ kind: 'project', ...project });
    }
    await this.#reveal(project);
  }

  /** Says which notification level of a project holds, after it was changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    await this.#projects.reloadLevel(accountId, id);
  }

  /** Says what the DSN at a place is, for any account and for none. */
  async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    return await dsnHover(this.#app, this.#states, document, position);
  }

  /** What fixes problems of DSNs. */
  async fixes(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): Promise<vscode.CodeAction[]> {
    return await dsnFixes(this.#states, document, diagnostics);
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
    this.#update();
  }

  async #reload(chosen?: CommandTarget): Promise<void> {
    const project = await this.#targets.project(chosen, vscode.l10n.t('Check Again'));
    if (project) {
      this.#projects.setOffered(project.accountId, true);
      const { error } = await this.#dialogs.viewProgress(() => this.#projects.reload(project));
      if (error !== undefined) {
        this.#app.log.error(problemOf(error).sentence, inspect(error));
      }
    }
  }

  /** Keeps a project of the account in use in the view. */
  async #pin(): Promise<void> {
    const project = await this.#targets.unpinned();
    if (project) {
      await this.#app.pins.add(project);
      if (this.#view.visible) {
        await this.#reveal(project);
      }
    }
  }

  async #unpin(chosen?: CommandTarget): Promise<void> {
    const { dialogs, pinned } = { dialogs: this.#dialogs, pinned: this.#projects.all.filter(isPinned) };
    const [only, ...others] = pinned;
    if (!chosen && !only) {
      dialogs.notify('info', vscode.l10n.t('No project is pinned.'));
      return;
    }
    const choices = pinned.map((project) => ({ label: project.path, value: project }));
    const project: ProjectRef | undefined =
      chosen?.project ??
      (others.length === 0
        ? only
        : await dialogs.choose(vscode.l10n.t('Unpin Project'), vscode.l10n.t('Choose a project'), choices));
    if (project && typeof project.idOrPath === 'number') {
      await this.#app.pins.remove({ kind: 'project', accountId: project.accountId, id: project.idOrPath });
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

  /** Says how the remote of the repository gets the new address of its project. */
  async #showMove(chosen?: CommandTarget): Promise<void> {
    const project = await this.#targets.project(chosen, vscode.l10n.t('Show New Project Address'));
    const { facts } = project ? await this.#projects.load(project) : {};
    if (!project || !facts) {
      return;
    }
    const sentence = vscode.l10n.t(
      'The project has moved from {0} to {1}. Everything here still works; set the new address in the remote for Git.',
      project.path,
      facts.path,
    );
    const address = `${facts.webUrl ?? facts.path}.git`;
    const copy = { title: vscode.l10n.t('Copy New Address'), run: () => vscode.env.clipboard.writeText(address) };
    this.#dialogs.notify('info', sentence, copy);
  }

  #find({ accountId, id, path }: ProjectPlace): TrackedProject | undefined {
    return this.#projects.all.find(
      (project) => project.accountId === accountId && (project.idOrPath === id || project.path === path),
    );
  }

  async #reveal(place: ProjectPlace): Promise<void> {
    const project = this.#find(place);
    const node = (await this.children()).find((root) => root.project.path === project?.path);
    if (node) {
      await this.#view.reveal(node, { expand: true, focus: true });
    }
  }

  async #load(project: TrackedProject) {
    const known = this.#projects.get(project);
    const state = known ?? (await this.#dialogs.viewProgress(() => this.#projects.load(project)));
    if (!known && state.error !== undefined) {
      this.#app.log.error(inspect(state.error));
    }
    return state;
  }

  /** Names the account in use above the rows, where there is another one that it could be mistaken for. */
  #describe(): void {
    const { accounts, accountInUse } = this.#app;
    const { account } = accountInUse;
    const isNamed = accounts.all.length > 1 || account?.kind === 'sandbox' || lacksReadScope(account);
    this.#view.description = account && isNamed ? accountLabel(account.id) : '';
  }
}

function isPinned({ origin }: TrackedProject): boolean {
  return origin === 'pinned';
}
