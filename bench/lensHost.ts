import { readFile, writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { DsnIndex } from '../src/errorTracking/lens/dsnIndex.ts';
import { WorkspaceFiles } from '../src/workspaceFiles/workspaceFiles.ts';

/** What the bench finds inside the extension host; all times in milliseconds. */
export interface LensTimes {
  readonly files: number;
  readonly found: number;
  readonly scan: number;
  /** Reading the same files with nothing else. */
  readonly plainReading: number;
  /** From a keystroke until the extension host has seen the change, for each. */
  readonly typingIdle: readonly number[];
  readonly typingWhileScanning: readonly number[];
  /** The longest time that the scan kept the extension host's thread from others, by the hundredth longest of all. */
  readonly longestTurn: number;
}

/** Called by the extension host. The result goes to the file that BEACON_BENCH_RESULT names. */
export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) {
    throw new Error('There is no folder to measure.');
  }
  const index = new DsnIndex(new WorkspaceFiles());
  index.start();
  await index.settled();

  const document = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
  await vscode.window.showTextDocument(document);
  await typeUntil((times) => times.length >= 50);
  const typingIdle = await typeUntil((times) => times.length >= 200);

  const delays = monitorEventLoopDelay({ resolution: 1 });
  let isScanning = true;
  const start = performance.now();
  index.rescan();
  const scanned = index.settled().then(() => (isScanning = false));
  delays.enable();
  const typingWhileScanning = await typeUntil(() => !isScanning);
  await scanned;
  const scan = performance.now() - start;
  delays.disable();

  const uris = await vscode.workspace.findFiles('**/*', '**/.git/**');
  const readingStart = performance.now();
  for (let first = 0; first < uris.length; first += 16) {
    await Promise.all(uris.slice(first, first + 16).map(({ fsPath }) => readFile(fsPath)));
  }
  const times: LensTimes = {
    files: uris.length,
    found: index.all.length,
    scan,
    plainReading: performance.now() - readingStart,
    typingIdle,
    typingWhileScanning,
    longestTurn: delays.percentile(99) / 1e6,
  };
  await writeFile(process.env['BEACON_BENCH_RESULT'] ?? '', JSON.stringify(times));
  index.dispose();
}

/** Types letter by letter, each after the one before has arrived. */
async function typeUntil(isEnough: (times: readonly number[]) => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  while (!isEnough(times) || times.length === 0) {
    const start = performance.now();
    const arrived = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.isUntitled) {
          subscription.dispose();
          resolve();
        }
      });
    });
    await vscode.commands.executeCommand('type', { text: 'x' });
    await arrived;
    times.push(performance.now() - start);
    // As fast as a very fast typist.
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return times;
}
