import * as vscode from 'vscode';
import type { ErrorTrackingSettingsRecord } from '../../api/errorTracking.ts';
import { plainText } from '../../plainText.ts';
import { webAddress } from '../../webAddress.ts';

const { t } = vscode.l10n;

/** What the error tracking settings of a project say (section 2.6). */
export type SettingsState =
  | { readonly kind: 'notSetUp' }
  | { readonly kind: 'integrated'; readonly active: boolean }
  | { readonly kind: 'external'; readonly active: boolean; readonly tracker: ExternalTracker }
  /** The instance does not offer integrated error tracking, and the project uses no other. */
  | { readonly kind: 'notOffered' };

/** A tracker other than the instance itself. The API tells these and cannot set them. */
export interface ExternalTracker {
  readonly projectName: string | undefined;
  /** The tracker's page; undefined if it is no web address. */
  readonly url: string | undefined;
  readonly apiUrl: string | undefined;
}

export function settingsStateOf(record: ErrorTrackingSettingsRecord): SettingsState {
  const { active, integrated = false, project_name: name, tracker_external_url: url, api_url: apiUrl } = record;
  return integrated
    ? { kind: 'integrated', active }
    : {
        kind: 'external',
        active,
        tracker: { projectName: name ?? undefined, url: webAddress(url), apiUrl: apiUrl ?? undefined },
      };
}

/** Whether programs that send to a DSN of the project are heard. */
export function takesErrors(state: SettingsState): boolean {
  return state.kind === 'integrated' && state.active;
}

/** A state in words, as the tree shows it. Names of trackers are text of the instance. */
export function describeSettings(state: SettingsState): {
  readonly label: string;
  readonly description: string;
  readonly sentence: string;
} {
  switch (state.kind) {
    case 'notSetUp':
      return {
        label: t('Error tracking is not set up'),
        description: '',
        sentence: t('Error tracking is not set up for this project.'),
      };
    case 'notOffered':
      return {
        label: t('Integrated error tracking is not offered'),
        description: '',
        sentence: t('This instance does not offer integrated error tracking; its administrators can enable it.'),
      };
    case 'integrated':
      return state.active
        ? {
            label: t('Integrated error tracking'),
            description: t('enabled'),
            sentence: t('Integrated error tracking is enabled: the instance takes the errors of programs.'),
          }
        : {
            label: t('Integrated error tracking'),
            description: t('disabled'),
            sentence: t('Integrated error tracking is disabled: errors that programs send are refused.'),
          };
    case 'external': {
      const { projectName, url } = state.tracker;
      const name = plainText(projectName ?? hostOf(url) ?? t('unknown address'));
      return {
        label: t('External tracker: {0}', name),
        description: state.active ? t('enabled') : t('disabled'),
        sentence: state.active
          ? t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name))
          : t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name),
      };
    }
  }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}
