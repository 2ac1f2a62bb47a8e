import * as vscode from 'vscode';
import type { SandboxOptions } from './sandbox/server.ts';

/** How the sandbox starts, by the settings. Values that the settings editor would not take count as none. */
export function sandboxOptions(): SandboxOptions {
  const settings = vscode.workspace.getConfiguration('beacon.sandbox');
  const seed = settings.get<unknown>('seed');
  return {
    liveEvents: settings.get<unknown>('liveEvents') !== false,
    ...(Number.isSafeInteger(seed) ? { seed: seed as number } : {}),
  };
}
