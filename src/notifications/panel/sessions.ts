import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { changeOf, isEmpty } from '../model/change.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { EpicsMemory, InstanceGateway } from '../session/gateway.ts';
import { ScopeStore } from '../session/scopeStore.ts';
import { SettingsSession } from '../session/settingsSession.ts';

/** The sessions of all scopes that were shown in this window. They outlive the form, so that a save ends in any case. */
export class Sessions implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #store: ScopeStore;
  readonly #epics: EpicsMemory;
  readonly #open = new Map<string, SettingsSession>();
  readonly #changed = new vscode.EventEmitter<string>();

  /** Fires with the key of a scope when something about it has changed. */
  readonly onDidChange = this.#changed.event;

  /** @param memento shared by all windows. */
  constructor(connections: Pick<Connections, 'of'>, memento: vscode.Memento) {
    this.#connections = connections;
    this.#store = new ScopeStore(memento);
    this.#epics = new EpicsMemory(memento);
  }

  /** The session of a scope, the same each time. */
  of(scope: NotificationScope): SettingsSession {
    const key = scopeKey(scope);
    const known = this.#open.get(key);
    if (known) {
      return known;
    }
    const session = new SettingsSession(
      new InstanceGateway(scope, this.#connections, this.#epics),
      { get: () => this.#store.get(key), set: (memory) => this.#store.set(key, { ...memory, scope }) },
      Date.now,
      () => this.#changed.fire(key),
    );
    this.#open.set(key, session);
    return session;
  }

  /** The session of a scope that was shown before, by its key. */
  find(key: string): SettingsSession | undefined {
    return this.#open.get(key);
  }

  /** The scopes of an account with changes that were not saved, in whichever window they were made. */
  drafted(accountId: string): readonly NotificationScope[] {
    return this.#store.all.flatMap(({ scope, base, draft }) =>
      scope?.accountId === accountId && base && !isEmpty(changeOf(base, draft)) ? scope : [],
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
