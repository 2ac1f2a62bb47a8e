import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import { accountLabel } from '../../accounts/accountName.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { scopeWords } from '../model/words.ts';
import { type FromForm, fromFormSchema, type NumberedEdit, type ToForm } from '../protocol/messages.ts';
import { Channel } from '../webview/channel.ts';
import { fillWebview, type PageFiles } from '../webview/shell.ts';
import { formStateOf } from './formState.ts';
import { remedyOf } from './notices.ts';
import type { Sessions } from './sessions.ts';

/** What a panel needs of the other parts. */
export interface SettingsPanelParts {
  readonly files: PageFiles;
  readonly sessions: Sessions;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  /** Lets the user choose another scope; undefined if they gave up, or another form shows it. */
  readonly chooseScope: (present: NotificationScope) => Promise<NotificationScope | undefined>;
  readonly onError: (error: unknown) => void;
}

/** One form in an editor tab: shows the session of one scope at a time. */
export class SettingsPanel implements vscode.Disposable {
  readonly #parts: SettingsPanelParts;
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<FromForm, ToForm>;
  readonly #subscriptions: vscode.Disposable;
  #scope: NotificationScope;
  /** Whether the page is there and listens; false again whenever it is built anew. */
  #listening = false;

  constructor(panel: vscode.WebviewPanel, scope: NotificationScope, parts: SettingsPanelParts) {
    this.#panel = panel;
    this.#scope = scope;
    this.#parts = parts;
    const { onError } = parts;
    this.#channel = new Channel(panel.webview, fromFormSchema, (message) => this.#receive(message), onError);
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      parts.sessions.onDidChange((key) => this.#update(key)),
      panel.onDidChangeViewState(() => this.#followVisibility()),
    );
    this.show(scope);
    fillWebview(panel.webview, {
      ...parts.files,
      title: vscode.l10n.t('Notification Settings'),
      state: this.#formState(),
    });
  }

  get scope(): NotificationScope {
    return this.#scope;
  }

  /** Shows another scope, or the same with what is there now. */
  show(scope: NotificationScope): void {
    this.#scope = scope;
    this.#panel.title = vscode.l10n.t(
      'Notifications: {0} ({1})',
      scopeWords(scope, vscode.l10n),
      accountLabel(scope.accountId),
    );
    this.#update(scopeKey(scope));
    this.load();
  }

  /** Reads the settings again. */
  load(): void {
    this.#parts.sessions.of(this.#scope).load().catch(this.#parts.onError);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Closes the form. */
  close(): void {
    this.#panel.dispose();
  }

  /** Shows the same settings for another account of the window, which is said if it is not that of the form. */
  followAccount(): void {
    this.#update(scopeKey(this.#scope));
    this.load();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #receive(message: FromForm): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#listening = true;
        for (const step of message.unconfirmed) {
          await this.#edit(step);
        }
        this.#update(scopeKey(this.#scope));
        return;
      case 'edit':
        await this.#edit(message.step);
        return;
      case 'act':
        if (message.scope === scopeKey(this.#scope)) {
          await this.#act(message.action);
        }
        return;
      case 'resolve':
        await this.#parts.sessions.find(message.scope)?.resolve(message.giveUp);
        return;
      case 'chooseScope': {
        const scope = await this.#parts.chooseScope(this.#scope);
        if (scope) {
          this.show(scope);
        }
      }
    }
  }

  async #edit(step: NumberedEdit): Promise<void> {
    const shown = step.scope === scopeKey(this.#scope) ? this.#parts.sessions.of(this.#scope) : undefined;
    await (shown ?? this.#parts.sessions.find(step.scope))?.edit(step);
  }

  async #act(action: Extract<FromForm, { type: 'act' }>['action']): Promise<void> {
    const session = this.#parts.sessions.of(this.#scope);
    switch (action) {
      case 'save':
        return await session.save();
      case 'undo':
        return await session.undo();
      case 'discard':
        return await session.discard();
      case 'reload':
        return await session.load();
      case 'cancel':
        session.cancel();
        return;
      case 'mend': {
        const remedy = remedyOf(session.state.outcome);
        if (remedy) {
          await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
        }
      }
    }
  }

  #followVisibility(): void {
    if (!this.#panel.visible) {
      this.#listening = false;
    }
  }

  #update(key: string): void {
    if (this.#listening && key === scopeKey(this.#scope)) {
      this.#channel.post(this.#formState());
    }
  }

  #formState(): ToForm {
    return formStateOf(this.#scope, this.#parts.accountInUse.account, this.#parts.sessions.of(this.#scope).state);
  }
}
