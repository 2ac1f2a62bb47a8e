import { Host } from '../../../webviews/page/page.ts';
import {
  applyEdit,
  type Change,
  changeOf,
  type Edit,
  type NotificationScope,
  type Settings,
} from '../../settings/settings.ts';
import type { FromForm, ToForm } from '../messages.ts';

/** What is kept when the page is built again. What was chosen is with the host. */
interface Kept {
  /** The page that kept it. */
  readonly page: string;
  /** What the editor restores the form for. */
  readonly scope: NotificationScope;
  readonly filter: string;
  /** How far down the page was scrolled, in pixels. */
  readonly scrolled: number;
}

/** What the form shows: the host's state, and on top of it the edits that the host has not taken yet. */
export class FormModel {
  readonly #host = new Host<ToForm, FromForm, Kept>(2);
  readonly l10n = this.#host.l10n;
  readonly #onChange: () => void;
  readonly #page: string;
  #state: ToForm | undefined;
  #sent: readonly { readonly scope: string; readonly edit: Edit }[] = [];
  #taken = 0;
  #filter = '';
  #scrolled = 0;
  #discardedFields: ReadonlySet<string> = new Set();
  #isOpen = false;

  /** @param onChange shows the page; the first message may come while the model is being made. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const { kept } = this.#host;
    if (kept) {
      this.#filter = kept.filter;
      this.#scrolled = kept.scrolled;
    }
    const { page, state: first } = this.#host.first;
    this.#page = page;
    this.#host.listen((state) => this.#take(state));
    // A page that is built again comes with the state that it began with, which may be old by now.
    if (first && kept?.page !== page) {
      this.#take(first);
    }
    this.#host.send({ type: 'ready' });
  }

  /** The host's state; undefined before its first message. */
  get state(): ToForm | undefined {
    return this.#state;
  }

  get draft(): Change {
    const draft: Change = this.#state?.draft ?? {};
    return this.#sent
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
    const { scopeKey: scope } = this.#state;
    this.#sent = [...this.#sent, { scope, edit }];
    this.#host.send({ type: 'edit', scope, edit });
    this.#changed();
  }

  act(action: Extract<FromForm, { type: 'act' }>['action']): void {
    if (this.#state) {
      this.#host.send({ type: 'act', action, scope: this.#state.scopeKey });
    }
  }

  send(type: 'chooseScope' | 'openOther'): void {
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
    this.#sent = this.#sent.slice(Math.max(state.taken - this.#taken, 0));
    this.#taken = state.taken;
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
      this.#host.keep({ page: this.#page, scope, filter: this.#filter, scrolled: this.#scrolled });
    }
  }
}
