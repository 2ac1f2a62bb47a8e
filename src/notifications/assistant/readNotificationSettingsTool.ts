import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import type { AssistantTool } from '../../assistants/assistantTool.ts';
import { readInput } from '../../assistants/toolInput.ts';
import { levelWords, scopeWords } from '../model/words.ts';
import { ScopeSettings } from '../scopes/scopeSettings.ts';
import { scopeInput, scopeOfInput } from './scopeInput.ts';

const inputSchema = z.object(scopeInput);

/** Lets a language model read notification settings of the account in use. */
export class ReadNotificationSettingsTool implements AssistantTool {
  readonly #connections: Pick<Connections, 'current' | 'of'>;
  readonly #settings: ScopeSettings;

  constructor(connections: Pick<Connections, 'current' | 'of'>) {
    this.#connections = connections;
    this.#settings = new ScopeSettings(connections);
  }

  async prepare(): Promise<vscode.PreparedToolInvocation> {
    return { invocationMessage: vscode.l10n.t('Reading notification settings') };
  }

  /** The level of a scope and what is known of its events; the e-mail address stays out. */
  async run(given: unknown, signal: AbortSignal) {
    const scope = await scopeOfInput(readInput(inputSchema, given), this.#connections);
    const [reading] = await this.#settings.read([scope], { signal });
    if (!reading || 'error' in reading) {
      throw reading?.error;
    }
    const { level, flags } = reading.settings;
    return {
      of: scopeWords(scope, vscode.l10n),
      level,
      meaning: levelWords(level, vscode.l10n).meaning,
      events: flags,
      note: 'Events count at the level custom alone. "default" is the platform\'s choice, "unknown" is not told by the platform.',
    };
  }
}
