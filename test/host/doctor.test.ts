import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import type * as vscode from 'vscode';
import { sandboxAccount } from '../../src/accounts/account.ts';
import type { App } from '../../src/app.ts';
import { diagnosisCommands } from '../../src/diagnostics/connectionDoctor.ts';
import { diagnose, diagnosisReport, type DiagnosticTarget, stepNames } from '../../src/diagnostics/diagnosis.ts';
import type { CheckResult, StepName } from '../../src/diagnostics/finding.ts';
import { accountRefusals, refusing } from '../support/sandbox/refusals.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/sandbox.ts';
import { sampleAccount } from '../support/accountSamples.ts';
import { replaced } from '../support/answeredInputs.ts';
import { makeCertificate } from '../support/certificates.ts';
import { sendJson, startHostileServer } from '../support/hostileServer.ts';
import { type ProxyOptions, startProxy } from '../support/proxyServer.ts';
import { PersonalSettings, Reader } from '../support/reader.ts';
import { startTlsFront } from '../support/tlsFront.ts';
import type { TokenChoice } from '../support/sandbox/control.ts';

const hidden = 'gitlab.proxied.test';
/** An address of this computer that no rule calls so. */
const open = '0.0.0.0';
const hosts = ['localhost', open, hidden];
const company = makeCertificate({ name: 'Company CA', isAuthority: true });
const server = makeCertificate({ name: 'gitlab', issuer: company, hosts });
const expired = makeCertificate({ name: 'gitlab', issuer: company, hosts, isExpired: true });
const elsewhere = makeCertificate({ name: 'gitlab', issuer: company, hosts: ['gitlab.elsewhere.test'] });
const selfSigned = makeCertificate({ name: 'gitlab', hosts });

/** A set-up, with the expected diagnosis. */
interface Case {
  readonly name: string;
  readonly arrange: () => Promise<DiagnosticTarget>;
  /** Undefined if nothing fails. */
  readonly failing: StepName | undefined;
  readonly sentence?: RegExp;
  readonly remedies?: readonly string[];
}

describe('the connection doctor', () => {
  let sandbox: Sandbox;
  let port: number;
  let folder: string;
  let reader: Reader;
  const settings = new PersonalSettings();
  const running: AsyncDisposable[] = [];

  before(async () => {
    sandbox = await startSandbox({ anyHost: true });
    port = Number(new URL(sandbox.url).port);
    folder = mkdtempSync(join(tmpdir(), 'beacon-doctor-'));
    writeFileSync(join(folder, 'company.pem'), company.cert);
  });
  after(async () => {
    await sandbox.close();
  });
  beforeEach(() => {
    reader = new Reader();
  });
  afterEach(async () => {
    reader.dispose();
    await settings.takeBack();
    sandbox.control.transform();
    for (const part of running.splice(0)) {
      await part[Symbol.asyncDispose]();
    }
  });

  /** A token that the sandbox makes for the owner. */
  const made = async (choice: TokenChoice): Promise<string> => sandbox.control.makeToken('marta', choice);
  const allPermissions = [
    ...['User: Read', 'Personal Access Token: Read', 'Project: Read', 'Error Tracking Setting: Read'],
  ];

  const owner = (): Promise<string> => Promise.resolve(sandbox.tokens.owner);
  const byCompany = (): Record<string, string> => ({ ca: join(folder, 'company.pem') });

  /** A port that nobody listens on. */
  async function closedPort(): Promise<number> {
    const gone = await startProxy({ hosts: {} });
    await gone[Symbol.asyncDispose]();
    return gone.port;
  }

  /** The sandbox behind TLS, with what `beacon.tls` says of it. */
  async function secured(
    options: TlsOptions,
    tls: Record<string, string> = {},
    host = 'localhost',
  ): Promise<DiagnosticTarget> {
    const front = await startTlsFront(port, options);
    running.push(front);
    await settings.set({ 'beacon.tls': { [`${host}:${front.port}`]: tls } });
    return { url: `https://${host}:${front.port}`, token: owner };
  }

  async function proxied(options: Partial<ProxyOptions> = {}, credentials = ''): Promise<DiagnosticTarget> {
    const proxy = await startProxy({ hosts: { [`${hidden}:80`]: port }, ...options });
    running.push(proxy);
    await settings.set({ 'http.proxy': proxy.url.replace('//', `//${credentials}`) });
    return { url: `http://${hidden}`, token: owner };
  }

  /** An instance that answers requests with a token by 401. */
  async function rejecting(body: unknown): Promise<DiagnosticTarget> {
    const instance = await startHostileServer((_, response) => sendJson(response, body, { status: 401 }));
    running.push(instance);
    return { url: instance.origin, token: owner };
  }

  const invalid = (description: string): unknown => ({ error: 'invalid_token', error_description: description });

  const cases: readonly Case[] = [
    {
      name: 'a sound connection',
      arrange: async () => ({ url: sandbox.url, token: owner, projects: sandbox.projects.slice(0, 1) }),
      failing: undefined,
    },
    {
      name: 'a sound connection through TLS',
      arrange: () => secured(server, byCompany()),
      failing: undefined,
    },
    {
      name: 'a sound connection through TLS as the editor finds it',
      arrange: () => secured(server, byCompany(), open),
      failing: undefined,
    },
    { name: 'a sound connection through a proxy', arrange: () => proxied(), failing: undefined },
    {
      name: 'a sound connection without an account',
      arrange: async () => ({ url: sandbox.url }),
      failing: undefined,
    },
    {
      name: 'what is no URL',
      arrange: async () => ({ url: 'https://ada:s3cret@gitlab.example.com' }),
      failing: 'url',
      sentence: /not the URL of an instance/,
      remedies: ['otherUrl'],
    },
    {
      name: 'a host that does not exist',
      arrange: async () => ({ url: 'https://gitlab.unknown.test' }),
      failing: 'request',
      sentence: /There is no host gitlab\.unknown\.test/,
      remedies: ['otherUrl', 'openSetting'],
    },
    {
      name: 'a proxy that is not there',
      arrange: async () => {
        await settings.set({ 'http.proxy': `http://127.0.0.1:${await closedPort()}` });
        return { url: `https://${hidden}` };
      },
      failing: 'request',
      sentence: /^The proxy 127\.0\.0\.1:\d+ cannot be reached \(/,
      remedies: ['openSetting'],
    },
    {
      name: 'a proxy that wants credentials, for http',
      arrange: () => proxied({ authorization: 'Basic x' }, 'ada:s3cret@'),
      failing: 'request',
      sentence: /requires valid credentials \(407\)/,
      remedies: ['openSetting'],
    },
    {
      name: 'a proxy that wants credentials, for https',
      arrange: async () => ({
        ...(await proxied({ authorization: 'Basic x' }, 'ada:s3cret@')),
        url: `https://${hidden}`,
      }),
      failing: 'request',
      sentence: /requires valid credentials \(407\)/,
    },
    {
      name: 'a proxy that does not let through',
      arrange: async () => ({ ...(await proxied({ refusal: 403 })), url: `https://${hidden}` }),
      failing: 'request',
      sentence: /^The proxy for gitlab\.proxied\.test does not work \(403\)/,
    },
    {
      name: 'a proxy that does not know the host',
      arrange: async () => ({ ...(await proxied()), url: 'https://gitlab.unknown.test' }),
      failing: 'request',
      sentence: /^The proxy for gitlab\.unknown\.test does not work \(502\)/,
    },
    {
      name: 'a port that takes no connections',
      arrange: async () => ({ url: `https://localhost:${await closedPort()}` }),
      failing: 'request',
      sentence: /^localhost:\d+ cannot be reached \(ECONNREFUSED\)/,
      remedies: ['otherUrl', 'openSetting'],
    },
    {
      name: 'such a port as the editor finds it',
      arrange: async () => ({ url: `https://${open}:${await closedPort()}` }),
      failing: 'request',
      sentence: /cannot be reached \(\S*CONN\w*REFUSED\)/,
    },
    {
      name: 'an unknown authority',
      arrange: () => secured(server),
      failing: 'tls',
      sentence: /an authority that is not trusted here/,
      remedies: ['openSetting', 'trustFingerprint'],
    },
    {
      name: 'an unknown authority behind a proxy',
      arrange: async () => {
        const front = await startTlsFront(port, server);
        running.push(front);
        return { ...(await proxied({ hosts: { [`${hidden}:443`]: front.port } })), url: `https://${hidden}` };
      },
      failing: 'tls',
      sentence: /an authority that is not trusted here/,
    },
    {
      name: 'a self-signed certificate',
      arrange: () => secured(selfSigned),
      failing: 'tls',
      sentence: /is self-signed/,
      remedies: ['openSetting', 'trustFingerprint'],
    },
    {
      name: 'a certificate that has expired',
      arrange: () => secured(expired, byCompany()),
      failing: 'tls',
      sentence: /has expired/,
    },
    {
      name: 'a certificate for another host',
      arrange: () => secured(elsewhere, byCompany()),
      failing: 'tls',
      sentence: /is for another host name/,
    },
    {
      name: 'a client certificate that is missing',
      arrange: () => secured({ ...server, ca: company.cert, requestCert: true, rejectUnauthorized: true }, byCompany()),
      failing: 'tls',
      sentence: /requires a client certificate/,
      remedies: ['openSetting'],
    },
    {
      name: 'a certificate other than the trusted one',
      arrange: () => secured(server, { fingerprint: selfSigned.fingerprint }),
      failing: 'tls',
      sentence: new RegExp(`is not the one that you trust; its fingerprint is ${server.fingerprint}`),
      remedies: ['openSetting', 'trustFingerprint'],
    },
    {
      name: 'a file that is not there',
      arrange: () => secured(server, { ca: join(tmpdir(), 'gone.pem') }),
      failing: 'tls',
      sentence: /gone\.pem, set in beacon\.tls for .*, does not exist/,
      remedies: ['openSetting'],
    },
    {
      name: 'what does not speak TLS',
      arrange: async () => ({ url: sandbox.url.replace('http:', 'https:') }),
      failing: 'tls',
      sentence: /does not speak https/,
    },
    {
      name: 'a web site that is no instance',
      arrange: async () => {
        const site = await startHostileServer((_, response) => response.end('<h1>Welcome</h1>'));
        running.push(site);
        return { url: site.origin };
      },
      failing: 'instance',
      sentence: /does not answer like a GitLab instance/,
      remedies: ['otherUrl'],
    },
    {
      name: 'an instance that is somewhere else on its host',
      arrange: async () => ({ url: `${sandbox.url}/gitlab` }),
      failing: 'instance',
      sentence: /it is not a GitLab instance|does not answer like a GitLab instance/,
      remedies: ['otherUrl'],
    },
    {
      name: 'an instance that is broken',
      arrange: async () => {
        const instance = await startHostileServer((_, response) => sendJson(response, {}, { status: 500 }));
        running.push(instance);
        return { url: instance.origin };
      },
      failing: 'instance',
      sentence: /has an internal error \(status 500\)/,
      remedies: ['showLog'],
    },
    {
      name: 'an unknown token',
      arrange: async () => ({ url: sandbox.url, token: async () => 'glpat-unknown' }),
      failing: 'token',
      sentence: /does not know the token/,
      remedies: ['renewToken'],
    },
    {
      name: 'a revoked token',
      arrange: () => rejecting(invalid('Token was revoked. You have to re-authorize from the user.')),
      failing: 'token',
      sentence: /The token was revoked/,
      remedies: ['renewToken'],
    },
    {
      name: 'a token that has expired',
      arrange: () => rejecting(invalid('Token is expired. You can either do re-authorization or token refresh.')),
      failing: 'token',
      sentence: /The token has expired/,
      remedies: ['renewToken'],
    },
    {
      name: 'a token without the scope api',
      arrange: async () => ({ url: sandbox.url, token: async () => sandbox.tokens.readUser }),
      failing: 'scopes',
      sentence: /lacks the token scope api, .*; read_user is enough for the feed alone\. It has: read_user\.$/,
      remedies: ['renewToken'],
    },
    {
      name: 'a token that reads everything',
      arrange: async () => ({ url: sandbox.url, token: () => made({ scopes: ['read_api'] }) }),
      failing: undefined,
    },
    {
      name: 'a fine-grained token',
      arrange: async () => ({
        url: sandbox.url,
        projects: sandbox.projects.slice(0, 1),
        token: () => made({ permissions: allPermissions }),
      }),
      failing: undefined,
    },
    {
      name: 'a fine-grained token that does not say whose it is',
      arrange: async () => ({
        url: sandbox.url,
        projects: sandbox.projects.slice(0, 1),
        token: () => made({ permissions: allPermissions.slice(1) }),
      }),
      failing: undefined,
    },
    {
      name: 'a fine-grained token without a permission of error tracking',
      arrange: async () => ({
        url: sandbox.url,
        projects: sandbox.projects.slice(0, 1),
        token: () => made({ permissions: ['User: Read', 'Project: Read'] }),
      }),
      failing: 'role',
      sentence:
        /permission Error Tracking Setting: Read \(error tracking\).* says: “Access denied: .+\[Error Tracking Setting: Read\]\.”$/,
      remedies: ['openTokenPage'],
    },
    ...accountRefusals.map((as): Case => ({
      name: `an account that is refused (${as})`,
      arrange: async () => {
        sandbox.control.transform({ answer: refusing(as) });
        return { url: sandbox.url, token: owner };
      },
      failing: 'token',
      sentence: /^(?!.*(?:role|does not know|expired;)).+ The instance says: “.+”$/,
      remedies: [as === 'impersonation' ? 'renewToken' : 'openInstance'],
    })),
    {
      name: 'a role that is too low',
      arrange: async () => ({
        url: sandbox.url,
        token: async () => sandbox.tokens.developer,
        projects: sandbox.projects.slice(0, 1),
      }),
      failing: 'role',
      sentence: /error tracking needs Maintainer or Owner/,
    },
    {
      name: 'a role that is too low in the second of the projects',
      arrange: async () => {
        const maintained = 'harbor/berth-planner';
        sandbox.control.setRole(maintained, 'tomasz', 'maintainer');
        return {
          url: sandbox.url,
          token: async () => sandbox.tokens.developer,
          projects: [maintained, 'harbor/tide-table'],
        };
      },
      failing: 'role',
      sentence: /^Your role in harbor\/tide-table allows the feed; error tracking needs Maintainer or Owner/,
    },
    {
      name: 'a project that is not there',
      arrange: async () => ({ url: sandbox.url, token: owner, projects: ['no/such-project'] }),
      failing: 'role',
      sentence: /There is no project no\/such-project, or you are not a member of it/,
    },
  ];

  for (const { name, arrange, failing, sentence, remedies } of cases) {
    it(`says of ${name} that ${failing ?? 'nothing'} is wrong`, async () => {
      const findings: CheckResult[] = [];
      for await (const finding of diagnose(reader.app, await arrange(), new AbortController().signal)) {
        findings.push(finding);
      }
      const failure = findings.find(({ state }) => state === 'failed');
      assert.equal(failure?.step, failing, failure?.sentence);
      assert.match(failure?.sentence ?? '', sentence ?? /^/);
      if (remedies) {
        assert.deepEqual(
          failure?.remedies.map(({ kind }) => kind),
          remedies,
        );
      }
      // Nothing is said of steps that cannot be checked.
      const last = failing ?? (findings.at(-1)?.state === 'skipped' ? findings.at(-1)?.step : undefined);
      assert.deepEqual(
        findings.map(({ step }) => step),
        last === undefined ? stepNames : stepNames.slice(0, stepNames.indexOf(last) + 1),
      );
      const report = diagnosisReport(findings, ['Beacon']);
      assert.doesNotMatch(report, /s3cret|glpat-|ada:|Basic /);
      assert.ok(!report.includes(sandbox.tokens.owner));
      assert.doesNotMatch(report, /\{\d\}|undefined/);
    });
  }

  it('warns of an address without encryption, but not where the instance is on this computer', async () => {
    const tlsOf = async (target: DiagnosticTarget): Promise<CheckResult | undefined> => {
      const findings: CheckResult[] = [];
      for await (const finding of diagnose(reader.app, target, new AbortController().signal)) {
        findings.push(finding);
      }
      assert.match(
        diagnosisReport(findings, []),
        findings.some(({ state }) => state === 'warning') ? /^! Cert/m : /^✓ Cert/m,
      );
      return findings.find(({ step }) => step === 'tls');
    };
    const elsewhere = await tlsOf(await proxied());
    assert.equal(elsewhere?.state, 'warning');
    assert.match(elsewhere.sentence, /nothing is encrypted/);
    assert.deepEqual(elsewhere.remedies, [{ kind: 'otherUrl' }]);
    const here = await tlsOf({ url: sandbox.url });
    assert.equal(here?.state, 'ok');
    assert.match(here.sentence, /on this computer/);
  });

  it('says of a fine-grained token what each feature needs, and of one with read_api that it changes nothing', async () => {
    const findingsOf = async (token: DiagnosticTarget['token']): Promise<Map<StepName, CheckResult>> => {
      const findings = new Map<StepName, CheckResult>();
      for await (const one of diagnose(reader.app, { url: sandbox.url, token }, new AbortController().signal)) {
        findings.set(one.step, one);
      }
      return findings;
    };
    const ofFineGrained = await findingsOf(() => made({ permissions: allPermissions.slice(1) }));
    assert.match(ofFineGrained.get('token')?.sentence ?? '', /lacks the permission User: Read, which sign-in needs/);
    assert.deepEqual(ofFineGrained.get('token')?.remedies, [{ kind: 'openTokenPage' }]);
    const scopes = ofFineGrained.get('scopes');
    assert.match(scopes?.sentence ?? '', /fine-grained/);
    assert.ok(scopes?.details.includes('Activity: Event: Read'));
    const ofReader = await findingsOf(() => made({ scopes: ['read_api'] }));
    assert.match(ofReader.get('scopes')?.sentence ?? '', /read_api may read but change nothing; changes need api/);
    assert.equal(ofReader.get('scopes')?.state, 'ok');
    const ofApplication = await findingsOf(() => made({ scopes: ['api'], oauth: true }));
    assert.equal(ofApplication.get('scopes'), undefined);
  });

  it('shows the chain of certificates with who issued them', async () => {
    const subject = await secured({ ...server, cert: `${server.cert}${company.cert}` });
    const findings: CheckResult[] = [];
    for await (const finding of diagnose(reader.app, subject, new AbortController().signal)) {
      findings.push(finding);
    }
    const { details = [] } = findings.find(({ step }) => step === 'tls') ?? {};
    assert.match(details[0] ?? '', /^gitlab, issued by Company CA, valid from .+ to .+$/);
    assert.equal(details[1], `SHA-256 ${server.fingerprint}`);
    assert.match(details[2] ?? '', /^Company CA, issued by Company CA/);
  });

  it('sends the token only after the route was verified', async () => {
    const seen: unknown[] = [];
    const site = await startHostileServer(({ headers }, response) => {
      seen.push(headers['private-token']);
      response.end('<h1>Welcome</h1>');
    });
    running.push(site);
    for await (const finding of diagnose(
      reader.app,
      { url: site.origin, token: owner },
      new AbortController().signal,
    )) {
      assert.ok(finding);
    }
    assert.deepEqual(seen, [undefined]);
  });

  it('ends where it is when it is cancelled', async () => {
    const cancelled = new AbortController();
    const steps: StepName[] = [];
    for await (const { step } of diagnose(reader.app, { url: sandbox.url, token: owner }, cancelled.signal)) {
      steps.push(step);
      if (step === 'request') {
        cancelled.abort();
      }
    }
    assert.deepEqual(steps, ['url', 'request']);
  });

  it('offers the accounts as every list of accounts does, the one in use first, and another instance', async () => {
    const all = ['marta', 'jonas'].map((name) => sampleAccount(name, `https://${name}.example.com`));
    const shown: unknown[] = [];
    const app = { accounts: { all }, accountInUse: { account: all[1] } } as unknown as App;
    const pick = replaced({
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        shown.push(...items.map(({ label, detail }) => [label, detail]));
        return undefined;
      },
    });
    await diagnosisCommands(app)['beacon.diagnoseConnection']();
    pick.dispose();
    assert.deepEqual(shown, [
      ['jonas@jonas.example.com', 'In use in this window'],
      ['marta@marta.example.com', ''],
      ['Another Instance…', undefined],
    ]);
  });

  it('says that the sandbox has no connection, and asks for another account or an instance', async () => {
    const note = 'The sandbox runs in the editor itself and has no connection to diagnose.';
    const asked: unknown[] = [];
    const ui = replaced({
      showQuickPick: async (items: readonly vscode.QuickPickItem[], { placeHolder }: vscode.QuickPickOptions) =>
        void asked.push([placeHolder, ...items.map(({ label }) => label)]),
      showInputBox: async ({ prompt }: vscode.InputBoxOptions) => void asked.push(prompt),
    });
    const run = async (all: readonly object[]): Promise<void> => {
      const app = { accounts: { all }, accountInUse: { account: sandboxAccount } } as unknown as App;
      await diagnosisCommands(app)['beacon.diagnoseConnection']();
    };
    await run([sampleAccount('ada', 'https://one.example')]);
    await run([]);
    ui.dispose();
    assert.deepEqual(asked, [
      [`${note} Choose the account whose connection to diagnose`, 'ada@one.example', 'Another Instance…'],
      `${note} Enter the URL of a GitLab instance`,
    ]);
  });
});
