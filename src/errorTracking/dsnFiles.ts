import { isIgnored, searchByGit } from '#platform/git.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { plainText } from '../common/inertText.ts';
import { textOfBytes, Yielder } from '../workspace/batches.ts';
import { documentSchemes } from '../workspace/documentProblems.ts';
import { isForeign, namesPattern, type ReadOptions, readFiles } from '../workspace/files.ts';
import { type Dsn, type FoundDsn, risingPositions, searchDsns } from './dsn.ts';

const { t } = vscode.l10n;

export interface KeyPlace {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly written: string;
  /** The whole DSN around the key; a key without one can be changed by hand only. */
  readonly dsn?: Dsn | undefined;
}

export type DsnPlace = KeyPlace & { readonly dsn: Dsn };

/** At most this many DSNs of a file are looked at, and this many of all files together: more are no program's, and each is asked about. */
const mostOfFile = 200;
const mostOfAll = 2000;
/** At most this many characters of files are read by one scan, whatever they hold. */
const mostCharacters = 64 * 1024 * 1024;

/** A scan rests until nobody has changed the shown document for `pause` milliseconds, and for `most` milliseconds in all at most. */
const typingRest = { pause: 300, most: 10_000 };

/** Settings of one computer hold DSNs most of all, env files first, though git ignores them for that very reason. */
const localSettings: readonly string[] = [
  ...['*env*', '*.yml', '*.yaml', '*.toml', '*.ini', '*.properties', '*.tfvars*', '*.tfstate*', '*conf*', '*.cfg'],
  ...['*.plist', '.*rc', '.*vars', '*settings*', '*local*', '*secret*', '*credential*', '*sentry*', '*dsn*'],
  // How editors start programs.
  ...['launch.json', 'tasks.json', 'workspace.xml', '*.run.xml'],
];

/** Which files are not read: none of them yet, or those beyond a bound and in folders without search. */
type Gap = 'all' | 'some' | undefined;

/** What each DSN contains, for git: in UTF-16, which it takes for bytes, there is a zero between any two letters. */
const gitPattern = String.raw`e r r o r _? t r a c k i n g \\? /`.replaceAll(' ', '[^!]?');

/**
 * Knows the DSNs in the workspace's files: by one scan, and then by the documents that are open. These are the files that are searched
 * before a key is deleted, but for binary and large ones, and for what builds made: what git ignores is among them where it holds settings.
 */
export class DsnFiles implements vscode.Disposable {
  readonly #places = new Map<string, readonly DsnPlace[]>();
  readonly #changed = new vscode.EventEmitter<void>();
  #scan = new vscode.CancellationTokenSource();
  #gap: Gap = 'all';
  /** When the shown document was changed last. */
  #typedAt = -Infinity;
  readonly #typing = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    // What programs write into the output panel nobody types.
    const isTyped = contentChanges.length > 0 && documentSchemes.includes(document.uri.scheme);
    if (isTyped && document === vscode.window.activeTextEditor?.document) {
      this.#typedAt = systemClock.now();
    }
  });

  readonly onDidChange = this.#changed.event;

  get all(): readonly DsnPlace[] {
    return [...this.#places.values()].flat();
  }

  /** Why some DSNs of files may not be known; undefined if all are. */
  get gap(): Gap {
    return this.#gap ?? ([...this.#places.values()].some(({ length }) => length > mostOfFile) ? 'some' : undefined);
  }

  of(uri: vscode.Uri): readonly DsnPlace[] {
    return this.#places.get(uri.toString())?.slice(0, mostOfFile) ?? [];
  }

  async readDocument(document: vscode.TextDocument, isOutdated: () => boolean): Promise<void> {
    const { uri } = document;
    const text = document.getText();
    // Most documents have none, and git is not asked about them.
    const isMeant = !searchDsns(text).next().done && !isForeign(uri.path);
    const isRead = isMeant && (namesPattern(localSettings).test(uri.path) || (await isIgnored(uri)) !== true);
    await this.#look(uri, isRead ? text : '', isOutdated);
    if (!isOutdated()) {
      this.#changed.fire();
    }
  }

  /**
   * Reads all files of the workspace; what was being read before is left. Rests while somebody types: each letter would take twice as
   * long on a computer of two processors, whatever works beside the editor.
   */
  async scan(): Promise<void> {
    this.#scan.cancel();
    this.#scan = new vscode.CancellationTokenSource();
    const { token } = this.#scan;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const seen = new Set(open);
    let gap: Gap;
    let characters = 0;
    const onUnsearched = (): void => void (gap = 'some');
    const restUntil = systemClock.now() + typingRest.most;
    const rest = async (): Promise<boolean> => {
      const left = (): number => Math.min(restUntil, this.#typedAt + typingRest.pause) - systemClock.now();
      while (left() > 0 && !token.isCancellationRequested) {
        await systemClock.sleep(left());
      }
      return !token.isCancellationRequested;
    };
    for await (const { uri, text } of read({ token, isUnasked: true, ignored: localSettings, onUnsearched }, rest)) {
      if (!(await rest())) {
        break;
      }
      characters += text.length;
      const count = [...this.#places.values()].reduce((sum, { length }) => sum + length, 0);
      if (characters > mostCharacters || count >= mostOfAll) {
        gap = 'some';
        break;
      }
      seen.add(uri.toString());
      // What is being edited may differ from what is on the disk.
      if (!open.has(uri.toString())) {
        await this.#look(uri, text, () => token.isCancellationRequested);
      }
    }
    if (!token.isCancellationRequested) {
      [...this.#places.keys()].filter((key) => !seen.has(key)).forEach((key) => this.#places.delete(key));
      this.#gap = gap;
      this.#changed.fire();
    }
  }

  clear(): void {
    this.#scan.cancel();
    this.#places.clear();
    this.#gap = 'all';
    this.#changed.fire();
  }

  dispose(): void {
    this.#scan.cancel();
    this.#typing.dispose();
    this.#changed.dispose();
  }

  async #look(uri: vscode.Uri, text: string, isOutdated: () => boolean): Promise<void> {
    const found = await dsnsIn(text, mostOfFile + 1);
    if (found.length > 0 && !isOutdated()) {
      this.#places.set(uri.toString(), placesIn(uri, text, found));
    } else if (!isOutdated()) {
      this.#places.delete(uri.toString());
    }
  }
}

/**
 * The files that may have DSNs: by git's search, which is there far sooner than all texts, where a folder is a repository.
 *
 * @param rest tells whether to go on.
 */
async function* read(options: ReadOptions, rest: () => Promise<boolean>): ReturnType<typeof readFiles> {
  for (const { uri: folder } of vscode.workspace.workspaceFolders ?? []) {
    if (!(await rest())) {
      return;
    }
    const found = await searchByGit(folder, gitPattern);
    const uris = found?.filter(({ path }) => !isForeign(path));
    // Git does not search what it ignores.
    const anyCase = localSettings.map((name) =>
      name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
    );
    const glob = found ? `**/{${anyCase.join(',')}}` : '**/*';
    yield* uris ? readFiles({ ...options, uris }) : [];
    yield* (await rest()) ? readFiles({ ...options, include: new vscode.RelativePattern(folder, glob) }) : [];
  }
}

/** The places in a text of what was found in it, in order: each is on one line. */
function placesIn<Found extends { readonly offset: number; readonly written: string }>(
  uri: vscode.Uri,
  text: string,
  found: readonly Found[],
) {
  const positionOf = risingPositions(text);
  return found.map((one) => {
    const { line, character } = positionOf(one.offset);
    return { ...one, uri, range: new vscode.Range(line, character, line, character + one.written.length) };
  });
}

/**
 * The DSNs in an untrusted text, in order; yields to other tasks of the process meanwhile.
 *
 * @param most how many are enough.
 */
async function dsnsIn(text: string, most = Infinity): Promise<readonly FoundDsn[]> {
  const found: FoundDsn[] = [];
  const yielder = new Yielder();
  for (const one of searchDsns(text)) {
    if (one && found.push(one) >= most) {
      break;
    }
    await yielder.rest();
  }
  return found;
}

/** Where a key is used in the workspace, as far as it was searched. */
export interface KeyUsages {
  readonly places: readonly KeyPlace[];
  /** What was not searched: a title, and the files or folders. */
  readonly gaps: readonly (readonly [title: string, uris: readonly vscode.Uri[] | undefined])[];
}

/** At most this many files are named that use a key, this many lines of each, and this many files that were not searched. */
const mostNamed = { files: 20, lines: 5, skipped: 5 };

/** Where whole DSNs of a key are: a line for each file; empty if there are none. */
export function placesLabel(places: readonly KeyPlace[]): readonly (readonly string[])[] {
  return places.length === 0 ? [] : [[t('It is used in this workspace:'), ...linesOf(places)]];
}

/** What was not searched, and the places that have to be changed by hand; empty if there is nothing of either. */
export function leftLabel({ places, gaps }: KeyUsages): readonly (readonly string[])[] {
  const byHand = places.filter(({ dsn }) => !dsn);
  const title = t('To be changed by hand, because no whole DSN stands there:');
  return [
    ...(gaps.length === 0 ? [] : [[t('Not everything was searched:'), ...gaps.map(gapLabel)]]),
    ...(byHand.length === 0 ? [] : [[title, ...linesOf(byHand)]]),
  ];
}

function linesOf(places: readonly KeyPlace[]): readonly string[] {
  const files = [...Map.groupBy(places, ({ uri }) => pathLabel(uri))].map(([path, ofFile]) => {
    const lines = [...new Set(ofFile.map(({ range }) => String(range.start.line + 1)))];
    return `${path}:${firstOf(lines, mostNamed.lines).join(', ')}`;
  });
  return firstOf(files, mostNamed.files);
}

function firstOf(names: readonly string[], most: number): readonly string[] {
  const more = names.length - most;
  return more > 0 ? [...names.slice(0, most), t('and {0} more', more)] : names;
}

function pathLabel(uri: vscode.Uri): string {
  return plainText(vscode.workspace.asRelativePath(uri));
}

/** What is known of where a key is used, for the question before it is deleted. */
export function usagesLabel(usages: KeyUsages): readonly (readonly string[])[] {
  const { places } = usages;
  return [
    ...leftLabel(usages),
    ...(places.length === 0
      ? [[t('No file that was searched uses it, but programs elsewhere may.')]]
      : placesLabel(places.filter(({ dsn }) => dsn))),
  ];
}

/** All that was found, of which a question names the first alone. Files are read at the same time, so that they come in any order. */
export function areSame(one: KeyUsages, other: KeyUsages): boolean {
  return whole(one) === whole(other);
}

function whole({ places, gaps }: KeyUsages): string {
  const ofPlaces = places.map(({ uri, range: { start }, written }) => [
    String(uri),
    start.line,
    start.character,
    written,
  ]);
  return JSON.stringify([ofPlaces, gaps.map(([title, uris]) => [title, uris?.map(String).toSorted()])]);
}

/** A larger file is named as one that was not searched. */
const maxBytes = 16 * 1024 * 1024;
/** Of what builds and tests leave behind, at most so much is searched: a second. */
const maxIgnoredBytes = 64 * 1024 * 1024;
/** How many characters are searched without a pause, and how many a part of a key has at most. */
const searchedAtOnce = 128 * 1024;
const longestPart = 200;

/**
 * The places of a public key, by file: in the workspace's files, ignored ones included, and in open documents. What is looked for is the
 * key itself, because a DSN can be written in many ways.
 */
export async function findUsages(publicKey: string, signal: AbortSignal): Promise<KeyUsages | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => cancellation.cancel());
  const skipped: Record<'large' | 'unreadable' | 'beyond' | 'unsearched', vscode.Uri[]> = {
    ...{ large: [], unreadable: [], beyond: [], unsearched: [] },
  };
  const parts = partsOf(publicKey);
  const found = new Map<string, readonly KeyPlace[]>();
  const look = async (uri: vscode.Uri, text: string, isBinary = false): Promise<void> => {
    if (await hasAny(text, parts)) {
      found.set(uri.toString(), await usagesIn(uri, text, publicKey, parts, isBinary));
    }
  };
  const reading = readFiles({
    maxBytes,
    maxIgnoredBytes,
    ignored: localSettings,
    withBinary: true,
    token: cancellation.token,
    onSkipped: (uri, reason) => skipped[reason].push(uri),
    onBeyond: (uri) => skipped.beyond.push(uri),
    onUnsearched: (folder) => skipped.unsearched.push(folder),
  });
  for await (const { uri, text, isBinary } of reading) {
    await look(uri, text, isBinary);
  }
  // A document may be of no folder of the workspace, and of one with changes programs read what is on the disk.
  for (const document of vscode.workspace.textDocuments) {
    const { uri, isDirty, isUntitled } = document;
    const isFile = documentSchemes.includes(uri.scheme) && !isUntitled && uri.scheme !== 'vscode-notebook-cell';
    if (isFile && !found.has(uri.toString())) {
      await look(uri, isDirty ? await savedText(uri) : document.getText());
    }
  }
  // A workspace of several folders may start programs by a file of its own.
  const { workspaceFile } = vscode.workspace;
  if (workspaceFile && !found.has(workspaceFile.toString())) {
    await look(workspaceFile, await savedText(workspaceFile));
  }
  if (signal.aborted) {
    return undefined;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const gaps: KeyUsages['gaps'] = [
    [t('No folder is open in this window.'), folders.length > 0 ? [] : undefined],
    [t('Cannot be searched:'), skipped.unsearched],
    [t('Files that the setting files.exclude hides.'), folders.some(hidesFiles) ? undefined : []],
    [
      t('Files that git ignores: only the first {0} MiB were searched.', maxIgnoredBytes / 1024 / 1024),
      skipped.beyond.length > 0 ? undefined : [],
    ],
    [t('Too large:'), skipped.large],
    [t('Cannot be read:'), skipped.unreadable],
  ];
  return {
    places: [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ofFile]) => ofFile),
    gaps: gaps.filter(([, uris]) => uris?.length !== 0),
  };
}

/** Whether the settings hide more of a folder than the editor does by itself. */
function hidesFiles({ uri }: vscode.WorkspaceFolder): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const always = files.inspect<Record<string, unknown>>('exclude')?.defaultValue ?? {};
  // Settings hold whatever was written, also null.
  const globs = files.get<Record<string, unknown> | null>('exclude') ?? {};
  return Object.keys(globs).some((glob) => globs[glob] !== false && !Object.hasOwn(always, glob));
}

function gapLabel([title, uris = []]: KeyUsages['gaps'][number]): string {
  return [title, firstOf(uris.map(pathLabel), mostNamed.skipped).join(', ')].filter(Boolean).join(' ');
}

async function savedText(uri: vscode.Uri): Promise<string> {
  const bytes = await Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => undefined);
  return (bytes && textOfBytes(bytes)) ?? '';
}

/**
 * Finds parts of a key, of eight characters or more: so it is found where it is cut into pieces, joined of them, escaped or wrapped, as it
 * is and in Base64, which depends on where the key begins within the groups of three bytes that it encodes. Pieces of the key itself
 * begin anywhere; lines of Base64 are longer than two parts.
 */
function partsOf(publicKey: string): RegExp {
  const core = publicKey.split(/[_-]/).toSorted((one, other) => other.length - one.length)[0] ?? '';
  const encoded = [0, 1, 2].map((before) =>
    // The characters at both ends stand for what is around the key, too.
    btoa(' '.repeat(before) + core).slice(Math.ceil((before * 8) / 6), Math.floor(((before + core.length) * 8) / 6)),
  );
  const pieces = Array.from({ length: Math.max(0, core.length - 7) }, (_, start) => core.slice(start, start + 8));
  const parts = [...pieces, ...encoded.flatMap((text) => text.match(/.{8}/g) ?? [])];
  return new RegExp(core.length < 16 ? publicKey : parts.join('|'), 'g');
}

/** Whether a text of any length has a part of a key; yields to other tasks of the process meanwhile. */
async function hasAny(text: string, parts: RegExp): Promise<boolean> {
  const yielder = new Yielder();
  for (let from = 0; from < text.length; from += searchedAtOnce) {
    if (text.slice(from, from + searchedAtOnce + longestPart).search(parts) >= 0) {
      return true;
    }
    await yielder.rest();
  }
  return false;
}

/** The places of a key in a text: whole DSNs, and lines that have the key otherwise. A program is changed by building it. */
async function usagesIn(
  uri: vscode.Uri,
  text: string,
  publicKey: string,
  parts: RegExp,
  isBinary: boolean,
): Promise<readonly KeyPlace[]> {
  const dsns = isBinary ? [] : (await dsnsIn(text)).filter(({ dsn }) => dsn.publicKey === publicKey);
  let rest = '';
  for (const { offset, written } of dsns) {
    rest += text.slice(rest.length, offset) + ' '.repeat(written.length);
  }
  rest += text.slice(rest.length);
  const others = [...rest.matchAll(parts)].map(({ index: offset, 0: written }) => ({ offset, written }));
  const all = [...dsns, ...others].toSorted((one, other) => one.offset - other.offset);
  const lines = new Set<number>();
  return placesIn<{ offset: number; written: string; dsn?: Dsn }>(uri, text, all).filter(
    ({ dsn, range: { start } }) => dsn ?? (!lines.has(start.line) && lines.add(start.line)),
  );
}
