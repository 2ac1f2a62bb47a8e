import * as vscode from 'vscode';
import { describeProblem } from '../../accounts/problem.ts';
import { RateLimitedError, ValidationError } from '../../api/errors.ts';
import { fieldList } from '../model/words.ts';
import type { Notice } from '../protocol/messages.ts';
import { isRefusal, type Outcome } from '../session/outcome.ts';

const { l10n } = vscode;

/** Puts what the last thing came to into words; undefined where the form itself shows it. */
export function noticeOf(outcome: Outcome | undefined): Notice | undefined {
  switch (outcome?.kind) {
    case undefined:
    case 'changedElsewhere':
      return undefined;
    case 'loadFailed':
      return problemNotice('error', l10n.t('The settings could not be read.'), outcome.error, []);
    case 'saved':
      return savedNotice(outcome);
    case 'notSaved':
      return problemNotice('error', notSavedSentence(outcome.error), outcome.error, []);
    case 'partlySaved':
      return problemNotice(
        'warning',
        l10n.t('Only some changes were saved: the others are still here.'),
        outcome.error,
        [
          l10n.t('Saved: {0}', list(outcome.holding)),
          l10n.t('Not saved: {0}', list(outcome.missing)),
          ...unseenDetails(outcome.unseen),
        ],
      );
    case 'unknown':
      return problemNotice(
        'warning',
        l10n.t('It is not known whether the last save took effect: your changes are still here.'),
        outcome.error,
        [],
      );
  }
}

/** What to say of a token that can change nothing. */
export function readOnlyNotice(): Notice {
  const sentence = l10n.t('The token has the scope read_api: the settings are shown, and saving needs api.');
  return { severity: 'info', sentence, details: [] };
}

/** What the platform says of single fields, by their names in the API. Text of the platform. */
export function fieldErrorsOf(outcome: Outcome | undefined): Record<string, string> {
  const error = outcome && 'error' in outcome ? outcome.error : undefined;
  return error instanceof ValidationError
    ? Object.fromEntries(Object.entries(error.fields).map(([field, sentences]) => [field, sentences.join(' ')]))
    : {};
}

/** The step that mends a failure. */
export function remedyOf(outcome: Outcome | undefined): vscode.Command | undefined {
  const error = outcome && 'error' in outcome ? outcome.error : undefined;
  return error === undefined || error instanceof ValidationError ? undefined : describeProblem(error).remedy;
}

function notSavedSentence(error: unknown): string {
  if (error !== undefined && isRefusal(error)) {
    return l10n.t('Nothing was saved: your changes are still here.');
  }
  // What took too long may still have its effect.
  return l10n.t('The answer to the last save is missing. The settings have not changed: your changes are still here.');
}

function savedNotice({ undone, foundOut, missing, unseen }: Extract<Outcome, { kind: 'saved' }>): Notice {
  const sentence = undone ? l10n.t('The last save was undone.') : l10n.t('Saved.');
  return {
    severity: missing.length > 0 ? 'warning' : 'info',
    sentence: foundOut ? l10n.t('The answer was lost, but the settings show: {0}', sentence) : sentence,
    details: [
      ...(missing.length > 0 ? [l10n.t('Not accepted by the instance: {0}', list(missing))] : []),
      ...unseenDetails(unseen),
    ],
  };
}

function unseenDetails(unseen: readonly string[]): string[] {
  return unseen.length > 0 ? [l10n.t('Sent, but GitLab does not show it: {0}', list(unseen))] : [];
}

function problemNotice(
  severity: Notice['severity'],
  sentence: string,
  error: unknown,
  details: readonly string[],
): Notice {
  if (error === undefined) {
    return { severity, sentence, details: [...details] };
  }
  if (error instanceof ValidationError) {
    return { severity, sentence, details: [...details, ...error.sentences] };
  }
  const { sentence: reason, remedy } = describeProblem(error);
  const again =
    error instanceof RateLimitedError && error.retryAt
      ? [l10n.t('Try again after {0}.', error.retryAt.toLocaleTimeString(vscode.env.language))]
      : [];
  return { severity, sentence, details: [...details, reason, ...again], ...(remedy ? { remedy: remedy.title } : {}) };
}

function list(fields: readonly string[]): string {
  return fieldList(fields, l10n, vscode.env.language);
}
