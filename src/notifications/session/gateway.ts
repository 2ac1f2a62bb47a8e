import type * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import type { Client } from '../../api/client.ts';
import type { NotificationSettingsChange, NotificationSettingsRecord } from '../../api/notificationSettings.ts';
import type { Change } from '../model/change.ts';
import { apiScope, type NotificationScope } from '../model/scope.ts';
import { type Settings, settingsOf, tellsEpics } from '../model/settings.ts';
import type { Gateway } from './settingsSession.ts';

const epicsKey = 'notificationSettingsEpics';

/** Remembers for which accounts the instance's tier has epics, as far as records have told. */
export class EpicsMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(accountId: string): boolean | undefined {
    return this.#all()[accountId];
  }

  async set(accountId: string, offered: boolean): Promise<void> {
    if (this.get(accountId) !== offered) {
      await this.#memento.update(epicsKey, { ...this.#all(), [accountId]: offered });
    }
  }

  #all(): Readonly<Record<string, boolean>> {
    return this.#memento.get<Record<string, boolean>>(epicsKey) ?? {};
  }
}

/** The settings of a scope on its instance. */
export class InstanceGateway implements Gateway {
  readonly #scope: NotificationScope;
  readonly #connections: Pick<Connections, 'of'>;
  readonly #epics: EpicsMemory;

  constructor(scope: NotificationScope, connections: Pick<Connections, 'of'>, epics: EpicsMemory) {
    this.#scope = scope;
    this.#connections = connections;
    this.#epics = epics;
  }

  /**
   * Reads the settings (section 4.3).
   *
   * @throws SignedOutError if the account is gone, or any error of the API client.
   */
  async read(signal: AbortSignal): Promise<Settings> {
    const { client } = await this.#connections.of(this.#scope.accountId);
    const record = await client.notificationSettings.get(apiScope(this.#scope), { signal });
    return await this.#settingsOf(client, record, signal);
  }

  /**
   * Changes what is in the change and nothing else, in one request (section 4.3).
   *
   * @throws SignedOutError if the account is gone, or any error of the API client.
   */
  async write(change: Change, signal: AbortSignal): Promise<Settings> {
    const { client } = await this.#connections.of(this.#scope.accountId);
    const body = change as NotificationSettingsChange;
    const record = await client.notificationSettings.update(apiScope(this.#scope), body, { signal });
    return await this.#settingsOf(client, record, signal);
  }

  async #settingsOf(client: Client, record: NotificationSettingsRecord, signal: AbortSignal): Promise<Settings> {
    const { kind, accountId } = this.#scope;
    const told = tellsEpics(kind, record);
    if (told !== undefined) {
      await this.#epics.set(accountId, told);
    }
    return settingsOf(kind, record, this.#epics.get(accountId) ?? (await mayOfferEpics(client, signal)));
  }
}

/** The community edition has no epics; of the enterprise edition only its records tell. */
async function mayOfferEpics(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    const { version } = await client.directory.version({ signal });
    return version.endsWith('-ee');
  } catch {
    return false;
  }
}
