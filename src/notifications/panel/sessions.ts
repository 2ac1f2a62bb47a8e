import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { EpicsMemory, InstanceGateway } from '../session/gateway.ts';
import { ScopeStore } from '../session/scopeStore.ts';
import { SettingsSession } from '../session/settingsSession.ts';

/** A scope with its session. */
export interface OpenScope {
  readonly scope: NotificationScope;
  readonly session: SettingsSession;
}

/** The sessions of all scopes that were shown in this window. They outlive the form, so that a save ends in any case. */
export class Sessions implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #store: ScopeStore;
  readonly #epics: EpicsMemory;
  readonly #open = new Map<string, OpenScope>();
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
      return known.session;
    }
    const session = new SettingsSession(
      new InstanceGateway(scope, this.#connections, this.#epics),
      { get: () => this.#store.get(key), set: (memory) => this.#store.set(key, memory) },
      Date.now,
      () => this.#changed.fire(key),
    );
    this.#open.set(key, { scope, session });
    return session;
  }

  /** The session of a scope that was shown before, by its key. */
  find(key: string): SettingsSession | undefined {
    return this.#open.get(key)?.session;
  }

  /** The scopes of an account with changes that were not saved. */
  drafted(accountId: string): readonly NotificationScope[] {
    return [...this.#open.values()]
      .filter(({ scope, session }) => scope.accountId === accountId && session.hasChanges)
      .map(({ scope }) => scope);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
