/** What a program sent to the DSN ingest. */
export interface Received {
  readonly received_at: string;
  readonly project_id: number;
  readonly public_key: string;
  readonly event_id: string;
  /** Such as `event`, `transaction` or `session`. */
  readonly types: readonly string[];
  /** Such as `error`; null for what is no event. */
  readonly level: string | null;
  /** Such as `RangeError: Out of berths`; null for what is no event. */
  readonly title: string | null;
}

const capacity = 100;

/** The latest of what programs sent. */
export class ReceivedList {
  readonly #items: Received[] = [];

  add(item: Received): void {
    this.#items.unshift(item);
    this.#items.splice(capacity);
  }

  /** The newest first. */
  items(): readonly Received[] {
    return this.#items;
  }
}
