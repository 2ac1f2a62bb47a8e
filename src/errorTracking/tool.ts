import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { type AssistantTool, Consents, projectMeant, readInput } from '../assistants/toolRunner.ts';
import { escapeMarkdown, inSequence } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import { readTracking } from './projects.ts';

const inputSchema = z.object({
  project: z.optional(z.union([z.int(), z.string().check(z.minLength(1), z.maxLength(1000))])),
  includeDsns: z._default(z.boolean(), false),
});

/** A project whose DSNs the user was asked about, with the keys that were named. */
interface ShownKeys {
  readonly accountId: string;
  readonly projectId: number;
  readonly keys: readonly Pick<ClientKeyRecord, 'id' | 'tracker_dsn'>[];
}

/**
 * Lets a language model list the client keys of a project. Their DSNs are kept from it unless the user agrees, and then it gets
 * those of the project and the keys that the user was shown.
 */
export function listClientKeysTool(app: App): AssistantTool {
  const consents = new Consents<ShownKeys>();

  async function prepare(given: unknown, signal: AbortSignal): Promise<vscode.PreparedToolInvocation> {
    const input = readInput(inputSchema, given);
    const invocationMessage = vscode.l10n.t('Listing client keys');
    if (!input.includeDsns) {
      return { invocationMessage };
    }
    const { accountId, projectId, path, tracking } = await read(input, signal);
    const keys = tracking.keys.map(({ id, tracker_dsn }) => ({ id, tracker_dsn }));
    consents.note(input, { accountId, projectId, keys });
    const question = vscode.l10n.t(
      'The DSNs of {0} ({1}) would be read by the language model. Anyone who has a DSN can send errors to the project.',
      path,
      accountId,
    );
    const names = tracking.keys.map(({ public_key: publicKey }) => shortKey(publicKey));
    const message = new vscode.MarkdownString(escapeMarkdown(inSequence(question, names.join(', '))));
    return {
      invocationMessage,
      confirmationMessages: { title: vscode.l10n.t('Show DSNs to Language Model'), message },
    };
  }

  /** Whether errors are taken, and the keys: shortened, but for those whose DSNs the user has agreed to show. */
  async function run(given: unknown, signal: AbortSignal) {
    const input = readInput(inputSchema, given);
    const shown = input.includeDsns ? consents.take(input) : undefined;
    const { path, tracking } = await read(input, signal, shown);
    const { settings, keys, unreadableKeys } = tracking;
    const isShown = (key: ClientKeyRecord): boolean =>
      shown?.keys.some(({ id, tracker_dsn }) => id === key.id && tracker_dsn === key.tracker_dsn) ?? false;
    return {
      project: path,
      errorTracking: settings,
      keys: keys.map((key) => ({
        id: key.id,
        active: key.active,
        publicKey: isShown(key) ? key.public_key : shortKey(key.public_key),
        ...(isShown(key) ? { dsn: key.tracker_dsn } : {}),
      })),
      ...(unreadableKeys > 0 ? { unreadableKeys } : {}),
      ...(keys.every(isShown)
        ? {}
        : { note: 'DSNs are withheld. Ask for them only if the user wants to see or use them.' }),
    };
  }

  /** The project that the input means, or the one that was shown, with its keys. */
  async function read({ project }: z.output<typeof inputSchema>, signal: AbortSignal, shown?: ShownKeys) {
    const { connections } = app;
    const connection = shown ? await connections.of(shown.accountId) : await connections.current();
    const { accountId, id, path } = await projectMeant(shown?.projectId ?? project, app, connection, signal);
    return { accountId, projectId: id, path, tracking: await readTracking(connection.client, id) };
  }

  return { prepare, run };
}
