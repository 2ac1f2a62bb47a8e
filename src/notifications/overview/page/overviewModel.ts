import { Host } from '../../../webviews/page/page.ts';
import { loudness } from '../../noise/mails.ts';
import type { FromOverview, RowState, ToOverview } from '../messages.ts';

/** What is kept when the page is built again: nothing that was chosen is lost. */
interface Kept {
  /** New levels by the keys of their rows. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly selected: readonly string[];
  readonly filter: string;
  readonly order: 'none' | 'descending' | 'ascending';
}

/** The state of the page: what the host has sent, and the user's choices that are not sent yet. */
export class OverviewModel {
  readonly #host = new Host<ToOverview, FromOverview, Kept>(2);
  readonly l10n = this.#host.l10n;
  readonly #onChange: () => void;
  state: ToOverview | undefined;
  /** New levels by the keys of their rows. */
  readonly #chosen = new Map<string, string>();
  readonly #selected = new Set<string>();
  /** The changes that the host knows of, as JSON. */
  #sent = '[]';
  filter = '';
  /** By e-mails: the loudest first, or last. */
  order: 'none' | 'descending' | 'ascending' = 'none';

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const { kept } = this.#host;
    if (kept) {
      Object.entries(kept.chosen).forEach(([key, level]) => this.#chosen.set(key, level));
      kept.selected.forEach((key) => this.#selected.add(key));
      this.filter = kept.filter;
      this.order = kept.order;
    }
    this.#host.listen((state) => this.#take(state));
    this.send({ type: 'ready' });
  }

  /** The rows that the filter leaves, in the chosen order. */
  get shown(): readonly RowState[] {
    const words = this.filter.toLowerCase().split(/\s+/);
    const left = (this.state?.rows ?? []).filter(({ name, place }) =>
      words.every((word) => `${name} ${place}`.toLowerCase().includes(word)),
    );
    return this.hasMails && this.order !== 'none' ? byLoudness(left, this.order) : left;
  }

  /** Whether e-mails were estimated: of one project alone, its form may have asked for it. */
  get hasMails(): boolean {
    return this.state?.rows.some(({ kind, mails }) => kind === 'global' && mails !== undefined) === true;
  }

  /** Orders by e-mails: the loudest first, then last, then as it was. */
  sort(): void {
    this.order = ({ none: 'descending', descending: 'ascending', ascending: 'none' } as const)[this.order];
    this.#changed();
  }

  /** The levels that differ from those that hold. */
  get changes(): readonly { readonly key: string; readonly level: string }[] {
    return (this.state?.rows ?? []).flatMap(({ key, level }) => {
      const chosen = this.#chosen.get(key);
      return chosen !== undefined && level !== undefined && chosen !== level ? { key, level: chosen } : [];
    });
  }

  get selected(): readonly RowState[] {
    return this.shown.filter(({ key }) => this.#selected.has(key));
  }

  levelOf({ key, level }: RowState): string | undefined {
    return level === undefined ? undefined : (this.#chosen.get(key) ?? level);
  }

  isSelected({ key }: RowState): boolean {
    return this.#selected.has(key);
  }

  select(rows: readonly RowState[], selected: boolean): void {
    rows.forEach(({ key }) => (selected ? this.#selected.add(key) : this.#selected.delete(key)));
    this.#changed();
  }

  choose(rows: readonly RowState[], level: string): void {
    for (const row of rows) {
      // The level "global" is not offered for the global settings themselves.
      if (!(row.kind === 'global' && level === 'global')) {
        this.#chosen.set(row.key, level);
      }
    }
    this.#changed();
  }

  discard(): void {
    this.#chosen.clear();
    this.#changed();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.#changed();
  }

  send(message: FromOverview): void {
    this.#host.send(message);
  }

  #take(state: ToOverview): void {
    this.state = state;
    for (const { key, level } of state.rows) {
      if (this.#chosen.get(key) === level) {
        this.#chosen.delete(key);
      }
    }
    this.#changed();
  }

  #changed(): void {
    this.#host.keep({
      chosen: Object.fromEntries(this.#chosen),
      selected: [...this.#selected],
      filter: this.filter,
      order: this.order,
    });
    const { changes } = this;
    const chosen = JSON.stringify(changes);
    if (chosen !== this.#sent) {
      this.#sent = chosen;
      this.send({ type: 'choose', changes: [...changes] });
    }
    this.#onChange();
  }
}

/** What is not known comes last in either order. */
function byLoudness(rows: readonly RowState[], order: 'descending' | 'ascending'): readonly RowState[] {
  const rank = ({ mails }: RowState): number => {
    const count = loudness(mails);
    return count === undefined ? Infinity : order === 'ascending' ? count : -count;
  };
  return rows.toSorted((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0));
}
