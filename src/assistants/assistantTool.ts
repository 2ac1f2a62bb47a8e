import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { describeProblem } from '../accounts/problem.ts';
import { loadOnce } from '../loadOnce.ts';
import { ToolInputError } from './toolInputError.ts';

/** What a language model can do here. Both functions get what the model wrote, which may be anything. */
export interface AssistantTool {
  /** What the person sees before it runs, and has to confirm where something changes or is secret. Changes nothing. */
  prepare(input: unknown, signal: AbortSignal): Promise<vscode.PreparedToolInvocation>;
  /** Does it. What it returns is given to the model as JSON. */
  run(input: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Offers a tool of the manifest to language models.
 *
 * @param load is called when the tool is first used, and again after a failure.
 */
export function registerAssistantTool(
  name: string,
  load: () => Promise<AssistantTool>,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const tool = loadOnce(load);
  return vscode.lm.registerTool(name, {
    prepareInvocation: ({ input }, token) => told(async (signal) => (await tool()).prepare(input, signal), token, log),
    invoke: ({ input }, token) =>
      told(
        async (signal) => {
          const answer = await (await tool()).run(input, signal);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
        },
        token,
        log,
      ),
  });
}

/** Runs a step; a failure reaches the model, and with it the person, as the sentence that the views would show. */
async function told<T>(
  step: (signal: AbortSignal) => Promise<T>,
  token: vscode.CancellationToken,
  log: vscode.LogOutputChannel,
): Promise<T> {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  try {
    return await step(abort.signal);
  } catch (error) {
    if (error instanceof ToolInputError) {
      throw error;
    }
    log.error(inspect(error));
    const { sentence, remedy } = describeProblem(error);
    const next = remedy ? ` ${vscode.l10n.t('What mends it: {0}', remedy.title)}` : '';
    throw new Error(`${sentence}${next}`, { cause: error });
  } finally {
    subscription.dispose();
  }
}
