import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import type { Dialogs } from '../scopes/dialogs.ts';
import { countWords } from '../scopes/planWords.ts';
import { unlessCancelled } from '../scopes/planRunner.ts';
import type { ScopeFinder } from '../scopes/scopeFinder.ts';
import { estimateNoise } from './estimator.ts';
import { readFeeds } from './feedReader.ts';
import { noiseReport } from './noiseReport.ts';

/** What the command needs. */
export interface NoiseParts {
  readonly connections: Pick<Connections, 'current'>;
  readonly finder: ScopeFinder;
  readonly dialogs: Dialogs;
  readonly now: () => number;
}

/**
 * Estimates the e-mails of each notification level, with progress and a way to cancel, and shows them as a document.
 *
 * @throws ApiError if the feed cannot be read.
 */
export async function estimateNoiseHere({ connections, finder, dialogs, now }: NoiseParts): Promise<void> {
  const title = vscode.l10n.t('Estimating notification noise');
  const report = await unlessCancelled(
    dialogs.progress(title, async (signal, tell) => {
      const connection = await connections.current();
      const user = await connection.client.directory.currentUser({ signal });
      const { found } = await finder.find(signal);
      const here = found.flatMap(({ scope }) => (scope.accountId === connection.account.id ? scope : []));
      const projects = new Map(here.flatMap((scope) => (scope.kind === 'project' ? [[scope.id, scope.path]] : [])));
      const groups = here.flatMap((scope) => (scope.kind === 'group' ? scope.path : []));
      const date = new Date(now());
      const { events, ...reading } = await readFeeds(connection, projects, date, signal, (progress) =>
        tell(0, vscode.l10n.t('Events read: {0}', countWords(progress.events))),
      );
      const noise = estimateNoise(events, user);
      const count = new Set(events.map(({ id }) => id)).size;
      return noiseReport({ ...reading, noise, groups, username: user.username, events: count, now: date });
    }),
  );
  if (report !== undefined) {
    await dialogs.show(vscode.l10n.t('Notification Noise'), report);
  }
}
