import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import type { AssistantTool } from '../../assistants/assistantTool.ts';
import { Consents, notConfirmed } from '../../assistants/consents.ts';
import { readInput } from '../../assistants/toolInput.ts';
import { ToolInputError } from '../../assistants/toolInputError.ts';
import type { NotificationScope } from '../model/scope.ts';
import { scopeWords } from '../model/words.ts';
import { changesNothing, planFor, type ScopePlan } from '../scopes/plan.ts';
import { describePlan } from '../scopes/planWords.ts';
import { ScopeSettings } from '../scopes/scopeSettings.ts';
import { scopeInput, scopeOfInput } from './scopeInput.ts';

const inputSchema = z.object({ ...scopeInput, level: z.enum(notificationLevels) });

/** Lets a language model change a notification level of the account in use, which the person confirms first. */
export class ChangeNotificationLevelTool implements AssistantTool {
  readonly #connections: Pick<Connections, 'current' | 'of'>;
  readonly #settings: ScopeSettings;
  readonly #consents = new Consents<ScopePlan>(
    (one, other) => isDeepStrictEqual(one.scope, other.scope) && isDeepStrictEqual(one.change, other.change),
  );

  constructor(connections: Pick<Connections, 'current' | 'of'>) {
    this.#connections = connections;
    this.#settings = new ScopeSettings(connections);
  }

  /** What would change, in words, to be confirmed. */
  async prepare(given: unknown, signal: AbortSignal): Promise<vscode.PreparedToolInvocation> {
    const input = readInput(inputSchema, given);
    const plan = await this.#plan(input, await scopeOfInput(input, this.#connections), signal);
    this.#consents.note(input, plan);
    const message = new vscode.MarkdownString();
    message.appendText(`${scopeWords(plan.scope, vscode.l10n)} (${plan.scope.accountId})\n`);
    for (const sentence of describePlan(plan)) {
      message.appendMarkdown('\n- ').appendText(sentence);
    }
    return {
      invocationMessage: vscode.l10n.t('Changing the notification level'),
      confirmationMessages: { title: vscode.l10n.t('Change Notification Level'), message },
    };
  }

  /** Sends the level alone, to the scope that the user was shown, and only if it is another one. */
  async run(given: unknown, signal: AbortSignal) {
    const input = readInput(inputSchema, given);
    const shown = this.#consents.take(input);
    const plan = await this.#plan(input, shown?.scope ?? (await scopeOfInput(input, this.#connections)), signal);
    const answer = { of: scopeWords(plan.scope, vscode.l10n), before: plan.before.level };
    if (changesNothing(plan)) {
      return { ...answer, level: plan.before.level, changed: false };
    }
    if (!shown) {
      throw notConfirmed();
    }
    if (plan.before.level !== shown.before.level) {
      throw new ToolInputError(
        'Nothing was sent: the settings are no longer those that the user was shown. Ask again.',
      );
    }
    const [outcome] = await this.#settings.apply([plan], { signal });
    switch (outcome?.kind) {
      case 'done':
        return { ...answer, level: outcome.after.level, changed: outcome.missing.length === 0 };
      case 'changedMeanwhile':
        throw new ToolInputError(
          'Nothing was sent: the settings were changed elsewhere just now. Read them again first.',
        );
      default:
        throw outcome?.error;
    }
  }

  async #plan(input: z.output<typeof inputSchema>, scope: NotificationScope, signal: AbortSignal): Promise<ScopePlan> {
    if (input.scope === 'global' && input.level === 'global') {
      throw new ToolInputError('The level "global" is for groups and projects: it stands for the global settings.');
    }
    const [reading] = await this.#settings.read([scope], { signal });
    if (!reading || 'error' in reading) {
      throw reading?.error;
    }
    return planFor(scope, reading.settings, { level: input.level });
  }
}
