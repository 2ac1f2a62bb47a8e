import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { makeCertificate } from '../support/certificates.ts';
import { startTlsFront, type TlsFront } from '../support/tlsFront.ts';
import { keepPictureOfFailure, quickInput, runCommand, Workbench } from '../support/workbench.ts';

describe('Diagnose Connection', () => {
  const certificate = makeCertificate({ name: 'gitlab', hosts: ['gitlab.elsewhere.test'] });
  let workbench: Workbench;
  let sandbox: Sandbox;
  let front: TlsFront;
  let page: Page;

  before(async () => {
    [workbench, sandbox] = await Promise.all([Workbench.start(), startSandbox()]);
    front = await startTlsFront(Number(new URL(sandbox.url).port), certificate);
    page = await workbench.open();
  });
  after(async () => {
    await workbench.stop();
    await front[Symbol.asyncDispose]();
    await sandbox.close();
  });

  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
    await page.keyboard.press('Escape');
  });

  async function diagnose(url: string): Promise<void> {
    await runCommand(page, 'Beacon: Diagnose Connection');
    await quickInput(page).field.fill(url);
    await page.keyboard.press('Enter');
  }

  const step = (title: string) => page.getByRole('option', { name: title }).first();

  it('names what is wrong, and fixes it by trusting a certificate that was compared', async () => {
    await diagnose(`https://localhost:${front.port}`);
    await step('Certificate (TLS), Failed').waitFor();
    assert.match((await step('Certificate (TLS), Failed').textContent()) ?? '', /is self-signed/);
    assert.match((await step('Instance, Skipped').textContent()) ?? '', /an earlier step failed/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('issued by gitlab').waitFor();
    await dialog.getByRole('button', { name: 'Trust Certificate…' }).click();
    await dialog.getByText(certificate.fingerprint).waitFor();
    await dialog.getByRole('button', { name: 'Trust Certificate', exact: true }).click();
    await step('Instance, OK').waitFor();
    assert.match((await step('Certificate (TLS), OK').textContent()) ?? '', /is the one that you trust/);
    assert.match((await step('Token, Skipped').textContent()) ?? '', /You are not signed in to localhost/);
  });

  it('copies a report without secrets', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await diagnose('https://ada:s3cret@gitlab.example.com');
    await step('URL, Failed').waitFor();
    await page.getByRole('button', { name: 'Copy Report Without Secrets' }).click();
    await page.getByText('The report was copied').waitFor();
    const report = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(
      report,
      /^Beacon for GitLab \d[^]*✗ URL: This is not the URL of an instance[^]*– Role in the Project: Skipped/,
    );
    assert.doesNotMatch(report, /s3cret|ada/);
  });
});
