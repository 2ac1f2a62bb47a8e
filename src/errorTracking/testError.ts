import * as vscode from 'vscode';
import type { Dialogs } from '../accounts/dialogs.ts';
import { problemOf, showProblem } from '../accounts/problem.ts';
import { isApiError } from '../api/errors.ts';
import { type IngestAnswer, postEnvelope } from '../api/ingest.ts';
import { isWithin } from '../api/url.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { copyText } from '../common/inertWindow.ts';
import { type Dsn, parseDsn, shortKey } from './dsn.ts';
import { noteConnected } from './keyNotes.ts';
import { type CommandTarget, setUpActions, targetAction } from './labels.ts';
import type { Targets } from './pick.ts';
import { type KnownKey, takesErrors } from './projects.ts';

const { t } = vscode.l10n;

function refusalLabel({ status, contentType, location }: IngestAnswer, host: string): string | undefined {
  if (status >= 200 && status < 300) {
    return contentType === 'text/html'
      ? t('{0} answers with a web page: a proxy or a sign-in page may be in between.', host)
      : undefined;
  }
  if (status >= 300 && status < 400) {
    const target = URL.parse(location ?? '')?.origin ?? t('another address');
    return t('{0} redirects errors to {1} (status {2}), which SDKs do not follow.', host, target, status);
  }
  if ([401, 403, 404].includes(status)) {
    return t(
      '{0} refuses errors with this client key (status {1}): it is deleted or inactive, or error tracking is disabled.',
      host,
      status,
    );
  }
  return t('{0} does not accept the test error (status {1}).', host, status);
}

/** An envelope as an SDK would post it: a header, then each item with a header of its own, a line each. It names the sender alone. */
function envelopeOf({ text }: Dsn, eventId: string, now: Date): string {
  // Older instances name an error by its last frame, and fail without one.
  const frame = { filename: 'beacon.js', function: 'sendTestError', lineno: 1, colno: 1, in_app: true };
  const exception = {
    type: 'TestError',
    value: 'Sent from the editor by Beacon for GitLab to see whether this DSN works',
    mechanism: { type: 'generic', handled: true },
    stacktrace: { frames: [frame] },
  };
  const event = {
    event_id: eventId,
    timestamp: now.getTime() / 1000,
    platform: 'javascript',
    level: 'error',
    environment: 'test',
    logger: 'beacon-gitlab',
    exception: { values: [exception] },
  };
  const header = { event_id: eventId, sent_at: now.toISOString(), dsn: text };
  const lines = [header, { type: 'event', content_type: 'application/json' }, event];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

export function testErrorCommands(app: App, targets: Targets, dialogs: Dialogs) {
  /** Posts one error as an SDK would: to the DSN, with its public key and never with a token. */
  async function send(chosen?: CommandTarget): Promise<void> {
    const known = await targets.key(chosen, t('Send Test Error'), 'any');
    if (!known) {
      return;
    }
    const { project, key } = known;
    const dsn = parseDsn(key.tracker_dsn);
    if (!dsn) {
      dialogs.notify('warning', t('The DSN of this client key has an unknown format.'));
      return;
    }
    const { instanceUrl } = await app.connections.of(project.accountId);
    if (!(await mayPostTo(dsn, instanceUrl, known))) {
      return;
    }
    const eventId = crypto.randomUUID().replaceAll('-', '');
    const envelope = envelopeOf(dsn, eventId, app.clock.date());
    try {
      const answer = await dialogs.viewProgress(() => post(dsn, envelope, instanceUrl));
      showAnswer(known, answer, new URL(dsn.envelopeUrl).host, eventId);
    } catch (error) {
      if (!isApiError(error)) {
        throw error;
      }
      const { sentence, ...rest } = problemOf(error, project.accountId);
      showProblem({ ...rest, sentence: ofKey(known, sentence) });
    }
  }

  /** The instance says where errors go. Any other address than its own is named first: a request leaves this computer for it. */
  async function mayPostTo(dsn: Dsn, instanceUrl: string, { facts, project }: KnownKey): Promise<boolean> {
    const { origin, envelopeUrl } = dsn;
    const instance = new URL(instanceUrl);
    const isAtHost = origin === instance.origin;
    // Beside an instance with a path, other programs may run at the same host.
    if (isAtHost && isWithin(instance, new URL(envelopeUrl))) {
      return true;
    }
    const names = [facts.path, project.accountId, instanceUrl];
    return await dialogs.confirm({
      question: t('Send a test error to {0}?', isAtHost ? envelopeUrl : origin),
      detail: t('The DSN of {0} ({1}) leads to another address than that of the instance {2}.', ...names),
      verb: t('Send Test Error'),
    });
  }

  async function post(dsn: Dsn, envelope: string, instanceUrl: string): Promise<IngestAnswer> {
    // The route settings of an instance apply to its address; other hosts have their own routes.
    const url = new URL(instanceUrl).origin === dsn.origin ? instanceUrl : dsn.origin;
    const transport = await app.network.createTransport(url);
    try {
      return await postEnvelope(dsn.envelopeUrl, dsn.publicKey, envelope, transport.fetch);
    } finally {
      await transport.close();
    }
  }

  function showAnswer(known: KnownKey, answer: IngestAnswer, host: string, eventId: string): void {
    const { project, facts, tracking } = known;
    const refusal = refusalLabel(answer, host);
    if (refusal === undefined) {
      noteConnected();
      const { status } = answer;
      const sentence = t('{0} accepted the test error (status {1}). It will show up in Errors shortly.', host, status);
      const copy = { title: t('Copy Event ID'), run: () => copyText(eventId) };
      const open = targetAction(t('Open Errors in Browser'), 'openOnWeb', { project });
      dialogs.notify('info', ofKey(known, sentence), open, copy);
      return;
    }
    const sentence = ofKey(known, refusal);
    dialogs.notify(
      'warning',
      takesErrors(tracking.settings)
        ? sentence
        : t('{0} The instance does not track the errors of {1} now.', sentence, facts.path),
      ...setUpActions(project, tracking.settings),
    );
  }

  return { 'beacon.errorTracking.sendTestError': send } satisfies Commands;
}

/** What is said of a test error, with its key, as nothing was asked where there is one: last, as the editor may cut the text. */
function ofKey({ key, facts }: KnownKey, sentence: string): string {
  return t('{0} Client key: {1} of {2}.', sentence, shortKey(key.public_key), facts.path);
}
