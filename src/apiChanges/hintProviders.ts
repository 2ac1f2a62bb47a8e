import * as vscode from 'vscode';
import type { Finding } from './recognize.ts';
import { type Hints, hintSource, rangeOf } from './hints.ts';

const everywhere: vscode.DocumentSelector = [
  { scheme: 'file' },
  { scheme: 'untitled' },
  { scheme: 'vscode-remote' },
  { scheme: 'vscode-vfs' },
  { scheme: 'vscode-notebook-cell' },
];

/** Shows the catalogue's entry on a hint, and offers the fixes that are mechanical and safe. */
export function provideHints(hints: Hints): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider(everywhere, {
      async provideHover(document, position) {
        const [finding] = hints.findingsIn(document, new vscode.Range(position, position));
        if (!finding) {
          return undefined;
        }
        const range = rangeOf(document, finding);
        const { entryOf } = await import('./changeTexts.ts');
        return new vscode.Hover(entryOf(finding.change, finding.tier), range);
      },
    }),
    vscode.languages.registerCodeActionsProvider(
      everywhere,
      {
        provideCodeActions: (document, range, context) =>
          hints.findingsIn(document, range).flatMap((finding) => actionsFor(document, finding, context)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function actionsFor(
  document: vscode.TextDocument,
  finding: Finding,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const own = diagnostics.filter(
    ({ source, range }) => source === hintSource && range.isEqual(rangeOf(document, finding)),
  );
  const turnOff = new vscode.CodeAction(
    vscode.l10n.t('Turn off API v5 hints in this workspace'),
    vscode.CodeActionKind.QuickFix,
  );
  turnOff.command = { command: 'beacon.deprecations.toggle', title: turnOff.title };
  turnOff.diagnostics = own;
  if (!finding.fix) {
    return [turnOff];
  }
  const { to, edits } = finding.fix;
  const fix = new vscode.CodeAction(vscode.l10n.t('Use “{0}”', to), vscode.CodeActionKind.QuickFix);
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.set(
    document.uri,
    edits.map((edit) => vscode.TextEdit.replace(rangeOf(document, edit), edit.text)),
  );
  fix.diagnostics = own;
  fix.isPreferred = finding.tier === 'certain';
  return [fix, turnOff];
}
