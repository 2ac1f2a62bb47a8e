import type * as vscode from 'vscode';
import type * as z from 'zod/mini';

/** The messages between the extension host and one webview: what comes is validated before anybody sees it. */
export class Channel<Incoming, Outgoing> implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #subscription: vscode.Disposable;

  /** @param onError gets what `onMessage` throws, and is called for messages of another form. */
  constructor(
    webview: vscode.Webview,
    schema: z.ZodMiniType<Incoming>,
    onMessage: (message: Incoming) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#webview = webview;
    this.#subscription = webview.onDidReceiveMessage((value: unknown) => {
      const parsed = schema.safeParse(value);
      if (parsed.success) {
        onMessage(parsed.data).catch(onError);
      } else {
        onError(new TypeError('A webview sent a message of unknown form'));
      }
    });
  }

  /** Sends a message. A webview that is hidden does not get it: it asks again when it is shown. */
  post(message: Outgoing): void {
    void this.#webview.postMessage(message);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
