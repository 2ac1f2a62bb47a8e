import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ToolRunner } from './assistants/toolRunner.ts';
import { commandIds } from './common/commands.ts';
import type { Services } from './main.ts';

/** What the manifest says that the editor calls by its name. */
interface Manifest {
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}

/**
 * Registers the commands, and the tools and the URI handler of the manifest. The services behind them are loaded on the first call,
 * or in a separate task once activation is over, so that loading does not delay the start of the window. Sends no request
 * and reads no secret.
 */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Beacon for GitLab', { log: true });
  let built: Promise<Services> | undefined;
  const services = (): Promise<Services> =>
    (built ??= import('./main.ts').then(({ buildServices }) => buildServices(context, log)));
  const { languageModelTools } = (context.extension.packageJSON as Manifest).contributes;
  const start = setTimeout(() => void services().catch((error: unknown) => log.error(inspect(error))), 0);
  context.subscriptions.push(
    log,
    { dispose: () => clearTimeout(start) },
    ...Object.values(commandIds)
      .flat()
      .map((command) =>
        vscode.commands.registerCommand(
          command,
          async (...args: never[]) => await (await services()).run(command, args),
        ),
      ),
    vscode.window.registerUriHandler({
      handleUri: async (uri) => await (await services()).links.handleUri(uri),
    }),
    ...languageModelTools.map(({ name }) => registerAssistantTool(name, async () => (await services()).tools)),
  );
}

/**
 * Offers a tool of the manifest to language models.
 *
 * @param load gives what runs the tools; asked for each run.
 */
function registerAssistantTool(name: string, load: () => Promise<ToolRunner>): vscode.Disposable {
  return vscode.lm.registerTool(name, {
    prepareInvocation: async ({ input }, token) => (await load()).prepare(name, input, token),
    invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
  });
}
