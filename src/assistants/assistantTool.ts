import * as vscode from 'vscode';
import type { ToolRunner } from './toolRunner.ts';

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
 * @param load gives what runs the tools; asked for each run.
 */
export function registerAssistantTool(name: string, load: () => Promise<ToolRunner>): vscode.Disposable {
  return vscode.lm.registerTool(name, {
    prepareInvocation: async ({ input }, token) => (await load()).prepare(name, input, token),
    invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
  });
}
