import assert from 'node:assert/strict';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { problemOf, problemRows } from '../../../src/accounts/problem.ts';
import { type AccountRefusal, apiError, type Failure, UnusablePathError } from '../../../src/api/errors.ts';
import { showMessage } from '../../../src/common/inertWindow.ts';
import { messageItem } from '../../../src/common/messageRow.ts';
import { SecretStoreError } from '../../../src/common/stored.ts';
import { TlsSettingError } from '../../../src/network/networkErrors.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { replaced } from '../../support/answeredInputs.ts';

const facts = { method: 'GET', pathTemplate: '/events', instance: 'gitlab.example.com' };

insideWindow(import.meta.filename);

describe('how a failure is shown', () => {
  const of = (detail: Parameters<typeof apiError>[1]): Error => apiError(facts, detail);
  const missingScope = (requiredScopes: readonly string[], method = 'GET'): Error =>
    apiError({ ...facts, method }, { reason: 'missingScope', requiredScopes });
  const missingPermission = (permissions: readonly string[], sentence: string): Error =>
    of({ reason: 'missingPermission', permissions, sentence });
  const movedElsewhere = (foreignOrigin: string, isPage: boolean): Error =>
    of({ reason: 'movedElsewhere', foreignOrigin, isPage });
  /** With what the instance says of it. */
  const refused = (refusal: AccountRefusal, sentence: RegExp): readonly [Error, RegExp] => [
    of({ reason: 'accountRefused', refusal, sentence: '403 Forbidden - Said \u202Eby\nthe instance.' }),
    new RegExp(`${sentence.source}.* The instance says: “Said by the instance\\.”$`),
  ];
  const unavailable = (kind: Failure['kind'], detail: string, proxy?: string): Error =>
    of({ reason: 'unavailable', kind, detail, proxy });
  const archived = 'The project is archived';
  const noSupport = 'This operation does not support fine-grained tokens.';

  /** Of each next step the failures that lead to it, and their sentences. */
  const cases: Readonly<Record<string, readonly (readonly [unknown, RegExp])[]>> = {
    'beacon.replaceToken': [
      [of({ reason: 'notSignedIn' }), /does not accept the token/],
      [missingScope(['api', 'read_user']), /may not read this: that needs the token scope api or read_user\.$/],
      [missingScope(['api']), /may not read this: that needs the token scope read_api or api\.$/],
      [missingScope([]), /that needs the token scope read_api or api/],
      [missingScope(['api'], 'PUT'), /may not change this: that needs the token scope api\.$/],
      refused('impersonation', /does not accept impersonation tokens/),
      [new SignedOutError('ada@host', true), /token of this account is missing/],
    ],
    'vscode.open': [
      [
        missingPermission(['Event: Read', 'Sail: Hoist'], 'Access denied: [Event: Read, Sail: Hoist].'),
        /fine-grained token with the permission Event: Read, Sail: Hoist; .*“Access denied: \[Event: Read, Sail: Hoist\]\.”$/,
      ],
      refused('blocked', /is blocked: ask an administrator/),
      refused('pendingApproval', /is pending approval by an administrator/),
      refused('deactivated', /is deactivated: sign in there with a browser/),
      refused('terms', /not accepted the terms of gitlab\.example\.com yet: do it there with a browser/),
      refused('passwordExpired', /password on gitlab\.example\.com has expired: change it there/),
      refused('unconfirmed', /e-mail address is not confirmed/),
      refused('twoFactor', /requires two-factor authentication: set it up there/),
      refused('ipAddress', /does not accept requests from your network: ask an administrator/),
      refused('dpop', /requires proof of possession \(DPoP\) with each request.*no other token helps/),
      refused('client', /does not allow this application: ask an administrator/),
      [
        movedElsewhere('https://login.example', true),
        /^A page for signing in at https:\/\/login\.example stands in front of gitlab\.example\.com\. The token is not refused/,
      ],
      [
        of({ reason: 'inFront', obstacle: 'password' }),
        /asks for a password of its own\. The token is not refused: ask an/,
      ],
      [of({ reason: 'inFront', obstacle: 'page' }), /^A page for signing in at gitlab\.example\.com stands in front/],
      [of({ reason: 'inFront', obstacle: 'protection' }), /asks for a browser .*: wait a while, or/],
      [new SecretStoreError('read', new Error('locked')), /cannot be read: unlock/],
      [new SecretStoreError('write', new Error('locked')), /nothing was changed: unlock/],
    ],
    'beacon.signIn': [
      [
        movedElsewhere('https://evil.example', false),
        /redirects to https:\/\/evil\.example, which does not get your token: sign in there if it is your instance\.$/,
      ],
      [of({ reason: 'notAnInstance', found: 'text/html' }), /does not answer like a GitLab instance/],
      [new SignedOutError(), /signed out/],
    ],
    'beacon.diagnoseConnection': [
      [unavailable('dns', 'ENOTFOUND'), /There is no host gitlab\.example\.com/],
      [unavailable('network', 'BODY_TOO_LONG'), /^gitlab\.example\.com sends an .* too long/],
      [unavailable('network', 'MALFORMED_BODY'), /^gitlab\.example\.com sends an .* cut short/],
      [unavailable('network', 'UNKNOWN'), /^gitlab\.example\.com cannot be reached for an unknown reason: .* CORS\.$/],
      [unavailable('network', 'ECONNREFUSED'), /cannot be reached \(ECONNREFUSED\)/],
      [unavailable('timeout', 'headers'), /does not answer in time/],
      [unavailable('tls', 'CERT_HAS_EXPIRED'), /has expired/],
      [unavailable('tls', 'CLIENT_CERTIFICATE_REQUIRED'), /requires a client certificate/],
      [unavailable('tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), /does not accept your client certificate/],
      [unavailable('tls', 'PLAIN_HTTP_TO_HTTPS_PORT'), /speaks only https/],
      [unavailable('tls', 'CERT_NOT_YET_VALID'), /is not valid yet; check the clock/],
      [unavailable('tls', 'ERR_SSL_NO_PROTOCOLS_AVAILABLE'), /No secure connection/],
      [unavailable('proxy', '407'), /^The proxy for .* requires valid credentials \(407\)\.$/],
      [unavailable('proxy', 'ECONNREFUSED', 'proxy:80'), /The proxy proxy:80 cannot be reached/],
    ],
    'beacon.showLog': [
      [of({ reason: 'validation', fields: {}, sentences: [] }), /does not accept the request/],
      [of({ reason: 'tooLong', length: 9000 }), /does not accept the request/],
      [of({ reason: 'refused' }), /does not accept the request/],
      [new Error('anything'), /unexpected error/],
      ['anything', /unexpected error/],
    ],
    'beacon.enterPassphrase': [
      [new TlsSettingError('passphraseMissing', 'host', 'me.p12'), /me\.p12.*needs a passphrase/],
    ],
    'workbench.action.openSettings': [[new TlsSettingError('missing', 'host', 'ca.pem'), /ca\.pem, .* does not exist/]],
    none: [
      [
        missingPermission([], noSupport),
        /^gitlab\.example\.com does not accept this token for this request\. The instance says: “This operation does not/,
      ],
      [
        of({ reason: 'missingRole', sentence: `403 Forbidden - ${archived}`, statedReason: archived }),
        /^gitlab\.example\.com does not allow this\. The instance says: “The project is archived”$/,
      ],
      [of({ reason: 'missingRole' }), /Your role on gitlab\.example\.com/],
      [of({ reason: 'notFound' }), /or not visible to you/],
      [new UnusablePathError('id'), /^This is no project, group or user: enter a path such as/],
      [of({ reason: 'rateLimited' }), /limits requests/],
      [apiError({ ...facts, status: 500 }, { reason: 'unavailable', kind: 'status' }), /internal error \(status 500\)/],
      [of({ reason: 'aborted' }), /was canceled/],
    ],
  };
  for (const [command, failures] of Object.entries(cases)) {
    it(`is one sentence each, and the next step ${command}`, () => {
      for (const [error, expected] of failures) {
        const { sentence, remedy } = problemOf(error);
        assert.match(sentence, expected);
        assert.doesNotMatch(sentence, /\{\d\}|undefined|\n/);
        assert.equal(remedy?.command ?? 'none', command, sentence);
      }
    });
  }

  it('names no account, and replaces the token of that whose request has failed, also where another one is on the instance', () => {
    for (const error of [of({ reason: 'notSignedIn' }), missingScope(['api'])]) {
      const { sentence, remedy } = problemOf(error, 'ada@gitlab.example.com');
      assert.doesNotMatch(sentence, /ada/);
      assert.deepEqual(remedy?.arguments, ['ada@gitlab.example.com']);
    }
    const [error] = refused('impersonation', /./);
    assert.deepEqual(problemOf(error, 'ada@gitlab.example.com').remedy?.arguments, ['ada@gitlab.example.com']);
    assert.deepEqual(problemOf(error).remedy?.arguments, [{ instance: 'gitlab.example.com' }]);
  });
});

describe('a message', () => {
  it('that the editor would cut has a button that closes it, unless it has one', async () => {
    const seen: (readonly string[])[] = [];
    const standIn = replaced({
      showWarningMessage: async (_: string, ...all: readonly string[]) => {
        seen.push(all);
        return all.at(-1);
      },
    });
    const long = 'Nothing is muted. '.repeat(4);
    const pressed = [await showMessage('warning', long), await showMessage('warning', long, 'Undo')];
    standIn.dispose();
    assert.deepEqual(seen, [['OK'], ['Undo']]);
    assert.deepEqual(pressed, [undefined, 'Undo']);
  });
});

describe('the rows of a failure', () => {
  const tryAgain = { command: 'beacon.activity.refresh', title: 'Try Again' };

  it('are the sentence, the command that fixes it, if there is one, and "Try Again"', () => {
    const remedy = { command: 'beacon.signIn', title: 'Sign In…' } as const;
    const labels = (problem: Parameters<typeof problemRows>[0]) =>
      problemRows(problem, tryAgain).map((step) => messageItem(step).label);
    assert.deepEqual(labels({ sentence: 'No.', remedy }), ['No.', 'Sign In…', 'Try Again']);
    assert.deepEqual(labels({ sentence: 'No.' }), ['No.', 'Try Again']);
    const [message, again] = problemRows({ sentence: 'No.' }, tryAgain).map(messageItem);
    assert.deepEqual([message?.command, message?.accessibilityInformation?.label], [undefined, 'No.']);
    assert.deepEqual([again?.command, again?.accessibilityInformation?.label], [tryAgain, 'Try Again. No.']);
  });
});
