import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { textOfBytes, Yielder } from '../workspace/batches.ts';
import { documentSchemes } from '../workspace/documentProblems.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { type FoundDsn, type Position, risingPositions, searchDsns } from './dsn.ts';

/** A place in the workspace where a key stands, in a DSN or without one. */
export interface KeyUsage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** As it is written there. */
  readonly text: string;
}

/** Whether it stands in a whole DSN of one piece. */
type Usage = KeyUsage & { readonly isDsn: boolean };

/** Where a key is used in the workspace. */
export interface KeyPlaces {
  /** In a DSN that can be replaced. */
  readonly dsns: readonly KeyUsage[];
  /** In a DSN of several parts, without one, or encoded: only a person can change it. */
  readonly byHand: readonly KeyUsage[];
  /** What was not searched, by kind. */
  readonly gaps: readonly string[];
}

/** At most this many files are named that use a key, this many lines of each, and this many files that were not searched. */
const mostNamed = { files: 20, lines: 5, skipped: 5 };

/** Where a key is used: a line for each file. */
export function placesLabel(places: readonly KeyUsage[]): readonly string[] {
  const title =
    places.length === 1
      ? vscode.l10n.t('It is used in 1 place of this workspace:')
      : vscode.l10n.t('It is used in {0} places of this workspace:', places.length);
  return [title, ...linesOf(places)];
}

/** The places that have to be changed by hand; empty if none has. */
export function byHandLabel({ byHand }: KeyPlaces): readonly (readonly string[])[] {
  const title = vscode.l10n.t('To be changed by hand, because no whole DSN stands there:');
  return byHand.length === 0 ? [] : [[title, ...linesOf(byHand)]];
}

function linesOf(places: readonly KeyUsage[]): readonly string[] {
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
export function usagesLabel({ dsns, byHand, gaps }: KeyPlaces): readonly (readonly string[])[] {
  const places = [...dsns, ...byHand];
  const none =
    gaps.length === 0
      ? vscode.l10n.t('No file of this workspace uses it, but programs elsewhere may.')
      : vscode.l10n.t('No file that was searched uses it, but programs elsewhere may.');
  return [
    ...(gaps.length === 0 ? [] : [[vscode.l10n.t('Not everything was searched:'), ...gaps]]),
    places.length === 0 ? [none] : placesLabel(places),
  ];
}

/** Whether a key may be in use, as far as the workspace tells. */
export function mayBeUsed({ dsns, byHand, gaps }: KeyPlaces): boolean {
  return dsns.length + byHand.length + gaps.length > 0;
}

/**
 * Asks before a key is deleted, and once more if other places use it by the time of the answer.
 *
 * @param find undefined if the user has canceled the search.
 */
export async function isAgreed(
  find: () => Promise<KeyPlaces | undefined>,
  ask: (places: KeyPlaces) => Promise<boolean>,
): Promise<boolean> {
  for (let places = await find(); places && (await ask(places));) {
    const now = await find();
    if (now && JSON.stringify(usagesLabel(now)) === JSON.stringify(usagesLabel(places))) {
      return true;
    }
    places = now;
  }
  return false;
}

/** Settings of one computer hold DSNs most of all, env files first, though git ignores them for that very reason. */
export const localSettings: readonly string[] = [
  ...['.env', '.env.*', '*.env', '.envrc', '*.yml', '*.yaml', '*.toml', '*.ini', '*.properties', '*.tfvars'],
  ...['*.xcconfig', '*.conf', '*.cfg', '*.plist', '*.tfstate', '.*rc', '.*vars'],
  ...['*settings*', '*config*.json', '*local*', '*secret*', '*sentry*'],
];

/** A larger file is named as one that was not searched. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The places of a public key, by file: in the workspace's files, in ignored ones that hold settings, and in open documents. What is
 * looked for is the key itself, because a DSN can be written in many ways.
 */
export async function findUsages(
  files: WorkspaceFiles,
  publicKey: string,
  signal: AbortSignal,
): Promise<KeyPlaces | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => cancellation.cancel());
  const skipped: Record<'large' | 'unreadable' | 'unsearched', vscode.Uri[]> = {
    large: [],
    unreadable: [],
    unsearched: [],
  };
  const parts = partsOf(publicKey);
  const usages = new Map<string, readonly Usage[]>();
  const look = async (uri: vscode.Uri, text: string, isBinary = false): Promise<void> => {
    if (text.search(parts) >= 0) {
      const found = await usagesIn(uri, text, publicKey, parts);
      // A program is changed by building it.
      usages.set(uri.toString(), isBinary ? found.map((usage) => ({ ...usage, isDsn: false })) : found);
    }
  };
  const reading = files.read({
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
    if (isFile && !usages.has(uri.toString())) {
      await look(uri, isDirty ? await savedText(uri) : document.getText());
    }
  }
  if (signal.aborted) {
    return undefined;
  }
  const all = [...usages].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ofFile]) => ofFile);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    dsns: all.filter(({ isDsn }) => isDsn),
    byHand: all.filter(({ isDsn }) => !isDsn),
    gaps: [
      ...(folders.length > 0 ? [] : [vscode.l10n.t('No folder is open in this window.')]),
      ...gapOf(vscode.l10n.t('Cannot be searched:'), skipped.unsearched),
      ...(folders.some(hidesFiles) ? [vscode.l10n.t('Files that the setting files.exclude hides.')] : []),
      ...gapOf(vscode.l10n.t('Too large:'), skipped.large),
      ...gapOf(vscode.l10n.t('Cannot be read:'), skipped.unreadable),
    ],
  };
}

/** Whether the settings hide more of a folder than the editor does by itself. */
function hidesFiles({ uri }: vscode.WorkspaceFolder): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const always = files.inspect<Record<string, unknown>>('exclude')?.defaultValue ?? {};
  const globs = files.get<Record<string, unknown>>('exclude', {});
  return Object.keys(globs).some((glob) => globs[glob] !== false && !Object.hasOwn(always, glob));
}

function gapOf(title: string, uris: readonly vscode.Uri[]): readonly string[] {
  return uris.length === 0 ? [] : [`${title} ${firstOf(uris.map(pathLabel), mostNamed.skipped).join(', ')}`];
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

/** The places of a key in a text: whole DSNs, and lines that have the key otherwise. */
async function usagesIn(uri: vscode.Uri, text: string, publicKey: string, parts: RegExp): Promise<readonly Usage[]> {
  const dsns = (await dsnsIn(text)).filter(({ dsn }) => dsn.publicKey === publicKey);
  let rest = '';
  for (const { offset, written } of dsns) {
    rest += text.slice(rest.length, offset) + ' '.repeat(written.length);
  }
  rest += text.slice(rest.length);
  const others = [...rest.matchAll(parts)].map(({ index: offset, 0: written }) => ({ offset, written, isDsn: false }));
  const positionOf = risingPositions(text);
  const placed = [...dsns.map(({ offset, written }) => ({ offset, written, isDsn: true })), ...others]
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, written, isDsn }) => ({
      uri,
      range: textRange(positionOf(offset), written),
      text: written,
      isDsn,
    }));
  const lines = new Set<number>();
  return placed.filter(({ isDsn, range: { start } }) => isDsn || (!lines.has(start.line) && lines.add(start.line)));
}

/**
 * The DSNs in an untrusted text, in order; yields to other tasks of the process meanwhile.
 *
 * @param most how many are enough.
 */
export async function dsnsIn(text: string, most = Infinity): Promise<readonly FoundDsn[]> {
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

/** The range of a DSN that starts at a place: it is on one line. */
export function textRange({ line, character }: Position, written: string): vscode.Range {
  return new vscode.Range(line, character, line, character + written.length);
}
