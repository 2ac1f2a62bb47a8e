import * as vscode from 'vscode';
import type { Carrier } from '../../accounts/network/network.ts';
import { describeProblem } from '../../accounts/problem.ts';
import { withinInstance } from '../../api/addresses.ts';
import { ApiError } from '../../api/errors.ts';
import type { IngestAnswer } from '../../api/ingest.ts';
import type { Commands } from '../../commands.ts';
import { commandAction, type Dialogs, tellProblem } from '../dialogs.ts';
import { type Dsn, parseDsn } from '../dsn.ts';
import { takesErrors } from '../settings/settingsState.ts';
import { waysToBeHeard } from '../settings/waysToBeHeard.ts';
import type { Chosen, KnownKey, Targets } from '../targets.ts';
import { makeTestError } from './testError.ts';
import { verdictOf } from './verdict.ts';

/** Opens the way to a host, as for the client's requests; whoever asked for it closes it. */
export type OpenCarrier = (url: string) => Promise<Carrier>;

/** Sends a test error to a DSN and says what came back. */
export class VerifyCommands {
  readonly #targets: Targets;
  readonly #openCarrier: OpenCarrier;
  readonly #dialogs: Dialogs;
  readonly #now: () => Date;
  readonly commands = {
    'beacon.errorTracking.sendTestError': (chosen?: Chosen) => this.send(chosen),
  } satisfies Commands;

  constructor(targets: Targets, openCarrier: OpenCarrier, dialogs: Dialogs, now: () => Date = () => new Date()) {
    this.#targets = targets;
    this.#openCarrier = openCarrier;
    this.#dialogs = dialogs;
    this.#now = now;
  }

  /** Posts one error as an SDK would: to the DSN, with its public key and never with a token. */
  async send(chosen?: Chosen): Promise<void> {
    const known = await this.#targets.key(chosen, vscode.l10n.t('Send Test Error'), 'any');
    if (!known) {
      return;
    }
    const dsn = parseDsn(known.key.tracker_dsn);
    if (!dsn) {
      this.#dialogs.tell('warning', vscode.l10n.t('The DSN of this client key has an unknown format.'));
      return;
    }
    const { instanceUrl } = await this.#targets.connectionOf(known.project);
    if (!(await this.#mayPostTo(dsn, instanceUrl, known))) {
      return;
    }
    const { envelope, eventId } = makeTestError(dsn, this.#now());
    try {
      this.#tell(known, await this.#dialogs.progress(() => this.#post(dsn, envelope, instanceUrl)), dsn, eventId);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      tellProblem(this.#dialogs, describeProblem(error));
    }
  }

  /** The instance says where errors go. Any other place than itself is named first: a request leaves this computer for it. */
  async #mayPostTo({ origin, envelopeUrl }: Dsn, instanceUrl: string, { facts, project }: KnownKey): Promise<boolean> {
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
    // The settings for the way to an instance go by its address; other hosts have ways of their own.
    const carrier = await this.#openCarrier(new URL(instanceUrl).origin === dsn.origin ? instanceUrl : dsn.origin);
    try {
      const { postEnvelope } = await import('../../api/ingest.ts');
      return await postEnvelope(dsn.envelopeUrl, dsn.publicKey, envelope, carrier);
    } finally {
      await carrier.close();
    }
  }

  #tell({ project, facts, tracking }: KnownKey, answer: IngestAnswer, dsn: Dsn, eventId: string): void {
    const { works, sentence } = verdictOf(answer, new URL(dsn.envelopeUrl).host);
    if (works) {
      this.#dialogs.tell(
        'info',
        sentence,
        commandAction(vscode.l10n.t('Open Errors in Browser'), 'beacon.errorTracking.openOnWeb', { project }),
        { title: vscode.l10n.t('Copy Event ID'), run: () => vscode.env.clipboard.writeText(eventId) },
      );
    } else if (takesErrors(tracking.settings)) {
      this.#dialogs.tell('warning', sentence);
    } else {
      this.#dialogs.tell(
        'warning',
        vscode.l10n.t('{0} The instance does not track the errors of {1} now.', sentence, facts.path),
        ...waysToBeHeard(project, tracking.settings),
      );
    }
  }
}
