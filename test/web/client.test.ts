import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/project.ts';
import { type BrowserWorker, startBrowserWorker } from '../support/browserWorker.ts';
import { sendClientsBy } from '../support/clientSamples.ts';
import { permitWebPages } from '../support/hostileServer.ts';
// The suite of the client, whose requests a worker of a browser sends here.
import '../contract/client/authentication.test.ts';
import '../contract/client/conventions.test.ts';
import '../contract/client/errorTracking.test.ts';
import '../contract/client/errors.test.ts';
import '../contract/client/events.test.ts';
import '../contract/client/limits.test.ts';
import '../contract/client/notificationSettings.test.ts';
import '../contract/client/pagination.test.ts';
import '../contract/client/refusals.test.ts';
import '../contract/client/sandbox.test.ts';
import '../contract/client/tokenConfinement.test.ts';
import '../contract/client/transports.test.ts';

let worker: BrowserWorker;
let hidden: ReadonlySet<string>;

before(async () => {
  const page = await readFile(join(projectRoot, 'docs', 'api-coverage.md'), 'utf8');
  const [, section = ''] = page.split('## What a browser hides');
  hidden = new Set([...section.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title));
  worker = await startBrowserWorker();
  sendClientsBy(worker.fetch);
});

beforeEach(function () {
  permitWebPages(true);
  const title = this.currentTest?.title ?? '';
  if (hidden.has(title) || title.endsWith(' (undici)')) {
    this.skip();
  }
});

after(async () => {
  sendClientsBy(undefined);
  permitWebPages(false);
  await worker[Symbol.asyncDispose]();
});
