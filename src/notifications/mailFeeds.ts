import { isApiError } from '../api/errors.ts';
import type { EventRecord } from '../api/events.ts';
import { isRecognized } from '../api/unrecognized.ts';
import type { App } from '../app.ts';
import { estimatedDays, type Mail, mailsOf } from './mails.ts';
import type { LocatedScope, NotificationScope } from './scope.ts';
import { mapBounded } from './settingsService.ts';

const day = 86_400_000;
/** Pages of all feeds of a reading together. */
const mostPages = 500;

/** Reads activity feeds when a user asks for it, and counts the e-mails. What was counted is kept as long as the window is open. */
export class MailFeeds {
  readonly #app: App;
  /** By account and the id of the project. */
  readonly #counted = new Map<string, { readonly project: LocatedScope; readonly mails: readonly Mail[] }>();

  constructor(app: App) {
    this.#app = app;
  }

  /** The e-mails of a project, of a group or globally those of all projects that were read in it; undefined if none was. */
  of(scope: NotificationScope): readonly Mail[] | undefined {
    const { accountId } = scope;
    if (scope.kind === 'project') {
      return this.#counted.get(`${accountId} ${String(scope.id)}`)?.mails;
    }
    const counted = [...this.#counted.values()].filter(
      ({ project }) =>
        project.accountId === accountId && (scope.kind === 'global' || project.path.startsWith(`${scope.path}/`)),
    );
    return counted.length > 0 ? counted.flatMap(({ mails }) => mails) : undefined;
  }

  /** Reads the feeds of the projects among scopes of one account. One may be refused: then it has no number. */
  async read(accountId: string, scopes: readonly NotificationScope[], signal: AbortSignal): Promise<void> {
    const { client } = await this.#app.connections.of(accountId);
    const user = await client.directory.currentUser({ signal });
    const start = this.#app.clock.date().getTime() - estimatedDays * day;
    // The day named is left out by the platform, in a time zone that may be another.
    const after = new Date(start - 2 * day).toISOString().slice(0, 10);
    let pagesLeft = mostPages;
    await mapBounded(
      scopes.flatMap((scope) => (scope.kind === 'project' ? scope : [])),
      async (project) => {
        const records: EventRecord[] = [];
        try {
          const maxPages = Math.max(1, pagesLeft);
          for await (const { items } of client.events.ofProject(
            project.id,
            { after },
            { perPage: 100, maxPages, signal },
          )) {
            pagesLeft -= 1;
            records.push(...items.filter(isRecognized).filter(({ created_at: at }) => Date.parse(at ?? '') >= start));
            if (pagesLeft <= 0) {
              break;
            }
          }
          this.#counted.set(`${accountId} ${String(project.id)}`, { project, mails: mailsOf(records, user) });
        } catch (error) {
          signal.throwIfAborted();
          if (!isApiError(error) || error.reason === 'notSignedIn' || error.reason === 'inFront') {
            throw error;
          }
        }
      },
    );
  }
}
