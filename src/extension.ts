import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { registerAssistantTool } from './assistants/assistantTool.ts';
import type { Parts } from './parts.ts';

/** What the manifest says that the editor calls by its name. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}

/**
 * Registers what the editor calls by its name, for which the parts are loaded when it is called. They are loaded anyway when
 * activation is over, so that it does not hold up the start of the window. Requests nothing and reads no secret.
 */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Beacon for GitLab', { log: true });
  let built: Promise<Parts> | undefined;
  const parts = (): Promise<Parts> =>
    (built ??= import('./parts.ts').then(({ buildParts }) => buildParts(context, log)));
  const { commands, languageModelTools } = (context.extension.packageJSON as Manifest).contributes;
  const start = setImmediate(() => void parts().catch((error: unknown) => log.error(inspect(error))));
  context.subscriptions.push(
    log,
    { dispose: () => clearImmediate(start) },
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: never[]) => await (await parts()).run(command, args)),
    ),
    vscode.window.registerUriHandler({
      handleUri: async (uri) => await (await (await parts()).links()).handleUri(uri),
    }),
    ...languageModelTools.map(({ name }) => registerAssistantTool(name, async () => await (await parts()).tools())),
  );
}
