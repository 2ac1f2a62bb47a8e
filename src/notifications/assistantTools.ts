import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connections } from '../accounts/connections.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import { type AssistantTool, Consents, notConfirmed, readInput, ToolInputError } from '../assistants/toolRunner.ts';
import { planLabels } from './settings/bulkChanges.ts';
import type { SettingsEngine } from './settings/engine.ts';
import { levelLabel, scopeLabel } from './settings/labels.ts';
import { scopeOfArgument } from './settings/scopeArgument.ts';
import { isEmptyChange, type NotificationScope, planFor, type ScopePlan } from './settings/settings.ts';

/** What the tools depend on. */
export interface NotificationToolsDeps {
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
}

/** How a model names a scope of notification settings. */
const scopeInput = {
  scope: z._default(z.enum(['global', 'group', 'project']), 'global'),
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
};

/**
 * The scope that a model means, of the account in use.
 *
 * @throws ToolInputError if the path of a group or project is missing, or any error of the API client.
 */
async function scopeOfInput(
  { scope: kind, path }: { readonly scope: NotificationScope['kind']; readonly path?: string | undefined },
  connections: Pick<Connections, 'current' | 'of'>,
): Promise<NotificationScope> {
  const { account } = await connections.current();
  const accountId = account.id;
  if (kind === 'global') {
    return { kind, accountId };
  }
  const workspaceProjects = { current: undefined };
  const scope = path && (await scopeOfArgument({ kind, accountId, path }, { connections, workspaceProjects }));
  if (!scope) {
    throw new ToolInputError(`The notification settings of a ${kind} need "path", its full path.`);
  }
  return scope;
}

const readInputSchema = z.object(scopeInput);

/** Lets a language model read notification settings of the account in use. */
export class ReadNotificationSettingsTool implements AssistantTool {
  readonly #deps: NotificationToolsDeps;

  constructor(deps: NotificationToolsDeps) {
    this.#deps = deps;
  }

  async prepare(): Promise<vscode.PreparedToolInvocation> {
    return { invocationMessage: vscode.l10n.t('Reading notification settings') };
  }

  /** The level of a scope and what is known of its events; the e-mail address stays out. */
  async run(given: unknown, signal: AbortSignal) {
    const scope = await scopeOfInput(readInput(readInputSchema, given), this.#deps.connections);
    const { level, flags } = await this.#deps.engine.read(scope, signal);
    return {
      of: scopeLabel(scope, vscode.l10n),
      level,
      meaning: levelLabel(level, vscode.l10n).meaning,
      events: flags,
      note: 'Events count at the level custom alone. "default" is the platform\'s choice, "unknown" is not reported by the platform.',
    };
  }
}

const changeInputSchema = z.object({ ...scopeInput, level: z.enum(notificationLevels) });

/** Lets a language model change a notification level of the account in use, which the user confirms first. */
export class ChangeNotificationLevelTool implements AssistantTool {
  readonly #deps: NotificationToolsDeps;
  readonly #consents = new Consents<ScopePlan>(
    (one, other) => isDeepStrictEqual(one.scope, other.scope) && isDeepStrictEqual(one.change, other.change),
  );

  constructor(deps: NotificationToolsDeps) {
    this.#deps = deps;
  }

  /** The text of a change, for confirmation. */
  async prepare(given: unknown, signal: AbortSignal): Promise<vscode.PreparedToolInvocation> {
    const input = readInput(changeInputSchema, given);
    const plan = await this.#plan(input, await scopeOfInput(input, this.#deps.connections), signal);
    this.#consents.note(input, plan);
    const message = new vscode.MarkdownString();
    message.appendText(`${scopeLabel(plan.scope, vscode.l10n)} (${plan.scope.accountId})\n`);
    for (const sentence of planLabels(plan)) {
      message.appendMarkdown('\n- ').appendText(sentence);
    }
    return {
      invocationMessage: vscode.l10n.t('Changing the notification level'),
      confirmationMessages: { title: vscode.l10n.t('Change Notification Level'), message },
    };
  }

  /** Sends the level alone, to the scope that the user was shown, and only if it is another one. */
  async run(given: unknown, signal: AbortSignal) {
    const input = readInput(changeInputSchema, given);
    const shown = this.#consents.take(input);
    const plan = await this.#plan(input, shown?.scope ?? (await scopeOfInput(input, this.#deps.connections)), signal);
    const answer = { of: scopeLabel(plan.scope, vscode.l10n), before: plan.expected.level };
    if (isEmptyChange(plan.change)) {
      return { ...answer, level: plan.expected.level, changed: false };
    }
    if (!shown) {
      throw notConfirmed();
    }
    if (plan.expected.level !== shown.expected.level) {
      throw new ToolInputError(
        'Nothing was sent: the settings are no longer those that the user was shown. Ask again.',
      );
    }
    signal.throwIfAborted();
    const outcome = await this.#deps.engine.apply(plan.scope, plan);
    switch (outcome.kind) {
      case 'applied':
        return { ...answer, level: outcome.settings.level, changed: outcome.missing.length === 0 };
      case 'conflict':
        throw new ToolInputError(
          'Nothing was sent: the settings were changed elsewhere just now. Read them again first.',
        );
      case 'unknown':
        throw outcome.error;
    }
  }

  async #plan(
    input: z.output<typeof changeInputSchema>,
    scope: NotificationScope,
    signal: AbortSignal,
  ): Promise<ScopePlan> {
    if (input.scope === 'global' && input.level === 'global') {
      throw new ToolInputError('The level "global" is for groups and projects: it stands for the global settings.');
    }
    return planFor(scope, await this.#deps.engine.read(scope, signal), { level: input.level, flags: {} });
  }
}
