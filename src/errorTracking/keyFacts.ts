import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { plainText } from '../common/inertText.ts';
import { MementoList } from '../common/mementoList.ts';
import { fullTimeLabel } from '../common/timeText.ts';
import { isSameProject, parseDsn } from './dsn.ts';
import type { DsnIndex } from './lens/dsnIndex.ts';
import { type DsnUsage, type KeyUsage, placesLabel } from './usages.ts';

/** The answer to the last test error that was sent with a client key. */
interface TestRecord {
  readonly accountId: string;
  readonly projectId: number;
  readonly keyId: number;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly accepted: boolean;
}

/** A project on the instance of an account, by the number that keys are kept with. */
export interface KeyPlace {
  readonly accountId: string;
  readonly projectId: number;
}

export interface KeyFactsDeps {
  readonly memento: vscode.Memento;
  /** The DSNs of the workspace's files; undefined as long as no file may be searched. */
  readonly index: () => Promise<Pick<DsnIndex, 'all' | 'onDidChange'> | undefined>;
  readonly clock?: Pick<Clock, 'date'>;
}

/** So many answers to test errors are kept. */
const mostTests = 100;

/** What tells client keys apart: which is the newest, which files of the workspace use them, and how they were tested last. */
export class KeyFacts implements vscode.Disposable {
  readonly #deps: KeyFactsDeps;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #tests: MementoList<TestRecord>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  #index: Pick<DsnIndex, 'all' | 'onDidChange'> | undefined;
  /** By public key, whatever the instance. */
  #uses: ReadonlyMap<string, readonly KeyUsage[]> = new Map();
  #isAsking = false;
  #isConnected = false;

  /** Fires when there is something else to say of a key. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: KeyFactsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
    this.#tests = new MementoList(deps.memento, 'errorTracking.tests', (value) => (isTest(value) ? value : undefined));
  }

  /**
   * What tells a key apart from the others, in few words for its row, such as `inactive`, `used in .env`, `newest` and
   * `tested Nov 20`; else that it is active, which its icon says, too.
   *
   * @param keys all of the project.
   */
  labels(place: KeyPlace, key: ClientKeyRecord, keys: readonly ClientKeyRecord[]): readonly string[] {
    const test = this.#lastTest(place, key);
    const more = [
      ...usedInLabel(this.#usesOf(key)),
      ...(isNewest(key, keys) ? [vscode.l10n.t('newest')] : []),
      ...(test ? [testLabel(test, this.#clock.date())] : []),
    ];
    if (!key.active) {
      return [vscode.l10n.t('inactive'), ...more];
    }
    return more.length > 0 ? more : [vscode.l10n.t('active')];
  }

  /** The same in sentences, without whether the key is active. */
  sentences(place: KeyPlace, key: ClientKeyRecord, keys: readonly ClientKeyRecord[]): readonly string[] {
    const uses = this.#usesOf(key);
    const test = this.#lastTest(place, key);
    const testedAt = test && fullTimeLabel(new Date(test.at), vscode.env.language);
    return [
      ...(isNewest(key, keys) ? [vscode.l10n.t('It is the newest of the active client keys.')] : []),
      ...(uses.length === 0 ? [] : [placesLabel(uses)]),
      ...(test && testedAt !== undefined
        ? [
            test.accepted
              ? vscode.l10n.t('The last test error was accepted: {0}.', testedAt)
              : vscode.l10n.t('The last test error was refused: {0}.', testedAt),
          ]
        : []),
    ];
  }

  /** Keeps the answer to a test error. */
  async noteTest({ accountId, projectId }: KeyPlace, keyId: number, accepted: boolean): Promise<void> {
    const record = { accountId, projectId, keyId, at: this.#clock.date().getTime(), accepted };
    await this.#tests.update((all) => [...all.filter((one) => !isOf(one, record)), record].slice(-mostTests));
    if (accepted) {
      this.#noteConnected();
    }
    this.#changed.fire();
  }

  /** Notes that a DSN was written into a file here. */
  noteInsertion(): void {
    this.#noteConnected();
  }

  /** Follows the DSNs of the workspace's files, once they may be searched. */
  async refresh(): Promise<void> {
    const index = this.#index ?? (await this.#deps.index());
    if (index && !this.#index) {
      this.#index = index;
      this.#subscriptions.push(index.onDidChange(() => this.#update()));
    }
    this.#update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #lastTest({ accountId, projectId }: KeyPlace, { id: keyId }: ClientKeyRecord): TestRecord | undefined {
    return this.#tests.all.find((one) => isOf(one, { accountId, projectId, keyId }));
  }

  /** What is known by now; the first question begins the search. */
  #usesOf({ public_key: publicKey, tracker_dsn: text, active }: ClientKeyRecord): readonly DsnUsage[] {
    if (!this.#index && !this.#isAsking) {
      this.#isAsking = true;
      // Files are read to tell keys apart: that they cannot be is no failure to show.
      void this.refresh()
        .catch(() => undefined)
        .finally(() => (this.#isAsking = false));
    }
    const own = parseDsn(text);
    const uses = (this.#uses.get(publicKey) ?? []).filter(({ dsn }) => !own || isSameProject(dsn, own));
    if (uses.length > 0 && active) {
      this.#noteConnected();
    }
    return uses;
  }

  /** Ticks the step of the walkthrough: a program has the DSN of a key, or a test error with it was accepted. */
  #noteConnected(): void {
    if (!this.#isConnected) {
      this.#isConnected = true;
      void vscode.commands.executeCommand('setContext', 'beacon.errorTracking.connected', true);
    }
  }

  #update(): void {
    // What was never saved, no program uses.
    const all = (this.#index?.all ?? []).filter(({ uri }) => uri.scheme !== 'untitled');
    const uses = all.flatMap(({ uri, dsns }) =>
      dsns.map(({ dsn, range }) => ({ uri, line: range.start.line, range, text: dsn.text, dsn })),
    );
    const before = placesOf(this.#uses);
    this.#uses = Map.groupBy(uses, ({ dsn }) => dsn.publicKey);
    if (placesOf(this.#uses) !== before) {
      this.#changed.fire();
    }
  }
}

function placesOf(uses: ReadonlyMap<string, readonly KeyUsage[]>): string {
  return [...uses.values()]
    .flatMap((usages) => usages.map(({ uri, line, text }) => `${text} ${uri.toString()}:${line}`))
    .sort()
    .join('\n');
}

/** Whether a key is the newest of several that can be used: keys have rising ids, and no date. */
function isNewest(key: ClientKeyRecord, keys: readonly ClientKeyRecord[]): boolean {
  const ids = keys.filter(({ active }) => active).map(({ id }) => id);
  return key.active && ids.length > 1 && key.id === Math.max(...ids);
}

function usedInLabel(uses: readonly DsnUsage[]): readonly string[] {
  const [name, ...more] = [...new Set(uses.map(({ uri }) => uri.toString()))].map((uri) =>
    plainText(decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))),
  );
  if (name === undefined) {
    return [];
  }
  return [
    more.length === 0
      ? vscode.l10n.t('used in {0}', name)
      : vscode.l10n.t('used in {0} and {1} more', name, more.length),
  ];
}

/** By its day: the row stays as it is while time goes by. */
function testLabel({ at, accepted }: TestRecord, now: Date): string {
  const date = new Date(at);
  const day = new Intl.DateTimeFormat(vscode.env.language, {
    day: 'numeric',
    month: 'short',
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(date);
  return accepted ? vscode.l10n.t('tested {0}', day) : vscode.l10n.t('test failed {0}', day);
}

function isOf(
  one: Omit<TestRecord, 'at' | 'accepted'>,
  { accountId, projectId, keyId }: Omit<TestRecord, 'at' | 'accepted'>,
): boolean {
  return one.accountId === accountId && one.projectId === projectId && one.keyId === keyId;
}

function isTest(value: unknown): value is TestRecord {
  const { accountId, projectId, keyId, at, accepted } = (value ?? {}) as Partial<Record<keyof TestRecord, unknown>>;
  return (
    typeof accountId === 'string' &&
    Number.isSafeInteger(projectId) &&
    Number.isSafeInteger(keyId) &&
    typeof at === 'number' &&
    // A moment that a date can have.
    Math.abs(at) <= 8.64e15 &&
    typeof accepted === 'boolean'
  );
}
