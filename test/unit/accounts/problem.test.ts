import assert from 'node:assert/strict';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { problemOf, problemRows } from '../../../src/accounts/problem.ts';
import { apiError, UnusablePathError } from '../../../src/api/errors.ts';
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
  const cases: readonly [unknown, sentence: RegExp, command: string | undefined][] = [
    [of({ reason: 'notSignedIn' }), /does not accept the token/, 'beacon.replaceToken'],
    [
      of({ reason: 'missingScope', requiredScopes: ['api', 'read_user'] }),
      /may not read this: that needs the token scope api or read_user\.$/,
      'beacon.replaceToken',
    ],
    [
      of({ reason: 'missingScope', requiredScopes: ['api'] }),
      /may not read this: that needs the token scope read_api or api\.$/,
      'beacon.replaceToken',
    ],
    [
      of({ reason: 'missingScope', requiredScopes: [] }),
      /that needs the token scope read_api or api/,
      'beacon.replaceToken',
    ],
    [
      apiError({ ...facts, method: 'PUT' }, { reason: 'missingScope', requiredScopes: ['api'] }),
      /may not change this: that needs the token scope api\.$/,
      'beacon.replaceToken',
    ],
    [
      of({
        reason: 'missingPermission',
        permissions: ['Event: Read', 'Sail: Hoist'],
        sentence: 'Access denied: [Event: Read, Sail: Hoist].',
      }),
      /fine-grained token with the permission Event: Read, Sail: Hoist; .*“Access denied: \[Event: Read, Sail: Hoist\]\.”$/,
      'vscode.open',
    ],
    [
      of({
        reason: 'missingPermission',
        permissions: [],
        sentence: 'This operation does not support fine-grained tokens.',
      }),
      /^gitlab\.example\.com does not accept this token for this request\. The instance says: “This operation does not/,
      undefined,
    ],
    ...(
      [
        ['blocked', /is blocked: ask an administrator/],
        ['pendingApproval', /is pending approval by an administrator/],
        ['deactivated', /is deactivated: sign in there with a browser/],
        ['terms', /not accepted the terms of gitlab\.example\.com yet: do it there with a browser/],
        ['passwordExpired', /password on gitlab\.example\.com has expired: change it there/],
        ['unconfirmed', /e-mail address is not confirmed/],
        ['twoFactor', /requires two-factor authentication: set it up there/],
        ['ipAddress', /does not accept requests from your network: ask an administrator/],
        ['dpop', /requires proof of possession \(DPoP\) with each request.*no other token helps/],
        ['impersonation', /does not accept impersonation tokens/],
        ['client', /does not allow this application: ask an administrator/],
      ] as const
    ).map(([refusal, sentence]): [unknown, RegExp, string] => [
      of({ reason: 'accountRefused', refusal, sentence: '403 Forbidden - Said \u202Eby\nthe instance.' }),
      new RegExp(`${sentence.source}.* The instance says: “Said by the instance\\.”$`),
      refusal === 'impersonation' ? 'beacon.replaceToken' : 'vscode.open',
    ]),
    [
      of({
        reason: 'missingRole',
        sentence: '403 Forbidden - The project is archived',
        statedReason: 'The project is archived',
      }),
      /^gitlab\.example\.com does not allow this\. The instance says: “The project is archived”$/,
      undefined,
    ],
    [of({ reason: 'missingRole' }), /Your role on gitlab\.example\.com/, undefined],
    [of({ reason: 'notFound' }), /or not visible to you/, undefined],
    [new UnusablePathError('id'), /^This is no project, group or user: enter a path such as/, undefined],
    [
      of({ reason: 'movedElsewhere', foreignOrigin: 'https://evil.example', isPage: false }),
      /redirects to https:\/\/evil\.example, which does not get your token: sign in there if it is your instance\.$/,
      'beacon.signIn',
    ],
    [
      of({ reason: 'movedElsewhere', foreignOrigin: 'https://login.example', isPage: true }),
      /^A page for signing in at https:\/\/login\.example stands in front of gitlab\.example\.com\. The token is not refused/,
      'vscode.open',
    ],
    [
      of({ reason: 'inFront', obstacle: 'password' }),
      /asks for a password of its own\. The token is not refused: ask an/,
      'vscode.open',
    ],
    [
      of({ reason: 'inFront', obstacle: 'page' }),
      /^A page for signing in at gitlab\.example\.com stands in front/,
      'vscode.open',
    ],
    [of({ reason: 'inFront', obstacle: 'protection' }), /asks for a browser .*: wait a while, or/, 'vscode.open'],
    [of({ reason: 'validation', fields: {}, sentences: [] }), /does not accept the request/, 'beacon.showLog'],
    [of({ reason: 'tooLong', length: 9000 }), /does not accept the request/, 'beacon.showLog'],
    [of({ reason: 'refused' }), /does not accept the request/, 'beacon.showLog'],
    [of({ reason: 'rateLimited' }), /limits requests/, undefined],
    [
      apiError({ ...facts, status: 500 }, { reason: 'unavailable', kind: 'status' }),
      /internal error \(status 500\)/,
      undefined,
    ],
    ...(
      [
        ['dns', 'ENOTFOUND', /There is no host gitlab\.example\.com/],
        ['network', 'BODY_TOO_LONG', /^gitlab\.example\.com sends an .* too long/],
        ['network', 'MALFORMED_BODY', /^gitlab\.example\.com sends an .* cut short/],
        ['network', 'UNKNOWN', /^gitlab\.example\.com cannot be reached for an unknown reason: .* CORS\.$/],
        ['network', 'ECONNREFUSED', /cannot be reached \(ECONNREFUSED\)/],
        ['timeout', 'headers', /does not answer in time/],
        ['tls', 'CERT_HAS_EXPIRED', /has expired/],
        ['tls', 'CLIENT_CERTIFICATE_REQUIRED', /requires a client certificate/],
        ['tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /does not accept your client certificate/],
        ['tls', 'PLAIN_HTTP_TO_HTTPS_PORT', /speaks only https/],
        ['tls', 'CERT_NOT_YET_VALID', /is not valid yet; check the clock/],
        ['tls', 'ERR_SSL_NO_PROTOCOLS_AVAILABLE', /No secure connection/],
        ['proxy', '407', /^The proxy for .* requires valid credentials \(407\)\.$/],
        ['proxy', 'ECONNREFUSED', /The proxy proxy:80 cannot be reached/],
      ] as const
    ).map(([kind, detail, sentence]): [unknown, RegExp, string] => [
      of({
        reason: 'unavailable',
        kind,
        detail,
        ...(`${kind} ${detail}` === 'proxy ECONNREFUSED' ? { proxy: 'proxy:80' } : {}),
      }),
      sentence,
      'beacon.diagnoseConnection',
    ]),
    [
      new TlsSettingError('passphraseMissing', 'host', 'me.p12'),
      /me\.p12.*needs a passphrase/,
      'beacon.enterPassphrase',
    ],
    [new TlsSettingError('missing', 'host', 'ca.pem'), /ca\.pem, .* does not exist/, 'workbench.action.openSettings'],
    [of({ reason: 'notAnInstance', found: 'text/html' }), /does not answer like a GitLab instance/, 'beacon.signIn'],
    [of({ reason: 'aborted' }), /was canceled/, undefined],
    [new SignedOutError(), /signed out/, 'beacon.signIn'],
    [new SignedOutError('ada@host', true), /token of this account is missing/, 'beacon.replaceToken'],
    [new SecretStoreError('read', new Error('locked')), /cannot be read: unlock/, 'vscode.open'],
    [new SecretStoreError('write', new Error('locked')), /nothing was changed: unlock/, 'vscode.open'],
    [new Error('anything'), /unexpected error/, 'beacon.showLog'],
    ['anything', /unexpected error/, 'beacon.showLog'],
  ];
  for (const [error, sentence, command] of cases) {
    const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    it(`is one sentence and at most one command for ${name}`, () => {
      const problem = problemOf(error);
      assert.match(problem.sentence, sentence);
      assert.doesNotMatch(problem.sentence, /\{\d\}|undefined|\n/);
      assert.equal(problem.remedy?.command, command);
    });
  }

  it('names no account, and replaces the token of that whose request has failed, also where another one is on the instance', () => {
    for (const error of [
      apiError(facts, { reason: 'notSignedIn' }),
      apiError(facts, { reason: 'missingScope', requiredScopes: ['api'] }),
    ]) {
      const { sentence, remedy } = problemOf(error, 'ada@gitlab.example.com');
      assert.doesNotMatch(sentence, /ada/);
      assert.deepEqual(remedy?.arguments, ['ada@gitlab.example.com']);
    }
    const refused = apiError(facts, { reason: 'accountRefused', refusal: 'impersonation', sentence: '' });
    assert.deepEqual(problemOf(refused, 'ada@gitlab.example.com').remedy?.arguments, ['ada@gitlab.example.com']);
    assert.deepEqual(problemOf(refused).remedy?.arguments, [{ instance: 'gitlab.example.com' }]);
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
