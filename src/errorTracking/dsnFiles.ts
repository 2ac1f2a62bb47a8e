import { isIgnored, searchByGit } from '#platform/git.ts';
import * as vscode from 'vscode';
import { Yielder } from '../workspace/batches.ts';
import { fitsName, isForeign, type ReadOptions, readFiles } from '../workspace/files.ts';
import { type Dsn, type FoundDsn, risingPositions, searchDsns } from './dsn.ts';

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

/** Settings of one computer hold DSNs most of all, env files first, though git ignores them for that very reason. */
export const localSettings: readonly string[] = [
  ...['.env', '.env.*', '*.env', '.envrc', '*.yml', '*.yaml', '*.toml', '*.ini', '*.properties', '*.tfvars'],
  ...['*.xcconfig', '*.conf', '*.cfg', '*.plist', '*.tfstate', '.*rc', '.*vars'],
  ...['*settings*', '*config*.json', '*local*', '*secret*', '*sentry*'],
];

type Gap = 'unread' | 'large' | 'unsearchable' | undefined;

/** What each DSN contains, for git: in UTF-16, which it takes for bytes, there is a zero between any two letters. */
const gitPattern = String.raw`e r r o r _? t r a c k i n g \\? /`.replaceAll(' ', '[^!]?');

/**
 * Knows the DSNs in the workspace's files: by one scan, and then by the documents that are open. These are the files that are searched
 * before a key is deleted, but for binary and large ones: what git ignores is among them where it holds settings.
 */
export class DsnFiles implements vscode.Disposable {
  readonly #places = new Map<string, readonly DsnPlace[]>();
  readonly #changed = new vscode.EventEmitter<void>();
  #scan = new vscode.CancellationTokenSource();
  #gap: Gap = 'unread';

  readonly onDidChange = this.#changed.event;

  get all(): readonly DsnPlace[] {
    return [...this.#places.values()].flat();
  }

  /** Why some DSNs of files may not be known; undefined if all are. */
  get gap(): Gap {
    return this.#gap ?? ([...this.#places.values()].some(({ length }) => length > mostOfFile) ? 'large' : undefined);
  }

  of(uri: vscode.Uri): readonly DsnPlace[] {
    return this.#places.get(uri.toString())?.slice(0, mostOfFile) ?? [];
  }

  async readDocument(document: vscode.TextDocument, isOutdated: () => boolean): Promise<void> {
    const { uri } = document;
    const text = document.getText();
    // Most documents have none, and git is not asked about them.
    const isMeant = !searchDsns(text).next().done && !isForeign(uri.path);
    const isRead = isMeant && (fitsName(localSettings, uri.path) || (await isIgnored(uri)) !== true);
    await this.#look(uri, isRead ? text : '', isOutdated);
    if (!isOutdated()) {
      this.#changed.fire();
    }
  }

  /** Reads all files of the workspace; what was being read before is left. */
  async scan(): Promise<void> {
    this.#scan.cancel();
    this.#scan = new vscode.CancellationTokenSource();
    const { token } = this.#scan;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const seen = new Set(open);
    let gap: Gap;
    let characters = 0;
    const onUnsearched = (_: vscode.Uri, reason: Gap): void => void (gap = reason);
    for await (const { uri, text } of read({ token, isUnasked: true, ignored: localSettings, onUnsearched })) {
      characters += text.length;
      const count = [...this.#places.values()].reduce((sum, { length }) => sum + length, 0);
      if (characters > mostCharacters || count >= mostOfAll) {
        gap = 'large';
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
    this.#gap = 'unread';
    this.#changed.fire();
  }

  dispose(): void {
    this.#scan.cancel();
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

/** The files that may have DSNs: by git's search, which is there far sooner than all texts, where a folder is a repository. */
async function* read(options: ReadOptions): ReturnType<typeof readFiles> {
  for (const { uri: folder } of vscode.workspace.workspaceFolders ?? []) {
    const found = await searchByGit(folder, gitPattern);
    const uris = found?.filter(({ path }) => !isForeign(path));
    // Git does not search what it ignores.
    const glob = found ? `**/{${localSettings.join(',')}}` : '**/*';
    yield* uris ? readFiles({ ...options, uris }) : [];
    yield* readFiles({ ...options, include: new vscode.RelativePattern(folder, glob) });
  }
}

/** The places in a text of what was found in it, in order: each is on one line. */
export function placesIn<Found extends { readonly offset: number; readonly written: string }>(
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
