import * as vscode from 'vscode';

const section = 'beacon.deprecations';
const severities = new Map(
  Object.entries<vscode.DiagnosticSeverity>({
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
    hint: vscode.DiagnosticSeverity.Hint,
  }),
);

/** What the settings say of the hints on announced changes in a file. */
export interface Settings {
  readonly enabled: boolean;
  readonly severity: vscode.DiagnosticSeverity;
}

/** The settings as they hold for a file. */
export function settingsOf(uri: vscode.Uri | undefined): Settings {
  const configuration = vscode.workspace.getConfiguration(section, uri);
  return {
    enabled: configuration.get('enable', true),
    severity: severities.get(configuration.get('severity', 'information')) ?? vscode.DiagnosticSeverity.Information,
  };
}

/** Fires when a setting of the hints has changed. */
export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section)) {
      listener();
    }
  });
}

/** Turns the hints on or off, in this workspace where there is one. */
export async function toggleHints(): Promise<void> {
  const isOpen = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  const target = isOpen ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration(section).update('enable', !settingsOf(undefined).enabled, target);
}
