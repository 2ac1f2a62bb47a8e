import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { lookUp } from '../accounts/directorySearch.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { type AssistantTool, Consents, readInput, ToolInputError } from '../assistants/toolRunner.ts';
import { escapeMarkdown } from '../common/inertText.ts';
import { levelLabel, planLabels, scopeLabel } from './labels.ts';
import type { NotificationScope } from './scope.ts';
import { eventsOf, isEmptyChange, type Plan, planOf } from './settings.ts';
import type { SettingsService } from './settingsService.ts';

const readInputSchema = () =>
  z.object({
    scope: z._default(z.enum(['global', 'group', 'project']), 'global'),
    path: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
  });

/** The scope that a model means, of the account in use. */
async function scopeOfInput(
  input: z.output<ReturnType<typeof readInputSchema>>,
  { connections }: App,
): Promise<NotificationScope> {
  const { scope: kind, path } = input;
  const connection = await connections.current();
  if (kind === 'global') {
    return { kind, accountId: connection.account.id };
  }
  if (path === undefined) {
    throw new ToolInputError(`The notification settings of a ${kind} need "path", its full path.`);
  }
  return await lookUp(kind, path, connection);
}

const changeInputSchema = () => z.object({ ...readInputSchema().shape, level: z.enum(notificationLevels) });

/** Reads settings of the account in use, and changes a level of it, which the user confirms first. */
export function notificationTools(app: App, service: SettingsService) {
  const consents = new Consents<Plan>();

  async function planOfLevel(scope: NotificationScope, level: string, signal: AbortSignal): Promise<Plan> {
    if (scope.kind === 'global' && level === 'global') {
      throw new ToolInputError('The level "global" is for groups and projects: it stands for the global settings.');
    }
    return planOf(scope, await service.read(scope, signal), { level });
  }

  const read: AssistantTool = {
    prepare: async () => ({ invocationMessage: vscode.l10n.t('Reading notification settings') }),
    /** The level of a scope and what is known of its events; the e-mail address stays out. */
    run: async (given, signal) => {
      const scope = await scopeOfInput(readInput(readInputSchema(), given), app);
      const settings = await service.read(scope, signal);
      const { level } = settings;
      return {
        of: scopeLabel(scope),
        level,
        meaning: levelLabel(level).meaning,
        events: Object.fromEntries(eventsOf(settings).map((event) => [event, settings[event]])),
        note: "Events count at the level custom alone. null is the platform's default; events that are missing are not reported by it.",
      };
    },
  };
  const change: AssistantTool = {
    prepare: async (given, signal) => {
      const input = readInput(changeInputSchema(), given);
      const plan = await planOfLevel(await scopeOfInput(input, app), input.level, signal);
      consents.note(input, plan);
      const of = escapeMarkdown(`${scopeLabel(plan.scope)} (${plan.scope.accountId})`);
      const sentences = planLabels(plan).map((sentence) => `\n- ${escapeMarkdown(sentence)}`);
      const message = new vscode.MarkdownString([of, ...sentences].join('\n'));
      return {
        invocationMessage: vscode.l10n.t('Changing the notification level'),
        confirmationMessages: { title: vscode.l10n.t('Change Notification Level'), message },
      };
    },
    /** Sends the level alone, to the scope that the user was shown, and only if it is another one. */
    run: async (given, signal) => {
      const input = readInput(changeInputSchema(), given);
      const shown = consents.take(input);
      const plan = await planOfLevel(shown.scope, input.level, signal);
      const answer = { of: scopeLabel(plan.scope), before: plan.expected.level };
      if (isEmptyChange(plan.change)) {
        return { ...answer, level: plan.expected.level, changed: false };
      }
      if (plan.expected.level !== shown.expected.level) {
        throw new ToolInputError(
          'Nothing was sent: the settings are no longer those that the user was shown. Ask again.',
        );
      }
      signal.throwIfAborted();
      const outcome = await service.apply(plan);
      if (outcome.kind === 'conflict') {
        throw new ToolInputError(
          'Nothing was sent: the settings were changed elsewhere just now. Read them again first.',
        );
      }
      if (outcome.kind !== 'applied') {
        throw outcome.error;
      }
      return { ...answer, level: outcome.now.level, changed: outcome.missing.length === 0 };
    },
  };
  return { beacon_read_notification_settings: read, beacon_change_notification_level: change };
}
