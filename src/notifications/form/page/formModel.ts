import * as z from 'zod/mini';
import type { L10n } from '../../settings/labels.ts';
import { applyEdit, type Change, changeOf, type Edit, scopeSchema, type Settings } from '../../settings/settings.ts';
import { type FromForm, type NumberedEdit, numberedEditSchema, type ToForm, toFormSchema } from '../messages.ts';

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

const keptSchema = z.object({
  /** The page that kept it. */
  page: z.optional(z.string()),
  scope: z.optional(scopeSchema),
  unconfirmed: z.array(numberedEditSchema),
  filter: z.string(),
  /** How far down the page was scrolled, in pixels. */
  scrolled: z.number(),
});

/** What the form shows: the host's state, and on top of it the edits that the host has not confirmed yet. */
export class FormModel {
  readonly l10n: L10n;
  readonly #host: Host;
  readonly #onChange: () => void;
  readonly #page: string;
  #state: ToForm | undefined;
  #unconfirmed: readonly NumberedEdit[] = [];
  #lastNumber = 0;
  #filter = '';
  #scrolled = 0;
  #discardedFields: ReadonlySet<string> = new Set();
  #isOpen = false;

  constructor(host: Host, l10n: L10n, onChange: () => void) {
    this.#host = host;
    this.l10n = l10n;
    this.#onChange = onChange;
    const kept = keptSchema.safeParse(host.kept);
    if (kept.success) {
      this.#unconfirmed = kept.data.unconfirmed;
      this.#filter = kept.data.filter;
      this.#scrolled = kept.data.scrolled;
    }
    const { page, state: first } = host.first;
    this.#page = page;
    host.listen((state) => this.#take(state));
    // A page that is built again comes with the state that it began with, which may be old by now.
    if (first && !(kept.success && kept.data.page === page)) {
      this.#take(first);
    }
    host.send({ type: 'ready', unconfirmed: [...this.#unconfirmed] });
  }

  /** The host's state; undefined before its first message. */
  get state(): ToForm | undefined {
    return this.#state;
  }

  get draft(): Change {
    const draft: Change = this.#state?.draft ?? {};
    return this.#unconfirmed
      .filter(({ scope }) => scope === this.#state?.scopeKey)
      .reduce((drafted, { edit }) => applyEdit(drafted, edit), draft);
  }

  /** The text that shown events have in common. */
  get filter(): string {
    return this.#filter;
  }

  /** How far down the page was scrolled when it was last seen, in pixels. */
  get scrolled(): number {
    return this.#scrolled;
  }

  /** Keeps how far down the page is scrolled. */
  keepScrolled(pixels: number): void {
    this.#scrolled = pixels;
    this.#keep();
  }

  /** The fields whose value that was found elsewhere is taken. */
  get discardedFields(): ReadonlySet<string> {
    return this.#discardedFields;
  }

  /** What a save would send. */
  changeOf(settings: Settings): Change {
    return changeOf(settings, this.draft);
  }

  edit(edit: Edit): void {
    if (!this.#state) {
      return;
    }
    this.#lastNumber = Math.max(Date.now(), this.#lastNumber + 1, this.#state.confirmed + 1);
    const numbered = { scope: this.#state.scopeKey, number: this.#lastNumber, edit };
    this.#unconfirmed = [...this.#unconfirmed, numbered];
    this.#host.send({ type: 'edit', edit: numbered });
    this.#changed();
  }

  act(action: Extract<FromForm, { type: 'act' }>['action']): void {
    if (this.#state) {
      this.#host.send({ type: 'act', action, scope: this.#state.scopeKey });
    }
  }

  send(type: 'chooseScope' | 'openInUse'): void {
    this.#host.send({ type });
  }

  /** Whether the list of changes is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#onChange();
  }

  setFilter(filter: string): void {
    this.#filter = filter;
    this.#changed();
  }

  /** Decides whether a field takes the value that was found elsewhere. */
  decide(field: string, isDiscarded: boolean): void {
    const others = [...this.#discardedFields].filter((other) => other !== field);
    this.#discardedFields = new Set(isDiscarded ? [...others, field] : others);
    this.#changed();
  }

  /** Goes on after a conflict as it was decided. */
  resolve(): void {
    if (this.#state) {
      this.#host.send({ type: 'resolve', scope: this.#state.scopeKey, discardedFields: [...this.#discardedFields] });
    }
  }

  #take(state: ToForm): void {
    this.#unconfirmed = this.#unconfirmed.filter(
      ({ scope, number }) => scope !== state.scopeKey || number > state.confirmed,
    );
    if (!state.conflict || state.scopeKey !== this.#state?.scopeKey) {
      this.#discardedFields = new Set();
    }
    this.#state = state;
    this.#changed();
  }

  #changed(): void {
    this.#keep();
    this.#onChange();
  }

  #keep(): void {
    if (this.#state) {
      const { scope } = this.#state;
      this.#host.keep({
        page: this.#page,
        scope,
        unconfirmed: this.#unconfirmed,
        filter: this.#filter,
        scrolled: this.#scrolled,
      });
    }
  }
}
