import { type FromForm, type ToForm, toFormSchema } from '../protocol/messages.ts';

/** What a webview gets of the editor; to be asked for once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The extension host, as the form talks with it. */
export class Host {
  readonly #api = acquireVsCodeApi();

  /** What was kept when the page was there before. */
  get kept(): unknown {
    return this.#api.getState();
  }

  /** Keeps something for when the page is built anew. */
  keep(state: object): void {
    this.#api.setState(state);
  }

  send(message: FromForm): void {
    this.#api.postMessage(message);
  }

  /** Listens to the host. What is no message of it is dropped. */
  listen(onMessage: (message: ToForm) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const parsed = toFormSchema.safeParse(data);
      if (parsed.success) {
        onMessage(parsed.data);
      }
    });
  }
}
