import { inspect, isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connection } from '../accounts/connections.ts';
import { lookUp, type Place } from '../accounts/directorySearch.ts';
import { problemOf } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { plainLines, plainText } from '../common/inertText.ts';

/** What a language model can do here. Both functions get what the model wrote, which may be anything. */
export interface AssistantTool {
  /** What the user sees before it runs, and has to confirm where something changes or is secret. Changes nothing. */
  prepare(input: unknown, signal: AbortSignal): Promise<vscode.PreparedToolInvocation>;
  /** Does it. What it returns is given to the model as JSON. */
  run(input: unknown, signal: AbortSignal): Promise<unknown>;
}

export class ToolRunner {
  readonly #tools: Readonly<Record<string, AssistantTool>>;
  readonly #log: vscode.LogOutputChannel;

  constructor(tools: Readonly<Record<string, AssistantTool>>, log: vscode.LogOutputChannel) {
    this.#tools = tools;
    this.#log = log;
  }

  /**
   * What the user sees, and may have to confirm.
   *
   * @throws Error for the model to read: what is wrong with its input, or why it cannot be done.
   */
  async prepare(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.PreparedToolInvocation> {
    return inertInvocation(await this.#run(name, token, (tool, signal) => tool.prepare(input, signal)));
  }

  async invoke(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const answer = await this.#run(name, token, (tool, signal) => tool.run(input, signal));
    // A model would follow what the user cannot see.
    const seen = (_: string, value: unknown): unknown =>
      typeof value === 'string' ? plainLines(value, mostOfText) : value;
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer, seen))]);
  }

  /** Runs a tool; a failure reaches the model, and with it the user, as the sentence that the views would show. */
  async #run<T>(
    name: string,
    token: vscode.CancellationToken,
    task: (tool: AssistantTool, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const tool = this.#tools[name];
    if (!tool) {
      throw new ToolInputError(`There is no tool ${name}.`);
    }
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await task(tool, abort.signal);
    } catch (error) {
      if (error instanceof ToolInputError) {
        throw error;
      }
      this.#log.error(inspect(error));
      const { sentence, remedy } = problemOf(error);
      const next = remedy ? ` ${vscode.l10n.t('Next step: {0}', remedy.title)}` : '';
      throw new Error(`${sentence}${next}`, { cause: error });
    } finally {
      subscription.dispose();
    }
  }
}

/** Makes what a question shows fit to be read: a tool may quote text of others, and what a model wrote. */
function inertInvocation(prepared: vscode.PreparedToolInvocation): vscode.PreparedToolInvocation {
  const inert = (text: string | vscode.MarkdownString): string | vscode.MarkdownString => {
    if (typeof text === 'string') {
      return plainText(text, mostOfQuestion);
    }
    // The lines of Markdown are its own: what is quoted in it is escaped.
    text.value = plainLines(text.value, mostOfQuestion);
    return text;
  };
  const { invocationMessage, confirmationMessages } = prepared;
  return {
    ...(invocationMessage === undefined ? {} : { invocationMessage: inert(invocationMessage) }),
    ...(confirmationMessages === undefined
      ? {}
      : {
          confirmationMessages: {
            title: plainText(confirmationMessages.title),
            message: inert(confirmationMessages.message),
          },
        }),
  };
}

/** Characters of a question, and of a text of an answer; longer ones are cut off. */
const mostOfQuestion = 10_000;
const mostOfText = 4000;

/** At most this many questions may wait for their answers. */
const mostQuestions = 100;

/**
 * Binds what a tool does to what the user was shown before it: the editor says of a run with which input it is, and not to
 * which question the user has said yes.
 */
export class Consents<Shown> {
  readonly #shown = new Map<string, readonly Shown[]>();

  /** Notes what a question shows, for a run with the same input. */
  note(input: unknown, shown: Shown): void {
    const key = keyOf(input);
    // Of equal questions it does not matter which is answered.
    const others = (this.#shown.get(key) ?? []).filter((other) => !isDeepStrictEqual(other, shown));
    this.#shown.delete(key);
    this.#shown.set(key, [...others, shown]);
    // What was asked long ago and never answered is forgotten.
    for (const oldest of [...this.#shown.keys()].slice(0, -mostQuestions)) {
      this.#shown.delete(oldest);
    }
  }

  /**
   * What the user has agreed to, once.
   *
   * @throws ToolInputError if nothing was shown for the input, or if there were questions about several things: it is not known which
   *   was answered.
   */
  take(input: unknown): Shown {
    const key = keyOf(input);
    const [shown, other] = this.#shown.get(key) ?? [];
    this.#shown.delete(key);
    if (shown === undefined || other !== undefined) {
      throw new ToolInputError(
        'The user has not confirmed this, or was asked about different things. Ask again, so that they are shown what it is about.',
      );
    }
    return shown;
  }
}

function keyOf(input: unknown): string {
  return JSON.stringify(input ?? null);
}

/** Reads what a model wrote. @throws ToolInputError that names what is wrong. */
export function readInput<Schema extends z.core.$ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const read = z.safeParse(schema, input ?? {});
  if (!read.success) {
    throw new ToolInputError(`The input cannot be used. ${z.prettifyError(read.error)}`);
  }
  return read.data;
}

/** The project that a model means: the one that it names, else that of the workspace, if it is the account's. */
export async function projectMeant(
  named: number | string | undefined,
  { workspaceProjects: { current } }: App,
  connection: Connection,
  signal: AbortSignal,
): Promise<Place> {
  const project = named ?? (current?.accountId === connection.account.id ? current.path : undefined);
  if (project === undefined) {
    throw new ToolInputError('"project" is needed: this workspace has none of the account in use.');
  }
  return await lookUp('project', project, connection, signal);
}

export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}
