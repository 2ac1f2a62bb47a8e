import * as vscode from 'vscode';
import { type AnnouncedChange, type ChangeId, changeOf, type ChangeTexts } from './catalogue.ts';
import type { Tier } from './structure.ts';

/** The texts of a change in the language of the editor. */
export function textOf(id: ChangeId): ChangeTexts {
  return changeOf(id).texts(vscode.l10n.t);
}

/** The release that a change is known from, as a sentence; undefined where the announcement names none. */
export function sinceOf({ since }: Pick<AnnouncedChange, 'since'>): string | undefined {
  return since === undefined ? undefined : vscode.l10n.t('Since release {0}.', since);
}

/** The entry of the catalogue, for a hover. Holds nothing but the catalogue's own text. */
export function entryOf(id: ChangeId, tier: Tier): vscode.MarkdownString {
  const { title, inV5, today } = textOf(id);
  const since = sinceOf(changeOf(id));
  const lines = [
    `**${title}**${since === undefined ? '' : ` ${since}`}`,
    vscode.l10n.t('**In v5:** {0}', inV5),
    vscode.l10n.t('**Today:** {0}', today),
    ...(tier === 'likely' ? [`_${likelihood(tier)}_`] : []),
    `[${vscode.l10n.t('Announcement')}](${changeOf(id).page})`,
  ];
  return new vscode.MarkdownString(lines.join('\n\n'));
}

/** The hint on a place that relies on a change. */
export function diagnosticOf(
  id: ChangeId,
  range: vscode.Range,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const { title, today } = textOf(id);
  const plain = (text: string): string => text.replaceAll('`', '');
  const message = vscode.l10n.t('API v5: {0} {1}', plain(title), plain(today));
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.code = { value: changeOf(id).item, target: vscode.Uri.parse(changeOf(id).page, true) };
  diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  return diagnostic;
}

/** What a tier means, in a sentence. */
export function likelihood(tier: Tier): string {
  const { t } = vscode.l10n;
  switch (tier) {
    case 'certain':
      return t('Certain: the call itself names API v4, or is one of a known client.');
    case 'likely':
      return t('Likely: names and the rest of the file say that this is about API v4, not the call itself.');
    case 'possible':
      return t(
        'Possible: the name alone, in a file that mentions GitLab. Such places are listed here and get no hint.',
      );
  }
}

/** What the recognizer cannot see, in a sentence. */
export function limits(): string {
  return vscode.l10n.t(
    'Not seen: values that come from another file, names that are put together at run time, data such as JSON, generated files, and what Git ignores.',
  );
}

/** The texts of a change without Markdown, for exports. */
export function plainTextsOf(id: ChangeId): { readonly title: string; readonly today: string } {
  const { title, today } = textOf(id);
  return { title: title.replaceAll('`', ''), today: today.replaceAll('`', '') };
}
