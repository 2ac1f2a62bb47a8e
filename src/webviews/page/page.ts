interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Puts English sentences into the user's language, as `vscode.l10n` does in the extension host. */
export interface L10n {
  /** @param message English, with `{0}`, `{1}` … where the arguments go. */
  t(message: string, ...args: (string | number)[]): string;
}

/**
 * The extension host, as a page talks with it. The host alone sends messages to a page, so that the page need not validate them; what
 * the page sends is validated by the host (`Channel`).
 */
export class Host<Incoming, Outgoing, Kept extends object> {
  readonly #api = acquireVsCodeApi();
  readonly #translations = JSON.parse(document.getElementById('translations')?.textContent ?? '{}') as Readonly<
    Record<string, string>
  >;
  /** By the translations of the page, which have the English sentences as their names. */
  readonly l10n: L10n = {
    t: (message, ...args) =>
      (this.#translations[message] ?? message).replaceAll(/\{(\d+)\}/g, (place, index: string) =>
        String(args[Number(index)] ?? place),
      ),
  };

  /** The id of this page, the same when the editor builds it again, and the message that it came with, if any. */
  get first(): { readonly page: string; readonly state: Incoming | null } {
    const element = document.getElementById('state');
    const state = JSON.parse(element?.textContent ?? 'null') as Incoming | null;
    return { page: element?.dataset['page'] ?? '', state };
  }

  /** What was kept when the page was there before: by whichever version, which the host finds out. */
  get kept(): Kept | undefined {
    return this.#api.getState() as Kept | undefined;
  }

  keep(state: Kept): void {
    this.#api.setState(state);
  }

  send(message: Outgoing): void {
    this.#api.postMessage(message);
  }

  listen(onMessage: (message: Incoming) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<Incoming>) => onMessage(data));
  }
}

/** Announces changes of a page to screen readers: each sentence once, when it becomes true. */
export class Announcer {
  readonly #regions = { status: region('status'), alert: region('alert') };
  readonly #announced = new Map<string, string>();

  constructor() {
    document.body.append(this.#regions.status, this.#regions.alert);
  }

  /**
   * @param role `status` waits until the screen reader is silent, `alert` interrupts it.
   * @param subject what the sentence is about; an empty sentence ends the last one about it.
   */
  announce(role: 'status' | 'alert', subject: string, sentence: string): void {
    const region = this.#regions[role];
    const before = this.#announced.get(subject);
    if (before !== sentence) {
      this.#announced.set(subject, sentence);
      // Who reads the page later by a screen reader finds only what still holds.
      if (sentence !== '' || region.textContent === before) {
        region.textContent = sentence;
      }
    }
  }
}

function region(role: string): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', role);
  element.className = 'spoken';
  return element;
}
