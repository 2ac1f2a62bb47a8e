import { inspect, yieldThread } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { authenticationProviderId, keepsAccount } from './accounts/account.ts';
import { commandIds } from './common/commands.ts';
import type { Services } from './main.ts';

const pages = ['activityEvent', 'activityInsights', 'notificationSettings'] as const;
/** What a document has that may get API hints, or a hover for a DSN. */
const aboutPlatform = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;

/**
 * Registers what the editor calls by its name. All that is behind it is in another file, which is loaded on the first call, when a
 * document is about the platform, when another window signs in, and, while somebody is signed in, in a task after activation, so that it
 * does not delay the start of the window. Sends no request and reads no secret.
 */
export function activate(context: vscode.ExtensionContext): void {
  const { globalState, workspaceState, secrets, subscriptions, extension } = context;
  const log = vscode.window.createOutputChannel('Beacon for GitLab', { log: true });
  const sessionsChanged = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  const isSignedIn = (): boolean =>
    keepsAccount(globalState, workspaceState) ||
    // The bundler knows which build it is: what is shipped does not have this.
    (process.env['BEACON_BUILD'] === 'development' && process.env['BEACON_DEVELOPMENT_ACCOUNT'] !== undefined);
  const { contributes } = extension.packageJSON as {
    readonly contributes: {
      readonly views: { readonly beacon: readonly { readonly id: string }[] };
      readonly languageModelTools: readonly { readonly name: string }[];
    };
  };
  const emptyViews: vscode.Disposable[] = [];
  if (!isSignedIn()) {
    void vscode.commands.executeCommand('setContext', 'beacon.account', 'none');
    // A view without rows shows what the manifest says for that.
    const noRows = { getChildren: () => [], getTreeItem: (item: vscode.TreeItem) => item };
    emptyViews.push(...contributes.views.beacon.map(({ id }) => vscode.window.registerTreeDataProvider(id, noRows)));
  }
  let loading: Promise<Services> | undefined;
  const services = (): Promise<Services> => (loading ??= load());
  async function load(): Promise<Services> {
    try {
      const { buildServices } = await import('./main.ts');
      // Neither to load nor to build is short: what else the window does may come between.
      await yieldThread();
      // While a view is being closed, another one with its id would be closed with it.
      await Promise.all(emptyViews.map((view): unknown => view.dispose()));
      const built = buildServices(context, log);
      built.sessions.onDidChangeSessions((change) => sessionsChanged.fire(change));
      return built;
    } catch (error) {
      log.error(inspect(error));
      throw error;
    }
  }
  const start = (): void => void services().catch(() => undefined);
  const startFor = (text: string): void => (aboutPlatform.test(text) ? start() : undefined);
  const startForDocument = (document: vscode.TextDocument): void => {
    if (!loading && document.uri.scheme !== 'output') {
      startFor(`${document.uri.path}\n${document.getText()}`);
    }
  };
  const task = setTimeout(() => {
    if (isSignedIn()) {
      start();
    } else {
      vscode.workspace.textDocuments.forEach(startForDocument);
    }
  }, 0);
  subscriptions.push(
    log,
    sessionsChanged,
    { dispose: () => clearTimeout(task) },
    ...Object.values(commandIds)
      .flat()
      .map((id) =>
        vscode.commands.registerCommand(id, async (...args: never[]) => await (await services()).run(id, args)),
      ),
    ...contributes.languageModelTools.map(({ name }) =>
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }, token) => (await services()).tools.prepare(name, input, token),
        invoke: async ({ input }, token) => (await services()).tools.invoke(name, input, token),
      }),
    ),
    ...pages.map((page) =>
      vscode.window.registerWebviewPanelSerializer(`beacon.${page}`, {
        deserializeWebviewPanel: async (panel, kept: unknown) => await (await services()).pages[page](panel, kept),
      }),
    ),
    vscode.window.registerUriHandler({ handleUri: async (uri) => await (await services()).links.handleUri(uri) }),
    vscode.authentication.registerAuthenticationProvider(
      authenticationProviderId,
      'Beacon for GitLab',
      {
        onDidChangeSessions: sessionsChanged.event,
        getSessions: async (scopes, options) =>
          loading || isSignedIn() ? await (await services()).sessions.getSessions(scopes, options) : [],
        createSession: async (scopes, options) => await (await services()).sessions.createSession(scopes, options),
        removeSession: async (id) => await (await services()).sessions.removeSession(id),
      },
      { supportsMultipleAccounts: true },
    ),
    // Another window may have signed in.
    secrets.onDidChange(async ({ key }) => await (await services()).secretChanged(key)),
    vscode.workspace.onDidOpenTextDocument(startForDocument),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!loading) {
        // What is typed is in the line where it begins, what is pasted in the change.
        contentChanges.forEach(({ range, text }) => startFor(`${document.lineAt(range.start.line).text}\n${text}`));
      }
    }),
  );
}
