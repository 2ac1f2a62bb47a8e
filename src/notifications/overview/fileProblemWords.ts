import * as vscode from 'vscode';
import type { FileProblem } from './settingsFile.ts';

/** Says in a sentence what is wrong with a file of notification settings, and where. */
export function describeFileProblem(problem: FileProblem): string {
  switch (problem.kind) {
    case 'notJson':
      return vscode.l10n.t('It is not JSON: {0}', problem.detail);
    case 'excessive':
      return vscode.l10n.t('It holds more, or more deeply nested, than a file of notification settings can.');
    case 'notAnObject':
      return vscode.l10n.t('It is not a JSON object.');
    case 'missing':
      return vscode.l10n.t('{0} is missing.', problem.place);
    case 'unknownName':
      return vscode.l10n.t('{0} is no property of such a file.', problem.place);
    case 'notOneOf':
      return vscode.l10n.t('{0} must be one of these: {1}.', problem.place, problem.values.join(', '));
    case 'otherType':
      return vscode.l10n.t('{0} must be of the type {1}.', problem.place, problem.type);
    case 'empty':
      return vscode.l10n.t('{0} must not be empty.', problem.place);
    case 'tooLong':
      return vscode.l10n.t('{0} must not be longer than {1}.', problem.place, problem.most);
    case 'notAnEvent':
      return vscode.l10n.t('{0} is not the name of a notification event.', problem.place);
    case 'repeated':
      return vscode.l10n.t('{0}: {1} is there twice.', problem.place, problem.name);
  }
}
