import * as vscode from 'vscode';
import type { Problem } from '../accounts/problem.ts';
import { plainText } from '../plainText.ts';

/** A row of a tree that says something, or that is something to do where it is wanted. */
export interface Step {
  /** Tells the row from all others of its tree; where there is none, its place and its label do. */
  readonly id?: string | undefined;
  readonly label: string;
  /** The whole sentence where the label says less: it is the tooltip, and read out after the label. */
  readonly sentence?: string | undefined;
  /** Stands beside the label. */
  readonly description?: string | undefined;
  /** The id of a codicon. */
  readonly icon: string;
  /** Runs when the row is chosen. */
  readonly command?: vscode.Command | undefined;
  /** What menus ask for; `step` if not given. */
  readonly contextValue?: string | undefined;
}

/** Longer sentences are cut off. */
const mostOfSentence = 450;

/** The row of a step. Its texts may quote what others wrote, such as paths: they are one line each. */
export function stepItem({ id, icon, command, contextValue, ...texts }: Step): vscode.TreeItem {
  const label = plainText(texts.label, mostOfSentence);
  const [sentence, description] = [texts.sentence, texts.description].map((text) =>
    text === undefined ? undefined : plainText(text, mostOfSentence),
  );
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = sentence;
  item.contextValue = contextValue ?? 'step';
  item.accessibilityInformation = {
    label: sentence === undefined || sentence === label ? label : vscode.l10n.t('{0}. {1}', label, sentence),
  };
  if (id !== undefined) {
    item.id = id;
  }
  if (description !== undefined) {
    item.description = description;
  }
  if (command) {
    item.command = command;
  }
  return item;
}

/** A step that runs a command. @param sentence what is behind it, where its title does not say. */
export function commandStep(command: vscode.Command, icon: string, sentence?: string): Step {
  return { label: command.title, sentence, icon, command };
}

/** The rows that tell a failure: what it is, the step that mends it, and another try. */
export function problemSteps({ sentence, remedy }: Problem, tryAgain: vscode.Command): Step[] {
  return [
    { label: sentence, sentence, icon: 'warning' },
    ...(remedy ? [commandStep(remedy, 'arrow-right', sentence)] : []),
    commandStep(tryAgain, 'refresh', sentence),
  ];
}
