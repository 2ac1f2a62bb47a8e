import * as vscode from 'vscode';
import { commandAction, type Dialogs, notifyProblem } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import { withinInstance } from '../api/addresses.ts';
import { isApiError } from '../api/errors.ts';
import type { IngestAnswer } from '../api/ingest.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import type { Commands } from '../common/commands.ts';
import type { HttpTransport } from '#platform/network.ts';
import { type Dsn, parseDsn } from './dsn.ts';
import type { KeyFacts } from './keyFacts.ts';
import { enableActions } from './messageRows.ts';
import { takesErrors } from './projectStates.ts';
import { type CommandTarget, keyName, type ResolvedKey, type TargetResolver } from './targets.ts';

/** What an answer to a test error means. */
export interface Verdict {
  readonly works: boolean;
  readonly sentence: string;
}

/** The label of the response to a test error. */
function verdictOf({ status, contentType, location }: IngestAnswer, host: string): Verdict {
  if (status >= 200 && status < 300) {
    return contentType === 'text/html'
      ? failed(vscode.l10n.t('{0} answers with a web page: a proxy or a sign-in page may be in between.', host))
      : {
          works: true,
          sentence: vscode.l10n.t(
            '{0} accepted the test error (status {1}). It will show up in Errors shortly.',
            host,
            status,
          ),
        };
  }
  if (status >= 300 && status < 400) {
    return failed(
      location !== undefined && URL.canParse(location)
        ? vscode.l10n.t(
            '{0} redirects errors to {1} (status {2}), which SDKs do not follow.',
            host,
            new URL(location).origin,
            status,
          )
        : vscode.l10n.t(
            '{0} redirects errors to another address (status {1}), which SDKs do not follow.',
            host,
            status,
          ),
    );
  }
  if (isRefusal({ status })) {
    return failed(
      vscode.l10n.t(
        '{0} refuses errors with this client key (status {1}): it is deleted or inactive, or error tracking is disabled.',
        host,
        status,
      ),
    );
  }
  if (status === 429) {
    return failed(vscode.l10n.t('{0} accepts no more errors for now (status 429): try again later.', host));
  }
  return failed(
    status >= 500
      ? vscode.l10n.t('{0} has an internal error (status {1}).', host, status)
      : vscode.l10n.t('{0} does not accept the test error (status {1}).', host, status),
  );
}

/** Whether an answer says that errors with the key are not taken, rather than that something is wrong for the moment. */
function isRefusal({ status }: Pick<IngestAnswer, 'status'>): boolean {
  return [401, 403, 404].includes(status);
}

function failed(sentence: string): Verdict {
  return { works: false, sentence };
}

/** An error that is sent to see whether a DSN works. */
export interface TestError {
  /** 32 hexadecimal digits. */
  readonly eventId: string;
  /** The envelope that an SDK would post: a header, then each item with a header of its own, a line each. */
  readonly envelope: string;
}

/** Makes a test error. It names the sender, and nothing of the computer, the user or the program. */
function makeTestError({ text }: Dsn, now: Date): TestError {
  const eventId = crypto.randomUUID().replaceAll('-', '');
  const frame = { filename: 'beacon.js', function: 'sendTestError', lineno: 1, colno: 1, in_app: true };
  const event = {
    event_id: eventId,
    timestamp: now.getTime() / 1000,
    platform: 'javascript',
    level: 'error',
    environment: 'test',
    logger: 'beacon-gitlab',
    exception: {
      values: [
        {
          type: 'TestError',
          value: 'Sent from the editor by Beacon for GitLab to see whether this DSN works',
          mechanism: { type: 'generic', handled: true },
          stacktrace: { frames: [frame] },
        },
      ],
    },
  };
  const lines = [
    { event_id: eventId, sent_at: now.toISOString(), dsn: text },
    { type: 'event', content_type: 'application/json' },
    event,
  ];
  return { eventId, envelope: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n` };
}

/** Creates a transport to a host, as for the client's requests; the caller closes it. */
export type CreateTransport = (url: string) => Promise<HttpTransport>;

export interface VerifyDeps {
  readonly targets: TargetResolver;
  readonly createTransport: CreateTransport;
  readonly dialogs: Dialogs;
  readonly keyFacts: Pick<KeyFacts, 'noteTest'>;
  readonly clock?: Pick<Clock, 'date'>;
}

/** Sends a test error to a DSN and says what came back. */
export class VerifyCommands {
  readonly #deps: VerifyDeps;
  readonly #targets: TargetResolver;
  readonly #dialogs: Dialogs;
  readonly commands = {
    'beacon.errorTracking.sendTestError': (chosen?: CommandTarget) => this.send(chosen),
  } satisfies Commands;

  constructor(deps: VerifyDeps) {
    this.#deps = deps;
    this.#targets = deps.targets;
    this.#dialogs = deps.dialogs;
  }

  /** Posts one error as an SDK would: to the DSN, with its public key and never with a token. */
  async send(chosen?: CommandTarget): Promise<void> {
    const known = await this.#targets.key(chosen, vscode.l10n.t('Send Test Error'), 'any');
    if (!known) {
      return;
    }
    const dsn = parseDsn(known.key.tracker_dsn);
    if (!dsn) {
      this.#dialogs.notify('warning', vscode.l10n.t('The DSN of this client key has an unknown format.'));
      return;
    }
    const { instanceUrl } = await this.#targets.connectionOf(known.project);
    if (!(await this.#mayPostTo(dsn, instanceUrl, known))) {
      return;
    }
    const { envelope, eventId } = makeTestError(dsn, (this.#deps.clock ?? systemClock).date());
    try {
      const answer = await this.#dialogs.viewProgress(() => this.#post(dsn, envelope, instanceUrl));
      const verdict = verdictOf(answer, new URL(dsn.envelopeUrl).host);
      const place = { accountId: known.project.accountId, projectId: known.facts.id };
      if (verdict.works || isRefusal(answer)) {
        await this.#deps.keyFacts.noteTest(place, known.key.id, verdict.works);
      }
      this.#showVerdict(known, verdict, eventId);
    } catch (error) {
      if (!isApiError(error)) {
        throw error;
      }
      const { sentence, remedy } = problemOf(error, known.project.accountId);
      notifyProblem(this.#dialogs, { sentence: ofKey(known, sentence), ...(remedy ? { remedy } : {}) });
    }
  }

  /** The instance says where errors go. Any other place than itself is named first: a request leaves this computer for it. */
  async #mayPostTo(
    { origin, envelopeUrl }: Dsn,
    instanceUrl: string,
    { facts, project }: ResolvedKey,
  ): Promise<boolean> {
    const instance = new URL(instanceUrl);
    const isAtHost = origin === instance.origin;
    // Beside an instance with a path, other programs may run at the same host.
    if (isAtHost && withinInstance(instance, new URL(envelopeUrl))) {
      return true;
    }
    return await this.#dialogs.confirm({
      question: vscode.l10n.t('Send a test error to {0}?', isAtHost ? envelopeUrl : origin),
      detail: vscode.l10n.t(
        'The DSN of {0} ({1}) leads to another place than the instance {2}.',
        facts.path,
        project.accountId,
        instanceUrl,
      ),
      verb: vscode.l10n.t('Send Test Error'),
    });
  }

  async #post(dsn: Dsn, envelope: string, instanceUrl: string): Promise<IngestAnswer> {
    // The route settings of an instance apply to its address; other hosts have their own routes.
    const url = new URL(instanceUrl).origin === dsn.origin ? instanceUrl : dsn.origin;
    const transport = await this.#deps.createTransport(url);
    try {
      const { postEnvelope } = await import('../api/ingest.ts');
      return await postEnvelope(dsn.envelopeUrl, dsn.publicKey, envelope, transport);
    } finally {
      await transport.close();
    }
  }

  #showVerdict(known: ResolvedKey, verdict: Verdict, eventId: string): void {
    const { project, facts, tracking } = known;
    const sentence = ofKey(known, verdict.sentence);
    if (verdict.works) {
      this.#dialogs.notify(
        'info',
        sentence,
        commandAction(vscode.l10n.t('Open Errors in Browser'), 'beacon.errorTracking.openOnWeb', { project }),
        { title: vscode.l10n.t('Copy Event ID'), run: () => vscode.env.clipboard.writeText(eventId) },
      );
    } else if (takesErrors(tracking.settings)) {
      this.#dialogs.notify('warning', sentence);
    } else {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('{0} The instance does not track the errors of {1} now.', sentence, facts.path),
        ...enableActions(project, tracking.settings),
      );
    }
  }
}

/** What is said of a test error, with its key, as nothing was asked where there is one: last, as the editor may cut the text. */
function ofKey({ key, facts }: ResolvedKey, sentence: string): string {
  return vscode.l10n.t('{0} Client key: {1} of {2}.', sentence, keyName(key), facts.path);
}
