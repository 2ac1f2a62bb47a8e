import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { makeCertificate, toPfx } from '../support/certificates.ts';
import { startProxy, type ProxyServer } from '../support/proxyServer.ts';
import { answerSignIn, typeToken } from '../support/signIn.ts';
import { startTlsFront, type TlsFront } from '../support/tlsFront.ts';
import { closeQuickInput, keepPictureOfFailure, quickInput, runCommand, Workbench } from '../support/workbench.ts';

/** Hosts that only the proxy knows; the second wants a client certificate. */
const host = 'gitlab.proxied.test';
const guarded = 'gitlab.guarded.test';

describe('a company network', () => {
  const authority = makeCertificate({ name: 'Company CA', isAuthority: true });
  const server = makeCertificate({ name: 'gitlab', issuer: authority, hosts: [host, guarded] });
  const ada = makeCertificate({ name: 'ada', issuer: authority });
  let folder: string;
  let sandbox: Sandbox;
  let front: TlsFront;
  let guardedFront: TlsFront;
  let proxy: ProxyServer;
  /** Where the settings of the workspace lead. */
  let evil: ProxyServer;
  let workbench: Workbench;
  let page: Page;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-company-'));
    const ca = join(folder, 'company.pem');
    await writeFile(ca, authority.cert);
    const pfx = join(folder, 'ada.p12');
    await writeFile(pfx, toPfx(ada, 'open sesame'));
    sandbox = await startSandbox({ anyHost: true, liveEvents: false });
    const port = Number(new URL(sandbox.url).port);
    front = await startTlsFront(port, server);
    guardedFront = await startTlsFront(port, {
      ...server,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    // Both know the hosts: who asks the wrong one gets an answer, too.
    const hosts = { [`${host}:80`]: port, [`${host}:443`]: front.port, [`${guarded}:443`]: guardedFront.port };
    evil = await startProxy({ hosts });
    proxy = await startProxy({
      hosts,
      authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}`,
    });
    workbench = await Workbench.start({
      settings: {
        'http.proxy': proxy.url.replace('//', '//ada:s3cret@'),
        'beacon.tls': { [host]: { ca }, [guarded]: { ca, pfx } },
      },
      // It decides neither where a token goes nor what is trusted.
      files: {
        '.vscode/settings.json': JSON.stringify({
          'http.proxy': evil.url,
          'http.noProxy': [host, guarded],
          'http.proxyAuthorization': 'Basic ZXZpbDpldmls',
          'http.proxyStrictSSL': false,
          'http.proxySupport': 'off',
          'beacon.tls': { [host]: { fingerprint: 'AA'.repeat(32) }, [guarded]: { ca: '.vscode/evil.pem' } },
          'beacon.instanceUrl': evil.url,
        }),
        '.vscode/evil.pem': 'evil',
      },
    });
    page = await workbench.open();
  });
  after(async () => {
    await workbench.stop();
    await proxy[Symbol.asyncDispose]();
    await evil[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
    await guardedFront[Symbol.asyncDispose]();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
    await page.keyboard.press('Escape');
  });

  it('is passed by http once that is agreed to, whatever the settings of a workspace say', async () => {
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    const { field } = quickInput(page);
    await field.fill(`http://${host}`);
    await field.press('Enter');
    // By http nothing is encrypted in transit to another computer.
    await page.getByRole('button', { name: 'Sign In without Encryption' }).click();
    await typeToken(page, sandbox.tokens.owner);
    await countShownEvents(page, 1);
    assert.ok(proxy.asked.includes(`${host}:80`));
    assert.deepEqual(evil.asked, []);
    await runCommand(page, 'Beacon: Sign Out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Sign In' }).first().waitFor();
  });

  it('is passed by who signs in, through its proxy and with its authority', async () => {
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, `https://${host}`, sandbox.tokens.owner);
    await countShownEvents(page, 1);
    assert.ok(proxy.asked.includes(`${host}:443`));
    assert.deepEqual(evil.asked, []);
  });

  it('asks once for the passphrase of a client certificate', async () => {
    const { field, message } = quickInput(page);
    const typeUrl = async (): Promise<void> => {
      await runCommand(page, 'Beacon: Sign In…');
      await field.fill(`https://${guarded}`);
      await field.press('Enter');
    };
    await typeUrl();
    await message.getByText(/ada\.p12.* needs a passphrase\./).waitFor();
    await closeQuickInput(page);
    await runCommand(page, 'Beacon: Enter Certificate Passphrase…');
    const passphrase = page.getByPlaceholder('Passphrase');
    await passphrase.fill('wrong');
    await passphrase.press('Enter');
    await message.getByText(/The passphrase for the file .*ada\.p12.* is wrong\./).waitFor();
    await passphrase.fill('open sesame');
    await passphrase.press('Enter');
    await passphrase.waitFor({ state: 'hidden' });
    await typeUrl();
    await page.getByPlaceholder('Personal access token').waitFor();
    await closeQuickInput(page);
    await runCommand(page, 'Beacon: Forget Certificate Passphrases');
    await page.getByText('The passphrases of client certificates were forgotten.').first().waitFor();
    await typeUrl();
    await message.getByText(/ada\.p12.* needs a passphrase\./).waitFor();
  });

  it('is distinguished from the instance if its proxy blocks the request', async () => {
    const { field, message } = quickInput(page);
    await runCommand(page, 'Beacon: Sign In…');
    await field.fill('https://gitlab.elsewhere.test');
    await field.press('Enter');
    await message.getByText('The proxy for gitlab.elsewhere.test does not work (502).').waitFor();
  });
});
