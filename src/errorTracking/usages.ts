import * as vscode from 'vscode';
import { Yielder } from '../workspace/batches.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { type Dsn, DsnSearch, type FoundDsn, type Position, RisingPositions } from './dsn.ts';

/** A place in the workspace where a DSN stands. */
export interface DsnUsage {
  readonly uri: vscode.Uri;
  /** Where the DSN is, from zero. */
  readonly line: number;
  readonly range: vscode.Range;
  /** The DSN as it is written there. */
  readonly text: string;
}

/** Settings of one computer hold DSNs most of all, env files first, though git ignores them for that very reason. */
const localSettings = `**/{${[
  ...['.env', '.env.*', '*.env', '.envrc', '*.yml', '*.yaml', '*.toml', '*.ini', '*.properties', '*.tfvars'],
  ...['*settings*.json', '*config*.json', '*local*.json', '*secret*.json'],
].join(',')}}`;

/** Looks where the DSN of a key is used in the workspace. */
export class UsageSearch {
  readonly #files: Pick<WorkspaceFiles, 'read'>;

  constructor(files: Pick<WorkspaceFiles, 'read'>) {
    this.#files = files;
  }

  /** The places of all DSNs with a public key, by file: those of the workspace's files, and of ignored ones that hold settings. */
  async find(publicKey: string, signal?: AbortSignal): Promise<readonly DsnUsage[]> {
    const search = new vscode.CancellationTokenSource();
    signal?.addEventListener('abort', () => search.cancel());
    const usages = new Map<string, readonly DsnUsage[]>();
    for (const options of [{}, { include: localSettings, ignored: true }]) {
      for await (const { uri, text } of this.#files.read({ ...options, token: search.token })) {
        const found = text.includes(publicKey) ? await usagesIn(uri, text, publicKey) : [];
        if (found.length > 0) {
          usages.set(uri.toString(), found);
        }
      }
    }
    return [...usages].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ofFile]) => ofFile);
  }
}

/** The places of a key's DSNs in a text, found without holding the thread. */
async function usagesIn(uri: vscode.Uri, text: string, publicKey: string): Promise<DsnUsage[]> {
  const found = await searchDsns(text);
  const positions = new RisingPositions(text);
  return found
    .filter(({ dsn }) => dsn.publicKey === publicKey)
    .map(({ dsn, offset }) => {
      const range = textRange(positions.at(offset), dsn);
      return { uri, line: range.start.line, range, text: dsn.text };
    });
}

/** So many characters are looked at before others may have the thread. */
const stepsAtOnce = 64 * 1024;

/**
 * The DSNs in an untrusted text, in order; yields to other tasks of the process meanwhile.
 *
 * @param most so many are enough.
 */
export async function searchDsns(text: string, most = Infinity): Promise<readonly FoundDsn[]> {
  const search = new DsnSearch(text);
  const yielder = new Yielder();
  while (!search.advance(stepsAtOnce, most) && search.found.length < most) {
    await yielder.rest();
  }
  return search.found;
}

/** The range of a DSN that starts at a place: it is on one line. */
export function textRange({ line, character }: Position, { text }: Dsn): vscode.Range {
  return new vscode.Range(line, character, line, character + text.length);
}
