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

/** A place where a DSN stands, with its parts. */
export interface KeyUsage extends DsnUsage {
  readonly dsn: Dsn;
}

/** So many places are named. */
const namedPlaces = 8;

/** Where a DSN is used, for a question: the first few places by name. */
export function usagesLabel(places: readonly DsnUsage[]): string {
  if (places.length === 0) {
    return vscode.l10n.t('No file of this workspace uses it, but programs elsewhere may.');
  }
  const names = places
    .slice(0, namedPlaces)
    .map(({ uri, line }) => `${vscode.workspace.asRelativePath(uri)}:${line + 1}`);
  const more = places.length - names.length;
  return [
    places.length === 1
      ? vscode.l10n.t('It is used in 1 place of this workspace:')
      : vscode.l10n.t('It is used in {0} places of this workspace:', places.length),
    ...names,
    ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
  ].join('\n');
}

/** Settings of one computer hold DSNs most of all, env files first, though git ignores them for that very reason. */
const localSettings = `**/{${[
  ...['.env', '.env.*', '*.env', '.envrc', '*.yml', '*.yaml', '*.toml', '*.ini', '*.properties', '*.tfvars'],
  ...['*settings*.json', '*config*.json', '*local*.json', '*secret*.json'],
].join(',')}}`;
const envFiles = '**/{.env,.env.*,*.env,.envrc}';

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
        const found = text.includes(publicKey) ? await usagesIn(uri, text) : [];
        const ofKey = found.filter((usage) => usage.dsn.publicKey === publicKey);
        if (ofKey.length > 0) {
          usages.set(uri.toString(), ofKey);
        }
      }
    }
    return [...usages].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ofFile]) => ofFile);
  }

  /** The places of all DSNs in env files, also in those that git ignores. */
  async findInEnvFiles(token?: vscode.CancellationToken): Promise<readonly KeyUsage[]> {
    const usages: KeyUsage[] = [];
    const options = { include: envFiles, ignored: true, ...(token ? { token } : {}) };
    for await (const { uri, text } of this.#files.read(options)) {
      usages.push(...(await usagesIn(uri, text)));
      if (usages.length >= mostInEnvFiles) {
        break;
      }
    }
    return usages;
  }
}

/** So many places in env files are more than any workspace has. */
const mostInEnvFiles = 1000;

/** The places of DSNs in a text, found without holding the thread. */
async function usagesIn(uri: vscode.Uri, text: string): Promise<KeyUsage[]> {
  const found = await searchDsns(text);
  const positions = new RisingPositions(text);
  return found.map(({ dsn, offset }) => {
    const range = textRange(positions.at(offset), dsn);
    return { uri, line: range.start.line, range, text: dsn.text, dsn };
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
