import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DsnFiles } from '../../src/errorTracking/dsnFiles.ts';
import { readFiles } from '../../src/workspace/files.ts';
import { turnsOf, usualAndLongest } from './measure.ts';

/** What the bench finds inside the extension host; all times in milliseconds. */
export interface DsnScanMeasurements {
  /** How many files a scan reads. */
  readonly files: number;
  /** How many of them have a DSN. */
  readonly found: number;
  readonly rounds: readonly {
    /** A scan while nothing else happens. */
    readonly scan: number;
    /** Reading the same files with nothing else. */
    readonly reading: number;
    /** From a keystroke until the extension host has seen the change, for each. */
    readonly typingIdle: readonly number[];
    readonly typingWhileScanning: readonly number[];
  }[];
  /** How long the thread is busy at a time during a scan, at worst but for one in a hundred, in time of the processor. */
  readonly turns: number;
  /** The longest of all. */
  readonly longestTurn: number;
}

const roundCount = 3;
/** Keystrokes without and during scans in each round. */
const keystrokes = 100;
/** Milliseconds between keystrokes: as fast as a very fast typist. */
const pause = 30;
/** Milliseconds after which a keystroke is lost, and with it the measurement. */
const lost = 20_000;

/** Runs inside the extension host; writes its measurements as JSON to the file that BEACON_BENCH_RESULTS names. */
export async function run(): Promise<void> {
  const index = new DsnFiles();
  const scan = async (): Promise<void> => await index.scan();
  console.log('first scan');
  await scan();
  const paths: string[] = [];
  for await (const { uri } of readFiles()) {
    paths.push(uri.fsPath);
  }
  const document = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
  await vscode.window.showTextDocument(document);
  const typist = new Typist(document);
  console.log('first keystrokes');
  await typist.type();

  const rounds: DsnScanMeasurements['rounds'][number][] = [];
  const turns: number[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    console.log(`round ${round}: typing`);
    const typingIdle = await typist.type();
    console.log(`round ${round}: typing during scans`);
    const typed = new AbortController();
    const typing = typist.type().finally(() => typed.abort());
    while (!typed.signal.aborted) {
      await scan();
    }
    const typingWhileScanning = await typing;
    console.log(`round ${round}: reading`);
    const reading = await timeOf(() => readAll(paths));
    console.log(`round ${round}: scan`);
    const scanTime = await timeOf(scan);
    turns.push(...(await turnsOf(scan)));
    rounds.push({ scan: scanTime, reading, typingIdle, typingWhileScanning });
  }
  const { usual, longest } = usualAndLongest(turns);
  const measurements: DsnScanMeasurements = {
    files: paths.length,
    found: index.all.length,
    rounds,
    turns: usual,
    longestTurn: longest,
  };
  await writeFile(process.env['BEACON_BENCH_RESULTS'] ?? '', JSON.stringify(measurements));
  index.dispose();
}

/** Types into a document as a user does, letter by letter. */
class Typist {
  readonly #document: vscode.TextDocument;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
  }

  /**
   * Types each letter after the one before has arrived in the extension host.
   *
   * @returns how long each took, in milliseconds.
   */
  async type(): Promise<readonly number[]> {
    const times: number[] = [];
    while (times.length < keystrokes) {
      const arrived = Promise.withResolvers<void>();
      const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#document) {
          arrived.resolve();
        }
      });
      const late = setTimeout(() => arrived.reject(new Error('A keystroke did not arrive.')), lost);
      const start = performance.now();
      await vscode.commands.executeCommand('type', { text: 'x' });
      await arrived.promise;
      times.push(performance.now() - start);
      clearTimeout(late);
      subscription.dispose();
      await sleep(pause);
    }
    return times;
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function readAll(paths: readonly string[]): Promise<void> {
  for (let next = 0; next < paths.length; next += 16) {
    await Promise.all(paths.slice(next, next + 16).map((path) => readFile(path)));
  }
}
