import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { findDsns } from './dsn.ts';

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
  async find(publicKey: string, token?: vscode.CancellationToken): Promise<readonly DsnUsage[]> {
    const usages = new Map<string, readonly DsnUsage[]>();
    for (const options of [{}, { include: localSettings, ignored: true }]) {
      for await (const { uri, text } of this.#files.read({ ...options, ...(token ? { token } : {}) })) {
        const found = text.includes(publicKey) ? usagesIn(uri, text, publicKey) : [];
        if (found.length > 0) {
          usages.set(uri.toString(), found);
        }
      }
    }
    return [...usages].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ofFile]) => ofFile);
  }
}

function usagesIn(uri: vscode.Uri, text: string, publicKey: string): DsnUsage[] {
  return findDsns(text)
    .filter(({ dsn }) => dsn.publicKey === publicKey)
    .map(({ dsn, offset }) => {
      const range = rangeAt(text, offset, dsn.text.length);
      return { uri, line: range.start.line, range, text: dsn.text };
    });
}

/** The range of a part of a text that lies on one line. */
export function rangeAt(text: string, offset: number, length: number): vscode.Range {
  const before = text.slice(0, offset);
  const line = before.match(/\r\n|\r|\n/g)?.length ?? 0;
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return new vscode.Range(line, offset - lineStart, line, offset - lineStart + length);
}
