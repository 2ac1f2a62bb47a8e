import * as vscode from 'vscode';
import { type ChangeId, announcedChangeOf, plainEntryOf, type Confidence, tierLabels } from './catalogue.ts';

/** What the catalogue says of a change beyond the hint itself, which the editor shows in the same hover. */
export function hoverOf(id: ChangeId, tier: Confidence): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const { labels, since } = announcedChangeOf(id);
  const lines = [
    t('**In v5:** {0}', labels(t).inV5),
    ...(since === undefined ? [] : [t('Since release {0}.', since)]),
    ...(tier === 'likely' ? [`_${tierLabels(t).likely}_`] : []),
  ];
  return new vscode.MarkdownString(lines.join('\n\n'));
}

/** The hint on a place that relies on a change. */
export function diagnosticOf(
  id: ChangeId,
  range: vscode.Range,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const { item, page } = announcedChangeOf(id);
  const { title, today } = plainEntryOf(id, vscode.l10n.t);
  const diagnostic = new vscode.Diagnostic(range, vscode.l10n.t('API v5: {0} {1}', title, today), severity);
  diagnostic.code = { value: item, target: vscode.Uri.parse(page, true) };
  diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
  return diagnostic;
}
