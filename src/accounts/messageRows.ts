import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import type { Problem } from './problem.ts';

export interface MessageRow {
  /** Identifies the row within its tree; without it, position and label do. */
  readonly id?: string | undefined;
  readonly label: string;
  /** The whole sentence where the label says less: it is the tooltip, and read out after the label. */
  readonly sentence?: string | undefined;
  readonly description?: string | undefined;
  readonly icon: string;
  readonly command?: vscode.Command | undefined;
  /** What menus match; `message` if not given. */
  readonly contextValue?: string | undefined;
}

const mostOfSentence = 450;

/** Makes the tree item of a message. Its texts may quote what others wrote, such as paths: they are one line each. */
export function messageItem({ id, icon, command, contextValue, ...texts }: MessageRow): vscode.TreeItem {
  const label = plainText(texts.label, mostOfSentence);
  const [sentence, description] = [texts.sentence, texts.description].map((text) =>
    text === undefined ? undefined : plainText(text, mostOfSentence),
  );
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = sentence;
  item.contextValue = contextValue ?? 'message';
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

/** A row that runs a command. @param sentence explains it, where its title does not. */
export function commandRow(command: vscode.Command, icon: string, sentence?: string): MessageRow {
  return { label: command.title, sentence, icon, command };
}

/** The rows of a failure: the sentence, the command that fixes it, and "Try Again". */
export function problemRows({ sentence, remedy }: Problem, tryAgain: vscode.Command): MessageRow[] {
  return [
    { label: sentence, sentence, icon: 'warning' },
    ...(remedy ? [commandRow(remedy, 'arrow-right', sentence)] : []),
    commandRow(tryAgain, 'refresh', sentence),
  ];
}
