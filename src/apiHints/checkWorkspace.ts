import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { inSequence } from '../common/inertText.ts';
import { showInformationMessage, withProgress } from '../common/inertWindow.ts';
import type { ReportDocuments } from '../common/reportDocuments.ts';
import { Yielder } from '../workspace/batches.ts';
import { readFiles } from '../workspace/files.ts';
import { languageOfPath } from '../workspace/languages.ts';
import type { Finding } from './recognize.ts';

/** A finding in a file of the workspace. */
interface Place {
  readonly path: string;
  readonly uri: vscode.Uri;
  /** These count from 1. */
  readonly line: number;
  readonly column: number;
  /** The line's text. */
  readonly text: string;
  readonly finding: Finding;
}

interface Skipped {
  readonly path: string;
  readonly reason: 'large' | 'unreadable' | 'generated' | 'failed';
}

interface Checked {
  readonly places: readonly Place[];
  readonly files: number;
  readonly skipped: readonly Skipped[];
}

const { t } = vscode.l10n;
const maxExcerpt = 120;
const maxListed = 1000;

/** The command "Check Workspace for API v5 Hints": checks the files, with cancellable progress, and shows the list. */
export async function checkWorkspace(app: App, documents: ReportDocuments): Promise<void> {
  if (!vscode.workspace.workspaceFolders?.length) {
    await showInformationMessage(t('Open a folder to check its files.'));
    return;
  }
  if (!vscode.workspace.isTrusted) {
    const manage = t('Manage Workspace Trust');
    if ((await showInformationMessage(t('Files are checked in trusted workspaces only.'), manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  const location = vscode.ProgressLocation.Notification;
  const title = t('Checking for API v5 hints');
  const checked = await withProgress({ location, title, cancellable: true }, (progress, token) =>
    check(app, progress, token),
  );
  if (checked && (checked.places.length > 0 || checked.skipped.length > 0)) {
    await documents.show(t('API v5 Hints'), await reportOn(checked));
  } else if (checked) {
    // Not waited for: the command is done while the notification stays.
    void showInformationMessage(
      t('Nothing was found in saved files that v5 will change. Files checked: {0}.', format(checked.files)),
    );
  }
}

/** Undefined if it was cancelled. */
async function check(
  { log }: App,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  token: vscode.CancellationToken,
): Promise<Checked | undefined> {
  const places: Place[] = [];
  const skipped: Skipped[] = [];
  let [files, shown] = [0, 0];
  const { isGenerated, isRelevant, recognizeInSlices, syntaxOf } = await import('./recognize.ts');
  const isProgram = (path: string): boolean => {
    const language = languageOfPath(path, '');
    return language === 'markdown' || (language !== 'plaintext' && syntaxOf(language) !== undefined);
  };
  const texts = readFiles({
    token,
    onProgress: (done, total) => {
      const percent = total === 0 ? 100 : (done / total) * 100;
      const counts = [format(done), format(total), format(places.length)];
      const message = t('Files checked: {0} of {1}. Places found: {2}.', ...counts);
      progress.report({ message, increment: percent - shown });
      shown = percent;
    },
    // Pictures and the like are no programs: that they are large says nothing.
    onSkipped: (uri, reason) => {
      if (isProgram(uri.path)) {
        skipped.push({ path: vscode.workspace.asRelativePath(uri), reason });
      }
    },
  });
  const yielder = new Yielder(2);
  for await (const { uri, text } of texts) {
    files += 1;
    const path = vscode.workspace.asRelativePath(uri);
    const source = { text, path, languageId: languageOfPath(uri.path, text) };
    try {
      await yielder.rest();
      if (!isGenerated(text)) {
        const findings = (await recognizeInSlices(source, () => token.isCancellationRequested)) ?? [];
        places.push(...placesOf(path, uri, text, findings));
      } else if (isProgram(uri.path) && isRelevant(source)) {
        skipped.push({ path, reason: 'generated' });
      }
    } catch (error) {
      log.warn(`${path} was not checked for API v5 hints: ${String(error)}`);
      skipped.push({ path, reason: 'failed' });
    }
  }
  return token.isCancellationRequested ? undefined : { places, files, skipped };
}

/** The places of a file's findings, in one pass over its lines. */
function placesOf(path: string, uri: vscode.Uri, text: string, findings: readonly Finding[]): Place[] {
  let [line, lineStart] = [1, 0];
  return findings.map((finding) => {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < finding.start;) {
      lineStart = next + 1;
      line += 1;
      next = text.indexOf('\n', lineStart);
    }
    const [content = ''] = text.slice(lineStart, lineStart + 4 * maxExcerpt).split('\n');
    return { path, uri, line, column: finding.start - lineStart + 1, text: content.trim(), finding };
  });
}

/** The report as Markdown: the sure places by change, then by file and line; then those that are possible. */
async function reportOn({ places, files, skipped }: Checked): Promise<string> {
  const { announcedChanges, announcement, entryOf } = await import('./recognize.ts');
  const reasons: Readonly<Record<Skipped['reason'], string>> = {
    large: t('larger than 1 MiB'),
    unreadable: t('cannot be read'),
    generated: t('generated: it has a line of more than 20,000 characters'),
    failed: t('could not be understood; the log has details'),
  };
  const sorted = places.toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line);
  const sure = sorted.filter(({ finding }) => finding.tier === 'sure');
  const possible = sorted.filter(({ finding }) => finding.tier === 'possible');
  const lineOf = ({ path, uri, line, column, text, finding }: Place): string => {
    const note = finding.fix ? ` (${t('quick fix')})` : '';
    return `- [${codeSpan(`${path}:${line}`)}](${addressOf(uri)}#L${line},${column}): ${codeSpan(text)}${note}`;
  };
  const listOf = (own: readonly Place[], heading: string, about: string): string[] => {
    const lists = announcedChanges.flatMap(({ id, items }) => {
      const lines = own.filter(({ finding }) => finding.change === id).slice(0, maxListed);
      const name = items.map((item) => `\`${item}\``).join(', ');
      // What changes is said once: where it is sure, if it is.
      const entry =
        own === sure || !sure.some(({ finding }) => finding.change === id) ? inSequence(...entryOf(id, t)) : '';
      return lines.length === 0 ? [] : [`### ${name}`, entry, lines.map(lineOf).join('\n')];
    });
    return lists.length === 0 ? [] : [`## ${heading}`, about, ...lists];
  };
  return [
    `# ${t('API v5 Hints')}`,
    places.length === 0
      ? t('No place was found that relies on what is [announced to change]({0}) in API v5.', announcement)
      : t(
          'Places that rely on what is [announced to change]({0}) in API v5: {1} sure, {2} possible. Files with such places: {3} of {4}.',
          announcement,
          format(sure.length),
          format(possible.length),
          format(new Set(places.map(({ path }) => path)).size),
          format(files),
        ),
    t('No date is set for v5, and nothing changes within v4.'),
    ...listOf(
      sure,
      t('Sure'),
      t(
        'Calls of the API, and fields that their function, their type or the fields read beside them show to be of the API. These are marked in their files.',
      ),
    ),
    ...listOf(
      possible,
      t('Possible'),
      t('Named like a field of the API, and nothing says what it is. These are listed here and not marked.'),
    ),
    ...(skipped.length > 0 ? [`## ${t('Files that were not checked')}`] : []),
    skipped
      .slice(0, maxListed)
      .map(({ path, reason }) => `- ${codeSpan(path)}: ${reasons[reason]}`)
      .join('\n'),
    '---',
    `_${t('Not seen: values that come from another file, names that are put together at run time, data such as JSON, generated files, and what Git ignores.')}_`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A file for a link: the editor looks for what begins with a slash in the first folder. */
function addressOf(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder?.index === 0
    ? uri.path
        .slice(folder.uri.path.replace(/\/$/, '').length)
        .replaceAll(/[^\w/.-]+/g, (special) => encodeURIComponent(special).replaceAll(/[!'()*~]/g, percentEncoded))
    : uri.toString().replaceAll(/[()]/g, percentEncoded);
}

/** A character of ASCII that `encodeURIComponent` leaves as it is. */
function percentEncoded(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}

/** A text as code, whatever backquotes it holds. */
function codeSpan(text: string): string {
  const line = text.replaceAll(/\s/g, ' ');
  const short = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
  const longest = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${short}${padding}${fence}`;
}

function format(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}
