import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { describeProblem } from '../accounts/problem.ts';
import type { AssistantTool } from './assistantTool.ts';
import { ToolInputError } from './toolInputError.ts';

/** Runs tools for language models as the editor asks for them. */
export class ToolRunner {
  readonly #tools: Readonly<Record<string, AssistantTool>>;
  readonly #log: vscode.LogOutputChannel;

  constructor(tools: Readonly<Record<string, AssistantTool>>, log: vscode.LogOutputChannel) {
    this.#tools = tools;
    this.#log = log;
  }

  /**
   * What the person sees, and may have to confirm.
   *
   * @throws Error for the model to read: what is wrong with its input, or why it cannot be done.
   */
  async prepare(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.PreparedToolInvocation> {
    return this.#told((signal) => this.#find(name).prepare(input, signal), token);
  }

  /**
   * Does it.
   *
   * @throws Error for the model to read: what is wrong with its input, or why it cannot be done.
   */
  async invoke(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const answer = await this.#told((signal) => this.#find(name).run(input, signal), token);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
  }

  #find(name: string): AssistantTool {
    const tool = this.#tools[name];
    if (!tool) {
      throw new ToolInputError(`There is no tool ${name}.`);
    }
    return tool;
  }

  /** Runs a step; a failure reaches the model, and with it the person, as the sentence that the views would show. */
  async #told<T>(step: (signal: AbortSignal) => Promise<T>, token: vscode.CancellationToken): Promise<T> {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await step(abort.signal);
    } catch (error) {
      if (error instanceof ToolInputError) {
        throw error;
      }
      this.#log.error(inspect(error));
      const { sentence, remedy } = describeProblem(error);
      const next = remedy ? ` ${vscode.l10n.t('Next step: {0}', remedy.title)}` : '';
      throw new Error(`${sentence}${next}`, { cause: error });
    } finally {
      subscription.dispose();
    }
  }
}
