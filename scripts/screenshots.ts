import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stopIdleHosts } from '../test/support/workbench.ts';
import { endWith, readOptions } from './options.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';
import { takeActivityPictures } from './screenshots/activity.ts';
import { takeErrorTrackingPicture } from './screenshots/errorTracking.ts';
import { takeFirstMinutePictures, takeTour } from './screenshots/firstMinute.ts';
import { takeInsightsPictures } from './screenshots/insights.ts';
import { takeNotificationPictures } from './screenshots/notifications.ts';
import { picturesFolder } from './screenshots/stage.ts';

/** Takes the pictures of docs/images in a real workbench, signed in to a sandbox: all, or those of the subjects that are named. */
const subjects = new Map([
  ['firstMinute', takeFirstMinutePictures],
  ['tour', takeTour],
  ['activity', takeActivityPictures],
  ['insights', takeInsightsPictures],
  ['errorTracking', takeErrorTrackingPicture],
  ['notifications', takeNotificationPictures],
]);

const help = `Usage: npm run screenshots [-- SUBJECT…]
  SUBJECT  ${[...subjects.keys()].join(', ')}; without one: all of them`;
const { positionals: named } = readOptions(help, { allowPositionals: true });
const unknown = named.find((name) => !subjects.has(name));
if (unknown !== undefined) {
  endWith(`There are no pictures of "${unknown}".`, help);
}
await mkdir(picturesFolder, { recursive: true });
await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (const [name, takePictures] of subjects) {
  if (named.length === 0 || named.includes(name)) {
    await takePictures();
  }
}
await stopIdleHosts();
process.exit(0);
