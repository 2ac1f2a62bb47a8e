import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { textOfBytes } from '../workspace/batches.ts';
import { documentSchemes } from '../workspace/documentProblems.ts';
import { readFiles } from '../workspace/files.ts';
import type { Dsn } from './dsn.ts';
import { dsnsIn, type KeyPlace, localSettings, placesIn } from './dsnFiles.ts';

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
  const title =
    places.length === 1
      ? vscode.l10n.t('It is used in 1 place of this workspace:')
      : vscode.l10n.t('It is used in {0} places of this workspace:', places.length);
  return places.length === 0 ? [] : [[title, ...linesOf(places)]];
}

/** The places that have to be changed by hand; empty if none has. */
export function byHandLabel({ places }: KeyUsages): readonly (readonly string[])[] {
  const byHand = places.filter(({ dsn }) => !dsn);
  const title = vscode.l10n.t('To be changed by hand, because no whole DSN stands there:');
  return byHand.length === 0 ? [] : [[title, ...linesOf(byHand)]];
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
  return more > 0 ? [...names.slice(0, most), vscode.l10n.t('and {0} more', more)] : names;
}

function pathLabel(uri: vscode.Uri): string {
  return plainText(vscode.workspace.asRelativePath(uri));
}

/** What is known of where a key is used, for the question before it is deleted. */
export function usagesLabel({ places, gaps }: KeyUsages): readonly (readonly string[])[] {
  const none =
    gaps.length === 0
      ? vscode.l10n.t('No file of this workspace uses it, but programs elsewhere may.')
      : vscode.l10n.t('No file that was searched uses it, but programs elsewhere may.');
  return [
    ...(gaps.length === 0 ? [] : [[vscode.l10n.t('Not everything was searched:'), ...gaps.map(gapLabel)]]),
    ...byHandLabel({ places, gaps }),
    ...(places.length === 0 ? [[none]] : placesLabel(places.filter(({ dsn }) => dsn))),
  ];
}

/**
 * Asks before a key is deleted, and once more if other places use it by the time of the answer.
 *
 * @param find undefined if the user has canceled the search.
 */
export async function isAgreed(
  find: () => Promise<KeyUsages | undefined>,
  ask: (usages: KeyUsages) => Promise<boolean>,
): Promise<boolean> {
  for (let usages = await find(); usages && (await ask(usages));) {
    const now = await find();
    if (now && whole(now) === whole(usages)) {
      return true;
    }
    usages = now;
  }
  return false;
}

/** All that was found, of which a question names the first alone. Files are read at the same time, so that they come in any order. */
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

/**
 * The places of a public key, by file: in the workspace's files, in ignored ones that hold settings, and in open documents. What is
 * looked for is the key itself, because a DSN can be written in many ways.
 */
export async function findUsages(publicKey: string, signal: AbortSignal): Promise<KeyUsages | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => cancellation.cancel());
  const skipped: Record<'large' | 'unreadable' | 'unsearched', vscode.Uri[]> = {
    large: [],
    unreadable: [],
    unsearched: [],
  };
  const parts = partsOf(publicKey);
  const found = new Map<string, readonly KeyPlace[]>();
  const look = async (uri: vscode.Uri, text: string, isBinary = false): Promise<void> => {
    if (text.search(parts) >= 0) {
      found.set(uri.toString(), await usagesIn(uri, text, publicKey, parts, isBinary));
    }
  };
  const reading = readFiles({
    maxBytes,
    ignored: localSettings,
    withBinary: true,
    token: cancellation.token,
    onSkipped: (uri, reason) => skipped[reason].push(uri),
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
  if (signal.aborted) {
    return undefined;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const gaps: KeyUsages['gaps'] = [
    [vscode.l10n.t('No folder is open in this window.'), folders.length > 0 ? [] : undefined],
    [vscode.l10n.t('Cannot be searched:'), skipped.unsearched],
    [vscode.l10n.t('Files that the setting files.exclude hides.'), folders.some(hidesFiles) ? undefined : []],
    [vscode.l10n.t('Too large:'), skipped.large],
    [vscode.l10n.t('Cannot be read:'), skipped.unreadable],
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
  const globs = files.get<Record<string, unknown>>('exclude', {});
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
 * is and in Base64, which depends on where the key begins within the groups of three bytes that it encodes.
 */
function partsOf(publicKey: string): RegExp {
  const core = publicKey.split(/[_-]/).toSorted((one, other) => other.length - one.length)[0] ?? '';
  const encoded = [0, 1, 2].map((before) =>
    // The characters at both ends stand for what is around the key, too.
    btoa(' '.repeat(before) + core).slice(Math.ceil((before * 8) / 6), Math.floor(((before + core.length) * 8) / 6)),
  );
  const parts = [core, ...encoded].flatMap((text) => text.match(/.{8}(?:.{1,7}$)?/g) ?? []);
  return new RegExp(core.length < 16 ? publicKey : parts.join('|'), 'g');
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
