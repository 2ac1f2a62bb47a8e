import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { eventKind, oneKind } from '../events/eventKind.ts';
import { usernameOf } from '../filters/filter.ts';
import type { FeedItem } from '../loading/loadedFeed.ts';

/** What a person does not want to see. */
export interface Mute {
  readonly accountId: string;
  readonly what: 'author' | 'project' | 'kind';
  /** A username, the id of a project, or a kind of event. */
  readonly value: string;
  /** How it was called when it was muted. */
  readonly name: string;
}

const mementoKey = 'activity.mutes';

/** The authors, projects and kinds of events that are left out of all feeds and never count as new. */
export class Mutes implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get all(): readonly Mute[] {
    return this.#memento.get<readonly unknown[]>(mementoKey, []).filter(isMute);
  }

  /** A test for events of an account. */
  test(accountId: string): (item: FeedItem) => boolean {
    const mutes = this.all.filter((mute) => mute.accountId === accountId);
    const muted = new Set(mutes.map(({ what, value }) => `${what}/${what === 'kind' ? oneKind(value) : value}`));
    return (item) => muted.size > 0 && !isUnrecognized(item) && subjects(item).some((subject) => muted.has(subject));
  }

  async add(mute: Mute): Promise<void> {
    await this.#set([...this.#without([mute]), mute]);
  }

  async remove(mutes: readonly Mute[]): Promise<void> {
    await this.#set(this.#without(mutes));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** All but these; also what another version of Beacon wrote and this one does not understand. */
  #without(mutes: readonly Mute[]): readonly unknown[] {
    const stored = this.#memento.get<readonly unknown[]>(mementoKey, []);
    return stored.filter((other) => !(isMute(other) && mutes.some((mute) => isSame(other, mute))));
  }

  async #set(mutes: readonly unknown[]): Promise<void> {
    await this.#memento.update(mementoKey, mutes);
    this.#changed.fire();
  }
}

function subjects(event: EventRecord): string[] {
  return [`author/${usernameOf(event)}`, `project/${event.project_id}`, `kind/${eventKind(event)}`];
}

function isSame(mute: Mute, { accountId, what, value }: Mute): boolean {
  return mute.accountId === accountId && mute.what === what && mute.value === value;
}

function isMute(value: unknown): value is Mute {
  const { accountId, what, value: muted, name } = (value ?? {}) as Partial<Record<keyof Mute, unknown>>;
  return (
    (what === 'author' || what === 'project' || what === 'kind') &&
    [accountId, muted, name].every((text) => typeof text === 'string')
  );
}
