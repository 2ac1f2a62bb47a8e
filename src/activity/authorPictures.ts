import * as vscode from 'vscode';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Clock } from '../common/clock.ts';
import type { EventIcon } from './events/eventIcon.ts';
import { badge, circled, mostPictureBytes, pictureAddress, pictureUri } from './events/picture.ts';
import type { EventNode } from './tree/nodes.ts';

/** Pictures that are kept, and requests for some that are under way at once: an instance has 16 places for all that is asked. */
const [mostKept, mostAtOnce] = [300, 4];
/** Milliseconds until a picture, or an instance that gave no answer, is asked for again. */
const retryAfter = 600_000;

interface Entry {
  picture: string | undefined;
  /** By the clock. */
  retryAt: number;
  settled: Promise<void>;
}

/**
 * Asks instances for the pictures of the authors of events, and keeps them in memory, while the setting allows it and the account is
 * there.
 */
export class AuthorPictures implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** By account and address. */
  readonly #entries = new Map<string, Entry>();
  /** When instances that gave no answer are asked again, by account. */
  readonly #pauses = new Map<string, number>();
  readonly #lanes = Array.from({ length: mostAtOnce }, () => Promise.resolve());
  readonly #subscription: vscode.Disposable;
  #isOn = isOn();
  #asked = 0;

  /** Fires when a picture has come. */
  readonly onDidChange = this.#changed.event;

  constructor(
    connections: Pick<Connections, 'of'>,
    accounts: Pick<AccountStore, 'all' | 'onDidChange'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#connections = connections;
    this.#clock = clock;
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidChangeConfiguration(() => {
        this.#isOn = isOn();
        if (!this.#isOn) {
          this.#entries.clear();
        }
      }),
      accounts.onDidChange((ids) => {
        const gone = ids.filter((id) => !accounts.all.some((account) => account.id === id));
        for (const key of this.#entries.keys()) {
          if (gone.some((id) => key.startsWith(`${id} `))) {
            this.#entries.delete(key);
          }
        }
      }),
    );
  }

  /** The picture of the author as a `data:` URI; undefined as long as it is not there, and asks for it. */
  of(node: EventNode): string | undefined {
    return this.#entryOf(node)?.picture;
  }

  /** The same in a circle. */
  circle(node: EventNode): string | undefined {
    const picture = this.of(node);
    return picture && circled(picture);
  }

  /** The same as the icon of a row, with a sign of what was done in the place of the icon that says that. */
  icon(node: EventNode, instead: EventIcon): { readonly light: vscode.Uri; readonly dark: vscode.Uri } | undefined {
    const picture = this.of(node) ?? '';
    const uri = (theme: 'light' | 'dark') => vscode.Uri.parse(circled(picture, badge(instead, theme)));
    return picture === '' ? undefined : { light: uri('light'), dark: uri('dark') };
  }

  /** Resolves when the picture is there, or will not come. */
  async load(node: EventNode): Promise<void> {
    await this.#entryOf(node)?.settled;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#entries.clear();
  }

  #entryOf({ item, feed: { ref, state } }: EventNode): Entry | undefined {
    if (!this.#isOn) {
      return undefined;
    }
    const { accountId } = ref;
    const address = 'author' in item ? item.author?.avatar_url : undefined;
    const key = `${accountId} ${address}`;
    const known = this.#entries.get(key);
    const isWanted = known ? known.picture === undefined && this.#clock.now() >= known.retryAt : true;
    const hasRoom = known !== undefined || this.#entries.size < mostKept;
    if (!isWanted || !hasRoom || !pictureAddress(state.instanceUrl ?? '', address)) {
      return known;
    }
    const lane = (this.#asked += 1) % mostAtOnce;
    const settled = (this.#lanes[lane] ?? Promise.resolve()).then(async () => {
      entry.picture = await this.#ask(accountId, address);
      entry.retryAt = this.#clock.now() + retryAfter;
      if (entry.picture !== undefined) {
        this.#changed.fire();
      }
    });
    const entry: Entry = { picture: undefined, retryAt: Infinity, settled };
    this.#lanes[lane] = settled;
    this.#entries.set(key, entry);
    return entry;
  }

  async #ask(accountId: string, address: unknown): Promise<string | undefined> {
    try {
      const { client, instanceUrl } = await this.#connections.of(accountId);
      const url = pictureAddress(instanceUrl, address);
      // Both may have changed while this waited for its turn.
      const mayAsk = this.#isOn && this.#clock.now() >= (this.#pauses.get(accountId) ?? -Infinity);
      const bytes = url && mayAsk ? await client.picture(url, mostPictureBytes) : undefined;
      return bytes && pictureUri(bytes);
    } catch {
      this.#pauses.set(accountId, this.#clock.now() + retryAfter);
      return undefined;
    }
  }
}

function isOn(): boolean {
  return vscode.workspace.getConfiguration('beacon.activity').get<unknown>('authorPictures') === true;
}
