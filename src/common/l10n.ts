/** Puts English sentences into the user's language: `vscode.l10n` in the extension host, its like in a webview. */
export interface L10n {
  /** @param message English, with `{0}`, `{1}` … where the arguments go. */
  t(message: string, ...args: (string | number)[]): string;
}

/**
 * Does in a webview what `vscode.l10n` does in the extension host.
 *
 * @param bundle the translations by their English sentences, as `vscode.l10n.bundle` has them.
 */
export function l10nOf(bundle: Readonly<Record<string, string>>): L10n {
  return {
    t: (message, ...args) =>
      (bundle[message] ?? message).replaceAll(/\{(\d+)\}/g, (place, index: string) =>
        String(args[Number(index)] ?? place),
      ),
  };
}
