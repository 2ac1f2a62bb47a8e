import { pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import type { Connections } from '../accounts/connections.ts';
import { problemOf } from '../accounts/problem.ts';
import { isRecognized } from '../api/unrecognized.ts';
import type { Commands } from '../common/commands.ts';
import { confirm, showInformationMessage, withCancellableProgress } from '../common/inertWindow.ts';
import type { ConnectionDoctor } from '../diagnostics/connectionDoctor.ts';
import { issueReport, knownSecrets, lastLogLines } from './issueReport.ts';
import { Reset, type ResetDeps } from './reset.ts';
import { sampleProgram } from './sampleProgram.ts';

export interface HelpDeps extends Omit<ResetDeps, 'closeForms' | 'secrets' | 'storageFolder'> {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'secrets' | 'globalStorageUri' | 'logUri'>;
  readonly connections: Pick<Connections, 'of'>;
  /** Diagnoses connections; its reports hold no secrets. */
  readonly doctor: () => Promise<Pick<ConnectionDoctor, 'report'>>;
  /** Opens a page in the browser; the editor's way if not given. */
  readonly open?: (address: string) => Thenable<unknown>;
}

/** Commands for when something does not work: an issue with what helps to find out why, and a fresh start. */
export class HelpCommands {
  readonly #deps: HelpDeps;
  readonly #resetting: Reset;
  /** Reports that are read now, by their addresses. */
  readonly #offered = new Map<string, { readonly document: vscode.TextDocument; readonly offer: vscode.Disposable }>();
  readonly commands = {
    'beacon.reportIssue': (read?: vscode.Uri) => this.reportIssue(read),
    'beacon.reset': () => this.#reset(),
    'beacon.openSample': () => this.#openSample(),
  } satisfies Commands;

  constructor(deps: HelpDeps) {
    this.#deps = deps;
    const { secrets, globalStorageUri } = deps.context;
    this.#resetting = new Reset({ ...deps, secrets, storageFolder: pathOf(globalStorageUri), closeForms });
  }

  /**
   * Shows what would go along with an issue in a document, which the user can change, and hands it to the editor's issue reporter
   * when the user says so. Where the editor has none, the text is copied and the project's issues are opened. Nothing is sent here.
   *
   * @param read the address of a report that the user has read.
   */
  async reportIssue(read?: vscode.Uri): Promise<void> {
    if (read) {
      await this.#handOver(read);
      return;
    }
    const { secrets, logUri } = this.#deps.context;
    const doctor = await this.#deps.doctor();
    const diagnosis = await withCancellableProgress(
      vscode.l10n.t('Diagnosing the connection for the report'),
      // What does not work is what the report is for.
      (signal) => doctor.report(signal).catch((error: unknown) => problemOf(error).sentence),
    );
    const report = issueReport({
      doctor: diagnosis,
      log: await lastLogLines(pathOf(logUri)),
      secrets: await knownSecrets(secrets).catch(() => []),
    });
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: report });
    await vscode.window.showTextDocument(document, { preview: false });
    this.#offer(document);
    const question = vscode.l10n.t(
      'Nothing has been sent. Read the report, remove what nobody else should see, and continue: the next step asks what happened.',
    );
    if ((await showInformationMessage(question, continueTitle())) !== undefined) {
      await this.#handOver(document.uri);
    }
  }

  /** Shows above a report what goes on with it: the message is gone before anybody has read that. */
  #offer(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const command = { command: 'beacon.reportIssue', title: continueTitle(), arguments: [document.uri] };
    const offer = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider(
        { scheme: document.uri.scheme, language: 'markdown' },
        {
          provideCodeLenses: ({ uri }) =>
            uri.toString() === key ? [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)] : [],
        },
      ),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.toString() === key && this.#forget(key)),
    );
    this.#offered.set(key, { document, offer });
  }

  #forget(key: string): void {
    this.#offered.get(key)?.offer.dispose();
    this.#offered.delete(key);
  }

  /** Hands a report to the editor's issue reporter, once, as the user has left it. */
  async #handOver(uri: vscode.Uri): Promise<void> {
    const data = this.#offered.get(uri.toString())?.document.getText();
    if (data === undefined) {
      return;
    }
    this.#forget(uri.toString());
    const { extension } = this.#deps.context;
    const reporter = vscode.commands.executeCommand(issueReporter, {
      ...{ extensionId: extension.id, issueTitle: '', issueBody, data },
    });
    const isOpen = await reporter.then(
      () => true,
      // Editors without one do not know the command; some know it, and fail.
      () => false,
    );
    if (!isOpen) {
      const { bugs } = extension.packageJSON as { readonly bugs: { readonly url: string } };
      await vscode.env.clipboard.writeText(`${issueBody}\n\n${data}`);
      const { open = (address) => vscode.env.openExternal(vscode.Uri.parse(address)) } = this.#deps;
      await open(bugs.url);
      const sentence = vscode.l10n.t(
        'This editor has no issue reporter. The report was copied: paste it into a new issue.',
      );
      void showInformationMessage(sentence);
    }
  }

  /** Opens a program with problems and hints, with the DSN of an inactive key where the sandbox is in use. */
  async #openSample(): Promise<void> {
    const { account } = this.#deps.accountInUse;
    const dsn = account?.kind === 'sandbox' ? await this.#inactiveDsn(account.id).catch(() => undefined) : undefined;
    const content = sampleProgram(dsn ?? sampleDsn);
    const document = await vscode.workspace.openTextDocument({ language: 'python', content });
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async #inactiveDsn(accountId: string): Promise<string | undefined> {
    const { client } = await this.#deps.connections.of(accountId);
    for await (const { items } of client.errorTracking.clientKeys(sampleProject)) {
      const key = items.find((item) => isRecognized(item) && !item.active);
      if (key && isRecognized(key)) {
        return key.tracker_dsn;
      }
    }
    return undefined;
  }

  /** Removes everything that is kept once the user confirms. */
  async #reset(): Promise<void> {
    const detail = [
      vscode.l10n.t(
        'Accounts with their tokens, feeds, pins, filters, read marks, notification profiles and drafts are removed.',
      ),
      vscode.l10n.t('What a notification profile would restore later stays as it is on the instance now.'),
      vscode.l10n.t(
        'Personal access tokens are valid until you revoke them on the instance. Settings of the editor stay.',
      ),
      vscode.l10n.t(
        'Other workspaces keep which account and feed was chosen there. Close their windows first: they may keep again what they show.',
      ),
    ];
    const question = vscode.l10n.t('Remove everything that Beacon keeps?');
    if (await confirm(question, detail, vscode.l10n.t('Remove Everything'))) {
      await this.#resetting.run();
      void showInformationMessage(vscode.l10n.t('Everything that Beacon kept was removed.'));
    }
  }
}

/** A project of the sandbox that has an inactive client key. */
const sampleProject = 'harbor/tide-table';
/** Of no instance. */
const sampleDsn = 'https://glet_0123456789abcdef0123456789abcdef@gitlab.example.com/errortracking/api/v1/projects/501';

function continueTitle(): string {
  return vscode.l10n.t('Continue to Issue Reporter');
}

/** The user's own words, before what Beacon knows. */
const issueBody = '### What happened\n\n\n### What you expected\n\n\n### Steps to see it\n\n1. ';

const issueReporter = 'workbench.action.openIssueReporter';

/** Closes the pages of Beacon, which would keep their drafts again. */
async function closeForms(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(
    tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && /\bbeacon\./.test(input.viewType)),
  );
}
