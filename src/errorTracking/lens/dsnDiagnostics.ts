import * as vscode from 'vscode';
import { Yielder } from '../../workspace/batches.ts';
import { codeLanguageOf } from '../../workspace/languages.ts';
import { shortKey } from '../dsn.ts';
import type { ProjectStates } from '../projectStates.ts';
import type { TrackedProjects } from '../trackedProjects.ts';
import { type DsnIndex, mostOfAll, mostOfFile, type PlacedDsn } from './dsnIndex.ts';
import type { DsnStates } from './dsnStates.ts';

/** What is wrong with a DSN. */
export type DsnProblem = 'deletedKey' | 'inactiveKey' | 'wrongProject' | 'hardCodedDsn' | 'notLookedAt';

/** Shows what is wrong with the DSNs of the workspace's files among its problems. */
export class DsnDiagnostics implements vscode.Disposable {
  readonly #index: DsnIndex;
  readonly #states: DsnStates;
  readonly #collection = vscode.languages.createDiagnosticCollection('beacon-dsn');
  readonly #subscription: vscode.Disposable;
  /** The last run for each file. */
  readonly #runs = new Map<string, Promise<void>>();
  /** The files whose last run has not begun: it will find what changes until then. */
  readonly #waiting = new Set<string>();

  constructor(index: DsnIndex, states: DsnStates, projectStates: ProjectStates, projects: TrackedProjects) {
    this.#index = index;
    this.#states = states;
    const all = (): void => this.#update(index.all.map(({ uri }) => uri));
    this.#subscription = vscode.Disposable.from(
      this.#collection,
      index.onDidChange((uris) => this.#update(uris)),
      projectStates.onDidChange(all),
      projects.onDidChange(all),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(setting)) {
          all();
        }
      }),
    );
  }

  /** What is shown for a file. */
  of(uri: vscode.Uri): readonly vscode.Diagnostic[] {
    return this.#collection.get(uri) ?? [];
  }

  /** Resolves when what is known by now is shown. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) {
      await Promise.all(this.#runs.values());
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #update(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      if (this.#waiting.has(key)) {
        continue;
      }
      this.#waiting.add(key);
      const before = this.#runs.get(key) ?? Promise.resolve();
      // One after the other: what an older run has found never replaces what a newer one has.
      const run = before
        .then(() => {
          this.#waiting.delete(key);
          return this.#show(uri);
        })
        // Nothing is reported that the instance has not confirmed.
        .catch(() => undefined)
        .finally(() => {
          if (this.#runs.get(key) === run) {
            this.#runs.delete(key);
          }
        });
      this.#runs.set(key, run);
    }
  }

  async #show(uri: vscode.Uri): Promise<void> {
    const severity = wantedSeverity();
    if (severity === 'off') {
      this.#collection.delete(uri);
      return;
    }
    const diagnostics: vscode.Diagnostic[] = [];
    const yielder = new Yielder();
    for (const placed of this.#index.get(uri)) {
      diagnostics.push(...(await this.#diagnose(uri, placed)));
      await yielder.rest();
    }
    const rest = this.#index.restOf(uri);
    if (rest) {
      const message = vscode.l10n.t(
        'This DSN and those after it are not examined: only {0} of a file are, and {1} of a workspace.',
        mostOfFile,
        mostOfAll,
      );
      diagnostics.push(diagnosticOf('notLookedAt', rest, message, vscode.DiagnosticSeverity.Information));
    }
    if (severity !== undefined) {
      diagnostics.forEach((diagnostic) => (diagnostic.severity = severity));
    }
    this.#collection.set(uri, diagnostics);
  }

  async #diagnose(uri: vscode.Uri, { dsn, range }: PlacedDsn): Promise<vscode.Diagnostic[]> {
    const { Error, Warning, Information } = vscode.DiagnosticSeverity;
    const found: vscode.Diagnostic[] = [];
    const add = (problem: DsnProblem, severity: vscode.DiagnosticSeverity, message: string): void => {
      found.push(diagnosticOf(problem, range, message, severity));
    };
    if (codeLanguageOf(uri.path) !== undefined) {
      add(
        'hardCodedDsn',
        Information,
        vscode.l10n.t('A DSN in code cannot be changed without a release: read it from the environment.'),
      );
    }
    const state = await this.#states.of(dsn);
    const { keyLabel, wrongProjectLabel } = await import('./dsnHover.ts');
    if (state.kind === 'deleted') {
      add('deletedKey', Error, keyLabel('deleted', shortKey(dsn.publicKey), undefined));
    } else if (state.kind === 'inactive') {
      add('inactiveKey', Warning, keyLabel('inactive', shortKey(dsn.publicKey), state.key?.id));
    }
    const right = await this.#states.rightProjectFor(uri, dsn);
    if (right) {
      const path = state.kind === 'foreign' ? undefined : state.facts?.path;
      add('wrongProject', Warning, wrongProjectLabel(path ?? String(dsn.projectId), right));
    }
    return found;
  }
}

const setting = 'beacon.errorTracking.problems';

/** How the setting wants problems to be shown; undefined where each has its own severity. */
function wantedSeverity(): vscode.DiagnosticSeverity | 'off' | undefined {
  switch (vscode.workspace.getConfiguration().get<unknown>(setting)) {
    case 'off':
      return 'off';
    case 'hint':
      return vscode.DiagnosticSeverity.Hint;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    default:
      return undefined;
  }
}

function diagnosticOf(
  problem: DsnProblem,
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = 'Beacon';
  diagnostic.code = problem;
  return diagnostic;
}
