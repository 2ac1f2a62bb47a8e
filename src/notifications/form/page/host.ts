import { type FromForm, type ToForm, toFormSchema } from '../messages.ts';

/** What a webview gets of the editor; to be asked for once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** What the page was filled with. */
interface FirstState {
  /** The id of this page; the same when the editor builds it again. */
  readonly page: string;
  /** The first message of the host; undefined if it is none. */
  readonly state: ToForm | undefined;
}

/** The extension host, as the form talks with it. */
export class Host {
  readonly #api = acquireVsCodeApi();

  /** What the host has put into the page, validated like every other message. */
  get first(): FirstState {
    const element = document.getElementById('state');
    const parsed = toFormSchema.safeParse(JSON.parse(element?.textContent ?? 'null'));
    return { page: element?.dataset['page'] ?? '', state: parsed.data };
  }

  /** What was kept when the page was there before. */
  get kept(): unknown {
    return this.#api.getState();
  }

  /** Keeps something for when the page is built again. */
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
