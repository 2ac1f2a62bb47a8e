import * as vscode from 'vscode';
import { plainText } from './inertText.ts';

/** A row of a tree that says something, or leads to what can be done. */
export interface MessageRow {
  /** Identifies the row within its tree; without it, position and label do. */
  readonly id?: string;
  readonly label: string;
  /** The whole sentence where the label says less: it is the tooltip, and read out after the label. */
  readonly sentence?: string | undefined;
  readonly description?: string | undefined;
  readonly icon: string;
  readonly command?: vscode.Command;
}

const mostOfSentence = 450;

/** Makes the tree item of a message. Its texts may quote what others wrote, such as paths: they are one line each. */
export function messageItem({ label: said, sentence, description, icon, ...row }: MessageRow): vscode.TreeItem {
  const label = plainText(said, mostOfSentence);
  const [tooltip, beside] = [sentence, description].map((text) => text && plainText(text, mostOfSentence));
  return Object.assign(new vscode.TreeItem(label), row, {
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
    description: beside,
    contextValue: 'message',
    accessibilityInformation: {
      label: !tooltip || tooltip === label ? label : vscode.l10n.t('{0}. {1}', label, tooltip),
    },
  });
}

/** A row that runs a command. @param sentence explains it, where its title does not. */
export function commandRow(command: vscode.Command, icon: string, sentence?: string): MessageRow {
  return { label: command.title, sentence, icon, command };
}
