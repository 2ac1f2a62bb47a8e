import { type L10n, l10nOf } from '../../common/l10n.ts';

/** What a webview gets of the editor; to be asked for once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** What a schema of zod does, as far as it matters here. */
interface Schema<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

/** The extension host, as a page talks with it. */
export class Host<Incoming, Outgoing> {
  readonly #api = acquireVsCodeApi();
  readonly #schema: Schema<Incoming>;
  /** What the sentences of the page are put into the user's language with. */
  readonly l10n: L10n = l10nOf(
    JSON.parse(document.getElementById('translations')?.textContent ?? '{}') as Record<string, string>,
  );

  /** @param schema of the messages of the extension host. */
  constructor(schema: Schema<Incoming>) {
    this.#schema = schema;
  }

  /** The id of this page, the same when the editor builds it again, and the message that it came with, if any. */
  get first(): { readonly page: string; readonly state: Incoming | undefined } {
    const element = document.getElementById('state');
    const parsed = this.#schema.safeParse(JSON.parse(element?.textContent ?? 'null'));
    return { page: element?.dataset['page'] ?? '', state: parsed.success ? parsed.data : undefined };
  }

  /** What was kept when the page was there before. */
  get kept(): unknown {
    return this.#api.getState();
  }

  /** Keeps something for when the page is built again. */
  keep(state: object): void {
    this.#api.setState(state);
  }

  send(message: Outgoing): void {
    this.#api.postMessage(message);
  }

  /** Listens to the extension host. What is no message of it is dropped. */
  listen(onMessage: (message: Incoming) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const parsed = this.#schema.safeParse(data);
      if (parsed.success) {
        onMessage(parsed.data);
      }
    });
  }
}

/** Announces changes of a page to screen readers: each sentence once, when it becomes true. */
export class Announcer {
  readonly #regions = { status: region('status'), alert: region('alert') };
  readonly #announced = new Map<string, string>();

  /** Puts the live regions, which are not seen, into the document. */
  constructor() {
    document.body.append(this.#regions.status, this.#regions.alert);
  }

  /**
   * @param role `status` waits until the screen reader is silent, `alert` interrupts it.
   * @param subject what the sentence is about; an empty sentence ends the last one about it.
   */
  announce(role: 'status' | 'alert', subject: string, sentence: string): void {
    if (this.#announced.get(subject) !== sentence) {
      this.#announced.set(subject, sentence);
      if (sentence !== '') {
        this.#regions[role].textContent = sentence;
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
