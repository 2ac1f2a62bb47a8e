import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { AssistantTool } from '../../assistants/assistantTool.ts';
import { readInput } from '../../assistants/toolInput.ts';
import { ToolInputError } from '../../assistants/toolInputError.ts';
import { shortKey } from '../dsn.ts';
import { readErrorTracking } from '../projectStates.ts';

const inputSchema = z.object({
  project: z.optional(z.union([z.int(), z.string().check(z.minLength(1), z.maxLength(1000))])),
  includeDsns: z._default(z.boolean(), false),
});

/** What listing client keys depends on. */
export interface ListClientKeysOptions {
  readonly connections: Pick<Connections, 'current'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'current'>;
}

/** Lets a language model list the client keys of a project. Their DSNs are kept from it unless the person agrees. */
export class ListClientKeysTool implements AssistantTool {
  readonly #options: ListClientKeysOptions;

  constructor(options: ListClientKeysOptions) {
    this.#options = options;
  }

  async prepare(given: unknown): Promise<vscode.PreparedToolInvocation> {
    const { project, includeDsns } = readInput(inputSchema, given);
    const invocationMessage = vscode.l10n.t('Listing client keys');
    if (!includeDsns) {
      return { invocationMessage };
    }
    const named = project ?? this.#options.workspaceProjects.current?.path ?? '';
    const message = new vscode.MarkdownString();
    message.appendText(
      vscode.l10n.t(
        'The DSNs of {0} would be read by the language model. Whoever has a DSN can send errors to the project.',
        String(named),
      ),
    );
    return {
      invocationMessage,
      confirmationMessages: { title: vscode.l10n.t('Show DSNs to Language Model'), message },
    };
  }

  /** Whether errors are taken, and the keys: shortened unless their DSNs are asked for. */
  async run(given: unknown, signal: AbortSignal) {
    const { project, includeDsns } = readInput(inputSchema, given);
    const { account, client } = await this.#options.connections.current();
    const { current } = this.#options.workspaceProjects;
    const named = project ?? (current?.accountId === account.id ? current.path : undefined);
    if (named === undefined) {
      throw new ToolInputError('"project" is needed: this workspace has none of the account in use.');
    }
    const { id, path_with_namespace: path } = await client.directory.project(named, { signal });
    const { settings, keys, unreadableKeys } = await readErrorTracking(client, id);
    return {
      project: path,
      errorTracking: settings,
      keys: keys.map((key) => ({
        id: key.id,
        active: key.active,
        publicKey: includeDsns ? key.public_key : shortKey(key.public_key),
        ...(includeDsns ? { dsn: key.tracker_dsn } : {}),
      })),
      ...(unreadableKeys > 0 ? { unreadableKeys } : {}),
      ...(includeDsns ? {} : { note: 'DSNs are withheld. Ask for them only if the person wants to see or use them.' }),
    };
  }
}
