import { withoutHome } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { Connection } from '../accounts/connections.ts';
import { problemOf } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { plainLines } from '../common/inertText.ts';
import { confirm, showInformationMessage, withCancellableProgress } from '../common/inertWindow.ts';
import { accessSecrets } from '../common/stored.ts';
import { connectionReport } from '../diagnostics/diagnosisCommands.ts';

const sampleProject = 'harbor/tide-table';
/** Of no instance. */
const sampleDsn = 'https://glet_0123456789abcdef0123456789abcdef@gitlab.example.com/errortracking/api/v1/projects/501';

/** The user's own words, before what Beacon knows. */
const issueBody =
  '### What happened\n\n\n### What you expected\n\n\n### Steps to see it\n\n1. \n\n### Lines of the log (Beacon: Show Log) that belong to it\n\n';
const longestReport = 10_000;

export function helpCommands(app: App) {
  return {
    'beacon.reportIssue': () => reportIssue(app),
    'beacon.reset': () => reset(app),
    'beacon.openSample': () => openSample(app),
  } satisfies Commands;
}

/**
 * Opens the editor's issue reporter with what helps, where the user reads it before anything is sent and can leave it out. Where the
 * editor has none, the report is copied and the project's issues are opened. Nothing is sent here.
 */
async function reportIssue(app: App): Promise<void> {
  const { extension } = app.context;
  const diagnosis = await withCancellableProgress(
    vscode.l10n.t('Diagnosing the connection for the report'),
    // What does not work is what the report is for.
    (signal) => connectionReport(app, signal).catch((error: unknown) => withoutHome(problemOf(error).sentence)),
  );
  const block = plainLines(diagnosis, longestReport).trim().replaceAll('```', "'''");
  const data = ['### Connection', '', '```text', block, '```', ''].join('\n');
  const report = { extensionId: extension.id, issueTitle: '', issueBody, data };
  try {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', report);
  } catch {
    // Editors without one do not know the command; some know it, and fail.
    const { bugs } = extension.packageJSON as { readonly bugs: { readonly url: string } };
    await vscode.env.clipboard.writeText(`${issueBody}\n\n${data}`);
    await vscode.env.openExternal(vscode.Uri.parse(bugs.url));
    const sentence = vscode.l10n.t(
      'This editor has no issue reporter. The report was copied: paste it into a new issue, and remove what nobody else should see.',
    );
    void showInformationMessage(sentence);
  }
}

/** Opens a program in Python that shows what Beacon says of a DSN and of calls that API v5 will change. */
async function openSample({ accountInUse, connections, context }: App): Promise<void> {
  const { account } = accountInUse;
  const connected = account?.kind === 'sandbox' ? connections.of(account.id).then(inactiveDsn) : undefined;
  const dsn = (await connected?.catch(() => undefined)) ?? sampleDsn;
  const sample = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, 'media', 'sample.py'));
  // The editor names the tab after the first line.
  const content = new TextDecoder().decode(sample).replace('{dsn}', () => dsn);
  const document = await vscode.workspace.openTextDocument({ language: 'python', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

async function inactiveDsn({ client }: Connection): Promise<string | undefined> {
  for await (const { items } of client.errorTracking.clientKeys(sampleProject)) {
    const key = items.find(({ active }) => !active);
    if (key) {
      return key.tracker_dsn;
    }
  }
  return undefined;
}

async function reset(app: App): Promise<void> {
  const { t } = vscode.l10n;
  const detail = [
    t('Accounts with their tokens, feeds, pins, filters, read marks, notification profiles and drafts are removed.'),
    t('What a notification profile would restore later stays as it is on the instance now.'),
    t('Personal access tokens are valid until you revoke them on the instance. Settings of the editor stay.'),
    t(
      'Other workspaces keep which account and feed were chosen there. Close their windows first: they may store again what they show.',
    ),
  ];
  if (await confirm(t('Remove everything that Beacon keeps?'), detail, t('Remove Everything'))) {
    await removeEverything(app);
    void showInformationMessage(t('Everything that Beacon kept was removed.'));
  }
}

/** @throws SecretStoreError if the secret store cannot be read or written: accounts that it has left are still there. */
async function removeEverything({ accounts, accountInUse, context, globalState, workspaceState }: App): Promise<void> {
  await closePages();
  for (const { id } of accounts.all) {
    await accounts.remove(id);
  }
  await accessSecrets('write', async () => {
    for (const key of await context.secrets.keys()) {
      await context.secrets.delete(key);
    }
  });
  for (const memento of [workspaceState, globalState]) {
    for (const key of memento.keys()) {
      await memento.update(key, undefined);
    }
  }
  // Notifies the views.
  await accountInUse.use(undefined);
  const { fs } = vscode.workspace;
  const kept = await fs.readDirectory(context.globalStorageUri).then(undefined, () => []);
  for (const [name] of kept) {
    await fs.delete(vscode.Uri.joinPath(context.globalStorageUri, name), { recursive: true });
  }
}

/** Closes the pages of Beacon, which would keep their drafts again. */
async function closePages(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(
    tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && /\bbeacon\./.test(input.viewType)),
  );
}
